# SPDX-License-Identifier: MIT
# Several inputs: stat has a row for each, and none is lost where another fails.
for i in 1 2 3 4 5 6 7 8 9; do
	awk -v n=$i 'BEGIN { for (i = 0; i < 1000 * n; i++) printf "%d %x\n", i % 3, i * 64 }' >$i.din
done
trc encode 2.din 2.trc
printf 'addr\n0x10\n0x20\n' >bare.csv
mkdir parts && trc split --by type 3.din parts/of3
try trc stat 1.din 2.trc bare.csv parts/of3/read.din
try trc stat 1.din none.din 2.trc folder/none 3.din
trc stat --json 1.din 2.trc bare.csv | sed 's/, "provenance.*/}/'
trc stat --json bare.csv
try trc stat --limit 10 --only read 1.din 2.din
# As many as there are, in their order, however many at a time.
trc stat ?.din >all
for n in 1 2 7; do trc stat -T $n ?.din | cmp - all; done
for i in 1 2 3 4 5 6 7 8 9; do trc stat $i.din ?.din | sed -n 2p; done >each
sed 1d all | cmp - each && echo each as alone
cat 1.din | trc stat --from din - 2.din
trc stat -o rows 1.din 2.din && sed -n 2p rows
# One trace of all, if that is meant.
cat ?.din >joined.din
trc stat joined.din >want
trc stat --concat ?.din | cmp - want && echo one trace
