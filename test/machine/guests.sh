#!/bin/sh
# SPDX-License-Identifier: MIT
# guests.sh RUN SOURCE...: programs for riscv64 print on the hart, which RUN runs them on, what they
# print under qemu-riscv64; what half_guest prints is right by half.py, too. Skips without a compiler
# for riscv64.
run=$1 cc=riscv64-linux-gnu-gcc
shift
command -v $cc >/dev/null && command -v qemu-riscv64 >/dev/null ||
	{ echo "skipped: no $cc, or no qemu-riscv64"; exit 77; }
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

status=0
compare() {
	qemu-riscv64 "$@" >"$tmp/theirs" || status=1
	"$run" "$@" >"$tmp/ours" 2>"$tmp/count" || status=1
	cmp "$tmp/theirs" "$tmp/ours" || { echo "$*: not the same"; cat "$tmp/count"; status=1; }
	[ -s "$tmp/ours" ] || { echo "$*: nothing printed"; status=1; }
}

for source; do
	name=$(basename "$source" .c) march=
	case $name in
	bits_guest) march=-march=rv64gc_zba_zbb_zbc_zbs ;;
	half_guest) march=-march=rv64gc_zfh ;;
	esac
	# shellcheck disable=SC2086 # no word where there is none
	$cc -O2 -static $march -o "$tmp/$name" "$source" -lm ||
		{ echo "skipped: $cc cannot link statically"; exit 77; }
done
compare "$tmp/fp_guest" 512
rounds=$((4000 / (${TRC_TEST_STEP:-10} + 1)))
compare "$tmp/bits_guest" $((5 * rounds))
for kind in sort fp text; do
	compare "$tmp/work_guest" $kind $rounds
done
QEMU_CPU=rv64,Zfh=true
export QEMU_CPU
compare "$tmp/half_guest" "${TRC_TEST_STEP:-10}"
"$(dirname "$0")/half.py" <"$tmp/ours" || status=1
exit $status
