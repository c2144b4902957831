# SPDX-License-Identifier: MIT
# What a format cannot hold is refused, and named; what it lacks can be supplied.
printf 'I  00000010,4\n L 00000100,8\n M 00000200,4\n' >a.lackey
try trc encode a.lackey a.din
try trc encode --drop size a.lackey a.din
try trc encode --drop size --split-modify a.lackey a.din
try cat a.din
try trc encode --to laplace a.lackey -
try trc encode --to laplace --split-modify --fill time=0 --fill asid=0x1f a.lackey -
try trc encode --to xdin --split-modify a.lackey -
try trc encode --to page a.lackey -
try trc encode a.din b.lackey
try trc encode --fill size=4 --to lackey a.din -
try trc encode --fill type=32 --to din a.din -
try trc encode --fill type=8 --to din a.din -

printf 'R 1 4 0 123456789\n' >wide.laplace
try trc encode wide.laplace b.laplace-bin
printf 'R 1 100 0 12345678\n' >wide.laplace
try trc encode wide.laplace b.laplace-bin
printf 'r 1 4 0 10\nR 2 4 0 20\n' >kernel.laplace
try trc encode --drop size,time,asid --to din kernel.laplace -
try trc encode --drop size,time,asid,kernel --to din kernel.laplace -
printf '4 10\n' >copy.din
try trc encode --fill size=4 --to lackey copy.din -
ls
try trc encode --fill event=1 --to null a.din -
# What a trace has is not overwritten unasked, nor twice; and something has to be left of it.
try trc encode --fill size=4 --to xdin a.lackey -
try trc encode --drop size --fill size=4 --split-modify --to xdin a.lackey -
try trc encode --fill size=4 --fill size=8 --to xdin a.din -
try trc encode --drop type,addr --to csv a.din -
# Times that pass: every so many, or by references or fetches; several columns in one word.
printf '2 10\n0 100\n3 200\n2 14\n1 300\n4 300\n2 18\n' >b.din
try trc encode --fill time=every:60,size=4,asid=0 --to laplace --limit 2 b.din -
try trc encode --fill time=rtime,itime=itime,rtime=every:2 --to csv b.din -
printf 'I  10,4\n M 200,4\nI  14,4\n' >c.lackey
try trc encode --fill rtime=rtime --to csv c.lackey -
# What a clock is filled from may be dropped; what does not tell it is refused.
try trc encode --fill itime=every:5 --to csv a.din five.csv
try trc encode --drop itime --fill time=itime --to csv five.csv -
printf '10\n20\n' >d.page
try trc encode --fill time=itime --to csv d.page -
trc reduce -q --cache 4K:1:16 b.din e.din
trc reduce -q --cache 4K:1:16 b.din e.trc
try trc encode --fill time=rtime --to csv e.trc -
try trc encode --fill time=every:0x8000000000000000 --to csv a.din -
for bad in time=every:0 time=every: time=every:x time=every size=every:4 size=rtime time=now \
	time=rtimes rtime= time,size=4 size=4, ,size=4 size=4,,time=0 size=4,size=8 tim=3; do
	try trc encode --fill $bad --to csv a.din -
done
# Records of types that the format has no place for go if one agrees; clocks count them all the same.
printf '2 10\n0 100\n4 200\n2 14\n1 300\n' >f.din
try trc encode --drop fetch,copy-back --fill itime=itime,size=4 --to csv f.din -
try trc encode --drop fetch --drop misc,copy-back --to din f.din -
try trc encode --drop fetched --to din f.din -
