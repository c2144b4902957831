#!/bin/sh
# SPDX-License-Identifier: MIT
#
# harts.sh TRC PLUGIN ORDER: records a program on a bare machine with two harts in QEMU, while the
# plugin ORDER (order.c) prints what it sees: the replay must have the same instructions and accesses
# of the same harts in the same order, be proved, and be so after pruning and from each stored state
# on. Harts that run at the same time are refused. Skips without a compiler for riscv64 or QEMU.
set -u

trc=$1 plugin=$2 order=$3 cc=riscv64-linux-gnu-gcc here=$(cd "$(dirname "$0")" && pwd)
command -v $cc >/dev/null && command -v qemu-system-riscv64 >/dev/null ||
	{ echo "skipped: no $cc, or no qemu-system-riscv64"; exit 77; }
. "$(dirname "$0")/begin.sh"
cd "$tmp" || exit 99

$cc -O2 -march=rv64gc -mabi=lp64d -mcmodel=medany -ffreestanding -nostdlib -static -fno-pic -no-pie \
	-Wl,--no-relax,--build-id=none -Wl,-T,"$here/kernel/kernel.ld" -o harts "$here/harts/harts.c" \
	2>log || fail "$(cat log)"

qemu()
{
	timeout 200 qemu-system-riscv64 -M virt -cpu rv64,h=off,sstc=off,pmu-num=0,debug=off -m 64 \
		-smp 2 -display none -monitor none -serial stdio -bios none -kernel harts "$@" </dev/null
}

# A register of the vector extension is refused while it is recorded.
printf '_start: .globl _start\nli t0, 0x600\ncsrs mstatus, t0\ncsrr t0, 0xc22\nj .\n' >vectors.S
$cc -nostdlib -static -Wl,--build-id=none -Wl,-T,"$here/kernel/kernel.ld" -o vectors vectors.S || fail "no program"
timeout 20 qemu-system-riscv64 -M virt -cpu rv64,v=true -display none -bios none -kernel vectors -singlestep \
	-plugin "$plugin,out=refused.bus" </dev/null >said 2>log && fail "vectors are recorded"
grep -q '^trc-machine: c22022f3 at 8[0-9a-f]* is an instruction of the extension v' log || fail "no reason: $(cat log)"

# rows FILE: a trace as ORDER prints it, without what atomics access, and without what is in ROM.
rows()
{
	awk -F, 'NR == 1 { next }
		{ sub(/^kernel-/, "", $1) }
		$1 == "fetch" { atomic = $5 ~ /[2a]f$/ }
		$1 == "fetch" || !atomic { print $1 "," $2 "," $4 }' "$1"
}

qemu -accel tcg,thread=multi >theirs || fail "QEMU does not run"
if qemu -accel tcg,thread=multi -singlestep -plugin "$plugin,out=refused.bus" >ours 2>log; then
	fail "harts that run at the same time are recorded"
fi
grep -q '^trc-machine: 2 harts run at the same time; run QEMU with -accel tcg,thread=single$' log ||
	fail "no reason: $(cat log)"
[ ! -e refused.bus ] || fail "there is a trace of what was refused"

# verify WHAT
verify()
{
	cmp theirs ours || fail "$1: printed something else: $(cat ours)"
	"$trc" replay x.bus 2>log || fail "$1: $(cat log)"
	grep -q '^L3 .* 137 registers, all of memory' log && grep -q '^proved: ' log &&
		grep -q ' turns of tasks$' log || fail "$1: $(cat log)"
}

for turn in 1000 50; do
	qemu -accel tcg,thread=single -singlestep -plugin "$plugin,out=x.bus,turn=$turn" \
		-plugin "$order,out=order" >ours 2>log || fail "turns of $turn: $(cat log)"
	verify "turns of $turn"
	"$trc" replay run -q --to csv x.bus >x.csv
	rows x.csv >rows
	# The trace ends before the store that switches the machine off.
	awk -F, '$2 !~ /^0x1...$/' order | sed '$d' | cmp - rows || fail "turns of $turn: other instructions"
	same_windows "turns of $turn" 200k 0 199999 200000 456789
	echo "turns of $turn: $(wc -l <rows) equal, $(sed -n 's/.* \([0-9]* turns\) of tasks/\1/p' log)"
	rm -f x.bus
done

# A turn ends after each instruction, so hashes are taken between turns. Counting instructions, the
# emulator begins each access to a device twice, with a turn in between.
for count in "" "-icount shift=0"; do
	# shellcheck disable=SC2086 # no word, or two
	qemu -accel tcg,thread=single $count -singlestep -plugin "$plugin,out=x.bus,turn=1" >ours \
		2>log || fail "turns of 1: $(cat log)"
	verify "turns of 1 $count"
done
