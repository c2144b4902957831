# SPDX-License-Identifier: MIT
# What is referred to most, against a count by awk: pages, lines, instructions, types.
ln -s "$SRC/test/data/sort.lackey.xz" .
xz -dc sort.lackey.xz >sort.lackey
try trc stat --top pcs --rows 4 sort.lackey.xz
try trc stat --top pages --rows 3 sort.lackey.xz
try trc stat --top types sort.lackey.xz

# Hexadecimal digits without the last N name a page or a part of one; a modify is two references.
by_awk() {
	sed -n 's/^\(I\| [SLM]\) *\([0-9a-f]*\),.*/\1 \2/p' sort.lackey | awk -v drop="$1" '
	{ key = substr($2, 1, length($2) - drop); sub(/^0+/, "", key); n[key] += $1 == "M" ? 2 : 1 }
	END { for (k in n) print "0x" k substr("0000000000", 1, drop) "," n[k] }' | sort
}
by_trc() {
	trc stat --csv --rows 1M "$@" sort.lackey.xz | awk -F, 'NR > 1 { print $1 "," $3 }' | sort
}
by_awk 3 >awk.csv && by_trc --top pages >trc.csv && try cmp awk.csv trc.csv
by_awk 1 >awk.csv && by_trc --top lines --line-size 16 >trc.csv && try cmp awk.csv trc.csv
# Instructions: a reference is by the fetch in front of it.
sed -n 's/^\(I\| [SLM]\) *\([0-9a-f]*\),.*/\1 \2/p' sort.lackey | awk '
	$1 == "I" { pc = $2; sub(/^0+/, "", pc) }
	{ n[pc] += $1 == "M" ? 2 : 1 }
	END { for (k in n) print (k == "" ? "0x0" : "0x" k) "," n[k] }' | sort >awk.csv
by_trc --top pcs >trc.csv && try cmp awk.csv trc.csv

# By column pc, tasks and spaces; strides: 16, 16, 16, then back.
printf '%s\n' type,addr,size,pc,task,asid read,0x10,4,0x1,1,7 read,0x20,4,0x1,1,7 \
	read,0x30,4,0x1,1,7 modify,0x40,4,0x1,2,7 write,0x10,4,0x1,2,8 >a.csv
try trc stat --top pcs --csv a.csv
try trc stat --top tasks a.csv
try trc stat --top spaces --json a.csv
try trc stat --top pages --csv a.csv
printf '5\n5\n7\n' >a.page
try trc stat --top pages --csv a.page
try trc stat --top lines a.page
try trc stat --top pcs a.page
try trc stat --top tasks sort.lackey.xz
try trc stat --top cats sort.lackey.xz
try trc stat --top pages --line-size 64 sort.lackey.xz

# Several files, which others compare, are one trace: a note stands beside the answer.
try trc stat --top types a.csv a.csv
try trc stat --top types --concat a.csv a.csv | head -n 2
try trc stat --cache 64:1:16 --csv a.csv a.csv | tail -n 1
