# SPDX-License-Identifier: MIT
# Tables as others write them: blanks between fields, hexadecimal without 0x, comments, fields that are added
# up, lines that are left out whatever they have. They were refused, or read after other tools.
printf '# of a course\nr  ffe04540 4\n\tw 7f0a\t8\n\n  # more\ni 10 4   \n' >blanks
try trc decode --from csv:type=1,addr=2,size=3,hex,separator=blank,comment=# --to csv blanks
try trc decode --from csv:type=1,addr=2,size=3,separator=blank,comment=# --to csv blanks
try trc decode --from csv:type=1,addr=2,size=3,hex,separator=blank --to csv blanks
try trc decode --from csv:type=1,addr=2,size=4,hex,separator=blank,comment=# --to csv blanks
printf 'time addr size\n1 0x10 4\n2 0x20 8\n' >named
try trc decode --from csv:separator=blank --to csv named
try trc decode --from csv:addr=addr,time=time*1000,separator=blank --to csv named
printf '1|0x10|4\n2|0x20|8\n' >bars
try trc decode --from csv:time=1,addr=2,size=3,separator=bar --to csv bars
printf '7 REST.PUT.OBJECT a1 1056\n8 REST.HEAD.OBJECT b2\n9 REST.GET.OBJECT a1 528 0 511\n' >objects
try trc decode --from csv:time=1,type=2,addr=3,hex,size=4,read=REST.GET.OBJECT,write=REST.PUT.OBJECT,ignore=REST.HEAD.OBJECT,separator=blank --to csv objects
try trc decode --from csv:time=1,type=2,addr=3,hex,size=4,read=REST.GET.OBJECT,write=REST.PUT.OBJECT,separator=blank --to csv objects
# Sums of fields: exact, or refused.
printf 'block,offset,op,key,value\n3,17,R,1,2\n4,0,W,10,20\n5,8388607,R,0,0\n' >blocks.csv
try trc decode --from 'csv:addr=block*8M+offset,type=op,size=key+value' --to csv blocks.csv
try trc decode --from 'csv:header,size=4+5,addr=1*8M+2,type=3' --to csv blocks.csv
try trc decode --from 'csv:addr=block*1e+6+offset' --to csv blocks.csv
try trc decode --from 'csv:addr=block*4000000000000000000+offset' --to csv blocks.csv
for from in addr=block+block addr=block+ addr=+block addr=1,size=2+1 type=op+key \
	'addr=block+nothing' comment=123456789012345678901234,addr=block; do
	try trc stat --from "csv:$from" blocks.csv
done
# A text and a number: a file, and where in it.
printf 'file,offset\na,0\na,4096\nb,17\n' >files.csv
try trc decode --from 'csv:hash,addr=file*4K+offset' --to csv files.csv
try trc decode --from 'csv:header,hash,addr=1*4K+2' --to csv files.csv
try trc decode --from 'csv:hash,addr=offset*4K+file' --to csv files.csv
# A type that is nothing, and a delete without a size.
printf '1,read,10,4\n2,,,\n3,delete,10\n4,read,20,8\n' >deletes.csv
try trc decode --from 'csv:time=1,type=2,addr=3,size=4,ignore=:' --to csv deletes.csv
echo 5,read,10 >>deletes.csv
try trc stat --from 'csv:time=1,type=2,addr=3,size=4,ignore=:' deletes.csv
# A line that stands for several rows, or none; as many as are in several batches, and read by several threads.
printf 'key,n,op\n7,3,r\n8,0,w\n9,1,w\n' >counts.csv
try trc decode --from csv:addr=key,type=op,repeat=n --to csv counts.csv
try trc decode --from csv:header,addr=1,type=3,repeat=2 --to csv counts.csv
printf '7,2,delete\n' >delete
try trc decode --from csv:addr=1,type=3,repeat=2 --to csv delete
awk 'BEGIN { for (i = 0; i < 20000; i++) print i * 7 "," (i % 4000 == 9 ? 10007 : i % 3) }' >counts
awk -F , '{ for (i = 0; i < $2; i++) print $1 }' <counts >rows
trc encode --to hash --from csv:addr=1 rows | cut -d ' ' -f 1,2
for t in 1 2 4; do
	trc encode -T $t --to hash --from csv:addr=1,repeat=2 counts | cut -d ' ' -f 1,2
