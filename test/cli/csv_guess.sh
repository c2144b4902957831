# SPDX-License-Identifier: MIT
# A table with names that are not ours was refused without the command that reads it.
printf 'Timestamp,lba,len,op\n0.5,1,2,R\n1.25,1,2,W\n' >a.csv
try trc encode a.csv a.trc
trc encode --from 'csv:time=Timestamp*1e6,addr=lba*512,size=len,type=op' a.csv a.trc
try trc decode a.trc
printf 'ts;LBN;"nblocks";op;disk\n1;1;2;2a;3\n2;1;2;28;4\n2;1;2;12;4\n' >b.csv
try trc stat --mrc --csv b.csv
try trc encode -o b.trc --limit 2 b.csv
printf 'key\tvalue size\nabc\t1\ndef\t2\n' >'c c.csv'
try trc stat 'c c.csv'
try trc stat <b.csv
printf 'when,op\n1,r\n' >d.csv
try trc stat d.csv
printf 'alpha,beta\n1,2\n' >e.csv
try trc stat e.csv
printf '1,2\n3,4\n' >f.csv
try trc stat f.csv
# Words that are no types are all named, with an option for each.
printf 'type,addr\n0,1\n1,2\n' >g.csv
try trc decode g.csv
try trc decode --from csv:type=type,addr=addr g.csv
try trc decode --from csv:read=0,write=1 g.csv
printf 'type,addr\nread,1\n1,2\n0x1f,3\nflush,4\n' >h.csv
try trc decode --from csv:header,addr=addr,type=1 h.csv
printf 'type,addr\n1,1\n' >i.csv
try trc decode i.csv
# Other instructions between loads and stores, with fewer fields, hid these, or their pc was taken for the address.
awk 'BEGIN { for (i = 0; i < 40; i++) printf(i % 3 ? "ALU 0x%x\n" : i % 2 ? "LOAD 0x%x 0x10000%02x\n" : "STORE 0x%x 0x10000%02x\n", 4198400 + 4 * i, 8 * i) }' >others.txt
try trc stat others.txt
awk 'BEGIN { for (i = 0; i < 40; i++) print i % 3 ? "BRANCH T" : i % 2 ? "LOAD 0x1f" 10 + i : "STORE 0x2e" 10 + i }' >branches.txt
try trc stat branches.txt
# Parameters before the records, and several of these on a line, were refused without a command.
printf 'Number of sets: 2\nSet size: 2\nLine size: 8\nread:4:58\nwrite:4:6c\nread:4:f0\nread:4:68\nread:4:58\nwrite:4:6c\nread:4:f0\nread:4:68\n' >'with parameters'
try trc stat 'with parameters'
tail -n +4 <'with parameters' | try trc stat --from csv:type=1,addr=3,hex,separator=any - | head -2
try trc stat --mrc 'with parameters'
printf '7, 0, 1, 2, 0, 3, 0, 4, 2, 3, 0, 3, 0xf\n' >list
try trc stat list
tr -s ' ,;\t\r' '\n' <list | try trc stat --from addr - | head -2
try trc stat <list
try trc encode list list.trc
# A list of two files has no filter.
try trc stat list list
# Binary digits were taken for decimal or hexadecimal ones.
printf 'w 1001101001100110\nw 1001101001100111\nr 1001101001101000\nw 0001101001101001\nr 1001111001101010\nr 0001101011111011\nr 1000101001101100\nr 1001101001101101\n' >binary
try trc decode --to csv binary
try trc decode --to csv --from csv:type=1,addr=2,separator=blank,binary binary
printf 'R 0b10\nR 2\n' | try trc decode --to csv --from csv:type=1,addr=2,separator=blank,binary -
try trc stat --from csv:addr=1,binary,hex binary
# Traces of other tools are named.
printf '\007tae\0\0\0\0' >a.blktrace.0
try trc stat a.blktrace.0
printf '\301\037\374\301\0\0\0\0' >a.ctf
try trc stat a.ctf
printf 'PERFILE2\0\0\0\0' >perf.data
try trc stat perf.data
# Sizes with units, and threads behind a letter.
printf 'T9:0x04048000:28KB\nT3:0x0302b000:1.5KiB\nT9:0x3000:512B\nT3:0x3000:7\n' >units
try trc decode --to csv --from csv:task=1,addr=2,size=3,prefix=T,separator=any units
for size in 4KB 1M 4XB KB 17179869184G; do
	printf 'addr,size\n1,%s\n' $size | try trc decode --to csv --from csv:addr=addr,size=size -
