# SPDX-License-Identifier: MIT
# What parity repairs is read as if nothing had happened, with a note; more of it repairs more.
i=0
while [ $i -lt 900 ]; do
	echo "2 $((400000 + i * i % 997 * 4))"
	echo "0 $((800000 + i * i % 811 * 8))"
	i=$((i + 1))
done >a.din
trc encode a.din a.trc
trc encode --parity 0 a.din none.trc
trc encode --parity 40% a.din more.trc
trc encode --to trc:parity=0 a.din same.trc
cmp none.trc same.trc
[ "$(wc -c <none.trc)" -lt "$(wc -c <a.trc)" ] && [ "$(wc -c <a.trc)" -lt "$(wc -c <more.trc)" ]
# damaged FILE FROM TO: with other bytes there
damaged()
{
	{ head -c "$2" "$1"; head -c $(($3 - $2)) /dev/zero | tr '\0' X; tail -c +$(($3 + 1)) "$1"; } >bad.trc
}
tried()
{
	try "$@" 2>&1 | sed 's/byte [0-9]*/byte N/; s/of the input: [1-9][0-9]*/of the input: N/; s/^[1-9][0-9]* damaged/N damaged/'
}
size=$(wc -c <a.trc)
damaged a.trc 300 320
tried trc decode bad.trc b.din
cmp a.din b.din
trc decode --quiet bad.trc | cmp a.din -
tried trc stat --check bad.trc | sed 's/[0-9]* damaged/N damaged/'
tried trc stat --json bad.trc | tail -1 | cut -c 1-30
# A salvage takes what is repaired first.
trc decode --quiet --salvage bad.trc | cmp a.din -
# Its beginning, and its end.
damaged a.trc 0 20
tried trc stat --mrc --sizes 1 bad.trc | tail -1
head -c $((size - 10)) a.trc >bad.trc
tried trc decode --force bad.trc b.din
cmp a.din b.din
# Bytes that are missing, and bytes too many.
{ head -c 400 a.trc; tail -c +440 a.trc; } >bad.trc
trc decode --quiet bad.trc | cmp a.din -
{ head -c 400 a.trc; echo; tail -c +401 a.trc; } >bad.trc
trc decode --quiet bad.trc | cmp a.din -
# In a pipe nothing can be read twice.
cat bad.trc | tried trc decode -
# Beyond its parity; and with more of it.
damaged a.trc 300 700
tried trc decode bad.trc -
damaged more.trc 300 700
trc decode --quiet bad.trc | cmp a.din -
# Joined, each of its own.
damaged a.trc 300 310
cat bad.trc bad.trc none.trc bad.trc >two.trc
cat a.din a.din a.din a.din >b.din
trc decode --quiet two.trc | cmp b.din -
try trc encode --parity 101 a.din b.trc
try trc encode --parity -1 a.din b.trc
try trc encode --parity 2x a.din b.trc
try trc decode --parity 2 --to csv a.trc
