#!/bin/sh
# SPDX-License-Identifier: MIT
#
# sh test/bench/replay.sh [KIND [N]]: how fast a whole instruction trace is computed, beside reading one
# that was stored and beside writing one in QEMU, all of the same program in one run:
# test/machine/work_guest.c, KIND sort, float or text. M instructions a second, but for the first line:
#
#   extract      MB/s of the bus trace BUS, or of what QEMU's user mode recorded, which is little
#   run          trc replay run --to null: all rows made and verified
#   window       a millionth of them, from the last tenth: milliseconds with checkpoints every 10 M
#   xz -dc       of the same trace in ChampSim's records of 64 bytes, its first LIMIT (2M)
#   QEMU log     a line of text for each instruction (-singlestep -d exec,nochain), the first LINES (500000)
#
# Times are those of the processor, user and system, the least of RUNS (3). Needs a build with
# -Dcapture=enabled, qemu-riscv64 and riscv64-linux-gnu-gcc; skips without them.
set -u

here=$(cd "$(dirname "$0")" && pwd)
. "$here/begin.sh"
plugin=$build/src/libtrc-bus.so cc=riscv64-linux-gnu-gcc
kind=${1:-text} n=${2:-200000} limit=${LIMIT:-2M} lines=${LINES:-500000}
[ -f "$plugin" ] || { echo "skipped: no $plugin; meson setup -Dcapture=enabled"; exit 77; }
for tool in $cc qemu-riscv64 xz; do
	command -v $tool >/dev/null || { echo "skipped: no $tool"; exit 77; }
done
cd "$tmp" || exit 1

# Seconds that a command of the shell takes, all its processes together.
once() {
	sh -c "$1" >/dev/null 2>err || { cat err >&2; exit 1; }
	times
}
seconds() {
	for run in $(seq "${RUNS:-3}"); do
		(once "$1") | tail -n 1 | sed 's/\([0-9]*\)m\([0-9.]*\)s/\1*60+\2/g; s/ /+/' || exit 1
	done | while read -r sum; do awk "BEGIN { print $sum }"; done | sort -g | head -n 1
}
rate() {
	awk "BEGIN { printf \"%-9s %9.1f %s\\n\", \"$1\", $2 / ($3 + 1e-9) / 1e6, \"$4\" }"
}

$cc -O2 -static -o work "$root/test/machine/work_guest.c" -lm || exit 77
qemu-riscv64 -plugin "$plugin",out=work.bus ./work "$kind" "$n" >/dev/null || exit 1
"$trc" replay extract -q work.bus work.pkg || exit 1
"$trc" replay extract -q --checkpoints 10M work.bus marked.pkg || exit 1
"$trc" replay run -q --limit "$limit" --to champsim --drop kernel work.pkg work.champsim || exit 1
xz -T1 work.champsim || exit 1
all=$("$trc" replay info work.pkg | sed -n 's/^instructions *//p')
some=$(($(xz -dc work.champsim.xz | wc -c) / 64))

processor
echo "$kind $n: $all instructions, bus trace of $(wc -c <work.bus) bytes, package of $(wc -c <work.pkg)"
bus=${BUS:-work.bus}
rate extract "$(wc -c <"$bus")" "$(seconds "'$trc' replay extract -q --force '$bus' x.pkg")" MB/s
rate run "$all" "$(seconds "'$trc' replay run -q --to null work.pkg")" M/s
awk "BEGIN { printf \"%-9s %9.1f %s\\n\", \"window\", 1000 * $(seconds \
	"'$trc' replay run -q --to null --skip $((all / 10 * 9)) --limit $((all / 1000000)) marked.pkg"), \"ms\" }"
rate 'xz -dc' "$some" "$(seconds 'xz -dc work.champsim.xz')" M/s
rate 'QEMU log' "$lines" "$(seconds "qemu-riscv64 -singlestep -d exec,nochain ./work $kind $n 2>&1 \
	>/dev/null | head -n $lines")" M/s
