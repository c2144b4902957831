#!/bin/sh
# SPDX-License-Identifier: MIT
# The words of comments and names, and of documents for people from outside: things state, hold,
# report and mean; only people say and tell. And names that gave way to those of the field do not come
# back. Strings are left out: what users read may say so. usage: words.sh SOURCE-ROOT
cd "$1" || exit 1

files="CONTRIBUTING.md SECURITY.md $(find src test -name '*.[ch]' | sort)"
awk '
BEGIN {
	spoken = "(say|says|said|saying|tell|tells|told|telling)"
	retired = "trc_(ahead|blend|cell|chooser|decide|decider|digest|flat|grade|guess|hint|" \
	          "huge|leap|light|near|panel|pass|past|promise|recall|refine|room|say|saying|" \
	          "stranger|sums|visitor|words)(_[a-z0-9_]*)?s?"
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
END { exit bad }' $files
