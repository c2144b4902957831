# SPDX-License-Identifier: MIT
# What stat prints of each kind of trace.
ln -s "$SRC/test/data/sort.lackey.xz" .
try trc stat sort.lackey.xz
try trc stat --json sort.lackey.xz
try trc stat --page-size 64K --skip 1000 --limit 1k sort.lackey.xz
printf '0 10\n1 20\n2 30\n3 40\n4 50\n5 60\n' >a.din
try trc stat a.din
printf 'r 5 4 9f8e7 9a8b7c6d\nW 9 2 9f8e8 9a8b7ffe\n' >a.laplace
try trc stat a.laplace
printf '1\n2\n1\n' >a.page
try trc stat a.page
trc reduce --quiet --sad 64 sort.lackey.xz sort.sad
try trc stat sort.sad
try trc stat --json sort.sad
# Pages of records that are no references: stat counts them, a curve does not.
printf 'type,addr\nread,4096\nprefetch,8192\ncopy-back,12288\ninvalidate,16384\n' >none.csv
try trc stat none.csv
try trc stat --mrc --csv none.csv
# Where no record has an address, there is no lowest one: not 2^64 - 1.
printf 'type,addr,vpn\nread,0x1000,7\n' >vpn.csv
try trc stat vpn.csv
# A row for each number, where --csv is given; of several inputs, a row each.
try trc stat --csv vpn.csv
printf '==1== Command: sort "a, b"\nI  0401ab70,3\n' | trc encode -q - quoted.trc
try trc stat --csv quoted.trc | sed 's/^\(trc,\)[0-9.]*/\1VERSION/'
mv none.csv 'none, none.csv'
try trc stat --csv 'none, none.csv' vpn.csv
