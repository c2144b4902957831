# SPDX-License-Identifier: MIT
# What is referred to most, against a count by awk: pages, lines, instructions, types.
ln -s "$SRC/test/data/sort.lackey.xz" .
xz -dc sort.lackey.xz >sort.lackey
head -n 200000 sort.lackey >some.lackey
try trc stat --top pcs --rows 4 sort.lackey.xz
try trc stat --top pages --rows 3 sort.lackey.xz
try trc stat --top types sort.lackey.xz

# Hexadecimal digits without the last N name a page or a part of one; a reference that goes on
# behind these digits is to the next one, too; a modify is two references.
by_awk() {
	sed -n 's/^\(I\| [SLM]\) *\([0-9a-f]*\),\([0-9]*\)/\1 \2 \3/p' some.lackey | awk -v drop="$1" '
	function hex(digits,  n) {
		for (n = 0; digits != ""; digits = substr(digits, 2))
			n = 16 * n + index(all, substr(digits, 1, 1)) - 1
		return n
	}
	function next_one(key,  last) {
		last = substr(key, length(key))
		return last == "f" ? next_one(substr(key, 1, length(key) - 1)) "0" : \
			substr(key, 1, length(key) - 1) substr(all, index(all, last) + 1, 1)
	}
	BEGIN { all = "0123456789abcdef" }
	{
		at = length($2) - drop
		key = substr($2, 1, at)
		sub(/^0+/, "", key)
		n[key] += $1 == "M" ? 2 : 1
		for (end = hex(substr($2, at + 1)) + $3; end > 16 ^ drop; end -= 16 ^ drop)
			n[key = next_one(key)] += $1 == "M" ? 2 : 1
	}
	END { for (k in n) print "0x" k substr("0000000000", 1, drop) "," n[k] }' | sort
}
by_trc() {
	trc stat --csv --rows 1M "$@" some.lackey | awk -F, 'NR > 1 { print $1 "," $3 }' | sort
}
by_awk 3 >awk.csv && by_trc --top pages >trc.csv && try cmp awk.csv trc.csv
by_awk 1 >awk.csv && by_trc --top lines --line-size 16 >trc.csv && try cmp awk.csv trc.csv
# Instructions: a reference is by the fetch in front of it.
sed -n 's/^\(I\| [SLM]\) *\([0-9a-f]*\),.*/\1 \2/p' some.lackey | awk '
	$1 == "I" { pc = $2; sub(/^0+/, "", pc) }
	{ n[pc] += $1 == "M" ? 2 : 1 }
	END { for (k in n) print (k == "" ? "0x0" : "0x" k) "," n[k] }' | sort >awk.csv
by_trc --top pcs >trc.csv && try cmp awk.csv trc.csv

# A reference counts for each page and line that it touches, to the last one there is.
printf '%s\n' type,addr,size read,0xffc,8 write,0x1fff,1 modify,0x2ff0,0x1011 \
	read,0xfffffffffffffff8,8 >over.csv
try trc stat --top pages over.csv
try trc stat --top lines --csv --rows 3 --line-size 4096 over.csv
try trc stat --top types over.csv

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

# Several files, which others compare, were one trace.
try trc stat --top types a.csv a.csv
try trc stat --top types --concat a.csv a.csv | head -n 2
try trc stat --cache 64:1:16 --csv a.csv a.csv | tail -n 1
