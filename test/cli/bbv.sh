# SPDX-License-Identifier: MIT
# Basic-block vectors: as SimPoint reads them, against a count by awk; of any format, whole or in blocks.
ln -s "$SRC/test/data/sort.lackey.xz" .
xz -dc sort.lackey.xz >sort.lackey
by_awk() {
	sed -n 's/^I  *0*\([0-9a-f]*\),\(.*\)/\1 \2/p' sort.lackey | awk -v every=$1 '
	function dec(hex, v, i) {
		for (i = 1; i <= length(hex); i++)
			v = v * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
		return v
	}
	function flush(i, line) {
		for (i = 1; i <= blocks; i++)
			if (n[i])
				line = line (line == "" ? "T" : " ") ":" i ":" n[i]
		print line
		split("", n)
		insns = 0
	}
	{
		pc = dec($1)
		if (insns == every)
			flush()
		if (NR == 1 || pc != next_pc) {
			if (!($1 in id))
				id[$1] = ++blocks
			block = id[$1]
		}
		n[block]++
		insns++
		next_pc = pc + $2
	}
	END { flush() }'
}
by_awk 100000 >awk.bb
try trc stat --bbv 100k -o trc.bb sort.lackey.xz
try cmp awk.bb trc.bb
trc encode -q sort.lackey.xz sort.trc
trc stat -q --bbv 100000 sort.trc | cmp - trc.bb
trc stat -q --bbv 100000 -T 1 - <sort.lackey | cmp - trc.bb
try trc stat --bbv 700k --csv --quiet sort.trc | sed 6q

# Where an instruction begins, a loop of two blocks, and another task in between.
printf '%s\n' type,addr,size,task fetch,0x10,4,1 read,0x99,8,1 fetch,0x14,2,1 fetch,0x100,4,2 fetch,0x16,4,1 \
	fetch,0x10,4,1 write,0x99,8,1 fetch,0x104,4,2 fetch,0x14,2,1 >a.csv
try trc stat --bbv 10 a.csv
try trc stat --bbv 3 a.csv
try trc stat --bbv 3 --csv a.csv
try trc stat --bbv 4 --json a.csv
try trc stat --bbv 3 --skip 2 --limit 4 a.csv

# Without sizes: by branches, and by how far the next instruction is.
assemble good-champsim-two-instructions >two.champsim
try trc stat --bbv 10 --csv two.champsim
printf '%s\n' '2 10' '2 14' '0 99' '2 30' '2 31' >a.din
try trc stat --bbv 10 --csv a.din

# What has no instructions has no basic blocks.
printf '0 10\n1 14\n' >b.din
try trc stat --bbv 10 b.din
printf '5\n5\n7\n' >a.page
try trc stat --bbv 10 a.page
: >empty.din
try trc stat --bbv 10 --from din empty.din
try trc stat --bbv 0 a.din
try trc stat --bbv x a.din
ls
