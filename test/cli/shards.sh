# SPDX-License-Identifier: MIT
# Answers from shards: the plan, what a merge prints against the whole run, and all that it refuses.
needs xz
xz -dc "$SRC/test/data/sort.lackey.xz" >sort.lackey
# A container of many blocks, some of which begin a program: joined from parts.
for i in 0 1 2 3 4 5 6 7 8 9; do
	trc encode -q --skip ${i}0000 --limit 10000 sort.lackey $i.trc
done
cat [0-9].trc >joined.trc
head -n 3000 sort.lackey >a.lackey
sed 1,3000d sort.lackey | head -n 6000 >b.lackey
trc decode -q --limit 20000 --to u64 --drop type,size sort.lackey sort.u64 2>/dev/null ||
	trc encode -q --limit 20000 --drop type,size sort.lackey sort.u64

try trc stat --shards 4 --mrc sort.lackey
try trc stat --shards 3 -T2 --csv --mrc joined.trc
try trc stat --shards 3 --json a.lackey b.lackey sort.u64 2>&1
try trc stat --shards 3 a.lackey b.lackey

# The shortest lines that name as many pages as there can be: the plan has room for them.
seq 263000 | awk '{ printf "0 %x000\n", $1 }' >pages.din
try trc stat --shards 2 pages.din
try trc stat --shards 2 --mrc --page-size 64 pages.din

# What shards took where they were computed is far below what they might need. A mebibyte is not
# told to the last one.
try trc stat --shards 3 --measure --mrc sort.lackey | sed 's/ *[0-9]*M  / few M  /'
try trc stat --shards 2 --measure --json a.lackey b.lackey | sed 's/"memory": [0-9]*/"memory": 1/'
try trc reduce --shards 2 --measure --sad 4 joined.trc | sed 's/ *[0-9]*M  / few M  /'
(cat a.lackey; echo nonsense) >bad.lackey
try trc stat --shards 2 --measure --from lackey bad.lackey b.lackey
try trc stat --measure a.lackey

