# SPDX-License-Identifier: MIT
# Reductions of shards: merged, they are what the whole trace is reduced to, byte for byte.
needs xz
xz -dc "$SRC/test/data/sort.lackey.xz" | head -n 300000 >sort.lackey
xz -dc "$SRC/test/data/threads.laplace-diff.xz" | trc encode -q --limit 60000 - threads.laplace
for i in 0 1 2 3 4 5; do
	trc encode -q --skip ${i}0000 --limit 10000 sort.lackey $i.trc
done
cat [0-5].trc >joined.trc

# law N FILE OPTION...: all shards, merged at once and by a tree of merges.
law()
{
	n=$1 file=$2
	shift 2
	rm -rf p
	mkdir p
	for i in $(seq $n); do
		trc reduce -q "$@" --shard $i/$n --partial p/$i "$file" || return 1
	done
	by_plan reduce $n "$*" "$file" || return 1
	trc reduce -q "$@" --force "$file" whole.sad || return 1
	trc reduce -q --merge --force p/* merged.sad && cmp whole.sad merged.sad || return 1
	half=$((n / 2))
	trc reduce -q --merge $(seq -f p/%g $half) --partial p/low &&
		trc reduce -q --merge $(seq -f p/%g $n -1 $((half + 1))) --partial p/high &&
		trc reduce -q --merge p/high p/low --to sad - >merged.sad && cmp whole.sad merged.sad ||
		return 1
	[ -s whole.sad ] && echo "$n: $file $*"
}
for n in $(some 2 3 64 7); do
	law $n sort.lackey --sad 16
	law $n joined.trc --sad 4 --no-block
done | sed 's/^[0-9]*: //' | sort -u
law 3 sort.lackey
law 3 sort.lackey --sad 256 --page-size 64
law 5 sort.lackey --window 1000
law 5 joined.trc --window 500 --clock instructions --sad 8
law 4 sort.lackey --sample 1/2 --sad 4
law 7 threads.laplace --sad 8
law 7 threads.laplace --sad 8 --by-space
law 3 threads.laplace --window 3000 --clock cycles

# A container from shards has what the index of one from the whole has.
for i in 1 2 3; do trc reduce -q --sad 16 --shard $i/3 --partial $i.p joined.trc; done
try trc reduce --merge 3.p 1.p 2.p merged.trc
trc reduce -q --sad 16 joined.trc whole.trc
cmp whole.trc merged.trc

# Of several containers, it has what all of them were, with notes; equal neighbours once.
trc encode -q --note machine=b -o noted.trc 3.trc
cp 0.trc again.trc
for i in 1 2 3 4; do
	trc reduce -q --sad 16 --shard $i/4 --partial $i.s 0.trc again.trc noted.trc joined.trc
done
trc reduce -q --sad 16 --concat -o whole_of_all.trc 0.trc again.trc noted.trc joined.trc
trc reduce -q --merge 3.s 4.s --partial 34.s
trc reduce -q --merge 34.s 2.s 1.s merged_of_all.trc
cmp whole_of_all.trc merged_of_all.trc
trc stat merged_of_all.trc | grep -e note -e joined

# One from shards of text has what text was; but no shard saw all rows, to have their fingerprint.
trc decode -q --to lackey joined.trc joined.lackey
for i in 1 2 3; do trc reduce -q --sad 16 --shard $i/3 --partial $i.l joined.lackey; done
trc reduce -q --merge 1.l 2.l 3.l text.trc
trc reduce -q --sad 16 joined.lackey whole_text.trc
trc stat text.trc >text.stat
trc stat whole_text.trc | diff text.stat -

# What is missing is named, and nothing is written.
try trc reduce --merge 1.p 3.p no.sad
try trc reduce --merge 1.p 2.p merged.trc no.sad
trc reduce -q --sad 17 --shard 2/3 --partial other.p joined.trc
try trc reduce --merge 1.p other.p 3.p no.sad
trc stat -q --mrc --shard 2/3 --partial curve.p joined.trc
try trc reduce --merge 1.p curve.p 3.p no.sad
try trc stat --merge 1.p 2.p 3.p
try trc reduce --merge 1.p 2.p 3.p merged.trc
try trc reduce --merge
try trc reduce --sad 16 --merge 1.p 2.p 3.p no.sad
ls no.sad 2>&1

# What has no shards.
try trc reduce --olr 16 --shard 1/2 --partial no.p joined.trc
try trc reduce --cache 1K:2:64 --shard 1/2 --partial no.p joined.trc
try trc reduce --sad 16 --to trc --shard 1/2 --partial no.p joined.trc
try trc reduce --sad 16 --shards 3 -T2 joined.trc | sed "s,  *[0-9]*M ,  M ,"
try trc reduce --sad 16 --resume --shard 2/3 --partial 2.p joined.trc
trc reduce -q --sad 4 joined.trc reduced.sad
try trc reduce --sad 16 --shard 1/2 --partial no.p reduced.sad
