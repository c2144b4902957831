# SPDX-License-Identifier: MIT
# Packed input that is cut short or damaged: the file, the place, no output.
real=$SRC/test/data/sort.lackey.xz
head -c 100000 "$real" >short.lackey.xz
head -c 6 "$real" >magic.lackey.xz
{ head -c 50000 "$real"; printf garbage; tail -c +50008 "$real"; } >bad.lackey.xz
{ cat "$real"; echo garbage; } >tail.lackey.xz
for file in short.lackey.xz magic.lackey.xz; do
	try trc encode $file b.lackey
	ls b.lackey* 2>/dev/null
done
# How far a library has looked when it finds the damage is its own affair.
for file in bad.lackey.xz tail.lackey.xz; do
	try trc encode $file b.lackey 2>&1 | sed 's/byte [0-9]*/byte N/'
	ls b.lackey* 2>/dev/null
done
