# SPDX-License-Identifier: MIT
# Shards of what depends on the records in front of them: what a merge prints against the whole run.
needs xz
xz -dc "$SRC/test/data/sort.lackey.xz" | head -n 60004 >sort.lackey
for i in 0 1 2 3 4 5; do
	trc encode -q --skip ${i}0000 --limit 10000 sort.lackey $i.trc
done
cat [0-5].trc >sort.trc
xz -dc "$SRC/test/data/threads.laplace-diff.xz" | trc encode -q --limit 30000 - threads.laplace

# law "QUESTION" "PRINT" FILE: in 2, 3 and 7 shards, these merged at once and by a tree of merges.
law()
{
	ask=$1 print=$2 file=$3
	trc stat -q $ask $print $file >whole || return 1
	for n in $(some 2 3 7); do
		rm -rf p
		mkdir p
		for i in $(seq $n); do
			trc stat -q $ask --shard $i/$n --partial p/$i $file || return 1
		done
		by_plan stat $n "$ask" $file || return 1
		trc stat --merge $print p/* >merged && cmp whole merged || return 1
	done
	trc stat --merge p/1 p/2 p/3 --partial p/low && trc stat --merge p/7 p/6 p/5 p/4 --partial p/high &&
		trc stat --merge $print p/high p/low >merged && cmp whole merged || return 1
	[ -s whole ] && echo "$ask $print $file: $(wc -l <whole) lines"
}
# In front of record 12,345, 30,000 or the last: a shard of text counts those in front of it.
for file in sort.lackey sort.trc; do
	law "--mrc --warmup 12345" "--csv --all-sizes" $file
	law "--mrc --line-size 64 --warmup 59000" "--json" $file
	law "--ws --warmup 30000" "--csv" $file
	law "--reuse --warmup 12345" "--csv" $file
done
law "--top pages --warmup 30000" "--csv --rows 9999" sort.lackey
law "--top lines --warmup 777" "--json" sort.trc
law "--top pcs --warmup 30000" "--csv --rows 9999" sort.lackey
law "--top pcs --warmup 777" "--json" sort.trc
law "--top pcs --warmup 12345" "--csv --rows 9999" threads.laplace
# References in front of the first fetch of a shard; a modify is two, and may be the first.
seq 3000 | awk '{ if ($1 > 50 && $1 % 37 < 9) printf "I  %x,4\n", $1 % 5
	else printf " %s %x,4\n", substr("MLSM", $1 * $1 % 13 % 4 + 1, 1), int($1 / 3) % 4 * 16 }' >ahead.lackey
law "--top pcs" "--csv --rows 9999" ahead.lackey
law "--top pcs --warmup 70" "--csv --rows 9999" ahead.lackey
law "--mrc --by-space --warmup 100" "--csv" threads.laplace
law "--ws --clock cycles --warmup 20000" "--json" threads.laplace
law "--mrc --warmup 5000 --only read,write" "--csv" sort.trc
for i in 1 2; do trc stat -q --ws --warmup 60001 --shard $i/2 --partial $i.p sort.lackey; done
try trc stat --merge 1.p 2.p
law "" "--csv" sort.trc
law "--count" "--csv" threads.laplace
# Windows: pages that both halves of one touch, and pages that are new no more.
for file in sort.lackey sort.trc; do
	law "--over-time 7000" "--csv" $file
	law "--over-time 999 --warmup 12345 --line-size 64" "--json" $file
done
law "--over-time 123" "--csv" threads.laplace
# Caches and TLBs, in windows and by what misses are of: a miss that a shard cannot tell belongs to the
# reference that it was, and what it wrote back to the one that replaced it.
for file in sort.lackey sort.trc; do
	law "--cache 4K:4:32 --over-time 7000" "--csv" $file
	law "--cache 2K:full:16 --warmup 9000" "--json" $file
	law "--cache i:2K:2:64 --cache d:1K:8:32 --over-time 1234 --warmup 20001" "--csv" $file
	law "--cache 4K:4:32 --by line" "--csv --rows 9999" $file
	law "--cache i:2K:2:64 --cache d:1K:8:32 --by pc --warmup 12345" "--json --rows 99999" $file
	law "--tlb 16:4" "--csv" $file
	law "--tlb i:8 --tlb d:4 --huge all --huge-size 64K --over-time 10k" "" $file
	law "--tlb 16:2 --huge 0-0x7fffffff --by type" "--json" $file
done
law "--cache 1K:1:16 --by pc" "--csv --rows 99999" sort.lackey
law "--cache 4K:4:32 --by space --warmup 3" "--csv" threads.laplace
law "--tlb 8:2 --by page" "--csv" threads.laplace
law "--tlb 32 --page-size 16K --warmup 11111" "--csv" threads.laplace
try trc stat --tlb 64:4 --tlb 512:8 --shard 1/2 --partial no.p sort.trc
try trc stat --cache 4K:4:32 --by pc --json --shard 1/2 --partial no.p sort.trc

# What has no shards says why.
for ask in "--bbv 1000" --shared "--map a.svg" --formats --blocks --manifest "--diff sort.lackey" \
	"--mrc --policy opt" --check --fingerprint "--certify sort.trc"; do
	try trc stat $ask --shard 1/2 --partial no.p sort.trc 2>&1 | grep -v "trc help stat"
done
ls no.p 2>/dev/null
# The same bytes, whatever the threads.
trc stat -q --mrc --warmup 12345 -T1 sort.lackey >one
trc stat -q --mrc --warmup 12345 -T3 sort.lackey | cmp one -
trc stat -q --cache 4K:4:32 --by pc -T1 sort.lackey >one
trc stat -q --cache 4K:4:32 --by pc -T3 sort.lackey | cmp one -
trc stat -q --tlb 16:4 --by page -T1 sort.trc >one
trc stat -q --tlb 16:4 --by page -T3 sort.trc | cmp one -
