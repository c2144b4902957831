#!/bin/sh
# SPDX-License-Identifier: MIT
#
# sh test/bench/growth.sh [REFS [PAGES...]]: what trc stat --mrc of REFS references (20000000) takes
# as the pages grow (10000 to 10000000), drawn with equal chances, by Zipf's law, and in turns: seconds
# of processor time, seconds by the clock, and MB, of -T1 and -T2, the least of RUNS (3), in turn.
# BEFORE is another trc, which then has lines of its own.
set -u

here=$(cd "$(dirname "$0")" && pwd)
. "$here/begin.sh"
make=$build/test/bench/working_set
[ -x "$make" ] || { echo "build first: no $make" >&2; exit 1; }
refs=${1:-20000000}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- 10000 100000 1000000 10000000

# What each run took: who, threads, seconds of the processor and by the clock, KB.
runs() {
	for run in $(seq "${RUNS:-3}"); do
		for threads in 1 2; do
			for who in ${BEFORE:+"$BEFORE"} "$trc"; do
				/usr/bin/time -a -o "$tmp/taken" -f "$who $threads %U %S %e %M" \
					"$who" stat --mrc -q "-T$threads" --from u64 "$tmp/trace" \
					>/dev/null || exit 1
			done
		done
	done
}

processor
echo "| $refs references | pages | | -T1: s, by the clock, MB | -T2 |"
echo "|---|---:|---|---:|---:|"
for kind in uniform zipf scan; do
	for pages; do
		"$make" "$kind" "$refs" "$pages" >"$tmp/trace" || exit 1
		: >"$tmp/taken"
		runs
		awk -v kind="$kind" -v pages="$pages" -v now="$trc" '
			function least(v, at, x) { if (!(at in v) || x < v[at]) v[at] = x }
			{ least(cpu, $1 " " $2, $3 + $4); least(clock, $1 " " $2, $5)
			  least(kb, $1 " " $2, $6); who[$1] = 1 }
			function of(w, t) { t = w " " t
			  return sprintf("%.2f, %.2f, %d", cpu[t], clock[t], kb[t] / 1024) }
			END { for (w in who) printf "| %s | %d | %s | %s | %s |\n", kind, pages,
			      w == now ? "now" : "before", of(w, 1), of(w, 2) }' "$tmp/taken"
	done
done
