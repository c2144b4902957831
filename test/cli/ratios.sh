# SPDX-License-Identifier: MIT
# Miss ratios were above 1 where references are to several pages or lines: misses of touches by
# references. Requests of up to 16 pages, and one of part of a page.
awk 'BEGIN {
	print "time,type,addr,size,task"
	for (i = 0; i < 300; i++)
		printf "%d,%s,%d,%d,%d\n", i, i % 3 ? "read" : "write", i * i % 40 * 16384,
			i % 4 ? 4096 * (i % 16 + 1) : 512, i % 2
}' >wide.csv

# ratios OPTION...: the largest ratio of all rows, and whether it is misses by touches or references.
ratios()
{
	trc stat --csv "$@" | awk -F, -v of="$*" '
	NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
	{
		by = "touches" in column ? "touches" : "references"
		for (name in column)
			if (name ~ /ratio|share/ && $column[name] > most)
				most = $column[name]
		if ("miss_ratio" in column && by in column && $column[by] > 0) {
			off = $column["miss_ratio"] - $column["misses"] / $column[by]
			if (off * off > 1e-12)
				wrong++
		}
	}
	END { printf "%s: up to %s, %d wrong, by %s\n", of, most <= 1 ? "1" : most, wrong, by }'
}

for trace in wide.csv "$SRC/test/data/sort.lackey.xz"; do
	ln -sf "$trace" trace
	ratios --mrc trace
	ratios --mrc --no-first trace
	ratios --mrc --line-size 1 trace
	ratios --mrc --page-size 16M trace
	ratios --mrc --warmup 100 trace
	ratios --mrc --policy lru,opt,arc,fifo --sizes 1,8,100 trace
	ratios --mrc --policy opt trace
	ratios --ws trace
	ratios --ws --line-size 64 --warmup 100 trace
	ratios --reuse trace
	ratios --cache 4K:2:64 --cache 16K:full:64 trace
	ratios --cache 4K:2:64 --over-time 100 trace
	ratios --cache 4K:2:64 --by type trace
	ratios --tlb 4 --tlb 16 --huge all trace
	ratios --tlb 4 --over-time 100 trace
done
ratios --mrc --objects wide.csv
trc reduce --sad 4 wide.csv reduced.csv
trc reduce --sample 1/4 wide.csv sample.trc
for f in reduced.csv sample.trc; do
	ratios --mrc $f
done
ratios --mrc wide.csv reduced.csv
ratios --ws wide.csv trace
# Which of the two it is stands above a table, and beside a picture.
try trc stat --mrc --sizes 1,100 wide.csv
try trc stat --mrc --sizes 1,100 wide.csv trace
try trc stat --mrc --json --sizes 1,100 wide.csv
trc stat --mrc --csv --plot wide.svg wide.csv >/dev/null
grep -o 'share of all [a-z]*' wide.svg
trc stat --ws wide.csv | grep -e touches
trc stat --ws --json wide.csv | sed -n '2s/, "rows.*//p'
trc stat --top pages --rows 1 wide.csv
trc stat --top pages --rows 1 --json wide.csv
trc stat --top pages --plot top.svg wide.csv >/dev/null && grep -o 'share of all [a-z]*' top.svg