# law N "QUESTION" "PRINT" FILE...: all shards, merged at once and by a tree of merges. Of many, one law
# has as many where cases are thinned out, and the others have fewer.
few=
law()
{
	n=$1 ask=$2 print=$3 told=$1
	shift 3
	[ $n != 64 ] || n=${few:-64}
	rm -rf p
	mkdir p
	for i in $(seq $n); do
		trc stat -q $ask --shard $i/$n --partial p/$i "$@" || return 1
	done
	by_plan stat $n "$ask" "$@" || return 1
	trc stat -q --concat $ask $print "$@" >whole || return 1
	trc stat --merge $print p/* >merged && cmp whole merged || return 1
	half=$((n / 2))
	trc stat --merge $(seq -f p/%g $half) --partial p/low &&
		trc stat --merge $(seq -f p/%g $n -1 $((half + 1))) --partial p/high &&
		trc stat --merge $print p/high p/low >merged && cmp whole merged || return 1
	[ $n != 64 ] || [ "$TRC_TEST_STEP" = 1 ] || few=9
	[ -s whole ] && echo "$told: $ask $print $*"
}
# Each question with each number, or with one of its own.
for turn in $(some 1 2 3 0); do
	set -- $(echo 2 3 17 7 2 3 17 7 | cut -d ' ' -f $((turn + 1))-)
	law $1 "" "" sort.lackey
	law $2 "--count" "--json" joined.trc
	law $3 "--mrc" "--csv --all-sizes" joined.trc
	law $4 "--mrc --line-size 16" "--json" sort.lackey
done | sed 's/^[0-9]*: //' | sort -u
# Where no index has how many records are in front of a shard, it counts them.
law 7 "" "" joined.trc
law 7 "--ws" "--csv" sort.lackey
law 7 "--reuse" "--csv" sort.lackey
law 3 "--reuse --line-size 64" "--json" joined.trc
law 7 "--top pages" "--csv" sort.lackey
law 3 "--top lines --line-size 32" "--json --rows 5" joined.trc
law 64 "--top types" "" sort.lackey
law 7 "--top pcs" "--csv --rows 9999" sort.lackey
law 64 "--top pcs" "--json --rows 9999" joined.trc
law 5 "--top pcs" "" a.lackey b.lackey joined.trc
# Instructions of a column; those of fetches, with a modify first, and data in front of any.
seq 3000 | awk 'BEGIN { print "pc,type,addr,task" }
	{ printf "%d,%s,%d,%d\n", $1 * $1 % 11, substr("rwm", $1 % 3 + 1, 1), $1 % 7 * 8 * ($1 % 5), $1 % 4 }' >pcs.csv
law 64 "--top pcs" "--csv --rows 9999" pcs.csv
seq 3000 | awk '{ type = $1 > 50 && $1 % 37 < 9 ? 2 : substr("0134", $1 * $1 % 13 % 4 + 1, 1)
	printf "%d %x\n", type, type == 2 ? $1 % 5 : int($1 / 3) % 4 * 16 }' | tr 34 01 >ahead.din
law 64 "--top pcs" "--csv --rows 9999" ahead.din
try trc stat --shards 2 --top pcs pcs.csv
# Where it is not known what is in front of a shard, and what has no instructions.
(echo type,addr,task; seq 99 | awk '{ print ($1 % 2 ? "fetch," : "read,") $1 * 64 "," $1 % 3 }') >tasks.csv
try trc stat --top pcs --shard 1/2 --partial no.p tasks.csv
try trc stat --top pcs --shard 1/2 --partial no.p sort.u64
law 64 "--cache 4K:4:32" "--csv" joined.trc
law 7 "--cache i:32K:8:64 --cache d:16K:full:64" "--json" sort.lackey
law 64 "--ws --clock instructions --line-size 64" "--csv" joined.trc
law 5 "" "" a.lackey b.lackey joined.trc
law 5 "--mrc --page-size 64" "--csv --sizes 1,64K,300" a.lackey b.lackey joined.trc
law 3 "--mrc" "--no-first" sort.u64
# Text whose first line has a meaning for all others: names, or none.
trc encode -q sort.lackey sort.csv
sed 1d sort.csv | head -n 20000 >bare.csv
law 7 "--mrc" "--csv --all-sizes" sort.csv
law 3 "" "" sort.csv a.lackey
law 5 "--from csv:type=1,addr=2,size=3" "" bare.csv
law 4 "--from csv:type=1,addr=2,header" "" sort.csv
sed '9000s/^[a-z]*/reap/' bare.csv >bad.csv
try trc stat --from csv:type=1,addr=2 --shard 2/3 --partial no.p bad.csv
(printf '\357\273\277'; cat sort.csv) >marked.csv
law 3 "" "" marked.csv
{
	echo '# trc merge page-size=1024'
	seq 20000 | awk '{ printf "%s %x 4 %x %x\n", $1 % 3 ? "r" : "w", $1, $1 * $1 % 97, $1 % 50 }'
} >some.merge
law 4 "--count" "" some.merge
law 4 "" "" some.merge

# Requests touch many pages each, of which the first rows tell; of objects, each touches one.
seq 2000 | awk 'BEGIN { print "addr,size" } { printf "%d,262144\n", $1 * 300000 }' >requests.csv
try trc stat --shards 2 --mrc requests.csv
# How much memory is measured, and more where it is filled.
try trc stat --shards 2 --mrc --objects requests.csv 2>&1 | sed 's, *[0-9]*M  req, some  req,'
law 2 "--mrc" "--csv --sizes 7,64K" requests.csv
try trc stat --mrc --line-size 64 --shard 1/2 --partial no.p requests.csv
# A shard knows some pages of a request; the others when it is merged.
awk 'BEGIN { print "type,addr,size"; s = 5; for (i = 0; i < 3000; i++) { s = (s * 1103515245 + 12345) % 2147483648
	printf "%s,%d,%d\n", i % 3 ? "r" : "w", int(s / 65536) % 400 * 4096 + 512, i % 7 * 3000 } }' >several.csv
law 5 "--mrc --requests" "--csv --all-sizes" several.csv
law 4 "--mrc --requests --count read" "--csv --all-sizes" several.csv

# There is nothing to cut in a file without records, and nothing that keeps it from being in shards.
: >empty.din
law 3 "--from din" "" empty.din
law 2 "--from din --mrc" "--csv" empty.din

