#!/bin/sh
# SPDX-License-Identifier: MIT
#
# user.sh TRC PLUGIN SOURCE...: builds static programs for riscv64, records them under qemu-riscv64
# with the plugin, and replays: everything must be verified, before and after pruning. Skips without
# a compiler for riscv64 or the emulator.
set -u

trc=$1 plugin=$2 cc=riscv64-linux-gnu-gcc
shift 2
command -v $cc >/dev/null && command -v qemu-riscv64 >/dev/null ||
	{ echo "skipped: no $cc, or no qemu-riscv64"; exit 77; }
. "$(dirname "$0")/begin.sh"

for source; do
	name=$(basename "$source" .c) march=
	[ "$name" != bits_guest ] || march=-march=rv64gc_zba_zbb_zbc_zbs
	# shellcheck disable=SC2086 # no word where there is none
	$cc -O2 -static $march -o "$tmp/$name" "$source" -lm ||
		{ echo "skipped: $cc cannot link statically"; exit 77; }
done
cd "$tmp" || exit 99

# record WANT PROGRAM ARGUMENT...: what it prints must be what it prints unrecorded.
record()
{
	want=$1
	shift
	qemu-riscv64 "$@" >theirs 2>/dev/null
	rm -f x.bus
	qemu-riscv64 -plugin "$plugin,out=x.bus" "$@" >ours 2>log
	[ $? -eq "$want" ] || fail "$*: ended otherwise: $(cat log)"
	cmp -s theirs ours || fail "$*: printed something else: $(cat ours)"
}

verify()
{
	"$trc" replay x.bus 2>log || fail "$*: $(cat log)"
	grep -q '^L3 .* 64 registers, all of memory' log || fail "$*: $(cat log)"
	grep -q '^proved: ' log || fail "$*: $(cat log)"
	"$trc" replay extract -q x.bus --force x.pkg && "$trc" replay prune -q --force x.pkg y.pkg &&
		"$trc" replay run -q --to hash x.pkg >a.hash &&
		"$trc" replay run -q --to hash y.pkg >b.hash &&
		cmp a.hash b.hash || fail "$*: pruning changed the trace"
	echo "$*: verified"
}

record 0 ./signals
verify signals
record 0 ./shared
verify "atomics in a program that shares memory"
record 3 ./processes
verify processes
# What another process writes while the program reads it was noted as it was a moment later. A first
# load to the register that has its address was repeated from another address.
for i in 1 2 3 4 5 6 7 8; do
	for how in mapping segment reader; do
		record 0 ./poll $how
		"$trc" replay -q --strict x.bus 2>log || fail "poll $how, recording $i: $(cat log)"
	done
done
verify "what another process writes"
record 0 ./processes exec /bin/echo done
verify "a program up to the one that it executes"
for kind in sort fp text; do
	record 0 ./work_guest $kind 300
	verify "$kind"
done

# Where the stack lies depends on the environment, and so what stands beside what the kernel writes.
for room in 0 3 5 8 13 17 40 123; do
	ROOM=$(printf "%${room}s" '')
	export ROOM
	for program in ./signals ./shared './processes log' './work_guest sort 40' './work_guest fp 40' \
		'./work_guest text 40'; do
		# shellcheck disable=SC2086 # words
		qemu-riscv64 -plugin "$plugin,out=x.bus" $program >ours 2>/dev/null
		"$trc" replay prune -q --force x.bus y.pkg 2>log ||
			fail "$program, $room more bytes of environment: pruning: $(cat log)"
		rm -f x.bus
	done
done
echo "pruned in eight environments"

[ "$(dirname "$trc")" = "$(dirname "$plugin")" ] && {
	"$trc" replay record --machine user -o ours.bus -- ./processes >ours 2>log
	[ $? -eq 3 ] || fail "record --machine user: not the program's status: $(cat log)"
	grep -q "one process, not its child processes" log || fail "record --machine user: forks unsaid: $(cat log)"
	"$trc" replay -q ours.bus || fail "record --machine user: $(cat log)"
	"$trc" replay record --machine user -o fine.bus -- ./signals >ours 2>log ||
		fail "record --machine user of what ends with 0: $(cat log)"
	# What the program is told of a processor is nothing to the emulator.
	"$trc" replay record -q --machine user -o told.bus -- ./bits_guest 20 -cpu sifive-u54 >ours 2>log &&
		"$trc" replay -q told.bus || fail "record --machine user of -cpu: $(cat log)"
	# Why nothing could be recorded.
	"$trc" replay record --machine user -o none.bus -- ./missing >ours 2>log
	[ $? -eq 127 ] || fail "a missing program: not 127"
	grep -q "cannot run './missing': No such file" log || fail "a missing program: $(cat log)"
	printf '#!/bin/sh\n' >script
	"$trc" replay record --machine user -o none.bus -- ./script >ours 2>log
	[ $? -eq 126 ] || fail "what is not executable: not 126"
	grep -q "cannot run './script': Permission denied" log || fail "what is not executable: $(cat log)"
	chmod +x script
	"$trc" replay record --machine user -o none.bus -- ./script >ours 2>log
	[ $? -eq 126 ] || fail "a script: not 126"
	grep -q "'./script' is a script" log || fail "a script: $(cat log)"
	"$trc" replay record --machine user -o none.bus -- "$trc" >ours 2>log && fail "another machine"
	grep -q "not a program for riscv64" log || fail "another machine: $(cat log)"
	# The emulator ends with 255, which was called signal 0.
	cp signals other && printf '\377' | dd of=other bs=1 seek=16 conv=notrunc 2>/dev/null
	"$trc" replay record --machine user -o none.bus -- ./other >ours 2>log
	[ $? -eq 125 ] || fail "what the emulator cannot load: not 125"
	grep -q "'./other' was not recorded; qemu-riscv64 exited with status" log || fail "what cannot be loaded: $(cat log)"
	# The emulator ends with trc, though its program ignores what ends trc.
	for signal in TERM KILL; do
		: >pid
		"$trc" replay record -q --machine user -o left.bus -- ./processes wait >pid 2>log &
		until [ -s pid ]; do sleep 0.1; done
		kill -$signal $!
		wait $! 2>/dev/null
		while kill -0 "$(cat pid)" 2>/dev/null; do sleep 0.1; done
		[ $signal = KILL ] || [ -z "$(ls left.bus* 2>/dev/null)" ] ||
			fail "record --machine user left a file at a signal"
	done
}
# What compilers make of -march=rv64gc_zba_zbb_zbc_zbs was refused, though QEMU has it by default.
record 0 ./bits_guest 50
verify "bit manipulation"
record 0 ./processes beyond
verify "an instruction of zba"
QEMU_CPU=rv64,Zfh=true
export QEMU_CPU
record 0 ./processes half
verify "an instruction of zfh"
QEMU_CPU=rv64,v=true
export QEMU_CPU
# A register of v was recorded, and refused by replay.
for what in vector vlenb; do
	qemu-riscv64 -plugin "$plugin,out=beyond.bus" ./processes $what >out 2>log && fail "$what was recorded"
	grep -q 'extension v.*-cpu rv64,v=false' log || fail "$what: $(cat log)"
	[ -z "$(ls beyond.bus* 2>/dev/null)" ] || fail "$what left a file"
done
QEMU_CPU=rv64,zba=false
export QEMU_CPU
record 0 ./processes beyond
verify "an instruction that the processor lacks"
head -c 300 x.bus | grep -qa 'isa rv64imafdc_zbb_zbc_zbs' || fail "what the processor lacks is not in the head"
unset QEMU_CPU
