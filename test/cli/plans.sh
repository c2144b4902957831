# SPDX-License-Identifier: MIT
# Plans: a shard opens its own files alone, and takes no others for them; a plan that is damaged, cut, old,
# or another's is refused. That answers are the same, byte for byte, by_plan shows in the cases of shards.
needs xz
xz -dc "$SRC/test/data/sort.lackey.xz" | head -n 60000 >sort.lackey
mkdir in
for i in 1 2 3 4 5 6; do trc encode -q --skip ${i}000 --limit 1000 sort.lackey in/$i.trc; done
head -n 2000 sort.lackey >in/7.lackey
try trc stat -q --mrc --shards 3 -o plan in/[1-7]*
sed 's/^\(version\|check\) .*/\1 .../; s/\(mark\|memory\)=[0-9a-f]*/\1=.../; s/^memory .*/memory .../; /^at/d; /^end/d' plan
trc stat -q --mrc --shards 3 -T2 in/[1-7]* >table
trc stat -q --mrc --shards 3 -T2 --force -o plan in/[1-7]*
trc stat --plan plan | diff table -
trc stat -q --mrc --shards 3 --csv in/[1-7]* | cut -d , -f 1-3 >table
trc stat --plan plan --csv | cut -d , -f 1-3 | diff table -
trc stat -q --mrc --concat --csv in/[1-7]* >want

# With the files of the others gone, a shard is what it was.
for i in 1 2 3; do
	trc stat -q --mrc --shard $i/3 --partial $i.want in/[1-7]*
	mkdir only
	for file in $(sed -n "/^shard $i /,/^check/s/^file.* //p" plan); do cp --parents $file only; done
	cp plan only
	(cd only && trc stat -q --plan plan --shard $i --partial ../$i.part) && cmp $i.want $i.part
	rm -r only
done
trc stat --merge --plan plan --csv 1.part 2.part 3.part | cmp want -
mkdir parts && cp [123].part parts && : >parts/2.part.part-0123abcd
trc stat --merge --plan plan --csv parts | cmp want -
# From elsewhere, and where it is an array.
mkdir far && (cd far && trc stat -q --plan ../plan --shard 2/3 --partial 2) && cmp far/2 2.want
SLURM_ARRAY_TASK_ID=3 try trc stat --plan plan --shard auto --partial array && cmp array 3.want
try trc stat --plan plan --shard 3/4 --partial no.part
try trc stat --plan plan --shard 4 --partial no.part
try trc stat --plan plan --shard 2
try trc stat --plan plan --shard 2 --partial no.part in/1.trc
try trc stat --plan plan --mrc --shard 2 --partial no.part
try trc stat --plan plan --shards 3
try trc stat --plan plan --shard 2 --only read --partial no.part
try trc stat --plan plan --shard 2 --from csv --partial no.part
try trc reduce --plan plan --shard 2 --partial no.part

# What is there and fits is kept, for which nothing but the files of the shard are looked at.
mv in/1.trc in/2.trc far
try trc stat --plan plan --shard 3 --resume --partial 3.part
head -c 200 3.want >3.part
try trc stat --plan plan --shard 3 --resume --partial 3.part && cmp 3.want 3.part
mv far/[12].trc in
# No input of any shard is replaced, not even with --force.
try trc stat --plan plan --shard 3 --force --partial in/1.trc
try trc stat --plan plan --shard 3 --resume --partial in/1.trc
try trc stat --plan plan --shard 3 --force --partial plan
try trc stat --mrc --shards 3 --force -o in/1.trc in/[1-7]*
try trc stat --mrc --shards 3 -o plan in/[1-7]*

# A file that is no longer what it was.
printf x >>in/7.lackey
try trc stat --plan plan --shard 3 --partial no.part
try trc stat --plan plan --shard 3 --resume --partial 3.part
head -n 2000 sort.lackey | sed '3,9s/I/S/' >in/7.lackey
try trc stat --plan plan --shard 3 --partial no.part
head -n 2000 sort.lackey >in/7.lackey
trc encode -q --skip 7000 --limit 1000 --force sort.lackey in/1.trc
try trc stat --plan plan --shard 1 --partial no.part
trc stat -q --plan plan --shard 3 --partial again && cmp again 3.want
rm in/1.trc
try trc stat --plan plan --shard 1 --partial no.part
trc encode -q --skip 1000 --limit 1000 sort.lackey in/1.trc
trc stat -q --plan plan --shard 1 --partial first && cmp first 1.want

