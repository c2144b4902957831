#!/bin/sh
# SPDX-License-Identifier: MIT
#
# TRC_CACHESIM=CACHESIM [RUNS=5] policies.sh TRACE [SIZE...]: each policy that libCacheSim has, too, in
# one run: seconds of processor time of its cachesim and of `trc stat --mrc`, medians, one thread each,
# and misses, which must be the same, at memories of 64 and 1024 lines of 64 bytes; of a
# TRACE.oracleGeneral, of so many of its objects. The last row has LRU at every size.
set -u

here=$(cd "$(dirname "$0")" && pwd)
. "$here/begin.sh"
. "$here/times.sh"
cachesim=${TRC_CACHESIM:?"is the cachesim of libCacheSim"}
trace=${1:?"is a trace"}
shift
[ $# -gt 0 ] || set -- 64 1024

lines() {
	"$trc" encode -q --force --split-modify --drop size "$trace" "$tmp/a.din" || exit 1
	# A line by the digits of its address, the last one from 0 to 3: other numbers than lines have, as many.
	awk 'BEGIN { for (i = 0; i < 16; i++) d[substr("0123456789abcdef", i + 1, 1)] = i }
		{ a = "0" $2; n = length(a); print $1, substr(a, 1, n - 2) sprintf("%x", int(d[substr(a, n - 1, 1)] / 4)) }' \
		"$tmp/a.din" >"$tmp/lines.din"
	"$trc" encode -q --force --from din --drop type --fill size=1 --fill time=0 --to oracle "$tmp/lines.din" \
		"$tmp/a.oracleGeneral" || exit 1
	rm "$tmp/a.din" "$tmp/lines.din"
}

case $trace in
*.oracleGeneral) ln -s "$(realpath "$trace")" "$tmp/a.oracleGeneral" ;;
*) lines ;;
esac

theirs() {
	(cd "$tmp" && "$cachesim" a.oracleGeneral oracleGeneral "$1" "$2" --ignore-obj-size 1 --num-thread 1 2>&1)
}

processor
printf '%-8s %6s %10s %10s %12s %12s\n' policy lines cachesim trc 'miss ratio' 'of trc'
for names in lru:lru fifo:fifo clock:clock sieve:sieve lfu:lfu 2q:twoq arc:arc s3-fifo:s3fifo opt:belady; do
	policy=${names%:*} algorithm=${names#*:}
	for size; do
		their_us=$(spent_by theirs "$algorithm" "$size")
		own_us=$(spent_by "$trc" stat -T1 --mrc --objects --policy "$policy" --sizes "$size" --csv \
			"$tmp/a.oracleGeneral")
		ratio=$(theirs "$algorithm" "$size" | sed -n 's/.*miss ratio \([0-9.]*\),.*/\1/p' | tail -n 1)
		own=$("$trc" stat -T1 --mrc --objects --policy "$policy" --sizes "$size" --csv "$tmp/a.oracleGeneral" |
			awk -F, 'NR == 2 { printf "%.6f", $5 }')
		awk -v p="$policy" -v n="$size" -v a="$their_us" -v b="$own_us" -v r="$ratio" -v o="$own" \
			'BEGIN { printf "%-8s %6d %10.3f %10.3f %12s %12s%s\n", p, n, a / 1e6, b / 1e6, r, o, (r - o) ^ 2 < 2.6e-9 ? "" : "  DIFFERENT" }'
	done
done
all_us=$(spent_by "$trc" stat -T1 --mrc --objects --all-sizes --csv "$tmp/a.oracleGeneral")
awk "BEGIN { printf \"%-8s %6s %10s %10.3f\\n\", \"lru\", \"all\", \"-\", $all_us / 1e6 }"
