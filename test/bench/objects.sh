#!/bin/sh
# SPDX-License-Identifier: MIT
#
# TRC_CACHESIM=CACHESIM [RUNS=5] objects.sh [TRACE.oracleGeneral [SIZE...]]: caches of whole objects, by
# bytes, beside cachesim of libCacheSim in one run: seconds of processor time of both, medians, one thread each, and miss
# ratios, which must be the same. The last row has the curve of LRU at every capacity. Without a trace,
# of 3,000,000 requests by Zipf's law for a million objects of 512 bytes to 32 KiB.
set -u

here=$(cd "$(dirname "$0")" && pwd)
. "$here/begin.sh"
. "$here/times.sh"
cachesim=${TRC_CACHESIM:?"is the cachesim of libCacheSim"}
if [ $# -gt 0 ]; then
	trace=$(realpath "$1")
	shift
else
	trace=$tmp/zipf.oracleGeneral
	awk 'BEGIN { srand(1); for (i = 0; i < 3000000; i++) { o = int(1000000 ^ rand())
		print int(i / 1000) "," 512 * o "," 512 * (1 + o * 7919 % 64) } }' |
		"$trc" encode -q --from csv:time=1,addr=2,size=3 --to oracle - "$trace" || exit 1
fi
[ $# -gt 0 ] || set -- 64MB 1GB

theirs() {
	(cd "$tmp" && "$cachesim" "$trace" oracleGeneral "$1" "$2" --num-thread 1 2>&1)
}

own() {
	"$trc" stat -q -T1 --mrc --bytes --policy "$1" --sizes "$2" --csv "$trace"
}

curve() {
	"$trc" stat -q -T1 --mrc --bytes --all-sizes --csv "$trace"
}

processor
printf '%-8s %8s %10s %10s %12s %12s\n' policy bytes cachesim trc 'miss ratio' 'of trc'
for policy in lru fifo clock sieve lfu 2q arc s3-fifo gdsf w-tinylfu opt; do
	case $policy in
	2q) algorithm=twoq ;;
	s3-fifo) algorithm=s3fifo ;;
	w-tinylfu) algorithm=wtinylfu ;;
	opt) algorithm=belady ;;
	*) algorithm=$policy ;;
	esac
	for size; do
		their_us=$(spent_by theirs "$algorithm" "$size")
		own_us=$(spent_by own "$policy" "$size")
		ratio=$(theirs "$algorithm" "$size" | sed -n 's/.*miss ratio \([0-9.]*\),.*/\1/p' | tail -n 1)
		own "$policy" "$size" | awk -F, -v p="$policy" -v n="$size" -v a="$their_us" -v b="$own_us" -v r="$ratio" 'NR == 2 {
			printf "%-8s %8s %10.3f %10.3f %12s %12.4f%s\n", p, n, a / 1e6, b / 1e6, r, $4,
				($4 - r) ^ 2 < 2.6e-9 ? "" : "  DIFFERENT" }'
	done
done
printf '%-8s %8s %10s %10.3f\n' lru all - "$(awk "BEGIN { print $(spent_by curve) / 1e6 }")"
