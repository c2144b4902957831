# SPDX-License-Identifier: MIT
# Manifests: a text of names, ranges and fingerprints where a file is expected.
needs xz
xz -dc "$SRC/test/data/sort.lackey.xz" | head -n 9000 | grep -v '^==' >all.lackey
mkdir -p lab/traces 'lab/with space'
head -n 3000 all.lackey >lab/traces/a.lackey
sed 1,3000d all.lackey | head -n 4000 | xz >'lab/with space/b=2.lackey.xz'
sed 1,7000d all.lackey >c.lackey
for i in 0 1 2 3; do trc encode -q --skip ${i}00 --limit 100 c.lackey $i.trc; done
trc encode -q --skip 400 c.lackey 4.trc
cat [0-4].trc >lab/c.trc
cd lab
trc stat --manifest traces/a.lackey with*/* c.trc >../lab.manifest
cd ..
sed 's/bytes=[0-9]* fingerprint=[0-9a-f]* //' lab.manifest
sed 's/ traces/ lab\/traces/; s/ .\/with/ lab\/with/; s/ c.trc/ lab\/c.trc/' lab.manifest >here.manifest
mv lab.manifest lab/all.manifest

# The same answers as the records in one file, of whole runs and of shards, from any folder.
trc encode -q --to hash all.lackey - >hash
for manifest in here.manifest lab/all.manifest "$PWD/lab/all.manifest"; do
	trc encode -q --to hash $manifest - | cmp hash -
done
trc encode -q --to hash --concat lab/all.manifest - | cmp hash -
trc decode -q lab/all.manifest - | cmp all.lackey -
trc reduce -q --sad 8 all.lackey whole.sad
trc reduce -q --sad 8 lab/all.manifest - | cmp whole.sad -
trc stat -q --mrc --csv --all-sizes all.lackey >whole
for threads in 1 3; do
	trc stat -q -T$threads --mrc --csv --all-sizes here.manifest | cmp whole -
done
for n in 1 2 7; do
	rm -rf p
	mkdir p
	for i in $(seq $n); do
		trc stat -q --mrc --shard $i/$n --partial p/$i lab/all.manifest
		trc reduce -q --sad 8 --shard $i/$n --partial p/r$i here.manifest
	done
	trc stat --merge --csv --all-sizes p/[0-9] | cmp whole - && echo "$n shards"
	trc reduce -q --merge p/r* - | cmp whole.sad -
done
try trc stat --mrc --shards 4 -T2 --csv lab/all.manifest | cut -d , -f 1,2,5
try trc stat --check lab/all.manifest
# A partial knows its files by what is in them, not by where they are.
trc stat --mrc --shard 2/7 --partial here.p here.manifest
trc stat --mrc --shard 2/7 --partial lab.p lab/all.manifest
trc stat --mrc --shard 2/7 --partial plain.p lab/traces/* lab/with*/* lab/c.trc
trc stat --merge --partial no.p here.p lab.p
trc stat --merge --partial 3.p plain.p lab.p 2>&1 | sed 's/^trc stat: //'

# Ranges: of records of any file, of blocks of containers.
cat >ranges.manifest <<END
#trc manifest 1
# from the middle, one, and to the end

records=1001-2000 lab/traces/a.lackey
	records=5 lab/with space/b=2.lackey.xz
records=3990- lab/with space/b=2.lackey.xz
  blocks=2-3	lab/c.trc
