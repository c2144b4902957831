# SPDX-License-Identifier: MIT
# Caches of many sizes in one pass: as each by itself, and as a simulation in another language has them,
# over random traces and shapes, with deletes, copy-backs, spaces, a warm-up, and lines of a byte.
needs python3
python3 "$SRC/test/cli/cache_family.py" "$TRC" $(seq $((1 + 360 / (TRC_TEST_STEP + 2))))
cp "$SRC/test/data/sort.lackey.xz" .
try trc stat --cache 16K..64K:1..4:64,64K:4:64:fifo,8K:full:64 sort.lackey.xz
for cache in 16K:1:64 64K:4:64 64K:4:64:fifo 8K:full:64; do
	trc stat --csv --cache $cache sort.lackey.xz | grep ',all,'
done
try trc stat --csv --cache 32K:8:64,32K:8:128 --warmup 500k sort.lackey.xz
# A stripped trace is exact for what it was reduced for, or more.
trc reduce --quiet --cache 1K:2:64 sort.lackey.xz strip.trc
try trc stat --cache 2K..4K:2:64 strip.trc
try trc stat --cache 512..4K:2:64 strip.trc
# Over time, each is as by itself.
trc stat --csv --cache 16K..64K:1..4:64,8K:4:64:fifo --over-time 200k --warmup 50k sort.lackey.xz >windows.csv
for cache in 16K:2:64 64K:4:64 8K:4:64:fifo; do
	trc stat --csv --cache $cache --over-time 200k --warmup 50k sort.lackey.xz | grep -v from | cut -d, -f1,2,4- >one.csv
	grep ",$cache," windows.csv | cut -d, -f1,2,4- | cmp - one.csv && echo "as $cache"
done
try trc stat --cache 16K..32K:8:64 --over-time 500k sort.lackey.xz
# The cache lab of a course: sizes count, lines are small, a modify hits once at least.
printf ' L 0,1\n L 1,1\n L 2,1\n L 3,1\n S 4,1\n L 5,1\n M 6,1\n L 7,1\n L 0,1\n' >small.lackey
try trc stat --cache 4:1:2 --from lackey small.lackey
try trc stat --cache 4..8:1:1 --from lackey small.lackey
# Of a trace without sizes, a reference is of 4 bytes. High addresses with small lines were others' lines.
printf '0 1001\n0 1003\n0 c000000000001000\n0 1000\n' >words.din
try trc stat --cache 64:4:1 words.din
try trc stat --cache 64:full:1,64:full:2 words.din
# What is no family.
for cache in 16K..48K:2:64 64K..16K:2:64 512:1..16:64 16K..1M:1..x:64 i:1K..2K:1:64 1K:1:64,d:1K:1:64 1K:1:64, \
	1..1M:1..64:1 1K..2K:1:64:what; do
	try trc stat --cache $cache words.din
done
try trc stat --cache 1K..2K:1:64 --cache 4K:1:64 words.din
try trc stat --cache 1K..2K:1:64 --by line words.din
try trc stat --cache 1K..2K:1:64 --shard 1/2 --partial p words.din
try trc stat --cache 32k,8,64 words.din
try trc reduce --cache 1K:1:2 words.din x.trc
# A picture is named after its cache.
trc stat --cache 8K:2:64 --cache 32K:4:64:fifo --over-time 100k --plot time.svg sort.lackey.xz >/dev/null
grep -o 'Misses in [^<]*' time.svg
