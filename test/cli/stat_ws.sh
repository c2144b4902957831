# SPDX-License-Identifier: MIT
# Working sets: of pages and lines, by several clocks, for each space, as CSV and JSON.
ln -s "$SRC/test/data/sort.lackey.xz" .
try trc stat --ws sort.lackey.xz
try trc stat --ws --line-size 64 --clock instructions --limit 1k sort.lackey.xz
trc stat --ws --csv sort.lackey.xz >sort.csv
try sed -n '1,4p;128,133p;$p' sort.csv
printf 'r 5 4 1 1000\nr 6 4 2 1000\nw 7 4 1 2000\nr 9 8 1 1ffc\n' >a.laplace
try trc stat --ws a.laplace
try trc stat --ws --clock cycles --by-space a.laplace
try trc stat --ws --by-space --csv a.laplace
try trc stat --ws --json a.laplace
printf '1\n2\n1\n' >a.page
try trc stat --ws a.page
try trc stat --ws --csv a.page
# What windows do not hold for, and what is asked wrongly.
trc reduce --quiet --sad 64 sort.lackey.xz sort.sad
try trc stat --ws sort.sad
try trc stat --ws --clock cycles a.page
try trc stat --ws --line-size 64 a.page
try trc stat --ws --clock days a.page
try trc stat --clock cycles a.page
printf 'r 5 4 1 1000\nr 4 4 1 2000\n' >back.laplace
try trc stat --ws --clock cycles back.laplace
# The reference is named, though others before it were of two pages each.
printf 'r 4 4 1 ffe\nr 5 4 1 1000\nr 4 4 1 2000\n' >back.laplace
try trc stat --ws --clock cycles back.laplace
# No references are no instants.
: >none.din
try trc stat --ws --json --from din none.din
# The other option was named, and spaces that are not there were one.
printf '2 1000\n' >one.din
try trc stat --ws --line-size 100 one.din
try trc stat --ws --by-space one.din
