# SPDX-License-Identifier: MIT
# Pictures of answers, by the endings of their names: SVG that is XML, a script with its data, the
# points. Axes, size, title, colours by options. PNG is plot_png's.
ln -s "$SRC/test/data/sort.lackey.xz" .
printf '%s\n' 'r 1 4 1 1000' 'w 2 4 2 1000' 'r 3 4 1 2ffe' 'w 4 4 1 1000' 'r 5 4 2 3000' >a.laplace

picture() {
	python3 "$SRC/test/cli/picture.py" "$1"
}
for file in a.svg a.gp a.csv; do
	trc stat --mrc --csv --plot $file sort.lackey.xz >/dev/null
done
picture a.svg
head -n 3 a.csv
tail -n 1 a.csv
sed -n '1,2p; /^EOD/,$p' a.gp | grep -v '^[0-9]' | head -n 20

try trc stat --mrc --by-space --csv --plot spaces.svg --title 'Two & more' --axes linear a.laplace
picture spaces.svg
try trc stat --ws --csv --plot ws.svg a.laplace
picture ws.svg
trc stat --ws --csv --plot ws.csv sort.lackey.xz >/dev/null && tail -n 1 ws.csv
try trc stat --mrc --axes linear --sizes 1,2,4,8 sort.lackey.xz

# One size is a mark. Of a long name the middle is left out, of many curves those behind the twelfth, and it is
# written there.
trc stat --mrc --csv --sizes 2 --plot one.svg a.laplace >/dev/null && picture one.svg && grep -c '<polygon' one.svg
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do
	cp a.laplace many-$i-of-fourteen-traces-with-names-that-are-longer-than-there-is-room-for.laplace
done
trc stat --mrc --csv --plot many.svg --plot-size 400x300 many-*.laplace >/dev/null && picture many.svg
# All words of the smallest picture lie in it; several rows of a legend are columns.
trc stat --mrc --csv --plot small.svg --plot-size 200x150 many-*.laplace >/dev/null
grep -o ' y="[0-9.]*"' small.svg | awk -F '"' '$2 > 150'
trc stat --mrc --csv --plot wide.svg --plot-size 560x480 many-*.laplace >/dev/null
grep 'text-anchor="start"' wide.svg | grep -o ' x="[0-9.]*"' | sort | uniq -c
trc stat --mrc many-*.laplace | sed -n '/and .* not drawn/p'
trc stat --mrc --csv --plot many.csv many-*.laplace >/dev/null && cut -d , -f 1 many.csv | sort -u | wc -l

# What is 0 has a place of its own on logarithmic axes.
trc stat --mrc --csv --axes log --plot zero.csv a.laplace >/dev/null && tail -n 1 zero.csv
trc stat --mrc --csv --axes log --plot zero.svg a.laplace >/dev/null && picture zero.svg

# In a terminal, the same plots stand above the tables.
try trc stat --cache 64:1:16 --over-time 1 a.laplace

# Addresses against time.
try trc stat --map - sort.lackey.xz
try trc stat --map - a.laplace
trc stat --map map.svg a.laplace >/dev/null && picture map.svg

# A modify is two references here, too; the end of the highest region is 2^64, and times are whole.
printf 'type,addr,size\nread,0xffffffffffffffc0,8\nmodify,0xffffffffffffffff,1\n' >highest.csv
try trc stat --map highest.svg highest.csv
grep -o '>0x[^<]*<\|>[0-9.]*<' highest.svg

# Of a large container, of some blocks alone: here the first and the third of three.
trc encode -q --limit 100k sort.lackey.xz 1.trc && trc encode -q --skip 800k sort.lackey.xz 2.trc
trc encode -q --skip 400k --limit 9 sort.lackey.xz 3.trc && cat 1.trc 3.trc 2.trc >three.trc && cat 1.trc 2.trc >two.trc
try trc stat --map some.svg --sample-blocks 2 three.trc
grep -o '>Addresses[^<]*<\|>references[^<]*<' some.svg
trc stat --map - two.trc >two.txt
trc stat --map - --sample-blocks 2 three.trc | sed 1d | cmp - two.txt
trc stat --map - --sample-blocks 1 three.trc | sed 1d >one.txt
trc stat --map - three.trc | cmp - one.txt
try trc stat --map - --sample-blocks 9 a.laplace
try trc stat --map - --sample-blocks 2 --skip 1 three.trc
try trc stat --map - --sample-blocks 2 two.trc three.trc
try trc stat --top pages --sample-blocks 2 three.trc
try trc stat --map map.gp none.laplace
# It was told of endings that a map cannot have.
try trc stat --map map.gif none.laplace
try trc stat --map map.svg --plot a.svg none.laplace

# A name that is no picture, or options without one, are refused before anything is read.
try trc stat --mrc --plot a.jpg none.laplace
try trc stat --mrc --plot picture none.laplace
try trc stat --mrc --title T none.laplace
try trc stat --mrc --plot b.svg --plot-size 9x9 none.laplace
try trc stat --mrc --plot a.svg a.laplace
try trc stat --mrc --plot a.laplace a.laplace
# An empty trace has an empty picture.
: >none.page
try trc stat --mrc --csv --from page --plot none.svg none.page
picture none.svg
trc stat --mrc --csv --from page --plot none.gp none.page >/dev/null && cat none.gp
