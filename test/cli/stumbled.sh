# SPDX-License-Identifier: MIT
# What strangers stumbled over who did what the first page says: each answer names what does it.
awk 'BEGIN { for (i = 0; i < 300; i++) printf "%d %x\n", i % 3, i * 64 }' >a.din
printf ' L 10,4\n S 20,4\nI  100,3\n' >a.lackey
cp a.lackey b.lackey && cp a.din b.din
trc encode a.din a.trc
# A pattern of the shell had its last trace taken as the output, and the advice was to overwrite it.
try trc encode *.lackey
try trc encode *.din a.lackey
try trc encode *.din notes
echo 'to do' >notes
try trc encode a.din b.din notes
try trc decode a.trc b.din a.lackey
try trc reduce --sad 4 *.din
try trc encode a.din a.lackey
# What is written once more, or is named, is meant.
try trc encode a.din a.trc
try trc encode b.din -o a.din
cmp a.din b.din && cmp a.lackey b.lackey
# A file that is not there was not what the message was about.
try trc encode none
try trc encode none out
try trc reduce none
# Text was refused without the command that writes it.
try trc decode --skip 2 a.lackey 'x y.champsim'
try trc decode a.din --to trc -o b.trc
trc decode a.din a.champsim 2>&1 | sed -n 's/^  //p' >command
sh command 2>/dev/null && trc decode --limit 1 a.champsim
# What was skipped past the end of a trace was nothing, silently.
try trc stat --skip 500 a.din
try trc decode --skip 500 a.din
try trc decode --skip 500 a.trc
try trc decode --limit 1 --skip 300 a.trc
try trc decode --limit 1 --skip 300 a.din
try trc encode --skip 500 a.din beyond.trc
try trc encode -q --force --skip 500 a.din beyond.trc
try trc decode --skip 1 beyond.trc
try trc decode --skip 299 a.din
# Options of other simulators.
for option in --block-size --cache-size --assoc --warmup_instructions --nope --man; do
	try trc stat $option 64 a.din
done
trc stat --cache 1K:2:64 a.din >want
trc stat --cache 1K:2:64:LRU a.din | cmp - want
trc stat --mrc --csv a.din >want
trc stat --mrc --csv --policy LRU a.din | cmp - want
trc stat --mrc --policy OPT --csv a.din | head -n 2
try trc encode --to CSV a.din -
try trc encode --for ChampSim a.din -
# What help was asked about is on a page, though not as its name.
for word in mrc sizes valgrind cache map plot LRU --limit sad ChampSim; do trc help $word | head -n 1; done
# A size that is none was refused without those that are.
for cache in 48K:8:64 i:48K:8:64:fifo 3M:8:64 100:8:64 96K:4:32; do
	try trc stat --cache $cache a.din
done
for cache in 32K:8:64 64K:8:64 48K:12:64; do trc stat --cache $cache a.din | grep ^all; done
# Endings that users of ChampSim have.
if [ "$(trc --complete encode --compress gz)" ]; then
	trc encode --for champsim -q a.lackey a.trace.gz && trc stat --from champsim a.trace.gz | head -n 1
else
	trc encode --for champsim -q a.lackey a.champsimtrace && trc stat a.champsimtrace | head -n 1
fi
try trc encode --for champsim -q a.din zero.champsim
try trc encode --for champsim -q --addr 1- a.din zero.champsim
try trc encode a.din a.trace
for format in champsim oracle; do trc help $format | grep 'names end in'; done
# A container that is cut has nothing behind the cut.
head -c 60 a.trc >cut.trc
try trc stat cut.trc
# The fingerprint of a whole trace was shown beside the counts of a part.
for options in '' '--only read' '--json --limit 7'; do
	trc stat $options a.trc | grep -o 'fingerprint.*' | tr -s ' "' | sed 's/[0-9a-f]\{16\}/HASH/; s/, {.*//'
