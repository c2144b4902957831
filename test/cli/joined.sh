# SPDX-License-Identifier: MIT
# Files of reduced traces that are joined by cat are one trace: their totals add up. That of the last
# file alone once stood under the misses of all, so ratios were several times too high.
part() { xz -dc "$SRC/test/data/sort.lackey.xz" | trc reduce --quiet --sad "$1" --skip "$2" --limit 200000 - "$3"; }
needs xz
part 4 0 a.sad
part 4 200000 b.sad
for format in sad-diff trc; do
	trc encode --quiet a.sad a.$format
	trc encode --quiet b.sad b.$format
done
for format in sad sad-diff trc; do
	cat a.$format b.$format >ab.$format
	trc encode --to hash ab.$format >hash.$format
	trc stat --mrc --sizes 16 --csv ab.$format >curve.$format
	trc stat ab.$format | grep -e original >totals.$format
done
cat curve.sad totals.sad
for format in sad-diff trc; do
	cmp hash.sad hash.$format
	cmp curve.sad curve.$format
	cmp totals.sad totals.$format
done
try trc reduce --sad 8 ab.sad c.sad
tail -n 1 c.sad

# Not those of which nothing holds together.
printf 'r 1 1 1 0 400f\n# trc sad records=1 page-size=4096 window=100 clock=references\n' >other.sad
cat a.sad other.sad >mixed.sad
try trc stat --mrc mixed.sad

# Records behind the last trailer are of a file that was cut short: no totals are theirs.
(cat a.sad; head -n 100 b.sad) >cut.sad
trc stat cut.sad | grep -e records -e original
try trc stat --check --strict cut.sad
