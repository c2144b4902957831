# SPDX-License-Identifier: MIT
# Completion in bash, where a word with = or : reaches the script in three.
command -v bash >/dev/null || { echo "no bash here"; exit 77; }

cat >words <<'END'
. "$SRC/completions/trc.bash"

compopt() {
	echo "compopt $*"
}

ask() {
	echo "[$*]"
	COMP_WORDS=(trc "$@")
	COMP_CWORD=$#
	_trc "$TRC"
	((${#COMPREPLY[@]} == 0)) || printf '%s\n' "${COMPREPLY[@]}"
}

complete -p trc
ask enc
ask encode --to lack
ask encode --to = lack
ask encode --drop = type,as
ask encode --nope = lack
ask encode --from pdats : raw,st
ask encode --to = pdats : st
ask encode --spl
ask encode name.d
# A blank followed a word that lacks its value.
ask encode --from mache:sk
ask replay run --ag
ask stat --cache 32K : 8 : 64 : s
ask stat --inclusion n
ask stat --hug
COMP_WORDBREAKS=${COMP_WORDBREAKS//=}
ask encode --to=lack
ask encode --to=pdats : st
COMP_WORDBREAKS=${COMP_WORDBREAKS//:}
ask encode --to=pdats:st
END
exec bash --norc words
