# SPDX-License-Identifier: MIT
# Several inputs and a folder: encode, decode and reduce write a file for each, and what fails is named.
needs xz
for i in 1 2 3 4 5; do
	awk -v n=$i 'BEGIN { for (i = 0; i < 1000 * n; i++) printf "%d %x\n", i % 3, i * 64 }' >$i.din
done
xz 5.din
try trc encode 1.din 2.din 5.din.xz -o out/
ls out
for i in 1 2; do trc decode out/$i.trc | cmp - $i.din; done
try trc encode 1.din 3.din out/
try trc encode --force 1.din none.din 3.din out/
ls out
echo 'no trace' >4.din
try trc encode ?.din -o all
mkdir all
try trc encode -v -T2 ?.din -o all 2>&1 | sed 's/[0-9.]* s$/N s/' | sort
ls all
# To any format, packed, too; decode to what they were.
try trc encode --to lackey --fill size=4 --compress xz all/?.trc -o lackey/
ls lackey
try trc decode all/1.trc out/5.trc -o text/
ls text
cmp text/1.din 1.din
try trc reduce --sad 4 all/?.trc -o reduced/
ls reduced
trc reduce -q --sad 4 1.din one.sad && cmp one.sad reduced/1.sad
try trc reduce --cache 1K:1:64 1.din 2.din -o stripped/
try trc reduce --cache 1K:1:64 --to trc 1.din 2.din -o stripped/
ls stripped
# The bytes are those of one at a time.
trc encode 2.din single.trc && cmp single.trc all/2.trc
# What has no name, the same name, or is one trace.
try trc encode - 1.din -o out/ <2.din
mkdir other && cp 1.din other
try trc encode 1.din other/1.din -o same/
try trc encode none.din -o nothing/
ls nothing
try trc encode --concat 1.din 2.din -o out/
try trc encode 1.din -o no/such/folder/
try trc encode 1.din all
