# SPDX-License-Identifier: MIT
#
# Completion of trc in bash: trc itself is asked what may stand in the place of the last word.

_trc()
{
	local n=0 word words=() breaks="[${COMP_WORDBREAKS//[^=:]}]" kept='' line

	COMPREPLY=()
	# Where bash breaks words at = and :, it hands out --to=x as three and takes back only the last.
	for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
		if ((n)) && [[ $word == $breaks* || ${words[n - 1]} == *$breaks ]]; then
			words[n - 1]+=$word
		else
			words[n++]=$word
		fi
	done
	word=${words[n - 1]}
	if [[ $word == *$breaks* ]]; then
		kept=${word%"${word##*$breaks}"}
	fi

	while IFS= read -r line; do
		if [[ $line == $'\tfiles' ]]; then
			compopt -o default
		else
			line=${line%%$'\t'*}
			COMPREPLY+=("${line#"$kept"}")
		fi
	done < <("$1" --complete "${words[@]}" 2>/dev/null)
	# No blank follows a word that a value is to follow.
	if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *[=:] ]]; then
		compopt -o nospace
	fi
}

complete -F _trc trc
