# SPDX-License-Identifier: MIT
# Published tables without names could not be read, or were read in wrong units.
for f in msr alibaba-block tencent-block twitter spc; do
	cp "$SRC/test/corpus/good-$f-example.csv" $f.csv
	try trc decode --to csv $f.csv
	try trc encode --quiet $f.csv $f.trc
	try trc stat $f.trc | grep -E '^(source|trc) '
done
for f in systor17 cachelib-block thesios fiu arc disksim mqsim fio-iolog2 fio-iolog3 cachelib-kv meta-cdn ibm-cos wiki-cdn webcachesim \
	blkparse etw baleen lirs tencent-photo object-store dramsys usimm prospero mmiotrace csapp op-addr ucsd jhu rw-data nvmain disksim-validate lsbc \
	biosnoop wikibench ycsb rocksdb-blocks ext4slower; do
	cp "$SRC"/test/corpus/good-$f-example.* $f
	try trc decode --to csv $f
done
for f in vscsi1 vscsi2 lcs; do
	assemble good-$f-example >$f
	try trc decode --to csv $f
	try trc decode --to csv --from $f $f
done
# Those whose files do not show what they are, without a first line of names.
for f in fiu arc disksim mqsim webcachesim baleen usimm prospero jhu; do
	sed '1{/^[a-z#][a-z ]\{2\}/d}' $f >bare
	try trc decode --quiet --to csv --from $f bare
done
# Columns in another order, and of pages instead of images.
printf 'op_name,rs_shard_id,io_size,io_offset,block_id,op_time\nputChunk.Permanent,4,8192,0,12ce23eaa553-9e05ce05bc10,1702511878\n' >order.csv
try trc decode --to csv order.csv
printf 'relative_unix\thashed_host_path_query\tresponse_size\ttime_firstbyte\n0\t833946053\t20735\t1.46e-4\n' >pages.tsv
try trc decode --to csv pages.tsv
printf 'key,op,size,op_count,key_size\n274,GET,21,2,56\n274,SET,21,1,56\n' >kv2022.csv
try trc decode --to csv kv2022.csv
# Words, sizes and lines that a layout does not have.
printf '1 R 1f 512\n2 W 2f 512\n' >verbs
try trc stat --from ibm-cos verbs
printf '1 REST.PUT.OBJECT 1f 512\n2 REST.GET.OBJECT 1f\n' >verbs
try trc stat --from ibm-cos verbs
printf 'op_time,block_id,io_offset,io_size,op_name,rs_shard_id\n1,a-b,0,8,getChunk,1\n' >op.csv
try trc stat --quiet --from cachelib-block op.csv
try trc stat --quiet --from cachelib-block msr.csv
printf 'fio version 2 iolog\n/dev/sdb read 0\n' >iolog
try trc stat --quiet iolog
# A layout is what its page says that it is the same as, and has an example.
trc help formats | awk '/^Columns:/ { exit } /^  [a-z]/ { print $1 }' | while read -r f; do
	as=$(trc help $f | sed -n 's/^  the same as *//; t more; b; :more; s/^--from//; s/^ *//; /./!{ n; s/^ *//; }; p; q')
	[ -n "$as" ] || continue
	ls "$SRC"/test/corpus/good-$f-example* >/dev/null || echo "$f: make test/corpus/good-$f-example.csv, or what its files are called"
	case $as in
	*struct:*) assemble good-$f-example >like ;;
	*) cp "$SRC"/test/corpus/good-$f-example.* like ;;
	esac
	trc decode --quiet --from $f --to csv like >want
	# Names that no column is given by are no row.
	eval "trc decode --quiet --from $as --to csv like" >got 2>/dev/null || { sed 1d like >bare; eval "trc decode --quiet --from $as --to csv bare" >got; }
	cmp want got || echo "$f is not --from $as"
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
# Of 256 lines less than every sixteenth was a record, as nothing but computing is in long loops: asked about.
awk 'BEGIN { for (i = 0; i < 1800; i++) printf "%s %08x %08x\n", (i == 0 || i % 1200 >= 600) ? "C" : "L", 4 * i, 64 * i }' >runs
try trc stat -q runs | head -n 2
# Where all reads came behind 256 lines, what needs both was not seen.
awk 'BEGIN { for (i = 0; i < 600; i++) printf i < 400 ? "W,0x%x,%d\n" : "R,0x%x,\n", 4096 + 4 * i, i }' >late
try trc stat -q late | head -n 2
