# SPDX-License-Identifier: MIT
# What counts, and what writes do: beside a simulation in another language, by pages and by bytes, with
# deletes, wide references, a warm-up and shards; and what is refused.
needs python3
python3 "$SRC/test/cli/counted.py" "$TRC" $(seq $((1 + 36 / (TRC_TEST_STEP + 2))))
printf 'type,addr,size\nr,0,100\nw,4096,100\nr,4096,9000\nw,0,100\nr,0,100\n' >a.csv
try trc stat --mrc --count read --csv a.csv
try trc stat --mrc --objects --count read --json --writes none a.csv
try trc stat --mrc --writes around --sizes 1,9 --csv a.csv
try trc stat --mrc --writes through --policy opt,lru --sizes 2 --csv a.csv
try trc stat --bytes --count=read --writes none a.csv
# Requests of many pages, by requests, by pages and by bytes.
printf 'time,type,addr,size\n1,r,0,4096\n2,w,6144,65536\n3,r,4096,8192\n4,r,0,1024\n5,r,512,9000\n' >wide.csv
try trc stat --mrc --requests --sizes 1,3,16,64 wide.csv
try trc stat --mrc --requests --sizes 3 --policy opt,arc --json wide.csv
try trc stat --mrc --requests --shard 1/2 --partial p wide.csv
try trc stat --mrc --requests --no-first wide.csv
try trc stat --mrc --requests --sample 1/2 wide.csv
try trc stat --mrc --requests --objects wide.csv
printf '0 1000\n' >bare.din
try trc stat --mrc --requests bare.din
# A record of so many lines, one by one, took all memory instead of being refused with its size.
printf 'type,addr,size\nr,0,2147483648\n' >large.csv
for how in '--writes around' '--writes none' --requests; do
	try trc stat --mrc --line-size 64 $how large.csv
done
# Objects that expire leave when they are asked for, or at once.
printf 'time,addr,size\n1,1,6\n2,2,3\n3,1,6\n9,3,3\n9,2,3\n' >ttl.csv
for how in '' --eager; do
	trc stat --bytes --ttl 7 $how --sizes 10 --csv ttl.csv
done
try trc stat --bytes --eager --sizes 10 ttl.csv
try trc stat --bytes --ttl 7 --eager ttl.csv
try trc stat --bytes --ttl 7 --eager --sizes 10 --policy opt ttl.csv
# Of caches of a number of objects, too, with deletes.
printf 'time,type,addr\n1,r,1\n2,r,2\n3,invalidate,2\n4,r,3\n5,r,1\n13,w,1\n' >gone.csv
try trc stat --mrc --objects --ttl 7 gone.csv
try trc stat --mrc --objects --ttl 7 --policy s3-fifo,2q --sizes 2,50% --json gone.csv
try trc stat --mrc --objects --ttl 7 --policy w-tinylfu --sizes 9 gone.csv
try trc stat --mrc --objects --ttl 7 --writes around gone.csv
# A sample of all has what all have, with deletes, too.
awk 'BEGIN { print "time,type,addr,size"; s = 7; for (i = 0; i < 2000; i++) { s = (s * 1103515245 + 12345) % 2147483648
	o = int(s / 65536) % 60; printf "%d,%s,%d,%d\n", i, i % 7 ? "read" : "invalidate", o * 8, 1 + o } }' >late.csv
for unit in --bytes '--mrc --objects'; do
	trc stat -q $unit --ttl 99 --all-sizes --csv late.csv | cut -d , -f 1-3 | sort >all
	trc stat -q $unit --ttl 99 --sample 1/1 --csv late.csv | cut -d , -f 1-3 >drawn
	sed 1d drawn | sort | comm -23 - all
	tail -n 2 drawn
done
# Of several traces, a row each.
cp a.csv b.csv
try trc stat --mrc --count read --csv --sizes 2 a.csv b.csv
# A sample of all is what all do.
awk 'BEGIN { print "type,addr,size"; s = 7; for (i = 0; i < 40000; i++) { s = (s * 1103515245 + 12345) % 2147483648
	printf "%s,%d,%d\n", i % 3 ? "read" : "write", int(s / 65536) % 9000 * 4096, 512 } }' >many.csv
for how in '' '--sample 1/2'; do
	for writes in back none; do
		trc stat -q --mrc $how --count read --writes $writes --sizes 4000 --csv many.csv | tail -n 1 | cut -d , -f 3,5-
		trc stat -q --bytes $how --count read --writes $writes --sizes 2000K --csv many.csv | tail -n 1 | cut -d , -f 3,5-
	done
done
# A plan counts objects, since memory depends on them, not on requests.
for question in '--bytes --shards 1' '--bytes --sizes 10M --policy s3-fifo --shards 1' '--mrc --objects --shards 1' \
	'--popularity --shards 1' '--bytes --shards 3' '--mrc --objects --shards 2'; do
	trc stat $question many.csv 2>&1 | awk '/note/ { print; next } NR > 1 { $4 = $4 + 0 < 500 ? "little" : $4; print }'
done
# What the option alone is, and what cannot be.
try trc stat --count a.csv
try trc stat --count read a.csv
try trc stat --count=write a.csv
try trc stat --mrc --count a.csv
try trc stat --ws --count read a.csv
try trc stat --mrc --writes around a.csv
try trc stat --bytes --writes around a.csv
try trc stat --mrc --writes around --policy opt --sizes 4 a.csv
try trc stat --mrc --writes none --shard 1/2 --partial p a.csv
try trc stat --bytes --writes none --shard 1/2 --partial p a.csv
try trc stat --bytes --writes none --ttl 4 --sizes 1K a.csv
printf 'time,type,addr,size\n1,r,0,1\n2,w,0,1\n' >times.csv
try trc stat --bytes --writes none --ttl 4 times.csv
trc reduce -q --sad 2 a.csv reduced.trc
try trc stat --mrc --count read reduced.trc
try trc stat --mrc --writes through reduced.trc
