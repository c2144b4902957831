# SPDX-License-Identifier: MIT
# Histograms of stack distances and reuse times: of pages and lines, of each space, of several traces.
ln -s "$SRC/test/data/sort.lackey.xz" .
try trc stat --reuse sort.lackey.xz
try trc stat --reuse --line-size 64 --limit 1k --csv sort.lackey.xz
printf 'r 5 4 1 1000\nr 6 4 2 1000\nw 7 4 1 2000\nr 9 8 1 1ffc\nr 9 4 2 1000\n' >a.laplace
try trc stat --reuse a.laplace
try trc stat --reuse --by-space a.laplace
try trc stat --reuse --by-space --csv a.laplace
try trc stat --reuse --json a.laplace
try trc stat --reuse --csv --plot r.svg sort.lackey.xz a.laplace
python3 "$SRC/test/cli/picture.py" r.svg
try trc stat --reuse sort.lackey.xz a.laplace
try trc stat --reuse --json a.laplace a.laplace
trc stat --reuse --csv --plot r.csv sort.lackey.xz >alone
head -n 3 r.csv
trc stat --reuse --csv sort.lackey.xz a.laplace | sed -n 's/^sort.lackey.xz,//p' >first
sed 1d alone | cmp - first && echo as alone
for n in 1 3; do trc stat --reuse --csv -T $n sort.lackey.xz | cmp - alone; done
# What --mrc and --ws have follows from it.
trc stat --mrc --csv --sizes 4,64 sort.lackey.xz | cut -d, -f 1,3 | sed 1d
awk -F, 'NR > 1 { n[$2] = $3 } END { for (k in n) { if (k == "inf" || k + 0 > 4) a += n[k]
	if (k == "inf" || k + 0 > 64) b += n[k] } print "4," a; print "64," b }' alone
trc stat --ws --csv sort.lackey.xz | grep '^128,' | cut -d, -f 1,4
awk -F, 'NR > 1 && ($2 == "inf" || $2 > 128) { n += $5 } END { print "128," n }' alone
# Ranges of billions of lines.
printf 'w 0 ffffffff\nr 80000000 ffffffff\n' >large.xdin
try trc stat --reuse --csv --line-size 16 large.xdin
: >none.din
try trc stat --reuse --from din none.din
try trc stat --reuse --json --from din none.din
trc reduce --quiet --sad 64 sort.lackey.xz sort.sad
try trc stat --reuse sort.sad
printf '1\n2\n1\n' >a.page
try trc stat --reuse --line-size 64 a.page
try trc stat --reuse --csv a.page
try trc stat --reuse --mrc a.page
