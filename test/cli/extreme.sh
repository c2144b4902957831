# SPDX-License-Identifier: MIT
# -e is smaller at each level, and comes back.
awk 'BEGIN {
	for (i = 0; i < 20000; i++)
		printf "%d %x\n", i % 7 ? 2 : i % 2, i % 7 ? 4096 + i % 90 * 4 : 65536 + i * i % 5000
}' >a.din
for level in 1 6 9; do
	trc encode -q -$level a.din plain.trc --force
	trc encode -q -${level}e a.din extreme.trc --force
	trc decode -q extreme.trc -t din - | cmp - a.din
	echo "-${level}e: $(test $(wc -c <extreme.trc) -le $(wc -c <plain.trc) && echo smaller)"
done
try trc encode -q --extreme a.din - -t din
trc encode -q a.din b.trc --to trc:level=9,extreme && cmp b.trc extreme.trc && echo same
# -9e has larger blocks than -9, which are read without --memlimit, whatever columns they have.
awk 'BEGIN { print "type,addr,size,asid"; for (i = 0; i < 100; i++) print "r," i * 8 ",8,1" }' >a.csv
trc encode -q -9e a.csv --to trc wide.trc && trc decode -q wide.trc -t csv - | wc -l
