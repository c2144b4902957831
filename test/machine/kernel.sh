#!/bin/sh
# SPDX-License-Identifier: MIT
#
# kernel.sh TRC [PLUGIN]: builds the small operating system of test/machine/kernel with a cross
# compiler, runs it on the board behind caches of several shapes, and replays what was seen on their
# buses; then in QEMU, if it and the plugin that records there are here. All runs must print the same,
# and all must be verified. Skips without the compiler.
set -u

trc=$1
plugin=${2:+$(realpath "$2")}
here=$(cd "$(dirname "$0")" && pwd)/kernel
gcc=riscv64-unknown-elf-gcc
command -v $gcc >/dev/null || { echo "skipped: no $gcc here"; exit 77; }

. "$(dirname "$0")/begin.sh"
cd "$tmp" || exit 99

flags="-O2 -march=rv64gc -mabi=lp64d -mcmodel=medany -ffreestanding -nostdlib -static
	-fno-tree-loop-distribute-patterns"
for part in start.S kernel.c tasks.c; do
	# shellcheck disable=SC2086 # a list
	$gcc $flags -c "$here/$part" -o "${part%.*}.o" || exit 1
done
# shellcheck disable=SC2086
$gcc $flags -Wl,--no-relax,--build-id=none -Wl,-T,"$here/kernel.ld" -o kernel start.o kernel.o tasks.o \
	2>/dev/null || exit 1

# Sectors of text, and how often the first task sorts eight of them.
seq 100000 | head -c 8192 >disk
echo 2 >typed

for cache in 64K:8:64 4K:1:16 256K:full:64; do
	"$trc" replay record kernel k.bus --force --type typed --disk disk --cache $cache \
		--seed ${#cache} >said 2>log || fail "$cache: $(cat log)"
	[ -f first ] || cp said first
	cmp -s first said || fail "$cache: the machine printed something else: $(cat said)"
	"$trc" replay k.bus 2>log || fail "$cache: $(cat log)"
	grep -q '^L3 .* all of memory' log || fail "$cache: $(cat log)"
done
"$trc" replay extract -q k.bus k.pkg && "$trc" replay prune -q k.pkg small.pkg &&
	"$trc" replay run -q --to hash k.pkg a.hash && "$trc" replay run -q --to hash small.pkg b.hash &&
	cmp a.hash b.hash || fail "pruning changed the trace"
[ "$(wc -c <small.pkg)" -le "$(wc -c <k.pkg)" ] || fail "pruning made the package larger"

# The two tasks end in another order there.
qemu()
{
	timeout 200 qemu-system-riscv64 -M virt -cpu rv64,h=off,sstc=off,pmu-num=0,debug=off -m 128 \
		-display none -monitor none -serial stdio -bios none -kernel kernel -singlestep \
		-plugin "$plugin,out=q.bus" -global virtio-mmio.force-legacy=false \
		-drive file=disk,format=raw,if=none,id=d,snapshot=on \
		-device virtio-blk-device,drive=d,bus=virtio-mmio-bus.0 "$@" <typed
}

if [ -f "$plugin" ] && command -v qemu-system-riscv64 >/dev/null; then
	for clock in host 0; do
		if [ $clock = host ]; then qemu; else qemu -icount shift=$clock; fi >said 2>log ||
			fail "QEMU: $(cat log)"
		sort first >a && sort said >b && cmp -s a b ||
			fail "QEMU: the machine printed something else: $(cat said)"
		"$trc" replay q.bus 2>log || fail "QEMU: $(cat log)"
		grep -q '^L3 .* all of memory' log && grep -q '^L4 .* hashes' log ||
			fail "QEMU: $(cat log)"
	done
else
	echo "not recorded in QEMU, which needs -Dcapture=enabled"
fi
cat first
