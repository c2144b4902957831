# SPDX-License-Identifier: MIT
# Instructions that Ramulator has no line for are counted if one agrees, and never lost unasked.
printf 'I  1000,4\nI  1004,4\n L 8000,8\nI  1008,4\n S 9000,8\n' >few.lackey
try trc encode -q --drop size few.lackey few.ramulator-inst
try trc encode -q --drop size --to ramulator-inst:count few.lackey -
try trc encode -q --drop size --to ramulator-inst:count,unfiltered few.lackey -
printf '3 20734016\n8 20841280 20841344\n' >two
try trc encode -q --from ramulator-inst --to csv two -
try trc encode -q --from ramulator-inst --to ramulator-inst two -
try trc encode -q --from ramulator-inst --to ramulator2-rw --drop itime two -
# Memories without bank groups have five places, and Ramulator 2 has signed addresses.
printf 'R 0,0,1,3,1024\nW 1,0,7,20,16\n' >five
try trc encode -q --to csv five -
try trc encode -q --to ramulator2-rw:places=5 five -
try trc encode -q --from ramulator2-rw --to ramulator2-rw five -
printf 'R 0,0,1,0,3,1024\n' >six
try trc encode -q --to ramulator2-rw:places=5 six -
printf 'type,addr\nread,0xffffffff81000000\n' | try trc encode -q --to ramulator2-ls - -
# Counts and letters of the unfiltered form looked like labels and comments of a damaged din trace.
printf '0 137422177784 R\n0 137422177776 W\n6 137422177768 W\n0 4096 R\n' >unfiltered
trc stat unfiltered 2>&1 | sed -n 2p
yes '0 137422177784 R' | head -n 300 | cat - unfiltered >reads-first
trc stat reads-first 2>&1 | sed -n 2p
trc encode -q --from ramulator-inst:unfiltered --to ramulator-inst:unfiltered unfiltered - | cmp - unfiltered
trc encode -q --drop size --split-modify --to ramulator-inst:count,unfiltered "$SRC/test/data/sort.lackey.xz" all
trc stat all 2>&1 | sed -n 2p
printf '0 1000 R\n1 2000 W\n0 3000 R\n' >comments.din
trc stat comments.din | head -n 1
try trc stat --from ramulator-inst:count unfiltered
try trc stat --from ramulator2-rw:places=5 five
# Behind a cache, where most fetches are gone, COUNT was 0 on every line. All instructions are there.
xz -dc "$SRC/test/data/sort.lackey.xz" >sort.lackey
lines='{ n += $1 + 1 } END { print NR " lines, " n " instructions" }'
grep -c '^I' sort.lackey
trc reduce -q --cache 8K:8:64 --write-backs --drop size --to ramulator-inst:count sort.lackey - |
	awk "$lines"
try trc reduce -q --cache 8K:8:64 --write-backs --drop size sort.lackey sort.ramulator-inst
# By way of a container, which has them if they are wanted; else they are gone, and not made up.
trc reduce -q --cache 8K:8:64 --write-backs --drop size --fill itime=itime sort.lackey sort.trc
trc encode -q --to ramulator-inst:count sort.trc - | awk "$lines"
trc reduce -q --cache 8K:8:64 --write-backs --drop size sort.lackey bare.trc
try trc encode -q bare.trc bare.ramulator-inst
try trc encode -q --fill itime=itime bare.trc bare.ramulator-inst
trc reduce -q --cache 8K:8:64 --write-backs --drop size sort.lackey --fill time=itime \
	--to dramsim3 | awk '{ n++; last = $3 } END { print n " lines, the last at " last }'
# A second load takes the place of an instruction behind it, and stores keep to their own load.
printf 'type,addr,itime\nread,1,5\nread,2,5\nwrite,3,5\nread,4,9\nread,5,3\n' >near.csv
try trc encode -q --limit 4 --to ramulator-inst near.csv -
try trc encode -q --limit 4 --to ramulator-inst:count near.csv -
try trc encode -q --to ramulator-inst:count near.csv -
