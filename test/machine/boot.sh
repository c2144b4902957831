#!/bin/sh
# SPDX-License-Identifier: MIT
#
# boot.sh TRC SOURCE: the boot of 'trc help recording', from OpenSBI and a device tree of QEMU to records
# for ChampSim, but with a program of a few instructions in place of Linux (linux.sh has that). It prints
# what it prints in QEMU, is proved, as is its package after pruning. Skips without OpenSBI, QEMU
# or a compiler.
set -u

trc=$1 cc=riscv64-linux-gnu-gcc qemu=qemu-system-riscv64
firmware=${OPENSBI:-/usr/lib/riscv64-linux-gnu/opensbi/generic}/fw_jump.bin
[ -f "$firmware" ] || { echo "skipped: no $firmware, which is in Debian's opensbi"; exit 77; }
for tool in $cc ${cc%gcc}objcopy $qemu; do
	command -v "$tool" >/dev/null || { echo "skipped: no $tool"; exit 77; }
done
. "$(dirname "$0")/begin.sh"
cd "$tmp" || exit 99

# What optional registers there are is as in our processor, since firmware looks.
qemu()
{
	timeout 100 $qemu -M "$@" -cpu rv64,h=off,sstc=off,pmu-num=0,debug=off -m 128 -display none -monitor none \
		-serial stdio -bios fw_jump.bin -kernel Image </dev/null
}

$cc -nostdlib -static -Wl,-Ttext=0x80200000 -Wl,--build-id=none -o program "$2" &&
	${cc%gcc}objcopy -O binary program Image || fail "the program cannot be built"
cp "$firmware" fw_jump.bin
qemu virt,dumpdtb=virt.dtb 2>/dev/null || fail "QEMU writes no device tree"
qemu virt >qemu.out || fail "QEMU does not run: $(tail qemu.out)"

# As 'trc help recording' has it. The records are counted: 64 bytes for each instruction.
"$trc" replay record --firmware fw_jump.bin --dtb virt.dtb Image boot.bus >board.out 2>log || fail "$(cat log)"
cmp qemu.out board.out || fail "the board printed something else: $(cat board.out)"
grep -q '^init: ends' board.out || fail "the program was not started: $(tail board.out)"
insns=$(sed -n 's/ instructions, .* the machine powered off$//p' log)
bytes=$("$trc" replay --strict --drop kernel --to champsim boot.bus - 2>log | wc -c)
grep -qx "proved: instructions 1 to $insns" log || fail "not proved: $(cat log)"
[ "$bytes" -eq $((64 * insns)) ] || fail "$bytes bytes for $insns instructions"

"$trc" replay extract -q boot.bus boot.pkg && "$trc" replay prune -q --checkpoints 1M boot.pkg small.pkg &&
	"$trc" replay run small.pkg 2>log || fail "pruned: $(cat log)"
grep -q '^L4 .* hashes' log || fail "pruned: $(cat log)"
cat log
