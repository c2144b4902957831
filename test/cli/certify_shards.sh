# SPDX-License-Identifier: MIT
# --certify of shards: what a merge prints against the whole run, whether they agree or where they
# part, and what is refused.
needs xz
xz -dc "$SRC/test/data/sort.lackey.xz" | head -n 110000 >sort.lackey
for i in 0 1 2 3 4; do
	trc encode -q --skip ${i}0000 --limit 10000 sort.lackey $i.trc
done
cat [0-4].trc >joined.trc

# compare FORM PARTIAL...: the whole run's answer and exit status with those of a merge.
compare()
{
	print=$1
	shift
	trc stat --certify $print $ask $reduced $file >whole 2>&1
	echo $? >>whole
	trc stat --merge $print "$@" >merged 2>&1
	echo $? >>merged
	cmp whole merged
}

# law N REDUCED FILE OPTION...: all shards, merged at once and by a tree of merges.
law()
{
	n=$1 reduced=$2 file=$3
	shift 3
	ask=$*
	rm -rf p
	mkdir p
	for i in $(seq $n); do
		trc stat -q --certify $ask --shard $i/$n --partial p/$i $reduced $file || return 1
	done
	half=$((n / 2))
	trc stat --merge $(seq -f p/%g $half) --partial p/low
	trc stat --merge $(seq -f p/%g $n -1 $((half + 1))) --partial p/high
	for form in "" --json; do
		compare "$form" $(seq -f p/%g $n) && compare "$form" p/high p/low || return 1
	done
	echo "$n: $reduced $file $ask: $(head -n 1 whole | cut -c -150)"
}

trc reduce -q --sad 32 sort.lackey good.sad
trc reduce -q --sad 4 --no-block joined.trc good.trc
trc reduce -q --olr 16 joined.trc olr.sad
for n in $(some 2 3 7); do
	law $n good.sad sort.lackey
done | sed 's/^[0-9]*: //' | sort -u
law 7 good.trc joined.trc
law 3 olr.sad joined.trc
law 3 olr.sad joined.trc --sad 15
law 2 good.sad sort.lackey --sad 31
law 5 good.sad sort.lackey --sad 1000
trc reduce -q --sad 64 good.trc better.trc
law 3 better.trc joined.trc

# What is broken parts there.
sed 300d good.sad >dropped.sad
sed '500{h;d;};501G' good.sad >swapped.sad
(grep -v '^#' good.sad | sed '$d'; grep '^#' good.sad) >short.sad
sed '400s/^\(.\) [0-9a-f]*/\1 7/' good.sad >cycle.sad
sed '400s/^\(. [0-9a-f]*\) [0-9a-f]*/\1 0/' good.sad >insn.sad
sed 's/^\(. [0-9a-f]*\) [0-9a-f]*/\1 0/' good.sad >insns.sad
sed 's/records=[0-9]*/records=1/' good.sad >records.sad
sed 's/references=[0-9]*/references=1/' good.sad >references.sad
for k in 1 99 22; do
	awk -v n=$k '/^w/ && ++i == n { sub("w", "r") } 1' good.sad >read-$k.sad
done
for name in dropped swapped short cycle insn insns records references read-1 read-99 read-22; do
	law 3 $name.sad sort.lackey
done

law 7 read-22.sad sort.lackey

# Spaces, cycles, pages that have times of their own; some records alone.
xz -dc "$SRC/test/data/threads.laplace-diff.xz" | trc encode -q --limit 30000 - threads.laplace
trc reduce -q --sad 8 --by-space threads.laplace threads.sad
trc reduce -q --sad 8 --drop time threads.laplace untimed.sad
trc encode -q --limit 20000 threads.laplace less.laplace
law 5 threads.sad threads.laplace
law 5 untimed.sad threads.laplace
law 3 threads.sad less.laplace
for i in 0 1 2; do trc encode -q --skip ${i}000 --limit 1000 threads.sad t$i.trc; done
cat t[0-2].trc >t.trc
trc reduce -q --sad 32 --by-space t.trc again.trc
law 3 again.trc t.trc
trc encode -q --only write sort.lackey writes.lackey
trc reduce -q --sad 8 writes.lackey writes.sad
law 3 writes.sad sort.lackey --only write

# What is missing, or of another comparison.
for i in 1 2 3; do trc stat -q --certify --shard $i/3 --partial $i.p good.sad sort.lackey; done
try trc stat --merge 1.p 3.p
try trc stat -q --certify --shard 2/3 --partial other.p dropped.sad sort.lackey
try trc stat --merge 1.p other.p 3.p
try trc stat -q --certify --sad 33 --shard 2/3 --partial more.p good.sad sort.lackey
try trc stat --merge 1.p more.p 3.p
try trc stat --certify --resume --shard 2/3 --partial 2.p good.sad sort.lackey
try trc stat --certify --resume --shard 2/3 --partial other.p good.sad sort.lackey
cmp 2.p other.p
(head -c 200 2.p; echo x; tail -c +203 2.p) >damaged.p
try trc stat --merge 1.p damaged.p 3.p
try trc stat --certify --shards 2 good.sad sort.lackey
try trc stat --certify --shards 2 --json --measure good.sad sort.lackey | sed 's/"memory": [0-9]*/"memory": 1/'
try trc stat --certify --shard 1/2 --partial no.p sort.lackey sort.lackey
try trc stat --certify --shard 1/2 --partial no.p --limit 5 good.sad sort.lackey
try trc stat --certify --shard 1/2 --partial no.p - sort.lackey
try trc stat --certify --shard 1/2 --partial no.p good.sad
try trc stat --certify --shard 1/2 good.sad sort.lackey
# Pages that have times of their own, cut between the two pages of one reference: a shard cannot know
# which of their records are its own.
k=$(awk '$4 == last { print NR - 1; exit } { last = $4 }' good.sad)
trc encode -q --limit $k good.sad front.trc
trc encode -q --skip $k good.sad back.trc
cat front.trc back.trc >cut.trc
trc reduce -q --sad 64 good.sad less.sad
for i in 1 2; do trc stat -q --certify --shard $i/2 --partial cut$i.p less.sad cut.trc; done
try trc stat --merge cut1.p cut2.p
trc stat --certify less.sad cut.trc | head -n 1
ls no.p 2>&1
