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
