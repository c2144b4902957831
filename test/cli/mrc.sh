# SPDX-License-Identifier: MIT
# Miss curves: the table, its picture in two sets of characters, CSV, JSON, SVG; of reduced traces
# and of address spaces.
ln -s "$SRC/test/data/sort.lackey.xz" .
try trc stat --mrc sort.lackey.xz
LC_ALL=C.UTF-8 try trc stat --mrc --line-size 64 --no-first sort.lackey.xz
try trc stat --mrc --csv --sizes 1,64K,1MiB,300 sort.lackey.xz
# The column was called pages where it counts lines.
for unit in page line; do
	trc stat --mrc --csv --sizes 16 --$unit-size 64 sort.lackey.xz | cut -d, -f 1
done

# From 64 pages on, the curve of the reduced trace is that of the original.
trc reduce --quiet --sad 64 sort.lackey.xz sort.sad
trc stat --mrc --csv --all-sizes sort.sad >reduced.csv
trc stat --mrc --csv --all-sizes sort.lackey.xz | awk -F, 'NR == 1 || $1 >= 64' >original.csv
try cmp reduced.csv original.csv
try head -n 3 reduced.csv
try trc stat --mrc --sizes 32 sort.sad

printf 'r 1 4 1 1000\nw 2 4 2 1000\nr 3 4 1 2ffe\nw 4 4 1 1000\nr 5 4 2 3000\n' >a.laplace
try trc stat --mrc a.laplace
try trc stat --mrc --by-space a.laplace
try trc stat --mrc --by-space --csv a.laplace
try trc stat --mrc --by-space --json a.laplace
printf '1\n2\n1\n' >a.page
try trc stat --mrc a.page
try trc stat --mrc --json a.page
try trc stat --mrc --csv --page-size 8K a.page
: >none.page
try trc stat --mrc --csv --from page none.page
try trc stat --mrc --json --from page none.page

try trc stat --mrc --csv --plot a.svg a.laplace
try trc stat --mrc --csv --plot a.svg a.laplace
try trc stat --mrc --csv --force --plot a.svg a.laplace
# A name with the ending of another kind of picture is refused before the trace is read.
try trc stat --mrc --plot a.eps a.laplace
try trc stat --mrc --plot a.b/c.PDF a.laplace
ls *.eps 2>&1
head -n 3 a.svg
tail -n 1 a.svg

try trc stat --mrc --by-space a.page
try trc stat --mrc --line-size 48 a.laplace
try trc stat --mrc --line-size 64 a.page
try trc stat --mrc --line-size 64 --page-size 64 a.laplace
try trc stat --mrc --sizes 64K a.page
try trc stat --mrc --sizes 5K a.laplace
try trc stat --mrc --sizes many a.laplace
# A size that is left out was taken for none, or for all of them.
try trc stat --mrc --sizes 4, a.laplace
try trc stat --mrc --sizes '' a.laplace
try trc stat --mrc --sizes 1 --all-sizes a.laplace
try trc stat --mrc --csv --json a.laplace
try trc stat --all-sizes a.laplace
try trc stat --by-space a.laplace

# A fully associative cache is such a memory; what it copies back at the end is no eviction.
for size in 1K 32K; do
	trc stat --cache $size:full:64 --csv sort.lackey.xz |
		awk -F, '$7 == "end" { end = $12 } $7 == "all" { print $10, $12 - end }'
	trc stat --mrc --line-size 64 --sizes $size --csv sort.lackey.xz |
		awk -F, 'NR == 2 { print $3, $6 }'
done

# So there are windows of it, which add up.
trc stat --cache 256K:full:4096 --over-time 300k --csv sort.lackey.xz | awk -F, '{ n += $5 } END { print n }'
trc stat --mrc --sizes 256K --csv sort.lackey.xz | cut -d, -f 3

# A sample stands for more pages than it has.
trc reduce --quiet --sample 1/4 sort.lackey.xz sample.sad
try trc stat --mrc --csv --sizes 64,256 sample.sad
trc stat --mrc sample.sad | head -n 5
trc stat --mrc sample.sad | tail -n 2
# Where too few pages are in the sample, nothing is claimed. R counts pages of the sample.
trc reduce --quiet --sample 1/100 sort.lackey.xz few.sad
try trc stat --mrc few.sad
trc reduce --quiet --sample 1/4 --sad 16 sort.lackey.xz both.sad
try trc stat --mrc --sizes 36 both.sad
try trc stat --mrc --sizes 3 sample.sad
trc reduce --quiet --window 1000 --no-block sort.lackey.xz window.sad
try trc stat --mrc window.sad
try trc stat --certify window.sad sort.lackey.xz
# A trailer may have any number: sizes from 2^64 - 1 pages on once ran past their array.
for how in r=18446744073709551615 sample=18446744073709551615 \
	'r=4611686018427387904 sample=6148914691236517206'; do
	sed "\$s/ r=64 / $how /" sort.sad >any.sad
	try trc stat --mrc --csv --all-sizes any.sad
