#!/bin/sh
# SPDX-License-Identifier: MIT
# What the recipes of src/README.md ask for is there: each place that one forgot is named, with what
# to do. usage: recipes.sh SOURCE-ROOT TRC
root=$1 trc=$2
cd "$root" || exit 1
status=0

complain() {
	echo "$1"
	status=1
}

# others FILE: the words of standard input that are no line of the file.
others() {
	sort -u | comm -23 - "$1"
}

formats=$("$trc" help formats | sed -n '/^Columns:/q; s/^  \([a-z][a-z0-9-]*\) .*/\1/p')
columns=$("$trc" help formats | sed -n '1,/^Columns:/d; s/^  \([a-z][a-z0-9-]*\) .*/\1/p')
[ "$formats" ] && [ "$columns" ] || complain "trc help formats lists nothing"
there=$(mktemp)
trap 'rm "$there"' EXIT

sed -n '/^## Formats/,/^## St/p' README.md | grep '^\* ' | grep -o '`[a-z0-9-]*`' | tr -d '`' | sort -u >"$there"
for f in $(echo "$formats" | others "$there"); do
	complain "format $f is not in the list of README.md; add it to a line, or a line for it"
done
head -n 1 -q test/corpus/good-csv-all-columns.csv test/corpus/good-csv-events.csv | tr ',' '\n' | sort -u >"$there"
for c in $(echo "$columns" | others "$there"); do
	complain "column $c is not in test/corpus/good-csv-all-columns.csv; add it to each line"
done
grep -oh 'trc_stage_[a-z_]*' test/unit/*.c | sort -u >"$there"
for s in $(grep -oh 'trc_stage_[a-z_]*(' src/stage/*.h src/stage/*/*.h | tr -d '(' | others "$there"); do
	complain "$s is tried by no test; give it a row in stage[] of test/unit/stage.c"
done
# listed LIST: the words of a list of src/meson.build, without folders.
listed() {
	sed -n "/^$1 = /,/^]/p" src/meson.build | grep -o "'[^']*'" | sed "s,.*/,,; s/'//g" | sort -u
}
listed optional_stages >"$there"
for s in $(grep -rhoE '^const struct trc_stage_row trc_stage_row_[a-z_]*' src/stage src/cmd |
	sed 's/.*trc_stage_row_//' | others "$there"); do
	complain "trc_stage_row_$s is not in optional_stages of src/meson.build, so no command has its options"
done
listed formats >"$there"
for f in $(grep -rhoE '^const struct trc_format trc_family_[a-z0-9_]*' src/format |
	sed 's/.*trc_family_//' | others "$there"); do
	complain "trc_family_$f is not in formats of src/meson.build, so nobody can read or write it"
done
for c in $("$trc" help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
	sed -n "/^\$ trc help $c\$/,/^\$ trc/p" test/cli/help.out >"$there"
	[ -s "$there" ] ||
		complain "trc help $c is not in test/cli/help.out; name $c in test/cli/help.sh, then UPDATE=1 test/cli/run.sh help"
	page=$(grep -oE '(^| )--[a-z0-9-]+' "$there" | tr -d ' ' | sort -u)
	echo "$page" >"$there"
	for o in $("$trc" --complete "$c" -- | sed -n 's/^\(--[a-z0-9-]*\).*/\1/p' | grep -vx -e --help | others "$there"); do
		complain "$o of trc $c is not in test/cli/help.out; UPDATE=1 test/cli/run.sh help accepts it"
	done
done
# A question by its row: its name, its file, and whether shards can answer it.
for q in $(awk '/^const struct trc_action trc_stat_[a-z_]* = / { in_row = 1; name = ""; shards = 1 }
	in_row && match($0, /\.name = "[^"]*"/) { name = substr($0, RSTART + 9, RLENGTH - 10) }
	in_row && /\.no_shards/ { shards = 0 }
	in_row && /^};/ { in_row = 0; n = split(FILENAME, part, "/"); sub(/\.c$/, "", part[n])
		if (name ~ /^--/) print name ":" part[n] ":" shards }' src/cmd/*/*.c); do
	name=${q%%:*} shards=${q##*:} file=${q#*:} file=${file%:*}
	grep -qE -e "trc stat [^\"]*$name\>" src/cmd/stat/stat.c ||
		complain "$name has no example; add one to examples[] of src/cmd/stat/stat.c"
	[ "$shards" = 0 ] || grep -qE "^\s*\{ \"(${name#--}|$file)\>" test/unit/shards.c ||
		complain "$name is not in question[] of test/unit/shards.c; add its row, or say in .no_shards of its own why there are none"
	for list in one_line answers each unjoined; do
		grep -q -e "$name\>" test/cli/$list.sh ||
			complain "$name is not in test/cli/$list.sh; add a line that asks it"
	done
done
exit $status
