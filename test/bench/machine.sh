#!/bin/sh
# SPDX-License-Identifier: MIT
# machine.sh SPEED SOURCE: instructions a second of the processor, all rows made, on sorting, floating
# point and strings; SPEED is machine-speed, SOURCE work_guest.c. Beside them the time of qemu-riscv64,
# which makes no rows. Skips without a compiler for riscv64.
speed=$1 cc=riscv64-linux-gnu-gcc
command -v $cc >/dev/null || { echo "skipped: no $cc"; exit 77; }
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
$cc -O2 -static -o "$tmp/work" "$2" -lm || exit 77
for kind in sort float text; do
	echo "$kind"
	"$speed" "$tmp/work" $kind 200000 || exit 1
	command -v qemu-riscv64 >/dev/null && ( time -p qemu-riscv64 "$tmp/work" $kind 200000 ) 2>&1 |
		sed -n 's/^user/qemu-riscv64, no rows: seconds/p'
done
exit 0
