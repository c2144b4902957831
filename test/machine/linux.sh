#!/bin/sh
# SPDX-License-Identifier: MIT
#
# TRC_LINUX=FOLDER linux.sh TRC [PLUGIN]: OpenSBI and Linux, from firmware to an init that switches the
# machine off, on our board behind caches of several shapes, and in QEMU if the plugin that records
# there is built, with one hart and with two. The board must print what QEMU's prints, and what is
# replayed must be verified. FOLDER keeps what is built, a matter of two minutes and 2 GB; the source
# is Debian's linux-source-6.1, the firmware that of its package opensbi (LINUX_SOURCE and OPENSBI name
# others). Skips without TRC_LINUX, or without the tools.
set -u

trc=$(realpath "$1")
plugin=${2:+$(realpath "$2")}
here=$(cd "$(dirname "$0")" && pwd)/linux
source=${LINUX_SOURCE:-/usr/src/linux-source-6.1.tar.xz}
firmware=${OPENSBI:-/usr/lib/riscv64-linux-gnu/opensbi/generic}/fw_jump.bin
cross=riscv64-linux-gnu-

[ "${TRC_LINUX:-}" ] || { echo "skipped: TRC_LINUX names no folder to build Linux in"; exit 77; }
for tool in ${cross}gcc qemu-system-riscv64 make flex bison bc xz; do
	command -v $tool >/dev/null || { echo "skipped: no $tool here"; exit 77; }
done
for file in "$source" "$firmware"; do
	[ -f "$file" ] || { echo "skipped: no $file here"; exit 77; }
done

fail()
{
	echo "$*"
	exit 1
}

# An init without a library, in the initial file system of a kernel that has what the board has.
build()
{
	rm -rf kernel source && mkdir kernel source && tar -xf "$source" -C source --strip-components=1 &&
		cp "$here/initramfs.list" kernel && ${cross}gcc -Os -march=rv64gc -mabi=lp64d \
		-ffreestanding -nostdlib -static -fno-tree-loop-distribute-patterns \
		-Wl,--build-id=none -o kernel/init.elf "$here/init.c" || return
	export ARCH=riscv CROSS_COMPILE=$cross KBUILD_BUILD_TIMESTAMP=1996-12-01 \
		KBUILD_BUILD_USER=trc KBUILD_BUILD_HOST=trc
	make -C source O=../kernel tinyconfig &&
		(cd kernel && ../source/scripts/kconfig/merge_config.sh -m .config "$here/config") &&
		make -C source O=../kernel olddefconfig &&
		make -C source O=../kernel -j "${JOBS:-2}" Image && cp kernel/arch/riscv/boot/Image .
}

mkdir -p "$TRC_LINUX" && cd "$TRC_LINUX" || exit 99
if ! [ -f Image ] || [ "$(find "$here" -newer Image)" ]; then
	build >build.log 2>&1 || fail "Linux cannot be built: $(tail -5 build.log)"
fi
seq 400000 | head -c 2097152 >disk

# What optional registers there are is as in our processor, since firmware looks.
qemu()
{
	machine=$1
	shift
	timeout 300 qemu-system-riscv64 -M "$machine" -cpu rv64,h=off,sstc=off,pmu-num=0,debug=off -m 128 \
		-nographic -bios "$firmware" -kernel Image -append "earlycon console=ttyS0" \
		-global virtio-mmio.force-legacy=false -drive file=disk,format=raw,if=none,id=d,snapshot=on \
		-device virtio-blk-device,drive=d,bus=virtio-mmio-bus.0 "$@" </dev/null
}

qemu virt,dumpdtb=virt.dtb 2>/dev/null || fail "QEMU tells no device tree"
qemu virt >qemu.out || fail "QEMU does not run"
grep -q '^init: ends' qemu.out || fail "init did not end in QEMU: $(tail -5 qemu.out)"

# Replays linux.bus, with what was compared.
verify()
{
	echo "$1:"
	"$trc" replay linux.bus 2>log || fail "$(cat log)"
	grep -q '^L3 .* all of memory' log && grep -q '^L4 .* hashes' log || fail "$(cat log)"
	cat log
	ls -l linux.bus
}

for cache in 64K:8:64 32K:4:32; do
	"$trc" replay record --force --firmware "$firmware" --dtb virt.dtb --disk disk --cache $cache \
		--seed ${#cache} Image linux.bus >board.out 2>log || fail "$cache: $(cat log board.out)"
	cmp qemu.out board.out || fail "$cache: the board printed something else: $(cat board.out)"
	verify "the board, $cache"
done

if [ "$plugin" ]; then
	for shift in 0 4; do
		qemu virt -singlestep -icount shift=$shift -plugin "$plugin,out=linux.bus" >record.out \
			2>log || fail "QEMU: $(cat log)"
		cmp qemu.out record.out || fail "QEMU printed something else: $(cat record.out)"
		verify "QEMU, $((1 << shift)) ns an instruction"
	done
	# By the clock of a busy host, two harts may do nothing but serve their timers.
	qemu virt -smp 2 >two.out || fail "QEMU does not run with two harts"
	qemu virt -smp 2 -icount shift=0 -singlestep -plugin "$plugin,out=linux.bus" >record.out \
		2>log || fail "QEMU, two harts: $(cat log)"
	grep '^init:' two.out >a && grep '^init:' record.out | cmp a - && grep -q '2 CPUs' record.out ||
		fail "two harts printed something else: $(cat record.out)"
	verify "QEMU, two harts"
	grep -q ' turns of tasks$' log || fail "one hart ran: $(cat log)"
else
	echo "not recorded in QEMU, which needs -Dcapture=enabled"
fi
"$trc" replay extract -q --force linux.bus linux.pkg && "$trc" replay prune --force linux.pkg small.pkg &&
	"$trc" replay run -q --force --to hash linux.pkg a.hash &&
	"$trc" replay run -q --force --to hash small.pkg b.hash && cmp a.hash b.hash ||
	fail "pruning changed the trace"
ls -l linux.pkg small.pkg
tail -8 board.out
