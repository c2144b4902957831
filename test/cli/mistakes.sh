# SPDX-License-Identifier: MIT
# What people type who have other programs in mind: the message tells what does it here.
printf '0 10\n1 20\n2 30\n' >a.din
trc encode a.din a.trc
for word in info list ls show verify test check cat decompress convert compress head filter merge diff \
	simulate mrc cut sample version formats; do
	try trc $word a.trc
done
try trc a.trc
try trc -d a.trc
try trc -t a.trc
try trc --list a.trc
try trc -o b.trc a.din
try trc stat -l a.trc
try trc stat -t a.trc
try trc encode -d a.trc
try trc encode -k a.din b.trc
try trc encode -z a.din
try trc encode -i a.din -o b.trc
try trc encode --format din a.din
try trc encode --out b.trc a.din
try trc encode --overwrite a.din a.trc
try trc decode -n 5 a.trc
try trc decode --range 0-16 a.trc
try trc stat -p 4 a.din
# One output, one input at least, and no input that becomes its own answer.
try trc encode -c -o b.trc a.din
try trc encode -o b.trc
try trc stat --force -o a.din a.din
try trc stat -o answer no.din
try trc stat --shard 1/2 --partial p -o answer a.din
try trc reduce --shard 1/2 --partial p --sad 4 -o b.trc a.din
cat a.din | try trc encode b.trc
ls
# Other simulators, and words that people look for: what does it here.
for option in --LL --D1 -l1-usize --cache-sizes --hot --histogram --stack-distance --working-set --where \
	--fields --records --progress --champsim; do
	trc stat $option 64 a.trc 2>&1 | head -n 1
done
try trc split -n 4 a.trc parts
try trc champsim a.trc
try trc stat --mrc --sizes 10% a.trc
try trc encode --fill thread=1 a.trc b.trc
for help in '-?' --help=mrc; do trc stat $help | head -n 1; done
for kind in page pages pc; do trc stat --top $kind a.trc | head -n 1; done
try trc stat --top 10 a.trc
# Words of programs for caches of objects.
try trc stat --top objects a.trc
try trc stat --shards 0.01 a.trc
try trc traceAnalyzer a.trc
# Formats by words that are none.
for word in auto text json gz native dinero libcachesim; do
	trc encode --to $word a.din b 2>&1 | head -n 1
done
# A cache of no ways was looked for near it without end.
for cache in 32K:0:64 32K:8:0 0:0:0 32K:full:0 32K:4000000000:64 32K:8:8589934592; do
	try trc stat --cache $cache a.trc
done
mkdir there
try trc encode a.din there
