# SPDX-License-Identifier: MIT
# What is in windows of a trace, and pictures of what references are spread over.
ln -s "$SRC/test/data/sort.lackey.xz" .
try trc stat --over-time 400k sort.lackey.xz
try trc stat --over-time 400k --line-size 64 --warmup 300k --csv sort.lackey.xz
try trc stat --over-time 600k --json sort.lackey.xz
# Windows add up, and each has what its records have by themselves.
trc stat --over-time 10001 --csv sort.lackey.xz |
	awk -F, 'NR > 1 { r += $3; d += $4; w += $5; f += $6; n += $8 } END { print r, d, w, f, n }'
trc stat sort.lackey.xz | awk '$1 == "references" || $1 == "pages" { print $2 }'
trc stat --over-time 300k --csv sort.lackey.xz | awk -F, 'NR == 3 { print $3, $7 }'
trc stat --skip 300k --limit 300k sort.lackey.xz | awk '$1 == "references" || $1 == "pages" { print $2 }'
points()
{
	file=$1
	shift
	trc stat "$@" --plot "$file" sort.lackey.xz >/dev/null && case $file in
	*.csv) head -n 3 "$file" && tail -n 2 "$file" ;;
	*) grep -o '<text[^>]*>[^<]*</text>' "$file" | sed 's/<[^>]*>//g' | tr '\n' ';' && echo ;;
	esac
}
points a.svg --over-time 100k
points b.csv --over-time 300k
points c.svg --top pcs
points d.csv --top pages
points e.svg --cache 4K:2:64 --cache 64K:8:64 --by line
points f.csv --tlb 16 --by page
trc split -q --kernel "$SRC/test/data/pipeline.laplace-kernel.xz" "$SRC/test/data/pipeline.laplace-diff.xz" parts
try trc stat --shared --csv parts
try trc stat --shared --json parts
trc stat --shared --plot g.csv parts >/dev/null && cat g.csv
try trc stat --over-time 100 --mrc sort.lackey.xz
try trc stat --over-time 100 --warmup 2M sort.lackey.xz
try trc stat --over-time 100 --plot a.svg sort.lackey.xz
# The title of several files that are one trace had the name of the first alone.
mkdir few
for n in 1 2 3; do trc decode -q --limit 3000 sort.lackey.xz few/$n.lackey; done
for words in '--cache 4K:2:64 --over-time 1000' '--cache 4K:2:64 --by pc' --over-time=1000 --mrc --ws --reuse \
	'--top pages'; do
	trc stat -q $words --concat --force --plot t.svg few/1.lackey few/2.lackey few/3.lackey >/dev/null
	grep -o '[A-Z][A-Za-z0-9:, ]* of [0-9][^<]*' t.svg
done
for i in 1 2; do trc stat -q --mrc --shard $i/2 --partial $i.p --concat few/1.lackey few/2.lackey; done
trc stat --merge --force --plot t.svg 1.p 2.p >/dev/null && grep -o 'LRU misses of [^<]*' t.svg
# A merge was refused an answer that was there, with --force as the advice.
trc stat --merge --force --csv -o curve.csv 1.p 2.p && trc stat --merge --force --csv -o curve.csv 1.p 2.p && wc -l <curve.csv
# References to so many lines that they are taken as ranges, behind some that were not: each window
# has the lines of a curve of its records alone, and those are new that no curve before has.
awk 'BEGIN {
	print "type,addr,size"
	for (i = 0; i < 60; i++)
		printf "read,%d,%d\n", i * 7919 % 64 * 1000000, i % 5 == 4 ? 90000000 + i * 64 : i % 7 * 100
}' >wide.csv
trc stat --over-time 7 --line-size 64 --csv wide.csv | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
	{ print $c["from"], $c["lines"], $c["new_lines"] }' >windows
all=0
for first in 0 7 14 21 28 35 42 49 56; do
	lines=$(trc stat --mrc --line-size 64 --json --skip $first --limit 7 wide.csv | grep -o '"distinct": [0-9]*' | grep -o '[0-9]*')
	most=$(trc stat --mrc --line-size 64 --json --limit $((first + 7)) wide.csv | grep -o '"distinct": [0-9]*' | grep -o '[0-9]*')
	echo "$((first + 1)) $lines $((most - all))"
	all=$most
done | cmp - windows && wc -l <windows
