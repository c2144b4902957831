#!/bin/sh
# SPDX-License-Identifier: MIT
#
# crashes.sh TRC PLUGIN SOURCE: a program that crashes, or is ended from outside, leaves a trace up
# to its last instruction, with the signal behind it; the trace is proved, and trc ends with the
# status that the program has by itself. Skips without a compiler for riscv64 or the emulator.
set -u

trc=$1 plugin=$2 cc=riscv64-linux-gnu-gcc
command -v $cc >/dev/null && command -v qemu-riscv64 >/dev/null ||
	{ echo "skipped: no $cc, or no qemu-riscv64"; exit 77; }
[ "$(dirname "$trc")" = "$(dirname "$plugin")" ] || { echo "skipped: the plugin is not beside trc"; exit 77; }
. "$(dirname "$0")/begin.sh"
$cc -O2 -static -o "$tmp/crash" "$3" || { echo "skipped: $cc cannot link statically"; exit 77; }
cd "$tmp" || exit 99

# proved HOW SIGNAL: what was recorded is, and so is the package; the signal is its last event.
proved()
{
	"$trc" replay --strict x.bus 2>log || fail "$1: $(cat log)"
	grep -q "signal $2, which ended the program" log || fail "$1: without the signal: $(cat log)"
	"$trc" replay prune -q --force x.bus x.pkg && "$trc" replay run --json x.pkg >json 2>log ||
		fail "$1: pruned: $(cat log)"
	grep -q "\"ended_by_signal\": $2," json || fail "$1: the package lacks the signal: $(cat json)"
	rm -f x.bus
	echo "$1: proved"
}

while read -r how signal; do
	"$trc" replay record -q --machine user -o x.bus -- ./crash "$how" 2>log
	[ $? -eq $((128 + signal)) ] || fail "$how: ended otherwise: $(cat log)"
	grep -q "ended the program; 'x.bus' has its trace up to then" log || fail "$how: $(cat log)"
	proved "$how" "$signal"
done <<'END'
null 11
call 11
write 11
abort 6
kill 9
stack 11
trap 5
illegal 4
register 4
rounding 4
END

mkfifo never
# What is killed from outside has no registers any more; all else is compared.
for how in spin read spin read; do
	: >ready
	"$trc" replay record -q --machine user -o x.bus -- ./crash $how 0<>never >ready 2>log & recorder=$!
	until [ -s ready ]; do sleep 0.05; done
	kill -KILL "$(pgrep -P $recorder)"
	wait $recorder
	[ $? -eq 137 ] || fail "$how, killed: ended otherwise: $(cat log)"
	"$trc" replay x.bus 2>log || fail "$how, killed: $(cat log)"
	grep -q "signal 9, which ended the program" log || fail "$how, killed: without the signal: $(cat log)"
	grep -qx "not compared: x registers at the end, f registers at the end, fcsr at the end" log ||
		fail "$how, killed: $(cat log)"
	rm x.bus
done

# The last row is the instruction that trapped, which loads nothing.
"$trc" replay record -q --machine user -o x.bus -- ./crash null 2>log
"$trc" replay -q --to csv x.bus | tail -n 1 >last
grep -q '^fetch,' last || fail "null: the last row is $(cat last)"
rm x.bus

"$trc" replay record -q --machine user -o x.bus -- ./crash 2>log
[ $? -eq 7 ] || fail "exit: ended otherwise: $(cat log)"
"$trc" replay -q --strict x.bus || fail "exit: not proved"
rm x.bus

# As 'trc help recording' has it.
"$trc" replay record -q --machine user -o x.bus -- ./crash null 2>log
"$trc" replay -q --strict --to champsim x.bus x.champsim 2>log || fail "for ChampSim: $(cat log)"
rm x.bus

# Text has the same records, with hashes.
qemu-riscv64 -plugin "$plugin,text=on,out=x.txt" ./crash 2>log
grep -q '^H' x.txt && "$trc" replay -q --strict x.txt || fail "text: not proved"

# Who starts the test may ignore signals, as nohup does.
env --default-signal=HUP true 2>/dev/null || { echo "skipped: env without --default-signal"; exit 77; }
for how in spin read; do
	for signal in TERM HUP ALRM; do
		: >ready
		sleep 60 >never & sleeper=$!
		env --default-signal=TERM,HUP,ALRM qemu-riscv64 -plugin "$plugin,out=x.bus" ./crash $how <never >ready 2>log &
		until [ -s ready ]; do sleep 0.05; done
		kill -$signal $!
		wait $! 2>/dev/null
		status=$?
		kill $sleeper
		wait $sleeper 2>/dev/null
		[ -e x.bus ] || fail "$how, $signal: nothing left: $(cat log)"
		proved "$how, ended from outside" $((status - 128))
	done
done
