# SPDX-License-Identifier: MIT
# Caches that prefetch, as a simulation in another language has them: over random traces, spaces and hierarchies.
needs python3
python3 "$SRC/test/cli/prefetchers.py" "$TRC" $(seq $((1 + 180 / (TRC_TEST_STEP + 2))))
ln -s "$SRC/test/data/sort.lackey.xz" .
try trc stat --cache 8K:4:64:next-line --cache 32K:8:64:fifo:stride=2 sort.lackey.xz
try trc stat --json --cache i:2K:2:64:next-line-tagged --cache d:2K:2:64 sort.lackey.xz
try trc stat --cache 8K:4:64,8K:4:64:next_line=2,8K:4:64:tagged,8K:4:64:on-miss:lru,8K:4:64:ip_stride sort.lackey.xz
try trc stat --csv --cache 8K:4:64,8K:4:64:next-line sort.lackey.xz
try trc stat --cache 8K:4:64:next-line --over-time 500k sort.lackey.xz
try trc stat --cache 8K:4:64:stride --by pc --rows 3 sort.lackey.xz
# A line of the last address has none behind it; a reference of many lines is simulated one by one.
printf 'r ffffffffffffffc0 4\nr ffffffffffffff00 80\nw 0 10000\n' >last.xdin
try trc stat --csv --cache 1K:2:64:next-line=3 last.xdin
# What cannot be.
for cache in 8K:4:64:next-line:stride 8K:4:64:stride=0 8K:4:64:stride=65 8K:4:64:next-line= 8K:4:64:markov 8K:4:64:opt:stride; do
	try trc stat --cache $cache sort.lackey.xz
done
try trc stat --cache 8K:4:64:stride --cache 32K:4:64 --inclusion inclusive sort.lackey.xz
try trc stat --cache 8K:4:64:stride --shard 1/2 --partial p sort.lackey.xz
printf '0 1000\n0 1040\n' >words.din
try trc stat --cache 8K:4:64:stride --only read words.din
printf 'addr\n0x1000\n' >bare.csv
try trc stat --cache 8K:4:64:stride bare.csv
trc reduce --quiet --cache 1K:2:64 sort.lackey.xz strip.trc
try trc stat --cache 8K:4:64:next-line strip.trc
try trc reduce --cache 1K:2:64:stride sort.lackey.xz x.trc
try trc stat --prefetcher stride sort.lackey.xz
