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
	for n in 2 3 7; do
		rm -rf p
		mkdir p
		for i in $(seq $n); do
			trc stat -q $ask --shard $i/$n --partial p/$i $file || return 1
		done
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
law "--mrc --by-space --warmup 100" "--csv" threads.laplace
law "--ws --clock cycles --warmup 20000" "--json" threads.laplace
law "--mrc --warmup 5000 --only read,write" "--csv" sort.trc
for i in 1 2; do trc stat -q --ws --warmup 60001 --shard $i/2 --partial $i.p sort.lackey; done
try trc stat --merge 1.p 2.p
# The same bytes, whatever the threads.
trc stat -q --mrc --warmup 12345 -T1 sort.lackey >one
trc stat -q --mrc --warmup 12345 -T3 sort.lackey | cmp one -