done
printf '1,4KB\n' | try trc decode --to csv --from csv:addr=1,size=2*1e18 -
try trc stat --from csv:addr=1,prefix=abcdefgh units
# Names in front of values did not count: a pc was taken for the address; braces stayed with their numbers.
printf '[1] pc=0x400 load addr=0x1000 len=4\n[2] pc=0x404 store addr=0x2000 len=8\n' >named
try trc stat named
printf '{"ts": 1, "addr": "0x1000", "size": 4, "op": "R"}\n{"ts": 2, "addr": "0x2000", "size": 8, "op": "W"}\n' >lines.json
try trc stat lines.json
try trc decode --to csv --from csv:type=8,time=2,addr=4,size=6,separator=any lines.json
# A column T is a type, or a time.
printf 'TIME(s)  COMM  PID  DISK  T SECTOR  BYTES LAT(ms)\n0.000004 sup 1950 xvda1 W 13092560 4096 0.74\n0.001588 sup 1956 xvda1 R 13115128 4096 1.09\n' >biosnoop
try trc stat biosnoop
printf 't,addr,size\n1.5,0x1000,4\n2.5,0x2000,8\n' | try trc stat -
# Of two hexadecimal fields the pc was taken for the address, or a cycle was; keys that are texts were not proposed.
awk 'BEGIN { for (i = 1; i < 20; i++) printf("%d, %d, 28e83%05x0c0, %x, %d\n", 3 * i, 20 * i, i * i * 4096, 4200000 + i * 7, i % 2) }' >loads
try trc stat loads
awk 'BEGIN { for (i = 1; i < 20; i++) printf("%x 28e83%06x\n", 4200000 + i * 7, i * i * 8) }' >pairs
try trc stat pairs
printf 'READ usertable user30 [ <all fields>]\nUPDATE usertable user20 [ field0=x ]\nREAD usertable user30 [ <all fields>]\n' >ycsb
try trc stat ycsb
printf 'GET a1b\nSET key:22\nGET foo\nGET a1b\n' >keys
try trc stat keys
# Identifiers beside sizes were not proposed, the size was; brackets of all forms separate.
awk 'BEGIN { for (i = 1; i < 20; i++) printf("2020-01-01 00:00:%02d.5\tobj-%d-1\t%d\n", i, i * 7 % 19, 4096 * i) }' >objects
try trc stat objects
awk 'BEGIN { for (i = 1; i < 20; i++) printf("core %d: 0x%x -> 0x7f00%04x (%s)\n", i % 3, 4200000 + i * 7, i * i * 8, i % 2 ? "load" : "store") }' >arrows
try trc stat arrows
# In logs the times and pcs of what sed leaves were those of other fields.
for i in 0 1 2 3; do
	printf '  13%d\t6%d\t0010008%d\t00f6a023\tsw\tx15,0(x13)\tx13:0x0010269c x15:0x65 PA:0x0010269%d store:0x65 load:0x0\n' $i $i $i $i
	printf '  14%d\t7%d\t0010009%d\t4481\tc.li\tx9,0\tx9=0x0\n' $i $i $i
done >trace_core.log
try trc stat trace_core.log
# Names of sections between records, letters before numbers.
awk 'BEGIN { for (i = 0; i < 40; i++) print i % 10 ? "R 0x7f" 1000 + i : "Core " i / 10 ":" }' >sections
try trc stat sections
grep -v '^Core' <sections | try trc stat --from pinatrace-addr - | head -2
awk 'BEGIN { for (i = 0; i < 9; i++) print (i % 2 ? "R" : "W") "1abf" 1000 + i }' >letters
try trc stat letters
# Pin's examples end a file with #eof, which tables refused.
awk 'BEGIN { for (i = 0; i < 40; i++) print i % 4, i % 3 ? "R" : "W", "0x7f" 1000 + i; print "#eof" }' >cores
head -39 cores | cat - cores | grep -v '^#eof' >long
for i in 1 2 3 4 5 6; do cat long long long long >longer; mv longer long; done
echo '#eof' >>long
try trc stat long | head -2
