#!/bin/sh
# SPDX-License-Identifier: MIT
#
# sh test/bench/run.sh [FILE...]: how fast trc works on these traces, packed or plain; without any, on
# that of test/data, and on those of ../shared/corpus if there are. For each, a table beside what
# wc -l, xz -dc, zcat and zstd -dc (if there) take for the same lines: references a second, cycles a reference, and the
# time as a multiple of that of wc -l. bench.c has what each line measures.
#
# RUNS is of how many runs the median is taken (5), LINES how much of each trace is used (4000000).
set -u

here=$(cd "$(dirname "$0")" && pwd)
. "$here/begin.sh"
bench=$build/test/bench/bench
[ -x "$bench" ] || { echo "build first: no $bench" >&2; exit 1; }

if [ $# -eq 0 ]; then
	set -- "$root/test/data/sort.lackey.xz"
	for file in "$root"/../shared/corpus/*.xz "$root"/../shared/corpus/*.bz2; do
		[ -f "$file" ] && set -- "$@" "$file"
	done
fi

PATH=$build/src:$PATH
processor
for file; do
	plain=$tmp/plain
	"$trc" decode --quiet --limit "${LINES:-4000000}" "$file" - >"$plain" || exit 1
	xz -k -c "$plain" >"$plain.xz"
	gzip -c "$plain" >"$plain.gz"
	zstd=$(command -v zstd) && "$zstd" -q -c "$plain" >"$plain.zst"
	cd "$tmp"
	"$bench" "${RUNS:-5}" "$(basename "$file")" plain \
		"wc -l <plain >/dev/null" \
		"xz -dc plain.xz >/dev/null" \
		"zcat plain.gz >/dev/null" \
		${zstd:+"zstd -dc plain.zst >/dev/null"} \
		"trc stat plain >/dev/null" \
		"trc reduce -q --sad 64 plain /dev/null" \
		"trc reduce -q --sad 64 plain.xz /dev/null" || exit 1
	cd "$OLDPWD"
done