# Partials of another plan, and what is missing.
trc stat -q --mrc --shards 4 -o four in/[1-7]*
trc stat -q --ws --shards 3 -o other in/[1-7]*
trc stat -q --mrc --shards 3 -o less in/[1-6]*
for p in four other less; do try trc stat --merge --plan $p [123].part; done
try trc stat --merge --plan plan [13].part
try trc stat --merge --plan plan far
trc stat -q --ws --shard 2/3 --partial 2.ws in/[1-7]*
try trc stat --merge --plan plan 1.part 2.ws 3.part

# A tree of merges, by any arity.
for i in 1 2 3 4; do trc stat -q --plan four --shard $i --partial $i.four; done
try trc stat --merge --plan four --partial 12.four 2.four 1.four
try trc stat --merge --plan four --partial 34.four 3.four 4.four
trc stat --merge --plan four --csv 34.four 12.four | cmp want -

# Damaged, cut, longer, of another version; and what is none.
size=$(wc -c <plan)
for n in 0 1 9 10 20 100 400 $((size - 83)) $((size - 82)) $((size - 1)); do
	head -c $n plan >bad
	trc stat --plan bad --shard 2 --partial no.part 2>&1
done | sort | uniq -c | sed 's/^ *//'
(cat plan; echo) >bad
try trc stat --plan bad --shard 2 --partial no.part
try trc stat --merge --plan bad [123].part
# Each byte, by two that it is not: a shard is refused or what it was, and the whole plan is refused.
for at in $(seq 0 $(some 3 37 | cut -d ' ' -f 1) $((size - 1))); do
	for byte in 0 '\n'; do
		{ head -c $at plan; printf "$byte"; tail -c +$((at + 2)) plan; } >bad
		cmp -s plan bad && continue
		trc stat --plan bad >out 2>why && echo "byte $at: printed"
		[ ! -s out ] && [ -s why ] || echo "byte $at: no reason, or an answer"
		trc stat -q --plan bad --shard 2 --force --partial bad.part 2>why && ! cmp 2.want bad.part
	done
done
sed 's/^version .*/version 0.9/' plan >bad
try trc stat --plan bad --shard 2 --partial no.part 2>&1 | sed 's/this is trc [^;]*/this is trc VERSION/'
sed '1s/1/2/' plan >bad
try trc stat --plan bad
try trc stat --plan sort.lackey
try trc stat --plan no.plan
try trc stat --plan in
ls no.part 2>&1

# A format that was named need not be named again, and names of files may have any letters.
printf '0 10\n1 20\n2 30\n0 10\n' >'in/a #b=c; '
trc stat -q --mrc --from din --shards 2 -o named 'in/a #b=c; '
grep -e '^from' -e '^file' named | sed 's/ mark=[^ ]*//' | cat -A
for i in 1 2; do trc stat -q --plan named --shard $i --partial $i.named; done
trc stat --merge --csv --plan named [12].named >got
trc stat --mrc --from din --csv 'in/a #b=c; ' | cmp got - && [ -s got ]

# Who has to count what is in front opens the files there, too, if they are text.
head -n 2000 sort.lackey >in/8.lackey
for of in 'in/5.trc in/6.trc' 'in/7.lackey in/8.lackey'; do
	trc stat -q --ws --warmup 7 --shards 2 --force -o counts $of
	mv ${of% *} far
	try trc stat -q --plan counts --shard 2 --partial ${of##*.}.counted
	mv far/[57].* in
done

# A plan whose shards nobody can compute was written all the same.
for no in '--ws --addr zz' '--ws --only foo' '--ws --space 1' '--ws --warmup 10i' '--top tasks' '--mrc --by-space'; do
	try trc stat -q $no --shards 2 -o worthless in/[1-7]*
done
try trc reduce -q --sad 64 --canonical --shards 2 -o worthless in/[1-7]*
ls worthless 2>&1