records=150-160 lab/c.trc
END
printf 'blocks=5- lab/c.trc\r\n' >>ranges.manifest
part() { trc encode -q --to lackey --skip $(($2 - 1)) --limit $(($3 - $2 + 1)) "$1" -; }
(
	part lab/traces/a.lackey 1001 2000
	part lab/with*/b* 5 5
	part lab/with*/b* 3990 4000
	part lab/c.trc 101 300
	part lab/c.trc 150 160
	part lab/c.trc 401 9999
) >ranges.lackey
trc encode -q --to hash ranges.lackey - >hash
trc encode -q --to hash ranges.manifest - | cmp hash -
law()
{
	trc stat -q $1 $2 >whole
	for n in 2 5; do
		rm -rf p
		mkdir p
		for i in $(seq $n); do trc stat -q $1 --shard $i/$n --partial p/$i $2; done
		by_plan stat $n "$1" $2
		trc stat --merge p/* | cmp whole - && [ -s whole ] && echo "$n: $1 $2"
	done
}
law "" ranges.manifest
law --mrc ranges.manifest
printf '#trc manifest 1\nrecords=151-420 lab/c.trc\n' >one.manifest
law "" one.manifest
law --ws one.manifest
printf '#trc manifest 1\nlab/c.trc\n' >one.manifest
law "" one.manifest
try trc stat --mrc --shards 3 -T2 --csv ranges.manifest | cut -d , -f 1,2,5
try trc stat --manifest ranges.manifest | sed 's/bytes=[0-9]* fingerprint=[0-9a-f]* //'
# Other ranges of the same files are other traces.
trc stat --shard 1/2 --partial 1.p ranges.manifest
sed s/records=5/records=6/ ranges.manifest >other.manifest
trc stat --shard 2/2 --partial 2.p other.manifest
try trc stat --merge 1.p 2.p

# Manifests among other inputs: in order, or merged by their times.
printf 'type,addr,time\nread,4096,50\nread,8192,60\n' >1.csv
printf 'type,addr,time\nread,4096,70\nread,8192,80\n' >2.csv
printf 'type,addr,time\nwrite,4096,55\n' >3.csv
trc stat --manifest 1.csv 2.csv >csv.manifest
try trc encode --to csv csv.manifest 3.csv -
try trc encode --to csv --concat 3.csv csv.manifest -

# Of a folder, all but manifests: what they name would come twice.
mkdir folder
cp 1.csv 2.csv folder
(cd folder && trc stat --manifest . >all.manifest && trc stat --manifest . | sed 's/ fingerprint=[0-9a-f]*//')
try trc encode --to csv folder/all.manifest -
trc encode --to csv --concat folder - | wc -l

# What is wrong is named with its line, and nothing is written.
wrong()
{
	printf "${first:-#trc manifest 1}\n# a comment\n$1\n" >wrong.manifest
	try trc encode wrong.manifest no.trc
}
wrong 'c.lackey\nnone.lackey'
wrong 'c.lackey\nlab'
wrong 'bytes=17 c.lackey'
wrong 'fingerprint=0123456789abcdef c.lackey'
wrong 'c.lackey\nhere.manifest'
wrong 'c.lackey\n1.csv'
wrong 'records=0-5 c.lackey'
wrong 'records=7-5 c.lackey'
wrong 'records=one c.lackey'
wrong 'records=1-5 blocks=1 lab/c.trc'
wrong 'record=1-5 c.lackey'
wrong 'fingerprint=12 c.lackey'
wrong 'bytes=some c.lackey'
wrong 'bytes=17'
wrong ''
wrong 'c.lackey\0'
wrong 'records=1990-2001 c.lackey'
wrong 'records=2001- c.lackey'
wrong 'blocks=1 c.lackey'
wrong 'blocks=6 lab/c.trc'
wrong 'records=1-3000 lab/c.trc'
first='#trc manifest 2' wrong 'c.lackey'
(cat c.lackey; echo nonsense) >bad.lackey
wrong 'c.lackey\nbad.lackey'
cp lab/c.trc changed.trc
trc stat --manifest c.lackey changed.trc >changed.manifest
trc encode -q --limit 5 --force c.lackey changed.trc
for ask in "stat --mrc" "stat --shards 2" "stat --shard 1/2 --partial no.p" "reduce --sad 4" "encode --to hash"; do
	try trc $ask changed.manifest 2>&1 | sed 's/[0-9]* bytes, and [0-9]* by/N bytes, and M by/'
done
sed 's/^I  0401/I  0402/' c.lackey >d.lackey
trc stat --manifest c.lackey >changed.manifest
cp d.lackey c.lackey
try trc stat changed.manifest
try trc stat --manifest a*.none
try trc stat --manifest - <c.lackey
try trc stat --manifest --limit 5 c.lackey
try trc encode --force lab/all.manifest lab/c.trc
try trc encode --force lab/all.manifest lab/all.manifest --to trc
ls no.* 2>&1
# By -o into another folder, where the names are to be found.
trc stat --manifest lab/traces/a.lackey -o lab/one.manifest && sed -n 's/.* //p' lab/one.manifest
trc stat --manifest lab/traces/a.lackey c.lackey -o lab/traces/two && sed -n "s|.* $PWD|HERE|p; s/.* a/a/p" lab/traces/two
trc decode -q --limit 3000 lab/traces/two | cmp - lab/traces/a.lackey
# A mark of UTF-8 before the first line made a manifest a text of no format.
printf '\357\273\277#trc manifest 1\r\nc.lackey\r\n' >marked.manifest
try trc decode -q --limit 1 --to csv marked.manifest
