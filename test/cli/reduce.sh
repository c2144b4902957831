# SPDX-License-Identifier: MIT
# What reduce writes and prints. Pages 1, 2 and 1 again: the second touch of 1 goes.
printf '0 1000\n1 1004\n2 2000\n0 1008\n0 3000\n0 1000\n' >a.din
try trc reduce a.din
try trc reduce --sad 2 a.din
try trc reduce --sad 2 --no-block a.din
try trc reduce --sad 2 --page-size 8K a.din
try trc reduce --quiet --sad 2 a.din b.sad
try trc reduce --sad 2 b.sad
try trc reduce --sad 2 --page-size 8K b.sad
try trc reduce --sad 2 --to page a.din
try trc reduce --sad 2 --to page --drop type,itime,rtime a.din b.page
try cat b.page
try trc reduce --sad 2 a.din b.sad
try trc reduce --skip 1 --limit 3 --sad 1 a.din

# A trace of pages keeps its page size, given or not.
trc reduce --quiet --page-size 8K a.din c.sad
try trc reduce --sad 2 c.sad
try trc reduce --sad 2 --page-size 8K c.sad d.sad
try trc reduce --sad 2 --page-size 4K c.sad e.sad
try trc reduce --sad 2 --to sad b.page
ls

# What was reduced for memories of 3 pages stays so.
trc reduce --quiet --sad 3 a.din f.sad
try trc reduce --sad 1 f.sad

# A size with a unit was so many thousand pages here, and bytes elsewhere: it is bytes everywhere.
trc reduce --quiet --sad 16 "$SRC/test/data/sort.lackey.xz" pages.sad
for size in 64K 65536B; do
	trc reduce --quiet --sad $size "$SRC/test/data/sort.lackey.xz" - | cmp - pages.sad
done
try trc reduce --olr 8K --page-size 8K a.din -
try trc reduce --sad 10k a.din
try trc reduce --sad 64K b.page
try trc reduce --sad 8K --page-size 4K --to sad b.page -
try trc reduce --sad 64Q a.din
try trc stat --certify --sad 8K b.sad a.din
try trc stat --certify --sad 7K b.sad a.din

# A reference that goes past the last address was taken for one to page 0, too.
printf 'r 10 4\nw fffffffffffffffe 4\nr 20 4\n' >past.xdin
printf 'r 10 4\nw fffffffffffffffe 2\nr 20 4\n' >last.xdin
for how in '--sad 1' '--olr 1' '--window 1' '--sample 1/2' \
	'--cache 64:1:16' '--cache 64:2:16'; do
	try trc reduce $how past.xdin -
	trc reduce --quiet $how last.xdin - >/dev/null
done
for how in --mrc --ws '--mrc --line-size 16' '--cache 64:1:16'; do
	try trc stat $how past.xdin
	trc stat $how last.xdin >/dev/null
done
try trc stat --check past.xdin

# The last cycle was 0 where text ended in a chunk without a record.
awk 'BEGIN { print "type,addr,time"; for (i = 1; i <= 4096; i++) print "read," 64 * i "," i
	print "\n" }' >blank.csv
for n in 1 2; do trc reduce --quiet --sad 16 -T $n blank.csv - | tail -1; done