done
# Sizes were looked at when all of the trace had been read.
try trc stat --mrc --sizes 64,4Q none.sad
# In hexadecimal a size is of pages, whatever its last digit.
try trc stat --mrc --csv --sizes 0x1f,0x20 sort.lackey.xz
# A name may be any bytes; the picture is XML all the same.
name=$(printf 'a <b> & \303\251 \351 \357\277\277 \001.laplace')
cp a.laplace "$name"
trc stat --mrc --csv --force --plot a.svg "$name" >/dev/null
grep -a -o 'misses of .*laplace' a.svg
# Where no ratio is known the scale is of misses, which stood there like 6.08e+05.
trc reduce --quiet sort.lackey.xz merged.sad
trc stat --mrc --skip 9 --force --plot a.svg merged.sad | sed -n 4,7p
grep -o '>[0-9.]*k*</text>' a.svg | head -n 4
# Ranges are counted as ranges: these were 2^32 lines, and as many again.
printf 'w 0 ffffffff\nr 80000000 ffffffff\n' >large.xdin
try trc stat --mrc --csv --line-size 1 --sizes 1,1G,2G,6G large.xdin
try trc stat --ws --csv --line-size 16 large.xdin
# The picture showed every size, whatever was asked for.
trc stat --mrc --csv --sizes 64K,200K,512K --plot sizes.svg sort.lackey.xz >/dev/null
grep -c '<polygon.*' sizes.svg
grep -o '[0-9]* KiB' sizes.svg

# MIN, the best of the policies that admit every page; it needs the whole trace. One that may refuse
# page 2 misses 2 of these 3.
printf 'type,addr\nread,0x1000\nread,0x2000\nread,0x1000\n' >admit.csv
try trc stat --mrc --policy opt --csv --sizes 1 admit.csv
for t in caches policies stat; do trc help $t; done | grep -ciE 'any policy can|no policy (misses|can)'

try trc stat --mrc --policy opt --csv --sizes 1,2,4,16,64,256 sort.lackey.xz
try trc stat --mrc --policy opt --line-size 64 --no-first sort.lackey.xz
try trc stat --mrc --policy opt a.laplace
try trc stat --mrc --policy opt --json a.page
trc stat --mrc --policy opt --csv --force --plot opt.svg a.laplace >opt.csv && grep -c 'opt misses of' opt.svg
# A few sizes are run by themselves, which is faster, and are points of the curve.
trc stat --mrc --policy opt --csv --all-sizes sort.lackey.xz >opt.csv
for sizes in 1 7,64 2,31,200,100; do
	trc stat --mrc --policy opt --csv --sizes $sizes sort.lackey.xz | grep -c -x -F -f opt.csv
done
trc stat --mrc --policy lru --csv sort.lackey.xz >lru.csv
trc stat --mrc --csv sort.lackey.xz >plain.csv
try cmp lru.csv plain.csv
try trc stat --mrc --policy opt sort.sad
try trc stat --mrc --policy opt --shard 1/2 --partial p sort.lackey.xz
try trc stat --mrc --policy best sort.lackey.xz

# Other policies, size by size: these are full caches.
try trc stat --mrc --policy s3-fifo --line-size 64 --sizes 4K,32K,128K,1M sort.lackey.xz
try trc stat --mrc --policy arc --json --sizes 64,8 sort.lackey.xz
for policy in fifo random=3 srrip clock sieve lfu 2q arc s3-fifo; do
	trc stat --mrc --csv --policy $policy --line-size 64 --sizes 8K,512 sort.lackey.xz | sed 1d
	for size in 8K 32K; do
		trc stat --csv --cache $size:full:64:$policy sort.lackey.xz | grep ',all,'
	done
done | cut -d, -f 2-3,10
try trc stat --mrc --policy clock --by-space --csv --sizes 1,2 a.laplace
try trc stat --mrc --policy clock --sizes 1 none.page --from page
try trc stat --mrc --policy clock sort.lackey.xz
trc stat --mrc --policy clock --csv --sizes 1,8 --plot c.svg sort.lackey.xz && grep -c 'clock misses' c.svg
try trc stat --mrc --policy plru --sizes 12 sort.lackey.xz
try trc stat --mrc --policy clock --sizes 4K a.page
try trc stat --mrc --policy clock --sizes 100 sort.sad
try trc stat --mrc --policy clock --sizes 100 --shards 2 sort.lackey.xz
# The most memory that the whole can take is told of MIN, too; it has no parts.
trc decode -q --limit 1000 sort.lackey.xz few.lackey
trc stat --shards 1 --mrc --policy opt -q few.lackey | awk 'NR == 2 { print $1, ($4 + 0 > 0) }'
try trc stat --shards 2 --mrc --policy opt sort.lackey.xz
# A share of all pages that the trace touches: rounded down, at least one; known at its end.
seq 0 29 | awk '{ printf "0 %x000\n", $1 % 30 }' >thirty.din
seq 0 29 | awk '{ printf "0 %x000\n", $1 * 7 % 30 }' >>thirty.din
try trc stat --mrc --sizes 10%,0.5,3.4%,1%,100%,40K --csv thirty.din
try trc stat --mrc --policy opt --sizes 0.25 --csv thirty.din
try trc stat --mrc --policy fifo --sizes 10% thirty.din
try trc stat --mrc --sizes 10% thirty.din thirty.din
try trc stat --mrc --sizes 110% thirty.din
# A container knows how many spaces there are; a text was refused after 290 MB.
awk 'BEGIN { print "addr,asid"; for (i = 0; i < 5000; i++) printf "%d,%d\n", i * 4096, i }' >spaces.csv
trc encode -q spaces.csv spaces.trc
try trc stat --mrc --by-space spaces.trc
try trc stat --mrc --by-space spaces.csv
# What MIN may refuse, it need not evict another page for.
for more in '' --bypass; do
	trc stat --mrc --policy lru,opt $more --sizes 1,2 --csv a.page
done
try trc stat --mrc --bypass a.page
try trc stat --mrc --bypass --policy arc --sizes 1 a.page
