# SPDX-License-Identifier: MIT
# Tables as other programs write them: what is read, and the messages for tables that are not read.
read_as() {
	printf "$1" >a.csv
	try trc decode a.csv
}
read_as '"type","addr"\n"read","16"\n"write",0x20\n'
read_as '\357\273\277type,addr\r\nread,16\r\n'
read_as 'type,addr\nread,16,\n'
read_as '\357\273\277addr;type\n16;read\n'
# A trace without records is one, whatever wrote it.
: >none.din
trc encode --from din none.din none.csv
trc reduce --quiet --sad 64 --from din none.din none.sad
trc reduce --quiet --sad 64 --from din none.din none.sad-diff
echo '# trc merge page-size=4096' >none.merge
echo '# trc basic page-size=4096' >none.basic
for f in none.csv none.sad none.sad-diff none.merge none.basic; do
	try trc stat $f | head -n 3
done
# A name that is no column, and a field too many: a decimal comma, or a line run into another.
read_as 'type,addr,tim\nread,16,5\n'
read_as 'type,addr,addr\nread,16,5\n'
try trc decode --from csv a.csv
read_as 'when,where,how\n5,16,r\n'
read_as 'type,addr,time\nread,16,5\nread,16,5,5\n'
read_as 'type;addr\nread;16\n'
read_as 'addr\ttype\n16\tread\n'
# Tables of others, by the names in their first line.
printf 'timestamp,lbn,sz,"op"\n1,16,4,r\n2,0x20,8,w\n' >b.csv
try trc decode --to csv --from csv:addr=lbn,time=timestamp,size=sz b.csv
try trc decode --to csv --from csv:addr=lbn,type=op,size=3 b.csv
try trc decode --from csv:addr=lba b.csv
try trc decode --from csv:addr=lbn,pc=lbn b.csv
try trc decode --from csv:addr=lbn,pc=2 b.csv
try trc decode --from csv:addr= b.csv
try trc decode b.csv
printf 'ts;lbn;op\n1;16;r\n2;32;"w"\n' >b.csv
try trc decode b.csv
try trc decode --to csv --from csv:addr=lbn,type=op b.csv
try trc decode --to csv --from csv:header,addr=2 b.csv
# Empty fields at the end, blanks beside tabs, and semicolons in a table that has commas.
printf 'addr\ttype\tcpn\n 16 \tread\t\n' >b.csv
try trc decode b.csv
printf 'when\taddr\tnote\n5\t 16 \t\n6\t32\tb c\n' >b.csv
try trc decode --to csv --from csv:addr=addr,time=when b.csv
printf '16;a,b\n32;c,d\n' >b.csv
try trc decode --to csv --from csv:addr=1 b.csv
try trc decode --to csv --from csv:addr=1,separator=semicolon b.csv
try trc decode --from csv:addr=1,separator=dot b.csv
# Many lines take the same way as few.
awk 'BEGIN { print "t;op;where"; for (i = 0; i < 9000; i++) printf "%d;%s;0x%x\n", i, i % 3 ? "read" : "write", i * 64 }' >b.csv
tr ';' ',' <b.csv >c.csv
sed '1d; s/;/\t/g' b.csv >d.csv
trc decode --to csv --from csv:time=t,type=op,addr=where b.csv >want
wc -l <want
trc decode --to csv --from csv:time=t,type=op,addr=where c.csv | cmp - want
trc decode --to csv --from csv:time=1,type=2,addr=3 d.csv | cmp - want
# Numbers of fields that cannot be are a fault of the words, not of the table.
for from in addr=49 addr=1,size=1 addr=0 header; do
	try trc decode --from csv:$from a.csv
done
# What is wrong with a field was not in the message, nor what types there are.
read_as 'type,addr,size\nread,16,4\nwrite,1x,4\n'
read_as 'type,addr,size\nread,16,4\nwrite,16,4294967296\n'
read_as 'type,addr,size\nread,16,4\nwrite,16\n'
printf 'type,addr\nread,16\n' >a.csv
try trc decode --from csv:type=1,addr=2 a.csv
# A wrong line right behind the names was not reported: the message was that the table lacks names.
read_as 'type,addr\nstored,16\n'
read_as 'addr\n-1\n'
# What was refused without a reason, or with one that did not help.
printf 'type,addr,size,event\nread,16,4,hello\n' >text.csv
try trc stat text.csv
printf 'type,addr,size,\nread,0x10,4,\n' >unnamed.csv
try trc stat unnamed.csv
printf '# a comment\ntype,addr,size\nread,0x10,4\n' >commented.csv
try trc stat commented.csv
