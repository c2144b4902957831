# SPDX-License-Identifier: MIT
# Requests for objects of any size: each is to one object, as if it had no size.
awk 'BEGIN { print "type,addr,size,time"; s = 7; for (i = 0; i < 3000; i++) { s = (s * 1103515245 + 12345) % 2147483648
	o = int(s / 65536) % 400; if (i % 3) o = int(o / 16)
	printf "%s,%d,%d,%d\n", i % 5 ? "read" : "write", o, 1 + o * o * 9, i / 10 } }' >a.csv
trc encode --quiet --drop size a.csv b.csv
for words in '--mrc' '--mrc --policy opt' '--mrc --policy s3-fifo --sizes 40,100' '--mrc --policy fifo --sizes 100' \
	'--reuse' '--ws' '--mrc --warmup 1000' '--over-time 700'; do
	trc stat $words --objects --json a.csv | sed 's/object/line/g' >got
	trc stat $words --line-size 1 --json b.csv | sed 's/ "page_size": 1,//; s/"bytes": [0-9.][0-9.]*/"bytes": null/' >want
	cmp got want && echo "$words: as it should be"
done
try trc stat --mrc --objects --sizes 50,400 a.csv
for i in 1 2 3; do
	trc stat --mrc --objects --shard $i/3 --partial $i.part a.csv
done
trc stat --merge --csv *.part >merged
trc stat --mrc --objects --csv a.csv | cmp - merged && echo merged
try trc stat --mrc --objects --sizes 4K a.csv
try trc stat --mrc --objects --line-size 64 a.csv
try trc stat --cache 4K:2:64 --objects a.csv
printf 'vpn\n1\n2\n' >pages.csv
try trc stat --mrc --objects pages.csv
# No warning of bytes that are counted one by one.
trc stat --mrc --objects --policy arc --sizes 10 --csv a.csv
# A sample that is drawn here is that of reduce, with its intervals; and of objects, which that cannot draw.
awk 'BEGIN { print "type,addr"; s = 7; for (i = 0; i < 9000; i++) { s = (s * 1103515245 + 12345) % 2147483648
	o = int(s / 65536) % 4000; if (i % 3) o = int(o / 16); printf "%s,%d\n", i % 5 ? "read" : "write", o * 4096 } }' >c.csv
trc reduce -q --sample 1/8 c.csv c.trc
trc stat --mrc --csv c.trc >reduced
for t in 1 2; do
	trc stat --mrc --csv --sample 1/8 -T $t c.csv | cmp - reduced && echo drawn here
done
trc stat --mrc --objects --sample 1/8 --sizes 250,2000 --csv c.csv
try trc stat --mrc --sample 1/8 --policy fifo --sizes 10 c.csv
# Pages of what has objects were counted without a word.
trc encode -q --drop type --to oracle a.csv a.oracleGeneral
try trc stat --mrc --sizes 1G --csv a.oracleGeneral
try trc stat a.oracleGeneral
# The first look at requests: shards agree; of disks, with pages; a container names the command that does it.
printf '0,20941264,8192,W,0.551706\n0,20939840,8192,W,0.554041\n1,20939840,4096,R,1.551706\n' >d.spc
for f in a.oracleGeneral d.spc; do
	for i in 1 2; do
		trc stat -q --shard $i/2 --partial $f.$i $f
	done
	trc stat -q --json $f >whole
	trc stat -q --merge --json $f.1 $f.2 | cmp - whole && echo merged
done
cat whole
trc encode -q a.oracleGeneral o.trc
trc stat --csv o.trc 2>&1 | head -n 4
trc stat --mrc --line-size 64 --sizes 64 --csv a.oracleGeneral
# Policies, and samples, that only caches of whole objects have, by count.
try trc stat --mrc --objects --policy lru,gdsf,w-tinylfu,belady-size,bound --sizes 100,50% a.csv
trc stat --mrc --objects --sample 1/8 --policy sieve --sizes 2000 --csv c.csv
trc stat --mrc --objects --sample-objects 900 --sizes 2000 --csv c.csv
try trc stat --mrc --sample 1/8 --warmup 10 c.csv
# A note came once for each chunk that a thread counted, and again when one thread began anew.
for keys in 997 400000; do
	awk -v keys=$keys 'BEGIN { for (i = 0; i < 600000; i++) print i, i * 7919 % keys * 4096, 100 }' >many
	trc stat --mrc --from webcachesim --sizes 1000 --csv -T2 many
done
# So did the note of how a table is read.
{ echo version,time,op,size,lbn; awk '{ print "1," $1 ",2a,512," $2 / 512 }' many; } >guessed.csv
trc stat --mrc --sizes 1000 --csv -T2 guessed.csv
