# SPDX-License-Identifier: MIT
# Blocks of 512 bytes were read as bytes, times with decimals and codes for types were refused.
printf 'ts,lbn,blocks,op\n0.000123,10,8,28\n1538323200.5,0x20,16,0x2A\n3,4,1,12\n' >b.csv
from=csv:time='ts*1e6',addr='lbn*512',size='blocks*512',type=op,read=28:88,write=2a,ignore=12
try trc decode --to csv --from $from b.csv
try trc decode --to csv --from "csv:header,time=1*1M,addr=2*512" b.csv
# The same many at a time.
awk 'BEGIN { print "ts,lbn,blocks,op"; for (i = 0; i < 9000; i++) printf "%d.%06d,%d,%d,%s\n", i / 7, i, i * 3, i % 9, i % 5 ? "28" : i % 3 ? "2a" : "12" }' >c.csv
awk 'BEGIN { print "type,addr,size,time"; for (i = 0; i < 9000; i++) if (i % 5 || i % 3) printf "%s,0x%x,%d,%d\n", i % 5 ? "read" : "write", i * 3 * 512, i % 9 * 512, int(i / 7) * 1000000 + i }' >want
trc decode --to csv --from $from c.csv | cmp - want
# It is in the container, how.
trc encode --from $from b.csv b.trc
try trc stat b.trc | grep csv
# What is not exact is refused, and what would be is named.
try trc decode --from 'csv:time=ts,addr=lbn' b.csv
try trc decode --from 'csv:time=ts*1000,addr=lbn' b.csv
try trc decode --from 'csv:time=ts*512,addr=lbn' b.csv
try trc decode --from 'csv:addr=lbn,size=ts*1e9' b.csv
printf 'ts,lbn\n1.25e+3,7.000\n2.5E-1,8\n' >e.csv
try trc decode --to csv --from 'csv:time=ts*100,addr=lbn' e.csv
for ts in 1. . 1.2.3 -1 1e 1e99 18446744073709551616 1.8446744073709551616; do
	printf 'time,addr\n%s,1\n' $ts >e.csv
	try trc decode --from csv e.csv
done
for from in 'addr=lbn*0' 'addr=lbn*' 'addr=*512' 'addr=lbn*1.5' 'addr=49*512' 'type=op*2' 'addr=lbn,size=lbn*512' 'addr=2,size=2*4' read=28:28 read=28,write=0x28 write=:: read=0123456789abcdef0123456789abcdef hash,size=lbn; do
	try trc decode --from "csv:$from" b.csv
done
# Words of others for types, and keys that are texts.
printf 'type,addr\nR,1\nget,2\nStore,3\nSET,4\ndelete,5\n' >w.csv
try trc decode w.csv
printf 'key,len\nuser:17,5\n"user:18",6\nuser:17,5\n' >k.csv
try trc decode --to csv --from csv:hash,addr=key,size=len k.csv
# A type by an option goes before the word.
try trc decode --from csv:read=store,misc=set,prefetch=get w.csv
# Times with zones, and as logs of web servers have them; one before 1970 wrapped to a time far ahead.
for time in 1970-01-01T00:30:00+01:00 1970-01-01T01:30:00+01:00 '1970-01-01 01:30:00 +0100' 00:30:00-01:00 00:30:00+01:00 \
	01/Jan/1970:00:00:01 '29/Feb/2000:00:30:00 -0030' 31/Apr/2000 01/01/2000 1970-01-01T00:00:00.000000000000000000000-23:59; do
	printf "$time;1\n" | try trc decode --to csv --from csv:time=1*1e3,addr=2 -
done
# Addresses that may be hexadecimal or were rounded, names that two fields have, and bits were read as they came.
for row in 00401000,0 0x00401000,0 10,010 1.23E+15,0 1.5e3,0; do
	printf "addr,pc\n$row\n" | try trc decode --to csv -
	printf "addr,pc\n$row\n" | try trc decode --to csv --from csv:addr=addr*1,pc=pc -
done
printf 'a,a\n1,4Kb\n' >twice.csv
try trc decode --to csv --from csv:addr=a twice.csv
try trc decode --to csv --from csv:addr=1,size=2,header twice.csv
printf 'offset,size,offset,op\n1,4,2,R\n5,4,6,W\n' | try trc decode --to csv -
printf 'time,addr,size\n2020-03-01,1,4K\n' | try trc decode --to csv --from csv -
# Lines with characters that are not shown were skipped among those that `only` skips, and a key had one.
for word in 'Q' '\0Q' 'X\302\240' X; do
	printf "Q 1\n$word 2\n" | try trc decode --to csv --from csv:separator=blank,only=1:Q,addr=2 -
done
printf 'a\0b\n' | try trc decode --to csv --from 'csv:addr=hash(1)' -
# A negative time to live was none; a dash was no number; a size in parts of bytes had a factor of 1.
for ttl in -1 -20 -; do
	printf "1,$ttl\n" | try trc decode --to csv --from csv:addr=1,ttl=2 -
	printf "1,$ttl\n" | try trc decode --to csv --from csv:addr=1,ttl=2? -
done
printf '1,1.0001KB\n' | try trc decode --to csv --from csv:addr=1,size=2 -
# A number that is cut at the end of a text was read without a word; texts without a last newline are common.
awk 'BEGIN { for (i = 16; i < 46; i++) printf "w 0x%x\n", 4096 * i }' >whole.txt
head -c -1 whole.txt | try trc stat --top pages --rows 1 -
head -c -2 whole.txt | try trc stat --top pages --rows 1 -
head -c -2 whole.txt | xz | try trc decode --to csv --quiet - | tail -n 1
head -n 4 whole.txt | head -c -2 | try trc stat --top pages --rows 1 --from op-addr -
head -n 3 whole.txt | head -c -2 | try trc stat --top pages --rows 1 --from op-addr -
# Logs in W3C's format: what a line lacks; messages of a scheduler between the lines of blkparse.
names='#Fields: date time cs-method cs-uri-stem sc-bytes'
for line in '2019-12-04 21:02:31 GET /a 7' '2019-12-04 21:02:31 GET /a' '2019-12-04 7 GET /a 7' '2019-12-04 21:02:31 GET /a 4294967296'; do
	printf "%s\n$line\n" "$names" | try trc decode --to csv -
done
printf '2019-12-04 21:02:31 GET /a 7\n' | try trc decode --to csv --from w3c-log -
awk 'BEGIN {
	for (i = 0; i < 4; i++) {
		printf "8,16 1 %d 1.5 9 Q WS %d + 8 [fio]\n", i, 274432 + 8 * i
		for (k = 0; k < 20; k++) print "8,16 1 0 1.6 0 m N cfq9S / resid=" k
	}
}' | try trc stat - | head -2
