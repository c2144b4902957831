# SPDX-License-Identifier: MIT
# What people are used to from xz and its like: it works, or the message tells what does.
needs zst gz bz2
printf '0 1c\n1 20\n' >a.din
try trc encode -f a.din b.din
try trc stat -f a.din
try trc stat -t a.din
try trc encode -t a.din -
try trc replay frobnicate x
try trc replay x.bus
mkdir folder
echo 'a diary' >folder/notes.txt
(cd folder && try trc stat .)
try trc encode folder b.din
for name in zstd ZST gzip:9 bzip2; do
	try trc encode --compress $name --to din a.din packed
	trc decode --from din packed | cmp - a.din
	rm packed
done
try trc encode --compress zstd a.din a.din.zst
try trc encode --compress zstd a.din a.din.xz
try trc encode --compress lzma --to din a.din packed
trc split --every 1 --compress zstd a.din parts
ls parts
