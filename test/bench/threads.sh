#!/bin/sh
# SPDX-License-Identifier: MIT
#
# sh test/bench/threads.sh: what it takes to record programs with threads, which take turns then, and to
# replay them. Of test/machine/user/threads.c in some of its ways, and openmp.c: M instructions, turns;
# seconds of the processor, user and system, the least of RUNS (3), of QEMU alone, of QEMU with the
# plugin, and of `trc replay run`; recorded as a multiple of alone; kB of the bus trace and of the
# pruned package. Where threads wait for each other by spinning, turns save what they would spin.
# Needs a build with -Dcapture=enabled, qemu-riscv64 and riscv64-linux-gnu-gcc; skips without them.
set -u

here=$(cd "$(dirname "$0")" && pwd)
. "$here/begin.sh"
plugin=$build/src/libtrc-bus.so cc=riscv64-linux-gnu-gcc source=$root/test/machine/user
[ -f "$plugin" ] || { echo "skipped: no $plugin; meson setup -Dcapture=enabled"; exit 77; }
for tool in $cc qemu-riscv64; do
	command -v $tool >/dev/null || { echo "skipped: no $tool"; exit 77; }
done
cd "$tmp" || exit 1
$cc -O2 -static -pthread -o threads "$source/threads.c" -lm && $cc -O2 -static -fopenmp -o openmp "$source/openmp.c" 2>err ||
	{ cat err; exit 77; }

# Seconds that a command takes, all its threads together.
seconds() {
	for run in $(seq "${RUNS:-3}"); do
		(sh -c "$1" >out 2>err || { cat err >&2; exit 1; }; times) | tail -n 1 |
			sed 's/\([0-9]*\)m\([0-9.]*\)s/\1*60+\2/g; s/ /+/' || exit 1
	done | while read -r sum; do awk "BEGIN { print $sum }"; done | sort -g | head -n 1
}

processor
printf '%-24s %8s %7s %7s %8s %7s %6s %8s %8s\n' program M.insns turns alone recorded replay times kB.bus kB.pkg
while read -r program; do
	alone=$(seconds "qemu-riscv64 $program")
	recorded=$(seconds "qemu-riscv64 -plugin '$plugin,out=x.bus' $program")
	"$trc" replay extract -q --force x.bus x.pkg && "$trc" replay prune -q --force x.pkg y.pkg || exit 1
	replay=$(seconds "'$trc' replay run -q x.pkg")
	"$trc" replay run --json x.pkg >json 2>err
	awk -v json="$(cat json)" -v name="${program#./}" -v a="$alone" -v r="$recorded" -v p="$replay" \
		-v bus="$(wc -c <x.bus)" -v pkg="$(wc -c <y.pkg)" 'BEGIN {
			match(json, /"last": [0-9]+/); n = substr(json, RSTART + 8, RLENGTH - 8)
			match(json, /"turns": [0-9]+/); t = substr(json, RSTART + 9, RLENGTH - 9)
			printf "%-24s %8.1f %7d %7.2f %8.2f %7.2f %6.1f %8.0f %8.0f\n", name, n / 1e6, t, a, r, p, r / a, bus / 1e3, pkg / 1e3
		}'
done <<'END'
./threads queue 20000
./threads atomics 100000
./threads spin 2000
./threads barrier 400000
./threads pipes 20000
./openmp 4 160
END