done
# A folder of unrelated things was no table.
mkdir mixed mixed/more && cp a.din a.trc notes mixed && cp a.lackey mixed/more
try trc stat mixed
try trc stat b.din mixed/ none b.lackey
trc stat -q --json mixed/more mixed 2>/dev/null | sed 's/, "records.*/}/'
trc split --by type a.din parts && trc stat parts | head -n 2
# An emulator that failed left an empty trace.
mkdir bin
printf '#!/bin/sh\nexit 3\n' >bin/valgrind
chmod +x bin/valgrind
PATH=$PWD/bin:$PATH
try trc encode --by valgrind --record nothing.trc -- true
try trc encode --by valgrind --force --record a.trc -- true
trc decode a.trc | cmp - a.din
ls nothing* 2>&1
# Types by the words that others have for them, and policies.
awk 'BEGIN { split("read write fetch modify", type); print "type,addr,size"
	for (i = 0; i < 40; i++) printf "%s,%d,4\n", type[1 + i % 4], 64 + 64 * i }' >types.csv
for word in read reads load loads Load L R ld; do trc decode --only $word types.csv; done | sort | uniq -c | grep -c '^ *8 '
for word in loads stores ifetch instr data w; do echo "$word $(trc stat --only $word types.csv | sed -n 's/records *//p')"; done
try trc stat --only lod types.csv
trc decode --drop loads,size --to csv types.csv | head -n 2
for policy in S3FIFO s3fifo S3-FIFO s3_fifo; do trc stat --cache 1K:2:64:$policy a.din; done | sort -u | grep -c s3-fifo
for policy in belady MIN opt OPT; do trc stat --mrc --csv --policy $policy a.din; done | sort -u | wc -l
trc stat --mrc --sizes 4 --policy S3FIFO,tree-plru a.din | head -n 3
try trc stat --policy fifo --cache 1K:2:64 a.din
# Caches with other signs, or with names.
for cache in 32k,8,64 32K/8/64:fifo 32K:8way:64B 32K,8-way,64B,s3fifo size=32K,assoc=8,line=64 i:32k,8,64 32K; do
	try trc stat --cache $cache a.din
done
# Units in letters of any size.
for size in 64kb 64KB 64KiB 64kib 65536B 0.0625mb; do trc stat --mrc --sizes $size --csv a.din; done | sort -u | wc -l
try trc encode --limit 10% a.din b.trc
try trc encode --memlimit 10% a.din b.trc
# Packings that are not written, which the name promised.
try trc encode a.din packed.din.lz4
try trc encode --to din a.din packed.zip
try trc encode a.din packed.trc.lzma
# Letters of others, and help behind a command.
try trc encode -ss 5 a.din b.trc
try trc stat help
try trc encode help
# What was skipped past the end was noted of one input alone.
trc encode -q a.din two.trc
try trc stat -T1 --skip 500 a.trc two.trc
try trc stat -T1 --skip 500 --mrc --csv a.trc two.trc
try trc stat -q --skip 500 a.trc two.trc
mkdir two && cp a.trc two && cp two.trc two/b.trc && try trc stat -T1 --skip 500 two/
try trc encode -T1 --skip 500 a.trc two.trc skipped/
# Short words were events of a kernel.
printf 'a b c\nd e f\n' >words
try trc stat words
# A program of --for is named where its format is refused.
try trc encode types.csv a.champsim
trc encode -q --for libcachesim a.din a.oracle && trc stat --from oracle a.oracle | head -n 1
# An answer that was there was refused with --force as the advice, which most questions did not take.
echo old >answer
for question in '--top pages' --check '--diff a.din' '--bbv 50' --fingerprint --manifest --formats --reuse; do
	try trc stat $question -o answer b.lackey
	trc stat -q $question --force -o answer b.lackey >words 2>&1 || head -n 1 words
done
# An option was the value of the one before it.
try trc stat --map -o map.svg a.din
try trc stat --limit --mrc a.din
try trc encode --to -q a.din b.trc
try trc stat --sample-blocks 0 --map map.svg a.trc
for part in 1 1/1 100%; do trc stat --sample-blocks $part --map - a.trc | head -n 1; done
cat a.din | try trc stat --check
try trc encode --parity 0.05 a.din parity.trc
