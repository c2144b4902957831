#!/bin/sh
# SPDX-License-Identifier: MIT
# A release begins where nobody knows, and no table of it can be written once it runs; its stack is no
# program, and functions notice when it was written over. WHAT are the words of what this compiler
# has: pie, relro, now, stack, fortify. usage: hardened.sh READELF BINARY WHAT...
readelf=$1 binary=$2
shift 2
elf=$("$readelf" -hldsW "$binary") || exit 1

has()
{
	echo "$elf" | grep -Eq "$1"
}

bad=0
for what in noexec "$@"; do
	case $what in
	pie) has 'Type: +DYN' && has 'FLAGS_1.* PIE' ;;
	relro) has 'GNU_RELRO' ;;
	now) has 'BIND_NOW|FLAGS_1.* NOW' ;;
	noexec) has 'GNU_STACK .* RW +0x' ;;
	stack) has '__stack_chk_fail' ;;
	fortify) has '__[a-z]+_chk' ;;
	esac || { echo "$binary: not hardened: $what"; bad=1; }
done
exit $bad
