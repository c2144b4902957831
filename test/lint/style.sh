#!/bin/sh
# SPDX-License-Identifier: MIT
# What the formatter does not look after, in all files that are ours: trailing blanks, blanks for
# tabs, lines above 100 columns, the newline at the end, the licence line, characters that do not
# show. usage: style.sh SOURCE-ROOT
cd "$1" || exit 1
status=0
tab=$(printf '\t')

complain() {
	echo "$1: $2"
	status=1
}

files=$(find src test completions meson.build meson_options.txt -type f ! -path 'test/corpus/*' \
	! -path 'test/data/*.xz' ! -name '*.out' ! -name '*.pyc' | sort)
for f in $files; do
	LC_ALL=C grep -n "[ $tab]\$" "$f" /dev/null && complain "$f" "trailing blanks"
	LC_ALL=C grep -n '[^ -~	]' "$f" /dev/null && complain "$f" "characters that are not ASCII"
	[ -z "$(tail -c 1 "$f")" ] || complain "$f" "no newline at the end"
	case $f in
	*.[ch] | *.def)
		head -n 1 "$f" | grep -q '^/\* SPDX-License-Identifier: MIT' ||
			complain "$f" "no SPDX line"
		# Continuations are aligned with blanks, and strings are not broken.
		awk -v f="$f" '/^    / && before ~ /[{;]$/ { print f ":" NR; bad = 1 }
			{ before = $0 }
			END { exit bad }' "$f" || complain "$f" "blanks where tabs should indent"
		expand -t 8 "$f" | awk -v f="$f" 'length > 100 && !/"/ { print f ":" NR; bad = 1 }
			END { exit bad }' || complain "$f" "lines above 100 columns"
		;;
	*.sh | *.py)
		head -n 2 "$f" | grep -q '^# SPDX-License-Identifier: MIT' ||
			complain "$f" "no SPDX line"
		;;
	esac
done
exit $status
