#!/bin/sh
# SPDX-License-Identifier: MIT
#
# sh test/bench/seek.sh [CONTAINER...]: how long it takes to read 1000 records from anywhere in these
# containers: the median and the worst of PLACES (30) places, in milliseconds, on one thread and on
# two. Without any, of one that holds the trace of test/data until it has 100 million references.
#
# Times are those of whole processes, each the median of RUNS (5).
set -u

here=$(cd "$(dirname "$0")" && pwd)
. "$here/begin.sh"
. "$here/times.sh"

if [ $# -eq 0 ]; then
	"$trc" decode -q "$root/test/data/sort.lackey.xz" "$tmp/once.lackey" || exit 1
	for again in $(seq 95); do
		cat "$tmp/once.lackey"
	done | "$trc" encode -q --from lackey --to trc - "$tmp/long.trc" || exit 1
	set -- "$tmp/long.trc"
fi

processor
printf '%-16s %11s %11s %8s %8s %8s %8s\n' container records bytes median1 worst1 median2 worst2
for file; do
	rows=$(records "$file")
	one=$(seeks "${PLACES:-30}" 1 "$file" "$rows")
	two=$(seeks "${PLACES:-30}" 2 "$file" "$rows")
	printf '%-16s %11s %11s %8s %8s %8s %8s\n' "$(basename "$file" .trc)" "$rows" \
		"$(wc -c <"$file")" ${one% *} ${one#* } ${two% *} ${two#* }
done
