#!/bin/sh
# SPDX-License-Identifier: MIT
# The words of comments and names: things state, hold, report and mean; only people say and tell.
# And names that gave way to those of the field do not come back. Strings are left out: what users
# read may say so. usage: words.sh SOURCE-ROOT
cd "$1" || exit 1

# Rooms that are not clean yet.
skip='^src/codec/'

files=$(find src -name '*.[ch]' | grep -Ev "$skip" | sort)
awk '
BEGIN {
	spoken = "(say|says|said|saying|tell|tells|told|telling)"
	retired = "trc_(blend|chooser|decide|decider|digest|grade|huge|leap|light|near|panel|" \
	          "promise|recall|refine|say|saying|stranger|visitor|words)(_[a-z0-9_]*)?s?"
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
