# SPDX-License-Identifier: MIT
# Completion in zsh: what the script hands to zsh's own functions, as those need a terminal.
command -v zsh >/dev/null || { echo "no zsh here"; exit 77; }

cat >words <<'END'
fpath=($SRC/completions)
autoload -Uz _trc

_describe() {
	print -l -- "$1: $2 $3$4" ${(P)2}
}

_files() {
	print "files"
}

compset() {
	print -- "compset $*"
}

ask() {
	print -- "[$*]"
	local words=($TRC "$@") CURRENT=$(($# + 1)) PREFIX=${@[-1]}
	_trc
}

ask enc
ask encode --to lack
ask encode --to=lack
ask encode --drop=type,as
ask encode --nope=lack
ask encode --to=pdats:st
ask encode --spl
ask encode name.d
ask encode --from mache:sk
# Files alone were offered where the name of an action may stand, too.
ask replay r
ask replay run --ag
ask stat --cache 32K:8:64:s
ask stat --inclusion n
ask stat --hug
END
exec zsh -f words
