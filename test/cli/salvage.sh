# SPDX-License-Identifier: MIT
# Damaged containers: refused with the place, no output, unless nothing but the end is missing; --salvage
# gets what is good, names what is missing, and reports that by its exit status.
i=0
while [ $i -lt 500 ]; do
	echo "2 $((400000 + i % 100 * 4))"
	echo "0 $((800000 + i % 7 * 8))"
	i=$((i + 1))
done >a.din
# Without parity: what that repairs, and what is left then, is in repair.sh.
trc encode --parity 0 a.din a.trc
size=$(wc -c <a.trc)
head -c $((size - 1)) a.trc >no-end.trc
head -c $((size / 2)) a.trc >half.trc
{ printf x; tail -c +2 a.trc; } >no-header.trc
{ head -c 200 a.trc; printf damage; tail -c +207 a.trc; } >bad.trc
cat a.trc bad.trc a.trc >middle.trc
# The end has 19 bytes, and the index stands before it.
{ head -c $((size - 19)) a.trc; cat a.trc; } >border.trc
{ head -c $((size - 40)) a.trc; cat a.trc; } >index.trc
: >empty.trc
# Where a frame stands depends on how small those before it are.
tried()
{
	try "$@" 2>&1 | sed 's/byte [0-9]*/byte N/'
}
for name in no-end half no-header bad middle border index empty; do
	tried trc encode --from trc $name.trc b.din
	[ ! -e b.din ] || echo "there is output"
	rm -f b.din
	tried trc encode --from trc --salvage $name.trc b.din
	[ ! -e b.din ] || cat b.din | wc -l
	rm -f b.din
done
# Without its beginning, nothing but --salvage shows that it is a container.
try trc decode --salvage no-header.trc b.din
cmp a.din b.din
rm b.din
tried trc decode no-header.trc b.din
tried trc decode --salvage half.trc b.din
printf 'garbage\n' | tried trc decode --salvage - b.din
rm -f b.din
try trc encode --salvage a.trc b.din
cmp a.din b.din