done
try trc stat --quiet --mrc --csv --sizes 100 --from csv:addr=1 rows
try trc stat --quiet --mrc --csv --sizes 100 --from csv:addr=1,repeat=2 counts
trc stat -T 4 --quiet --mrc --csv --sizes 100 --from csv:addr=1,repeat=2 counts
for from in addr=key,repeat=op addr=key,repeat=op_count repeat=n addr=1,repeat=49 addr=key,event=op,repeat=n; do
	try trc stat --from "csv:$from" counts.csv
done
printf '7,1048577\n' >large
try trc stat --from csv:addr=1,repeat=2 large
# In many lines, where they are read together.
awk 'BEGIN { for (i = 0; i < 20000; i++) print i "," i % 7 "," 8 }' >many
awk 'BEGIN { for (i = 0; i < 20000; i++) print i * 4096 + i % 7 ",8" }' >sums
trc encode --to hash --from csv:addr=1*4K+2,size=3 many | cut -d ' ' -f 1,2
trc encode --to hash --from csv:addr=1,size=2 sums | cut -d ' ' -f 1,2
tr , ' ' <sums >sums.blank
trc encode --to hash --from csv:addr=1,size=2,separator=blank sums.blank | cut -d ' ' -f 1,2
awk 'BEGIN { for (i = 0; i < 3000; i++) printf "%.0f,%d,\"%d\",%d,17%d\n", 4294967295 - i, i + (i == 2500), i % 3, i, i % 7 }' >full
tr -d '"' <full >full.plain
try trc stat --from csv:addr=4,size=1+2 full.plain
for f in full full.plain; do # quoted: line by line
	trc encode --to hash --from csv:addr=1*4294967296+2,space=3+4,time=5*100000000000000000 $f | cut -d ' ' -f 1,2
done
# Dates and times of day are seconds; what is divided is rounded down, which is said.
cat >dates.csv <<'END'
when,addr
2020-03-01T12:00:00.123Z,1
2020-03-01 12:00:00.5,2
"2020-02-29",3
2020-03-01T13:00:00+01:00,4
1999-12-31T19:30:00.25-04:30,5
1583064000.125,6
END
try trc decode --to csv --from 'csv:time=when*1000,addr=addr' dates.csv
try trc decode --to csv --from 'csv:time=when,addr=addr' dates.csv
try trc decode --to csv --from 'csv:time=when/10,addr=addr' dates.csv
printf '2020-03-01 12:00:00.5 7\n1970-01-01 00:00:01 8\n' >split
try trc decode --to csv --from 'csv:separator=blank,time=1*10+2*10,addr=3' split
for when in 1969-12-31 2019-02-29 2020-13-01 2020-03-32 2020-03-01T24:00:00 2020-03-01T12:00 2020-03-01T12:00:00+1 2020-3-1 12:00; do
	echo "$when,1" >date.csv
	try trc stat --from csv:time=1,addr=2 date.csv
