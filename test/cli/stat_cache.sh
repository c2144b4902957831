# SPDX-License-Identifier: MIT
# What caches do with a trace: as text, CSV and JSON. Figures checked with dineroIV.
ln -s "$SRC/test/data/sort.lackey.xz" .
try trc stat --cache 32K:8:64 sort.lackey.xz
try trc stat --cache d:8K:4:16:fifo --cache i:4K:2:128 --cache 32K:8:64:fifo --cache 256K:full:64 \
	sort.lackey.xz
try trc stat --csv --cache 1K:1:16 sort.lackey.xz
try trc stat --json --cache 1K:4:16:random=7 --cache 8K:1:16 sort.lackey.xz
# A full LRU cache is an LRU memory of as many lines.
try trc stat --mrc --csv --line-size 64 --sizes 7,512 sort.lackey.xz
for lines in 7 512; do
	trc stat --csv --cache $((lines * 64)):full:64 sort.lackey.xz | grep all
done
# A trace that was stripped for small caches does for larger ones.
trc reduce --quiet --cache 4K:1:64 sort.lackey.xz strip.trc
trc reduce --quiet --cache i:4K:2:64 --cache d:4K:2:64 sort.lackey.xz split.trc
try trc stat --cache 16K:4:64:fifo sort.lackey.xz
try trc stat --cache 16K:4:64:fifo strip.trc
try trc stat --json --cache i:8K:2:64 --cache d:8K:4:64 split.trc
try trc stat --cache 2K:1:64 strip.trc
try trc stat --cache 16K:4:32 strip.trc
try trc stat --cache 16K:4:64 split.trc
try trc stat --cache i:8K:2:64:fifo --cache d:8K:4:64 split.trc
printf '0 10\n1 20\n2 30\n3 40\n4 20\n5 60\n1 1020\n' >a.din
try trc stat --cache 64:2:8 a.din
# Refused.
try trc stat --cache 32K:8 a.din
try trc stat --cache 32K:8:48 a.din
try trc stat --cache 33K:8:64 a.din
try trc stat --cache 32K:8:64:mru a.din
try trc stat --cache 32K:8:64:lru:9 a.din
try trc stat --cache i:32K:8:64 a.din
try trc stat --cache 32K:8:64 --cache d:32K:8:64 a.din
try trc stat --cache 32K:8:64 --formats a.din
try trc stat --csv a.din
try trc stat --csv --json --cache 32K:8:64 a.din
printf '1\n2\n1\n' >a.page
try trc stat --cache 32K:8:64 a.page
# A reference to 4 GiB was one to each of its lines. It is one to a range, but for random replacement.
echo 'w 0 ffffffff' >large.xdin
try trc stat --csv --cache 32K:8:16 --cache 1M:16:64:fifo large.xdin
try trc stat --csv --cache 32K:8:2048:random large.xdin

# Policies of storage and hardware; test/unit/policies.c has them as their papers do.
try trc help policies
for policy in fifo random plru srrip clock sieve lfu 2q arc s3-fifo; do
	for cache in 32K:8:64 32K:full:64; do
		trc stat --csv --cache $cache:$policy sort.lackey.xz | grep ',all,'
	done
done
try trc stat --cache i:8K:4:64:plru --cache d:8K:4:64:srrip --cache 64K:full:64:s3-fifo sort.lackey.xz
# What hit the line used last is missing from a stripped trace, and policies that count uses want it.
try trc stat --cache 16K:4:64:clock strip.trc
try trc stat --cache 16K:4:64:plru strip.trc
try trc stat --cache 24K:3:64:2q a.din
try trc stat --cache 24K:3:64:plru a.din
try trc stat --cache 24K:3:64:clock=1 a.din
try trc stat --cache 24K:3:64:opt a.din
# MIN within sets: as the curve of all sizes has it where there is one set, and only where nothing is below.
for cache in 8K:full:64 8K:4:64 8K:1:64; do
	trc stat --csv --cache $cache:opt sort.lackey.xz | grep ',all,'
done
try trc stat --mrc --policy opt --csv --line-size 64 --sizes 128 sort.lackey.xz
try trc stat --csv --cache i:2K:2:64 --cache d:2K:2:64 --cache 8K:4:64:opt sort.lackey.xz
try trc stat --cache 8K:4:64:opt --cache 16K:4:64 sort.lackey.xz
try trc stat --cache 8K:4:64 --cache 16K:4:64:opt --inclusion exclusive sort.lackey.xz
try trc reduce --cache 8K:4:64:opt --write-backs sort.lackey.xz opt.trc
