# SPDX-License-Identifier: MIT
# What is in the index of a container: counts without reading, blocks, and times to seek by.
i=0
while [ $i -lt 1000 ]; do
	echo "r $(((i + 500) % 1000)) 4 $((i % 3)) $((400000 + i % 100 * 4))"
	echo "W $(((i + 500) % 1000)) 8 $((i % 3)) $((800000 + i % 7 * 4096))"
	i=$((i + 1))
done >a.laplace
trc encode --parity 0 a.laplace a.trc
try trc stat a.trc
trc stat a.trc >told
trc stat a.laplace >counted
trc stat --count a.trc | cmp - told
diff told counted
try trc stat --check a.trc
# How small they are changes with each good idea.
try trc stat --blocks a.trc | sed 's/[0-9]* \( *new\)/N \1/'
try trc stat --blocks --json a.trc | sed 's/"bytes": [0-9]*/"bytes": N/'
cat a.trc a.trc >two.trc
try trc stat two.trc
try trc stat --json two.trc
try trc stat --count --json two.trc
try trc stat --page-size 4096 --json two.trc
try trc stat --page-size 64K --json a.trc
try trc stat --skip 10 --json a.trc
try trc stat --blocks a.laplace
cat a.trc | try trc stat --json -
cat a.trc | try trc stat --blocks -

# Times from 0x500 to 0x999 stand before those from 0.
for input in a.trc a.laplace; do
	try trc decode --from-time 0x998 --to-time 0x999 $input
	try trc decode --to-time 1 $input
	try trc decode --from-time 0x998 --skip 1 --limit 2 $input
	try trc decode --from-time 0x1000 $input
done
try trc decode --from-time 7 --to-time 7 a.trc
try trc decode --to-time 0 a.trc
printf '0 10\n' >b.din
try trc decode --from-time 1 b.din

# A damaged index is no index; reading through finds where the damage is.
size=$(wc -c <a.trc)
{ head -c $((size - 60)) a.trc; printf damage; tail -c 54 a.trc; } >bad.trc
try trc stat --blocks bad.trc
try trc stat --json bad.trc
try trc decode --skip 1999 bad.trc
