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
	'addr=block+nothing' comment=12345678,addr=block; do
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
