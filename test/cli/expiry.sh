# SPDX-License-Identifier: MIT
# Objects that expire, by the column ttl or by an option with a unit: beside a simulation in another
# language, with deletes; where the column goes; and what is refused.
needs python3
python3 "$SRC/test/cli/expiry.py" "$TRC" $(seq $((1 + 60 / (TRC_TEST_STEP + 2))))
cp "$SRC/test/corpus/good-twitter-example.csv" twitter.csv
try trc encode --quiet twitter.csv twitter.trc
for to in arrow parquet; do
	trc encode --quiet --to $to twitter.trc as.$to && trc decode --to csv as.$to | tail -n 1
done
try trc encode --to oracle twitter.csv lost
printf 'time,type,addr,size,ttl\n0,w,0,9,4\n3,r,0,9,0\n6,r,0,9,\n9,w,0,9,-1\n99,r,0,9,9\n' >negative.csv
try trc decode --from csv:type=type,time=time,addr=addr,size=size,ttl=ttl? negative.csv
# The write at 0 lives until 4; the read at 6 fetches it for ever; the one at 20 does not change that.
printf 'time,type,addr,size,ttl\n0,w,0,9,4\n4,r,0,9,0\n6,r,0,9,0\n20,r,0,9,1\n99,r,0,9,0\n' >ttl.csv
for ttl in column 50; do
	trc stat --bytes --csv --ttl $ttl ttl.csv
	trc stat --bytes --csv --ttl $ttl --sizes 1K,9 ttl.csv
done
try trc stat --bytes --csv ttl.csv
try trc stat --mrc --ttl 5 ttl.csv
# A second is known of formats that have one, and of containers made of them.
for ttl in 1d 24h 1440min 86400s 86399s 86400000ms; do
	trc stat --bytes --csv --quiet --sizes 1K --ttl $ttl twitter.trc | tail -n 1
done
printf '0,a,1,9,4,set,0\n86400,a,1,9,4,get,0\n' >day.csv
for ttl in 1d 86399s; do
	trc stat --bytes --csv --quiet --from twitter --ttl $ttl day.csv | tail -n 1
done
trc stat --popularity --every 1d --csv --from twitter --quiet day.csv
try trc stat --bytes --ttl 100ms --sizes 1K twitter.trc
try trc stat --bytes --ttl 300000000000d --sizes 1K twitter.trc
try trc stat --bytes --ttl 1h --sizes 1K ttl.csv
try trc stat --popularity --every 1h ttl.csv
try trc stat --bytes --ttl 5m --sizes 1K twitter.trc
try trc stat --bytes --ttl 1.5h --sizes 1K twitter.trc
try trc stat --bytes --ttl 0 --sizes 1K twitter.trc
try trc stat --bytes --ttl column --shard 1/2 --partial p ttl.csv
cut -d , -f 1-4 ttl.csv >none.csv
try trc stat --bytes --ttl column none.csv
cut -d , -f 2-5 ttl.csv >timeless.csv
try trc stat --bytes --ttl column timeless.csv
trc encode --quiet --drop time --fill time=every:1 twitter.csv filled.trc
try trc stat --bytes --ttl 1h --sizes 1K filled.trc
