# SPDX-License-Identifier: MIT
# Misses of caches by what they are of.
ln -s "$SRC/test/data/sort.lackey.xz" .
try trc stat --cache 4K:2:64 --cache 16K:4:64 --by pc --rows 3 sort.lackey.xz
try trc stat --cache 4K:2:64 --by page --rows 3 --csv sort.lackey.xz
try trc stat --cache i:2K:2:64 --cache d:2K:2:64 --by type --json sort.lackey.xz
# A direct-mapped cache is a line of awk: misses of each line, of reads that cross none.
trc encode --quiet --limit 50000 sort.lackey.xz a.csv
awk -F, 'NR > 1 { print "0", $2 }' a.csv | sed 's/0x//' >a.din
trc decode --quiet --to csv a.din | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ print $at["addr"] }' >addresses
while read -r a; do echo $((a / 64)); done <addresses |
	awk '{ r[$1]++; if (held[$1 % 32] != $1 + 1) { m[$1]++; held[$1 % 32] = $1 + 1 } }
		END { for (k in r) print k, r[k], m[k] + 0 }' | sort >want
trc stat --cache 2K:1:64 --by line --rows 1000000 --csv a.din | awk -F, 'NR > 1 { print $2, $(NF - 3), $(NF - 2) }' |
	while read -r key refs misses; do echo "$((key / 64)) $refs $misses"; done | sort >got
wc -l <want
cmp want got
# By all else that a reference is of, the same cache again: instructions, pages, tasks, types.
awk 'BEGIN { print "type,addr,pc,task"; x = 9; for (i = 0; i < 4000; i++) { x = (x * 1103515245 + 12345) % 2147483648
	printf "%s,%d,%d,%d\n", (x % 7 > 2 ? "read" : "write"), 8 * (int(x / 64) % (i % 9 ? 600 : 6000)), 4096 + int(x / 8192) % 50, int(i / 100) % 3 } }' >b.csv
for by in page:addr pc:pc task:task type:type; do
	awk -F, -v by="${by#*:}" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ k = $at[by]; if (by == "addr") k = int(k / 4096) * 4096
		line = int($at["addr"] / 64); r[k]++; if (held[line % 32] != line + 1) { m[k]++; held[line % 32] = line + 1 } }
		END { for (k in r) print k, r[k], m[k] + 0 }' b.csv | sort >want
	trc stat --cache 2K:1:64 --by "${by%:*}" --rows 1000 --csv b.csv | awk -F, 'NR > 1 { print $2, $(NF - 3), $(NF - 2) }' |
		while read -r key refs misses; do
			case $key in 0x*) key=$((key)) ;; esac
			echo "$key $refs $misses"
		done | sort >got
	cmp want got && echo "by ${by%:*}, $(wc -l <want) of them: as it should be"
done
# Whatever they are counted by, they add up to what the caches do before the end, and behind a warm-up.
for by in page line pc type; do
	trc stat --cache 4K:2:64 --cache 16K:4:64 --warmup 300k --by $by --rows 1000000 --csv sort.lackey.xz |
		awk -F, 'NR > 1 { m[$1] += $(NF - 2) } END { print m["level 1 unified"], m["level 2 unified"] }'
done
trc stat --cache 4K:2:64 --cache 16K:4:64 --warmup 300k --csv sort.lackey.xz | awk -F, '$7 == "all" { print $10 }'
# A page and an instruction are of a space; a space, a task and a type are of none.
printf '%s\n' addr,asid 0x40,7 0x40,8 0x2040,7 >spaces.csv
try trc stat --cache 4K:2:64 --by space --csv spaces.csv
try trc stat --cache 4K:2:64 --by space --json spaces.csv
try trc stat --cache 4K:2:64 --by space spaces.csv
try trc stat --cache 4K:2:64 --by page --json spaces.csv
try trc stat --cache 4K:2:64 --by task sort.lackey.xz
try trc stat --cache 4K:2:64 --by page --over-time 1000 sort.lackey.xz
