# SPDX-License-Identifier: MIT
# Caches behind a warm-up, and over time: what is counted behind the first N records is what all of
# the trace counts less what these N do, and windows add up.
ln -s "$SRC/test/data/sort.lackey.xz" .
# Of each type: references, misses, write-backs; what the end copies back is no part of it, and makes
# writes to the level below.
counts() {
	trc stat --csv "$@" sort.lackey.xz | awk -F, '$7 != "end" && $7 != "all" && NR > 1 && ($1 == 1 || $7 != "write") {
		print $1, $2, $7, $8, $10, $12 }'
}
for caches in '--cache 8K:2:64' '--cache 4K:full:64:fifo' '--cache i:4K:2:32 --cache d:4K:1:32 --cache 64K:8:64' \
	'--cache 16K:4:64:srrip'; do
	for n in 1 4096 500001; do
		counts $caches >all
		counts $caches --limit $n >first
		counts $caches --warmup $n >warm
		# shellcheck disable=SC2016
		awk 'FILENAME == "first" { r[$1 $2 $3] = $4; m[$1 $2 $3] = $5; w[$1 $2 $3] = $6; next }
			{ k = $1 $2 $3; print $1, $2, $3, $4 - r[k], $5 - m[k], $6 - w[k] }' first all |
			awk '$4 || $6' >want
		awk '$4 || $6' warm | cmp - want && echo "$caches, behind $n records: as it should be"
	done
done
try trc stat --cache 8K:2:64 --over-time 300k sort.lackey.xz
try trc stat --cache i:4K:2:32 --cache d:4K:1:32 --over-time 400k --warmup 300k --csv sort.lackey.xz
try trc stat --cache 8K:2:64 --over-time 600k --json sort.lackey.xz
trc stat --cache 8K:2:64 --over-time 1000 --csv sort.lackey.xz |
	awk -F, 'NR > 1 { n++; r += $4; m += $5; w += $7 } END { print n, r, m, w }'
trc stat --cache 8K:2:64 --csv sort.lackey.xz | awk -F, '$7 == "end" { w = $12 } $7 == "all" { print $8, $10, $12 - w }'
trc stat --cache 8K:2:64 --cache 64K:8:64 --over-time 50k --plot time.svg --csv sort.lackey.xz >/dev/null
grep -o '<text[^>]*>[^<]*</text>' time.svg | sed 's/<[^>]*>//g' | tr '\n' ';'
echo
try trc stat --cache 8K:2:64 --warmup 2M sort.lackey.xz
try trc stat --cache 8K:2:64 --plot a.svg sort.lackey.xz
# Memories, whatever the policy: all less what the first N do; of MIN, write-backs are known later.
for policy in lru fifo clock opt; do
	for words in '' '--limit 300001' '--warmup 300001'; do
		trc stat --mrc --policy $policy --sizes 8,64,300 --csv $words sort.lackey.xz >"mrc$words"
	done
	paste -d, mrc 'mrc--limit 300001' 'mrc--warmup 300001' | awk -F, -v p=$policy 'NR > 1 {
		print p, $1, $3 - $11 - $19, $4 - $12 - $20, (p == "opt" ? 0 : $6 - $14 - $22),
		      $8 - $16 - $24 }'
done
try trc stat --mrc --warmup 1M --json --sizes 64 sort.lackey.xz
try trc stat --mrc --warmup 1M --policy lru,opt,sieve --sizes 16 --csv sort.lackey.xz
trc stat --ws --warmup 1M --json sort.lackey.xz | head -n 4
try trc stat --reuse --warmup 1M --csv sort.lackey.xz
try trc stat --top pcs --warmup 1M --rows 3 --csv sort.lackey.xz
# What counts by itself has nothing to warm.
try trc stat --warmup 10 sort.lackey.xz
try trc stat --map a.svg --warmup 10 sort.lackey.xz
try trc stat --mrc --warmup 2M sort.lackey.xz
trc reduce --sad 8 --quiet sort.lackey.xz small.sad
try trc stat --mrc --warmup 10 small.sad
try trc stat --top pages --warmup 3M sort.lackey.xz
# On all cores as on one.
xz -dc sort.lackey.xz >sort.lackey
trc encode --quiet sort.lackey sort.trc
for words in --mrc --ws --reuse '--cache 8K:2:64' '--cache 8K:2:64 --by page' '--mrc --only fetch'; do
	for warmup in 4097 300001; do
		trc stat $words --csv --warmup $warmup -T1 sort.lackey >one
		trc stat $words --csv --warmup $warmup -T2 sort.trc | cmp - one
		trc stat $words --csv --warmup $warmup -T3 sort.lackey | cmp - one
	done
done
