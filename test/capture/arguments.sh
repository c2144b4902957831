#!/bin/sh
# SPDX-License-Identifier: MIT
#
# arguments.sh BUS MACHINE SYSTEM: what each plugin says to arguments that it does not take. A turn of
# '5x', 'many' or 70000 was a turn of 5, or as long as without the argument. Skips without the emulators.
set -u

bus=$1 machine=$2 system=$3
for tool in qemu-riscv64 qemu-x86_64; do
	command -v $tool >/dev/null || { echo "skipped: no $tool"; exit 77; }
done
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 99

fail()
{
	echo "$*"
	exit 1
}

# refused ARGUMENTS MESSAGE EMULATOR...: it ends with this message, and writes nothing.
refused()
{
	arguments=$1 message=$2 emulator=$3
	shift 3
	"$emulator" -plugin "$plugin,$arguments" "$@" >log 2>&1 </dev/null && fail "$arguments: taken"
	grep -qF "$message" log || fail "$arguments: $(cat log)"
	rm log
	[ -z "$(ls)" ] || fail "$arguments: left $(ls)"
}

plugin=$bus
for turn in 5x many -1 0 '' 70000 99999999999999999999; do
	refused "out=x,turn=$turn" "trc-bus: 'turn=$turn' is not a number from 1 to 32767" qemu-riscv64 /bin/true
done
refused out=x,parent=me "trc-bus: 'parent=me' is not a number" qemu-riscv64 /bin/true
refused out=x,text=yes "trc-bus: 'text=yes' is neither on nor off" qemu-riscv64 /bin/true
refused out=x,turns=5 "trc-bus: 'turns=5' is not an argument of this plugin; it takes out=FILE, text=on|off, turn=N" \
	qemu-riscv64 /bin/true

plugin=$system
refused out=x,limit=1k "trc-system: 'limit=1k' is not a number" qemu-x86_64 /bin/true
refused out=x,word=on "trc-system: 'word=on' is not an argument" qemu-x86_64 /bin/true
refused out=x,pipe=1 "trc-system: 'pipe=1' is neither on nor off" qemu-x86_64 /bin/true

command -v qemu-system-riscv64 >/dev/null || exit 0
plugin=$machine
refused out=x,turn=5x "trc-machine: 'turn=5x' is not a number from 1 to 4294967295" \
	qemu-system-riscv64 -M virt -display none -singlestep
refused out=x,txt=on "trc-machine: 'txt=on' is not an argument of this plugin; it takes out=FILE" \
	qemu-system-riscv64 -M virt -display none -singlestep
