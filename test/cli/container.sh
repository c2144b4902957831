# SPDX-License-Identifier: MIT
# The container on the command line: what it was made of comes back byte for byte, at each level
# and with any number of threads.
i=0
while [ $i -lt 3000 ]; do
	echo "2 $((4194304 + i % 100 * 4))"
	echo "$((i % 2)) $((8388608 + i % 7 * 8))"
	i=$((i + 1))
done | sed 's/ \(.\)/ \1/' >a.din
try trc encode a.din a.trc
trc decode a.trc | cmp - a.din
trc decode a.trc b.din && cmp a.din b.din
for level in 0 1 2 3 4 5 6 7 8 9; do
	trc encode -$level a.din $level.trc
	trc decode $level.trc | cmp - a.din
done
trc encode -T 1 a.din one.trc
trc encode -T 8 --no-verify a.din eight.trc
cmp one.trc eight.trc
cmp one.trc a.trc
trc encode a.din - --to trc | cmp - a.trc
try trc decode --skip 5998 a.trc
try trc decode --skip 2999 --limit 2 a.trc
try trc decode --skip 7000 a.trc
cat a.trc a.trc | trc decode --skip 6000 - | cmp - a.din
try trc decode --memlimit 1MiB a.trc
# Whoever raises the limit as the messages demand can read it, in a few steps.
awk 'BEGIN {
	for (i = 0; i < 60000; i++)
		printf "2 %x\n0 %x\n", 4194304 + i * 7919 % 60000 * 4, 8388608 + i % 977 * 8
}' >long.din
trc encode long.din long.trc
limit=1
steps=0
while [ $steps -lt 20 ] && ! trc decode --memlimit ${limit}M long.trc --to null 2>err; do
	need=$(sed -n 's/.*may need \([0-9]*\) MiB.*/\1/p' err)
	more=$(sed -n 's/.*needs \([0-9]*\) MiB more.*/\1/p' err)
	limit=$((${need:-$limit} + ${more:-0}))
	steps=$((steps + 1))
done
[ $steps -gt 1 ] && [ $steps -lt 6 ] || { echo "$steps steps to $limit MiB"; cat err; }
rm long.din long.trc err
try trc encode --level 10 a.din c.trc
try trc encode -T x a.din c.trc
try trc encode a.din a.trc
try trc decode a.trc --to laplace
ls
