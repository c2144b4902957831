# SPDX-License-Identifier: MIT
# Caches of whole objects, by bytes: every policy, the curve of LRU, what writes do, shares, and a
# warm-up; and what is refused. test/unit/object_caches.c has what is right.
awk 'BEGIN { print "type,addr,size"; s = 7; for (i = 0; i < 3000; i++) { s = (s * 1103515245 + 12345) % 2147483648
	o = int(s / 65536) % 400; if (i % 3) o = int(o / 16)
	printf "%s,%d,%d\n", i % 5 ? "read" : "write", o * 4096, 1 + o * 37 % 1000 } }' >a.csv
try trc stat --mrc --bytes a.csv
try trc stat --mrc --bytes --sizes 20K,10% --policy lru,fifo,clock,sieve,s3-fifo,2q,arc,lfu,gdsf,random,opt,belady-size,bound a.csv
# Three ways to say one thing.
trc stat --mrc --objects --sizes 20K --csv a.csv >one
trc stat --bytes --sizes 20480 --csv a.csv | cmp - one
trc stat --mrc --bytes --policy LRU --sizes 20K --csv a.csv | cmp - one && echo the same
# The curve is that of caches: of all edges from the largest object on.
trc stat --bytes --all-sizes --csv a.csv >curve
trc stat --bytes --csv --sizes "$(cut -d , -f 2 curve | awk 'NR % 9 == 2' | paste -sd ,)" a.csv >caches
wc -l <caches
grep -vxFf curve caches
for writes in back through around none; do
	trc stat --bytes --sizes 20K --writes $writes --csv a.csv | tail -n 1
done
# What a warm-up counts and what is counted behind it are all.
trc stat --bytes --sizes 20K,99K --policy lru,arc --csv a.csv >all
trc stat --bytes --sizes 20K,99K --policy lru,arc --csv --limit 1000 a.csv >first
trc stat --bytes --sizes 20K,99K --policy lru,arc --csv --warmup 1000 a.csv >rest
paste -d , all first rest | awk -F , 'NR > 1 { print $3 - $13 - $23, $9 - $19 - $29 }'
try trc stat --popularity a.csv
trc stat --popularity --plot zipf.svg a.csv >text && grep -c '<svg' zipf.svg
sed 's/^write/invalidate/' a.csv >deletes.csv
try trc stat --bytes deletes.csv
trc stat --bytes --sizes 20K --csv deletes.csv
printf 'addr,size\n0,5\n0,6\n0,0\n' >resized.csv
try trc stat --bytes --csv resized.csv
try trc stat --bytes --sizes 1K --csv resized.csv
# What comes back with another size after a delete has not changed it.
printf 'type,addr,size\nr,0,5\ninvalidate,0,0\nr,0,6\n' >again.csv
try trc stat --bytes --csv again.csv
printf 'addr\n0\n' >none.csv
# Used at 3 though it came at 0; too old at 6 and fetched, then a write at 9 keeps it until 13, not 30.
printf 'time,type,addr,size\n0,r,0,9\n3,r,0,9\n6,r,0,9\n9,w,0,9\n13,r,0,9\n30,r,0,9\n' >ttl.csv
trc stat --bytes --sizes 1K --ttl 4 --csv ttl.csv
trc stat --bytes --ttl 4 --csv ttl.csv
sed 's/^9,w/9,invalidate/' ttl.csv >gone.csv
try trc stat --bytes --ttl 4 gone.csv
try trc stat --bytes --ttl 4 --sizes 1K a.csv
try trc stat --bytes --ttl 4 --sizes 1K --policy opt ttl.csv
trc stat --bytes --sizes 1K --policy s3fifo,twoq,belady,RAND=3 --csv ttl.csv
try trc stat --mrc --policy gdsf --sizes 10 a.csv
printf 'vpn\n0\n' >pages.csv
try trc stat --bytes none.csv
trc stat --popularity --csv none.csv
try trc stat --bytes pages.csv
try trc stat --popularity pages.csv
try trc stat --mrc --objects --sizes 1K,7 a.csv
try trc stat --bytes --policy lru,fifo a.csv
try trc stat --bytes --policy lru, --sizes 1K a.csv
try trc stat --bytes --policy plru --sizes 1K a.csv
# Through is of all capacities, too: what caches of each do.
trc stat --bytes --writes through --csv a.csv >curve
trc stat --bytes --writes through --csv --sizes "$(cut -d , -f 2 curve | tail -n +2 | paste -sd ,)" a.csv | diff - curve | grep -c '^<'
try trc stat --bytes --writes around a.csv
# With a time to live, not by count, either: at 12, the older copy of the larger cache has expired, and a write brings none.
printf 'time,type,addr\n0,r,0\n1,r,64\n5,r,0\n12,w,0\n13,r,0\n' >around.csv
try trc stat --mrc --objects --writes around --ttl 10 --sizes 1,2 --csv around.csv
try trc stat --mrc --objects --writes around --ttl 10 around.csv
try trc stat --bytes --no-first a.csv
try trc stat --bytes --warmup 10 --sizes 1K --policy opt a.csv
try trc stat --bytes --sizes 10% - <a.csv
# Parts of the curve, in any tree.
for i in 1 2 3; do
	trc stat --bytes --shard $i/3 --partial $i.part a.csv
