# SPDX-License-Identifier: MIT
# --check of shards: what a merge prints against the whole run, and what it refuses.
needs xz
xz -dc "$SRC/test/data/sort.lackey.xz" >sort.lackey
for i in 0 1 2 3 4 5 6 7 8 9; do
	trc encode -q --skip ${i}0000 --limit 10000 sort.lackey $i.trc
done
cat [0-9].trc >joined.trc

# compare WHAT: the whole run's answer and exit status with those of a merge.
compare()
{
	print=$1
	shift
	trc stat --check $print $file >whole 2>&1
	echo $? >>whole
	trc stat --merge $print "$@" >merged 2>&1
	echo $? >>merged
	cmp whole merged
}

# law N FILE FORM...: all shards, merged at once and by a tree of merges.
law()
{
	n=$1 file=$2
	shift 2
	rm -rf p
	mkdir p
	for i in $(seq $n); do
		trc stat -q --check --shard $i/$n --partial p/$i $file || return 1
	done
	half=$((n / 2))
	trc stat --merge $(seq -f p/%g $half) --partial p/low
	trc stat --merge $(seq -f p/%g $n -1 $((half + 1))) --partial p/high
	for form in "" "$@"; do
		compare "$form" $(seq -f p/%g $n) && compare "$form" p/high p/low || return 1
	done
	echo "$n: $(cat whole)"
}
mkdir in
cp joined.trc in/all.din
for n in $(some 2 3 64 7); do
	law $n joined.trc --tap --strict --json
	law $n sort.lackey --strict --json
done | sed 's/^[0-9]*: //' | sort -u
law 7 in/all.din --tap --json --strict

# Times that run backwards within shards and at their borders: kernel events, pages, no rows.
xz -dc "$SRC/test/data/threads.laplace-diff.xz" | trc encode -q --limit 30000 - threads.laplace
for i in 2 0 1; do trc encode -q --skip ${i}0000 --limit 10000 threads.laplace t$i.trc; done
cat t2.trc t0.trc t1.trc >threads.trc
trc encode -q --limit 0 threads.laplace none.trc 2>/dev/null || trc encode -q --skip 30000 threads.laplace none.trc
for n in $(some 2 3 64 7); do law $n threads.trc --tap --json --strict; done | sed 's/^[0-9]*: //' | sort -u
law 3 threads.laplace --strict --json
law 2 none.trc --json --strict
(head -n 3000 sort.lackey; printf 'I  0401ab70,3') >cut.lackey
law 3 cut.lackey --json --strict --tap
for i in 0 1 2; do trc encode -q --skip ${i}0000 --limit 10000 --pages 4096 threads.laplace v$i.trc; done 2>/dev/null
trc reduce -q --sample 1/2 joined.trc sample.trc
law 3 sample.trc --json

# A container of other counts than its index has; one that lost a sector, which parity repairs.
trc encode -q --parity 20% sort.lackey sound.trc
cp sound.trc hurt.trc
printf 'xxxxxxxx' | dd of=hurt.trc bs=1 seek=2000 conv=notrunc 2>/dev/null
law 3 hurt.trc --json --strict

# Several files are several traces, but for a manifest; and a reduced one is reduced again.
trc stat --manifest 0.trc 3.trc 1.trc >three.manifest
law 2 three.manifest --json
try trc stat --check --shard 1/2 --partial no.p 0.trc 1.trc
try trc stat --check --shard 1/2 --partial no.p --limit 5 joined.trc
try trc stat --check --shard 1/2 --partial no.p --tap joined.trc
try trc stat --check --shard 1/2 --partial no.p -j2 joined.trc

# What is reduced is reduced again, and the same number of records would be dropped.
trc reduce -q --sad 4 joined.trc 1.sad
trc reduce -q --sad 4 --no-block joined.trc 2.sad
awk 'NR % 500 == 0 && !/^#/ { print } { print }' 2.sad >twice.sad
trc reduce -q --sad 300 --page-size 64 joined.trc 3.sad
mv twice.sad 2.sad
for r in 1 2 3; do
	trc encode -q --limit 500 $r.sad slice-.trc
	for i in 0 1 2; do trc encode -q --skip ${i}500 --limit 1000 $r.sad slice$i.trc; done
	trc encode -q --skip 3500 $r.sad slice3.trc
	cat slice-.trc slice[0-3].trc >r$r.trc
	rm slice*.trc
done
law 2 r1.trc --json
for r in 1 2 3; do law 7 r$r.trc; done
trc reduce -q --window 500 joined.trc window.trc
try trc stat --check --shard 1/2 --partial no.p window.trc
trc reduce -q --olr 4 joined.trc olr.trc
try trc stat --check --shard 1/2 --partial no.p olr.trc
trc reduce -q --sad 8 joined.trc 4.sad
trc encode -q 4.sad r4.trc
trc stat --manifest r1.trc r4.trc >two.manifest
for i in 1 2; do trc stat -q --check --shard $i/2 --partial two.$i two.manifest; done
try trc stat --check two.manifest
try trc stat --merge two.1 two.2

for i in 1 2 3; do trc stat -q --check --shard $i/3 --partial $i.p sort.lackey; done
try trc stat --merge --json 1.p 2.p 3.p
try trc stat --merge 1.p 3.p
try trc stat --merge --csv 1.p 2.p 3.p
(cat sort.lackey; echo nonsense; head -n 9000 sort.lackey) >bad.lackey
try trc stat -q --check --from lackey --shard 3/3 --partial no.p bad.lackey
rm -f no.p