done
printf '132274080000000000,0x10\n132274080019999999,0x1f\n' >filetimes.csv
try trc decode --to csv --from csv:time=1/1e7,addr=2/16 filetimes.csv
try trc stat --from 'csv:time=1*1e15/1e7,addr=2' filetimes.csv
# Names as spaces: the same number wherever they stand, in any order of lines.
printf 'a,1,10\nb,1,20\na,2,30\na,1,40\n' >hosts.csv
try trc decode --to csv --from csv:space=1+2,addr=3 hosts.csv
try trc decode --to csv --from csv:space=1,asid=2,addr=3 hosts.csv
# One text, and where in it.
try trc decode --to csv --from 'csv:addr=hash(file)*4K+offset' files.csv
try trc decode --to csv --from 'csv:addr=hash(file)+offset' files.csv
# Fields that may be missing; how many there are.
printf '3 R 0x40 0x400\n5 W 0x80\n' >short
try trc decode --to csv --from 'csv:separator=blank,type=2,addr=3,pc=4?' short
try trc decode --to csv --from 'csv:separator=blank,type=2,addr=3,pc=4' short
try trc stat --from 'csv:separator=blank,fields=3,type=2,addr=3' short
try trc stat --from 'csv:separator=blank,fields=3+,type=2,addr=3' short
try trc stat --from 'csv:separator=blank,fields=0,type=2,addr=3' short
printf 'key,size\n7,\n8,4\n' >empty.csv
try trc decode --to csv --from 'csv:addr=key,size=size?,time=when?' empty.csv
try trc decode --to csv --from 'csv:addr=key,size=size,time=when?' empty.csv
# Lines that are read, and lines to pass over, by what is in a field; several sorts of comments.
printf '// x\n1 Q R 10\n1 C R 10\n* y\ntotal 5\n2 Q WS 20\n3 Q FN 30\n' >events
try trc decode --to csv --from 'csv:separator=blank,time=1,type=3,addr=4,only=2:Q,read=R*,write=W*,ignore=*' events
try trc decode --to csv --from 'csv:separator=blank,time=1,type=3,addr=4,except=2:C:5,comment=//:*,read=R*,write=W*,ignore=F*' events
try trc stat --from 'csv:separator=blank,time=1,type=3,addr=4,only=Q' events
# Blanks, commas, colons and brackets between fields, all at once.
printf '31: read 0x400\n 32:\twrite [0x440], 8\n' >mixed
try trc decode --to csv --from 'csv:separator=any,time=1,type=2,addr=3,size=4?' mixed
# Words that caches and disks have for types.
printf 'GETS,1\nADD,2\nDEL,3\nTrim,4\ndiscard,5\nINCR,6\ncas,7\nAppend,8\n' >words.csv
try trc decode --to csv --from csv:type=1,addr=2 words.csv
# What words and small columns cannot have.
for from in 'type=1?' 'type=hash(1)' type=1/2 'size=hash(1)' 'task=hash(1)' only=49:Q only=0:Q only=3: except=:x fields=49 fields=+ comment=; do
	try trc stat --from "csv:addr=2,$from" words.csv
done
# The same rows read together, and one by one, as a field in quotes makes them: words between blanks or anything,
# numbers with a point, in hexadecimal and in units, selected lines, carriage returns.
awk 'BEGIN { for (i = 0; i < 5000; i++) printf "%s %x %d.%06d %d\n", i % 2 ? "Read" : "w", i * 26544, i * i, i * 7 % 1000000, i % 9 }' >plain
for edit in s/x/x/ 's/ /  /g;s/^/ /' 's/ /\t/g' 's/$/\r/' 's/ /,/g' 's/ /, /g;s/$/;/' '100~300s/\./,/' '7~50s/^/# /' '9~70s/$/ #/'; do
	sed "$edit" plain >text
	sed 's/\r*$/\t, "x"&/' text >alone
	for by in blank comma any; do
		for more in hex,comment=# hex,only=1:w hex,except=1:R* size=4*8,hex,fields=4+; do
			from=csv:separator=$by,type=1,addr=2*64,time=3*1e6,$more
			trc encode --quiet --to hash --from "$from" text >together 2>&1
			trc encode --quiet --to hash --from "$from" alone >apart 2>&1
			grep ^rows together >>rows_of_all
			grep -q ^trc together && grep -q ^trc apart || cut -d ' ' -f 1,2 apart | cmp - together
		done
	done
done
sort rows_of_all | uniq -c
# A line of a tab alone is blank, and no key.
printf 'a\n\t\nb\n' >keys
try trc decode --from csv:addr=1,hash,separator=semicolon --to csv keys