done
trc stat --merge --partial tail.part 2.part 3.part
trc stat --bytes --csv a.csv >whole
trc stat --merge --csv 1.part tail.part | cmp - whole && echo merged
try trc stat --merge --sizes 1K 1.part tail.part
for i in 1 2 3; do
	trc stat --popularity --shard $i/3 --partial p$i.part a.csv
done
trc stat --popularity --json a.csv >whole
trc stat --merge --json p1.part p2.part p3.part | cmp - whole && echo merged
try trc stat --popularity --every 9 --csv ttl.csv
try trc stat --popularity --every 9 gone.csv
try trc stat --popularity --every 9 a.csv
try trc stat --popularity --every 9 --shard 1/2 --partial p ttl.csv
try trc stat --every 9 ttl.csv
try trc cachesim ttl.csv
try trc stat --mrc --ignore-obj-size ttl.csv
try trc stat --bytes --ttl 4 --shard 1/2 --partial p a.csv
try trc stat --bytes --sample 1/2 --shard 1/2 --partial p a.csv
try trc stat --bytes --shard 1/2 --partial p deletes.csv
# A sample, which is that of reduce, and one of so many objects.
awk 'BEGIN { print "type,addr,size"; s = 7; for (i = 0; i < 40000; i++) { s = (s * 1103515245 + 12345) % 2147483648
	o = int(s / 65536) % 9000; if (i % 3) o = int(o / 16)
	printf "%s,%d,%d\n", i % 5 ? "read" : "write", o * 4096, 1 + o * 37 % 1000 } }' >b.csv
try trc stat --bytes --sample 1/8 b.csv
try trc stat --bytes --sample 1/8 --sizes 1M,50% --csv b.csv
try trc stat --bytes --sample-objects 1000 --json b.csv
trc stat --bytes --sample 1/2 --csv deletes.csv | head -n 3
try trc stat --bytes --sample-objects 50 deletes.csv
try trc stat --mrc --objects --ttl 9 --sample-objects 1 gone.csv
try trc stat --bytes --sample 1/8 --sample-objects 50 b.csv
try trc stat --bytes --sample 1/8 --policy arc b.csv
try trc stat --bytes --sample 1/8 --policy lru,arc,opt --sizes 1M,50% --csv b.csv
try trc stat --bytes --sample 1/8 --policy bound --sizes 1M b.csv
try trc stat --bytes --sample-objects 999 --policy arc --sizes 1M b.csv
try trc stat --mrc --sample 1/8 --policy arc --sizes 99 b.csv
try trc stat --bytes --sample 1/8 --warmup 5 b.csv
try trc stat --bytes --sample 1/9000 b.csv
try trc stat --mrc --sample-objects 50 b.csv
