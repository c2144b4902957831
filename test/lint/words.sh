#!/bin/sh
# SPDX-License-Identifier: MIT
# The words of comments and names, and of documents for people from outside: things state, hold,
# report and mean; only people say and tell. And names that gave way to those of the field do not come
# back. Strings are left out: what users read may say so.
#
# And turns of phrase that nobody writes, counted: in what users read (strings, pages of help), and in
# comments. A limit may only be lowered. usage: words.sh SOURCE-ROOT
cd "$1" || exit 1

files="CONTRIBUTING.md SECURITY.md $(find src test -name '*.[ch]' | sort)"
awk '
BEGIN {
	spoken = "(say|says|said|saying|tell|tells|told|telling)"
	retired = "trc_(" \
	          "abreast|ahead|asked|asking|before|blend|cache_piece|cell|chooser|deal|" \
	          "decide|decider|digest|elsewhere|flat|grade|guess|habits|hint|huge|kept|" \
	          "leap|levels|light|meta_part|meta_share|mrc_beside|near|panel|pass|past|" \
	          "piece|promise|question|recall|record_rest|refine|room|say|saying|" \
	          "settled|sink_inner|spread|stranger|sums|twins|visitor|worded|words" \
	          ")(_[a-z0-9_]*)?s?"
}
{
	line = $0
	gsub(/"([^"\\]|\\.)*"/, "", line)
	if ((" " tolower(line) " ") ~ "[^a-z0-9]" spoken "[^a-z0-9]") {
		print FILENAME ":" FNR ": says or tells:" line
		bad = 1
	}
	if ((" " line " ") ~ "[^A-Za-z0-9_]" retired "[^A-Za-z0-9_]") {
		print FILENAME ":" FNR ": a name that was retired:" line
		bad = 1
	}
}
END { exit bad }' $files || exit 1

# count WHERE TURN: how often, as whole words.
count()
{
	case $1 in
	read) cat src/cmd/manual/*/*.txt README.md; find src -name '*.[ch]' -exec grep -hoE '"([^"\\]|\\.)*"' {} + ;;
	comments) find src -name '*.[ch]' -exec sed -E 's/"([^"\\]|\\.)*"//g' {} + ;;
	esac | grep -oiwE -e "$2" | wc -l
}
while read -r where limit turn; do
	n=$(count "$where" "$turn")
	[ "$n" -le "$limit" ] || { echo "'$turn': $n times in $where, at most $limit: see the words around it"; exit 1; }
done <<'END'
read 11 is no
read 1 behind
read 0 if not given
read 5 so many
read 0 nobody
read 4 of which
read 7 what is
read 2 in front of
read 0 ask(ed)? without
read 2 one of them
read 1 is there
comments 63 is no
comments 11 behind
comments 1 if not given
comments 4 so many
comments 20 nobody
comments 57 of which
comments 101 what is
comments 9 in front of
END
