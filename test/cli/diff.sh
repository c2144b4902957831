# SPDX-License-Identifier: MIT
# The first record in which two traces part, in any two formats; exit status 1 if they do.
printf '%s\n' '2 400000' '0 7f001000' '1 7f001008' '0 7f001010' >a.din
printf '%s\n' '2 400000' '0 7f001000' '0 7f001008' '0 7f001010' >b.din
head -n 3 a.din >c.din
trc encode -q a.din a.trc
try trc stat --diff a.din a.trc
try trc stat --diff a.din b.din
try trc stat --diff b.din a.trc
try trc stat --diff a.din c.din
try trc stat --diff c.din a.din
try trc stat --diff --json a.din b.din
try trc stat --diff --json c.din a.din
try trc stat --diff --json a.din a.din
# The columns that both have are compared, and what one has alone is named.
printf 'type,addr,size,pc,event\nread,0x10,4,0x1,\nwrite,0x20,8,0x2,\n' >a.csv
printf 'type,addr\nread,16\nwrite,33\n' >b.csv
try trc stat --diff a.csv b.csv
printf 'addr\n16\n' >c.csv
printf '7\n' >d.page
try trc stat --diff c.csv d.page
try trc stat --diff a.din
try trc stat --diff a.din none.din
# Far on, in batches of other sizes.
ln -s "$SRC/test/data/sort.lackey.xz" .
trc encode -q sort.lackey.xz sort.trc
try trc stat --diff sort.lackey.xz sort.trc
trc decode -q sort.trc - | awk 'NR == 700001 { $0 = " L 1ffeffe000,8" } 1' >sort.lackey
try trc stat --diff sort.trc sort.lackey
try trc stat --diff --skip 700001 sort.trc sort.lackey
