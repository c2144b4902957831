# SPDX-License-Identifier: MIT
# Published tables without names could not be read, or were read in wrong units.
for f in msr alibaba-block tencent-block twitter spc; do
	cp "$SRC/test/corpus/good-$f-example.csv" $f.csv
	try trc decode --to csv $f.csv
	try trc encode --quiet $f.csv $f.trc
	try trc stat $f.trc | grep -E '^(source|trc) '
done
# With names before, whatever their letters; and more lines than are looked at.
{ echo 'timestamp,hostname,DiskNumber,type,"offset",size,ResponseTime'; cat msr.csv; } >named.csv
try trc decode --to csv named.csv
awk 'BEGIN { for (i = 0; i < 20000; i++) printf "%d,%d,512,%s,%d.%06d\n", i % 3, i * 7, i % 4 ? "r" : "W", i / 9, i }' >long.spc
awk 'BEGIN { print "type,addr,size,time,asid"; for (i = 0; i < 20000; i++) printf "%s,0x%x,512,%.0f,%d\n", i % 4 ? "read" : "write", i * 7 * 512, int(i / 9) * 1000000 + i, i % 3 }' >want
trc decode --quiet --to csv long.spc | cmp - want
try trc stat --quiet --mrc --csv --sizes 100 long.spc
trc stat --quiet --mrc --csv --sizes 100 -T 4 long.spc
# Tables that are no such thing are not taken for them.
printf '1538323200,12910952,128,0,1063\n1538323201,12910952,128,0,1063\n' >numbers.csv
try trc stat numbers.csv
try trc decode --to csv --from tencent-block numbers.csv
printf '1,R,4096,4096,7\n2,W,4096,4096,9\n' >short.csv
try trc stat short.csv
printf '0,1,512,r,5\n0,2,512,r,6\n' >whole.csv
try trc stat whole.csv
# A damaged line, and a type that is none.
{ cat msr.csv; echo '128166372016382155,hm,1,Flush,0,0,1'; } >bad.csv
try trc stat --from msr bad.csv
{ cat msr.csv; echo '128166372016382155,hm,1,Read,0'; } >bad.csv
try trc stat --from msr bad.csv
{ cat alibaba-block.csv; echo '725,R,59110326272,360448,1577808144360813,9'; } >bad.csv
try trc stat --from alibaba-block bad.csv
try trc stat --from msr:time=1 msr.csv
try trc help spc | head -8