# The same records are the same trace, however they lie in files.
cat a.lackey b.lackey >ab.lackey
trc stat --mrc --csv ab.lackey >one
trc stat --mrc --concat --csv a.lackey b.lackey | cmp - one
# Traces that were reduced: what is known of the whole stands in an index, or in a trailer.
trc reduce -q --sad 4 joined.trc reduced.trc
trc reduce -q --sad 4 a.lackey a.sad
trc reduce -q --sad 4 b.lackey b.sad
trc reduce -q --sample 1/4 sort.lackey sample.trc
law 3 "--mrc" "--csv --all-sizes" reduced.trc
law 2 "--mrc" "--json" a.sad b.sad
law 2 "" "" a.sad b.sad
law 2 "--mrc" "--csv" sample.trc
xz -dc "$SRC/test/data/threads.laplace-diff.xz" | trc encode -q --limit 50000 - threads.laplace
for i in 0 1 2 3 4; do trc encode -q --skip ${i}0000 --limit 10000 threads.laplace t$i.trc; done
cat t[0-4].trc >threads.trc
# What encode prints is what stat prints.
trc encode -q --to hash threads.trc - >hash
trc stat -q --fingerprint threads.trc | cmp - hash
law 7 "--mrc --by-space" "--csv --all-sizes" threads.laplace
law 3 "" "--json" threads.laplace
law 7 "--ws --by-space" "--json" threads.laplace
law 2 "--reuse --by-space" "" threads.laplace
law 5 "--top pages" "--csv --rows 9999" threads.laplace
law 3 "--top spaces" "" threads.laplace
law 2 "--ws --clock cycles" "" threads.laplace
trc reduce -q --window 1000 --no-block a.lackey window.trc
law 3 "--ws" "--csv" window.trc

# Options that the answer is printed by are given to the merge, which draws, too.
trc stat --mrc --csv --plot whole.svg sort.lackey >/dev/null
for i in 1 2 3; do trc stat --mrc --shard $i/3 --partial $i.p sort.lackey; done
# Of 225 pages at most: 16 bytes each, and the rest; samples of pages are none of addresses.
for i in 1 2 3; do [ $(wc -c <$i.p) -le 4000 ] || echo "$i.p has $(wc -c <$i.p) bytes"; done
trc stat --merge --csv --plot merged.svg 3.p 1.p 2.p >/dev/null
cmp whole.svg merged.svg
try trc stat --merge --line-size 64 1.p 2.p 3.p 2>&1 | sed 's/goes with .*/goes with .../'
try trc stat --merge --sizes 1 --all-sizes 1.p 2.p 3.p
try trc stat --mrc --csv --shard 1/3 --partial 4.p sort.lackey

try trc stat --cache 32K:8:64:fifo --shard 1/2 --partial no.p sort.lackey
try trc stat --cache 32K:8:64 --cache 1M:16:64 --shards 2 sort.lackey
printf 'r 1000 4\nv 1000 4\nr 1000 4\n' >clean.xdin
try trc stat --cache 32K:8:64 --shard 1/2 --partial no.p clean.xdin

# What is missing is named, and nothing is printed.
try trc stat --merge 1.p 3.p
try trc stat --merge 2.p
try trc stat --merge 1.p 3.p --partial 13.p
try trc stat --merge 2.p 3.p --partial 23.p
try trc stat --merge 1.p 2.p 23.p
try trc stat --merge 1.p 2.p 2.p 3.p
head -c 300 2.p >cut.p
try trc stat --merge 1.p cut.p 3.p
(cat 2.p; echo) >long.p
try trc stat --merge 1.p long.p 3.p
(head -c 200 2.p; echo x; tail -c +203 2.p) >damaged.p
try trc stat --merge 1.p damaged.p 3.p
try trc stat --merge sort.lackey
try trc stat --merge none.p
try trc stat --merge
trc stat --mrc --shard 2/3 --partial other.p joined.trc
try trc stat --merge 1.p other.p 3.p
trc stat --mrc --line-size 64 --shard 2/3 --partial lines.p sort.lackey
try trc stat --merge 1.p lines.p 3.p
trc stat --mrc --shard 2/4 --partial four.p sort.lackey
try trc stat --merge 1.p four.p 3.p
# One record of the input changed.
sed '20s/I  0401/I  0402/' sort.lackey >changed.lackey
trc stat --mrc --shard 2/3 --partial changed.p changed.lackey
try trc stat --merge 1.p changed.p 3.p
ls 4.p 13.p 2>&1

# A shard that is there, sound and fits is not computed again.
try trc stat --mrc --shard 2/3 --partial 2.p sort.lackey
try trc stat --mrc --resume --shard 2/3 --partial 2.p sort.lackey
try trc stat --mrc --resume --shard 2/3 --partial cut.p sort.lackey
try trc stat --mrc --resume --shard 2/3 --partial four.p sort.lackey
try trc stat -q --mrc --force --shard 2/3 --partial lines.p sort.lackey
cmp 2.p cut.p && cmp 2.p four.p && cmp 2.p lines.p

