#!/bin/sh
# SPDX-License-Identifier: MIT
#
# sh test/bench/container.sh [FILE...]: how small and how fast the native container is on these
# traces, packed or plain; without any, on that of test/data, and on those of ../shared/corpus if
# there are. For each, a line beside xz -9e of the same text, measured in the same run:
#
#   text, xz     bytes of the trace as text, and of that through xz -XZ (9e)
#   -1 -6 -9 -9e bytes of the container at these levels
#   xz/-6        how many times smaller the default level is than xz
#   enc1 enc6    M references a second to encode at levels 1 and 6, one thread, text already columns
#                of a container at level 1
#   dec1 dec2    M references a second to decode the default level to nothing, on one and two threads
#   xz -dc/dec1  how many times as fast as xz -dc of the text
#   seek, worst  milliseconds to read 1000 references from anywhere, on two threads: the median and the
#                worst of PLACES (10) places
#
# Times are those of whole processes, medians of RUNS (5).
set -u

here=$(cd "$(dirname "$0")" && pwd)
. "$here/begin.sh"
. "$here/times.sh"

if [ $# -eq 0 ]; then
	set -- "$root/test/data/sort.lackey.xz"
	for file in "$root"/../shared/corpus/*.xz; do
		[ -f "$file" ] && set -- "$@" "$file"
	done
fi

bytes() {
	wc -c <"$1"
}

ratio() {
	awk "BEGIN { printf \"%.1f\", $1 / $2 }"
}

processor
printf '%-12s %11s %9s %8s %8s %8s %8s %6s %6s %6s %6s %6s %6s %5s %5s\n' trace text xz -1 -6 -9 -9e \
	xz/-6 enc1 enc6 dec1 dec2 xz/dec seek worst
for file; do
	name=$(basename "$file" | sed 's/\..*//')
	text=$tmp/text
	"$trc" decode --quiet "$file" - >"$text" || exit 1
	xz "-${XZ:-9e}" -k -c "$text" >"$text.xz"
	for level in 1 6 9 9e; do
		"$trc" encode --quiet --force -$level "$text" "$tmp/$level.trc" || exit 1
	done
	rows=$(records "$tmp/6.trc")
	read_1=$(time_of "$trc" encode -q -T1 -t null "$tmp/1.trc")
	enc_1=$(time_of "$trc" encode -q -T1 -1 -t trc "$tmp/1.trc" -)
	enc_6=$(time_of "$trc" encode -q -T1 -6 -t trc "$tmp/1.trc" -)
	dec_1=$(time_of "$trc" encode -q -T1 -t null "$tmp/6.trc")
	dec_2=$(time_of "$trc" encode -q -T2 -t null "$tmp/6.trc")
	dec_xz=$(time_of xz -dc "$text.xz")
	seek=$(seeks "${PLACES:-10}" 2 "$tmp/6.trc" "$rows")
	printf '%-12s %11s %9s %8s %8s %8s %8s %6s %6s %6s %6s %6s %6s %5s %5s\n' "$name" \
		"$(bytes "$text")" "$(bytes "$text.xz")" "$(bytes "$tmp/1.trc")" \
		"$(bytes "$tmp/6.trc")" "$(bytes "$tmp/9.trc")" "$(bytes "$tmp/9e.trc")" \
		"$(ratio "$(bytes "$text.xz")" "$(bytes "$tmp/6.trc")")" \
		"$(ratio "$rows" "($enc_1 - $read_1 + 1)")" \
		"$(ratio "$rows" "($enc_6 - $read_1 + 1)")" \
		"$(ratio "$rows" "$dec_1")" "$(ratio "$rows" "$dec_2")" \
		"$(ratio "$dec_xz" "$dec_1")" ${seek% *} ${seek#* }
done
