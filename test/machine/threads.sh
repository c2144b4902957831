#!/bin/sh
# SPDX-License-Identifier: MIT
#
# threads.sh TRC PLUGIN ORDER SOURCE...: records programs with threads under qemu-riscv64, while the
# plugin ORDER (order.c) prints what it sees: the replay must have the same instructions and accesses
# of the same threads in the same order, be proved, and be so after pruning and from each stored
# state on. Skips without a compiler for riscv64 or the emulator.
set -u

trc=$1 plugin=$2 order=$3 threads=$4 openmp=$5 cc=riscv64-linux-gnu-gcc
command -v $cc >/dev/null && command -v qemu-riscv64 >/dev/null ||
	{ echo "skipped: no $cc, or no qemu-riscv64"; exit 77; }
. "$(dirname "$0")/begin.sh"
$cc -O2 -static -pthread -o "$tmp/threads" "$threads" -lm ||
	{ echo "skipped: $cc cannot link statically"; exit 77; }
$cc -O2 -static -fopenmp -o "$tmp/openmp" "$openmp" 2>"$tmp/log" || echo "without OpenMP: $(cat "$tmp/log")"
cd "$tmp" || exit 99

# rows BUS...: its trace as ORDER prints it, without what atomics access.
rows()
{
	"$trc" replay run -q --to csv "$@" | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$1 == "fetch" { atomic = $at["insn"] ~ /[2a]f$/ }
		$1 == "fetch" || !atomic { print $1 "," $2 "," (at["task"] ? $at["task"] : 1) }'
}

# check STATUS PROGRAM ARGUMENT...: a program that ends with STATUS.
check()
{
	want=$1
	shift
	qemu-riscv64 "$@" >theirs 2>log
	rm -f x.bus
	qemu-riscv64 -plugin "$plugin,out=x.bus$turn" -plugin "$order,out=order" "$@" >ours 2>log
	[ $? -eq "$want" ] || fail "$*: ended otherwise: $(cat log)"
	cmp theirs ours || fail "$*: printed something else: $(cat ours)"
	"$trc" replay x.bus 2>log || fail "$*: $(cat log)"
	grep -q '^L3 .* 64 registers, all of memory' log && grep -q '^proved: ' log || fail "$*: $(cat log)"
	grep -q ' turns of tasks$' log || fail "$*: no turns: $(cat log)"
	rows x.bus >rows
	# What ends in the middle, or goes on unrecorded, has one list longer than the other.
	if [ $want -gt 128 ] || [ "$2" = exec ]; then
		least=$(wc -l rows order | awk 'NR < 3 && (NR == 1 || $1 < n) { n = $1 } END { print n }')
		for list in rows order; do
			head -n "$least" $list >$list.part && mv $list.part $list
		done
	fi
	cmp rows order || fail "$*: other instructions"
	same_windows "$*" 20k 0 19999 20000 45678
	echo "$*: $(wc -l <rows) equal"
}

turn=
for way in queue atomics spin barrier pipes signals sigwait cancel many forks memory exec outlive; do
	check 0 ./threads $way
done
check 5 ./threads exit
check 134 ./threads abort
check 139 ./threads fault
[ ! -e openmp ] || check 0 ./openmp 4

# Turns that end between lr and sc.
turn=,turn=12
check 0 ./threads atomics 3000
check 0 ./threads queue
