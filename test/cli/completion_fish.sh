# SPDX-License-Identifier: MIT
# Completion in fish.
command -v fish >/dev/null || { echo "no fish here"; exit 77; }

HOME=$PWD PATH=$(dirname "$TRC"):$PATH
export HOME PATH
touch name.din

cat >words <<'END'
source $SRC/completions/trc.fish

for line in "enc" "encode --to lack" "encode --to=lack" "encode --drop=type,as" "encode --nope=lack" \
		"encode --to=pdats:st" "encode --spl" "encode name.d" \
		"stat --cache 32K:8:64:s" "stat --inclusion n" "stat --hug"
	echo "[$line]"
	complete -C "trc $line"
end
END
exec fish --no-config words