# Of text that was changed in place, between the places by which it is known, only --resume knows.
cp sort.lackey changed.lackey
try trc stat -q --mrc --shard 2/3 --partial place.p sort.lackey
printf 9 | dd of=changed.lackey bs=1 seek=7500015 conv=notrunc 2>/dev/null
cmp changed.lackey sort.lackey
try trc stat --mrc --resume --shard 2/3 --partial 2.p changed.lackey
try trc stat --mrc --resume --shard 2/3 --partial 2.p changed.lackey
try trc stat --mrc --resume --shard 1/3 --partial 1.p changed.lackey
cmp place.p 2.p
try trc stat --mrc --resume --shard 2/3 --partial 2.p sort.lackey
cmp place.p 2.p

# Job arrays.
export SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_MIN=5 SLURM_ARRAY_TASK_MAX=9 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_STEP=2
try trc stat --mrc --shard auto --partial auto.p sort.lackey
cmp 2.p auto.p
try env SLURM_ARRAY_TASK_COUNT=2 trc stat --mrc --shard auto --partial no.p sort.lackey
try trc stat --mrc --shard auto/3 --partial no.p sort.lackey
unset SLURM_ARRAY_TASK_ID SLURM_ARRAY_TASK_MIN SLURM_ARRAY_TASK_MAX SLURM_ARRAY_TASK_COUNT SLURM_ARRAY_TASK_STEP
try trc stat --mrc --shard auto --partial no.p sort.lackey
try trc stat --mrc --shard auto/3 --partial no.p sort.lackey
export PBS_ARRAY_INDEX=2
try trc stat -q --mrc --shard auto/3 --partial pbs.p sort.lackey
cmp 2.p pbs.p

# What cannot be cut, and what cannot be asked.
xz -k a.lackey
try trc stat --shards 2 a.lackey.xz
try trc stat --shards 2 a.sad
cp a.lackey.xz 'a b.trc'
try trc stat --shards 2 'a b.trc'
try trc stat --shard 1/2 a.lackey
try trc stat --shard 3/2 --partial no.p a.lackey
try trc stat --shard one --partial no.p a.lackey
try trc stat --shard 1/2 --partial no.p --skip 5 a.lackey
try trc stat --shard 1/2 --partial no.p -
try trc stat --shards 2 --shard 1/2 --partial no.p a.lackey
try trc stat --partial no.p a.lackey
try trc stat --resume a.lackey
try trc stat --shards 2 a.lackey threads.laplace
try trc stat --mrc --shard 1/2 --partial no.p a.lackey threads.laplace
ls no.p 2>&1
# A message names the place in the file that the shard begins at.
(cat a.lackey; echo nonsense; cat b.lackey) >bad.lackey
try trc stat --shard 2/5 --from lackey --partial bad.p bad.lackey

# On several cores the answer is the same: the trace has several chunks of 2^16 to 2^18 records.
for i in 1 2 3; do cat sort.lackey; done | head -n 700000 >long.lackey
trc encode -q long.lackey long.trc
for options in "" "--line-size 64 --json" "--csv --all-sizes" "--page-size 16"; do
	for file in long.lackey long.trc threads.laplace; do
		trc stat -q --mrc $options -T1 $file >one
		trc stat -q --mrc $options -T3 $file | cmp one - && [ -s one ] &&
			echo "3 threads: $options $file"
	done
done
trc stat -q --mrc --by-space -T1 threads.laplace >one
trc stat -q --mrc --by-space -T4 threads.laplace | cmp one -
(cat long.lackey; echo nonsense; cat a.lackey) >long-bad.lackey
try trc stat --mrc -T3 --from lackey long-bad.lackey
try trc reduce --sad 16 -T3 --from lackey long-bad.lackey no.sad
trc reduce -q --sad 16 -T1 long.lackey one.sad
trc reduce -q --sad 16 -T3 long.trc - | cmp one.sad -

# A merge reads each partial once, so one may come through a pipe.
rm -rf p
mkdir p
for i in 1 2 3; do trc stat -q --mrc --shard $i/3 --partial p/$i sort.lackey; done
trc stat --merge --csv p/* >merged
mkfifo p/2.pipe
cat p/2 >p/2.pipe &
trc stat --merge --csv p/1 p/2.pipe p/3 | cmp - merged && echo read once
