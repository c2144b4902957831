# SPDX-License-Identifier: MIT
# Deletes did nothing but in --cache, and reductions dropped them unsaid: what is deleted is missed.
printf 'type,addr,size\nread,0,8\nwrite,4096,8\nread,8192,8\ninvalidate,4100,4\nread,4096,8\nread,0,8\n' >a.csv
try trc stat --mrc --csv a.csv
try trc stat --mrc --policy lru,opt,fifo,clock,sieve,lfu,2q,arc,s3-fifo,plru,srrip,random --sizes 4 --csv a.csv
try trc stat --mrc --policy opt --csv a.csv
try trc stat --cache 64K:full:4096 a.csv
try trc stat --reuse --csv a.csv
try trc stat --ws --csv a.csv
try trc stat --mrc --warmup 3 --csv a.csv
# A DELETE among requests, and what is deleted before it came.
cat >keys.csv <<'END'
0,aa:eeW511W3dcH3de3d15ec,17,213,4,delete,0
0,aa:eeW511W3dcH3de3d15ec,17,213,4,get,0
1,aa:eeW511W3dcH3de3d15ed,17,50,4,set,600
2,aa:eeW511W3dcH3de3d15ec,17,213,4,gets,0
3,aa:eeW511W3dcH3de3d15ec,17,213,4,delete,0
4,aa:eeW511W3dcH3de3d15ec,17,213,4,get,0
5,aa:eeW511W3dcH3de3d15ed,17,50,4,get,0
END
try trc stat --mrc --objects --csv -q keys.csv
printf 'v 1000 4\nr 0 4\nr 1000 4\nr 2000 4\nv 0 0\nr 1000 4\n' >w.xdin
try trc stat --mrc --csv --from xdin w.xdin
# Any number of threads; a shard refuses.
for i in 1 2 3 4 5 6 7 8 9; do sed 1d a.csv; done | sed '1i type,addr,size' >b.csv
for q in --mrc --ws --reuse; do
	trc stat $q -T1 --csv b.csv >1
	trc stat $q -T3 --csv b.csv | cmp - 1 && echo alike
	try trc stat $q --shard 1/2 --partial p b.csv
done
# Reductions, whose deletes are part of what is certified.
try trc reduce --sad 2 b.csv b.trc
try trc stat --certify b.trc b.csv
trc encode -q --drop invalidate b.csv c.csv
try trc stat --certify b.trc c.csv
try trc stat --check b.trc
for f in b.csv b.trc; do trc stat --mrc --csv --sizes 2,3 $f; done
for i in 1 2 3; do trc reduce -q --sad 2 --shard $i/3 --partial $i.p b.csv; done
trc reduce -q --merge 1.p 2.p 3.p m.trc
trc decode --to csv b.trc >1
trc decode --to csv m.trc | cmp - 1 && echo alike
try trc reduce --window 2 b.csv w.trc
try trc stat b.trc
try trc reduce --olr 2 b.csv o.trc
try trc reduce --olr 2 --drop invalidate a.csv -
try trc reduce --sad 2 a.csv -
try trc encode --drop invalidate b.trc d.trc
# What has no types gets no deletes as requests.
try trc encode --for libcachesim a.csv a.oracleGeneral
try trc decode --from oracle a.oracleGeneral
try trc encode --drop type,size --to addr a.csv -
try trc encode --drop type,size,invalidate --to addr a.csv -
try trc stat --cache 64K:full:4096:opt a.csv
# All lines, and pages, of its bytes: by caches, too, and by those that a trace is stripped for.
printf 'type,addr,size\nread,0,16384\ninvalidate,100,8000\nread,0,16384\n' >r.csv
try trc stat --mrc --csv --sizes 4 r.csv
try trc stat --cache 64K:full:4096 r.csv
trc reduce -q --cache 4K:1:4096 r.csv r.s.csv
try trc stat --cache 64K:full:4096 r.s.csv
# A DELETE has the size of no value, and is of its key all the same; dinero's invalidate of 0 bytes is of all.
printf '0,aa:eeW511W3dcH3de3d15ec,17,213,4,get,0\n1,aa:eeW511W3dcH3de3d15ed,17,50,4,get,600\n2,aa:eeW511W3dcH3de3d15ec,17,0,4,delete,0\n3,aa:eeW511W3dcH3de3d15ed,17,50,4,get,0\n' >0.csv
try trc stat --cache 64K:full:64 -q 0.csv
try trc decode -q 0.csv
printf '1,0,8\n1,4096,8\n2,0,0\n1,4096,8\n' >codes
try trc stat --mrc --csv --sizes 2 --from csv:type=1,addr=2,size=3,read=1,invalidate=2 codes
for word in delete invalidate; do
	printf 'type,addr,size\nread,0,8\nread,4096,8\n%s,0,0\nread,4096,8\n' $word >0.csv
	try trc stat --mrc --csv --sizes 2 0.csv
done
# As a reference of as many bytes would be.
printf 'r 0 4\nv 0 ffffffff\n' >huge.xdin
try trc reduce --sad 64 --page-size 64 --from xdin huge.xdin huge.trc
