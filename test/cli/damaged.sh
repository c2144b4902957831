# SPDX-License-Identifier: MIT
# Packed input that is cut short or damaged: the file, the place, no output.
real=$SRC/test/data/sort.lackey.xz
head -c 100000 "$real" >short.lackey.xz
head -c 6 "$real" >magic.lackey.xz
{ head -c 50000 "$real"; printf garbage; tail -c +50008 "$real"; } >bad.lackey.xz
{ cat "$real"; echo garbage; } >tail.lackey.xz
xz -dc "$real" | head -20000 | gzip -n >a.gz
head -c 4000 a.gz >short.lackey.gz
{ head -c -8 a.gz; printf garbage!; } >bad.lackey.gz
{ cat a.gz; echo garbage; } >tail.lackey.gz
for file in short.lackey.xz magic.lackey.xz short.lackey.gz; do
	try trc encode $file b.lackey
	ls b.lackey* 2>/dev/null
done
# How far a library has looked when it finds the damage is its own affair.
for file in bad.lackey.xz tail.lackey.xz bad.lackey.gz tail.lackey.gz; do
	try trc encode $file b.lackey 2>&1 | sed 's/byte [0-9]*/byte N/'
	ls b.lackey* 2>/dev/null
done
