#!/bin/sh
# SPDX-License-Identifier: MIT
# recorded.sh TRC PLUGIN COMPILER SORT FORKS: a program recorded in one line is what its log, split,
# gives: the same references of the same pages, of all that it starts, with its exit status. Skips
# without an emulator of this machine's processor.
trc=$1 plugin=$2 cc=$3 threads=$4 forks=$5
qemu=qemu-$(uname -m)
command -v "$qemu" >/dev/null || { echo "skipped: no $qemu"; exit 77; }
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
export LC_ALL=C
status=0

complain()
{
	echo "$*"
	status=1
}

# both NAME PROGRAM ARGUMENT...: the log split in NAME-hand, and recorded in NAME.
both()
{
	name=$1
	shift
	program=$(command -v "$1")
	shift
	"$qemu" -plugin "$plugin,out=$name" "$program" "$@" >"$name.out" || complain "$name: ends with $?"
	"$trc" split -q --kernel "$name.laplace-kernel" --to trc "$name.laplace" "$name-hand"
	"$trc" split --record "$name" -- "$program" "$@" >"$name.again" || complain "$name: recorded, ends with $?"
	whole "$name"
}

# rows FILE: types, addresses, sizes and pages of its references; its pid and what the emulator has
# mapped for itself differ from run to run.
rows()
{
	"$trc" decode --to csv "$1" | awk -F, '$1 != "event" { print $1, $2, $3, $8 }' | tail -n +2
}

# behind NAME: no reference or event is missing, or in another place, among all of its parts.
behind()
{
	"$trc" encode -q --to csv "$1" - | awk -F, -v name="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == "time") at = i; next }
		$1 == "event" || $at != last { if ($at != last + 1) exit bad = 1; last = $at }
		END { if (bad || NR < 1000) { print name ": behind time " last; exit 1 } }' ||
		complain "$1: is not whole"
}

# whole NAME: nor is a process.
whole()
{
	behind "$1"
	[ "$(ls "$1" | wc -l)" = "$(ls "$1-hand" | wc -l)" ] || complain "$1: other processes"
	[ "$(cat "$1"/*/*.trc | wc -c)" -gt 0 ] || complain "$1: nothing"
}

# The same for a program that does the same each time, row for row, as sort does not:
# what it asks of the machine differs.
i=0
while [ $i -lt 300 ]; do
	i=$((i + 1))
	echo "$((i * 7919 % 1009)) line $i"
done >in.txt
both alone uniq -c in.txt
cmp alone.out alone.again || complain "uniq says something else"
rows alone-hand/*/*.trc >hand
rows alone/*/*.trc >one
cmp hand one || complain "uniq: other rows"
[ "$(grep -c . one)" -gt 10000 ] || complain "uniq: few rows"
# One process of it is recorded by the faster of two, which says so.
"$trc" encode --record picked.trc -- uniq -c in.txt >alone.again 2>log || complain "one process: $(cat log)"
cmp alone.out alone.again || complain "one process says something else"
grep -qx 'recorded by qemu' log || complain "one process: by whom? $(cat log)"

# What starts others: a pipeline, threads, forks that end in every way.
both pipeline sh -c 'sort in.txt | uniq -c | tr a-z A-Z'
cmp pipeline.out pipeline.again || complain "the pipeline says something else"
[ "$(ls pipeline | wc -l)" -eq 4 ] || complain "the pipeline is not four processes"
if "$cc" -O1 -o many "$threads" -pthread; then
	both threads ./many
	[ "$(ls threads/* | grep -c trc)" -eq 5 ] || complain "threads: not five tasks"
	"$trc" encode --by qemu --record threads.trc -- ./many >many.out 2>log
	grep -q "^note: 'threads.trc' has 5 threads, which alternate; to record them all, each by itself:$" log ||
		complain "threads: $(cat log)"
fi
# More tasks than are written while they run.
"$cc" -O1 -o forks "$forks" && both forked ./forks

# An access of 16 or 32 bytes, which the emulator reports in parts of 8, was two or four; the two of
# cmps are of different places, even side by side.
if [ "$(uname -m)" = x86_64 ]; then
	cat >wide.c <<'END'
char a[64];
void _start(void)
{
	__asm__ volatile("movups (%0), %%xmm0; movups %%xmm0, 3(%0);"
		"vmovdqu (%0), %%ymm0; vmovdqu %%ymm0, 32(%0);"
		"lea 8(%0), %%rdi; mov %0, %%rsi; cmpsq;"
		"mov $231, %%eax; xor %%edi, %%edi; syscall" : : "b"(a) : "rax", "rdi", "rsi", "memory");
}
END
	"$cc" -nostdlib -static -o wide wide.c && "$qemu" -plugin "$plugin,out=wide" ./wide
	[ "$(awk '/^r/ || $3 > 8 { printf "%s %s;", $1, $3 }' wide.laplace)" = "r 10;w 10;r 20;w 20;r 8;r 8;" ] ||
		complain "wide: $(cat wide.laplace)"
fi

# Settings go for what is recorded; other ways to split are the same.
"$trc" split --record few --limit 5000 -- sort in.txt >few.out || complain "--limit: ends with $?"
"$trc" stat few | grep -q '^references  *5000$' || complain "--limit 5000: $("$trc" stat few)"
"$trc" split --record reads --only read -- sort in.txt >reads.out || complain "--only: ends with $?"
"$trc" split --record types --by type -- sort in.txt >types.out || complain "--by: ends with $?"
[ -e types/fetch.trc ] || complain "--by type: $(ls types)"
"$trc" split --record text --to merge -- sort in.txt >text.out || complain "--to: ends with $?"
ls text/*/*.merge >/dev/null || complain "--to merge: none"

# Its status is told, and what it did is there.
# ended STATUS PROGRAM ARGUMENT...
ended()
{
	want=$1
	shift
	rm -rf end
	"$trc" split --record end -- "$@" >end.out 2>end.err
	got=$?
	[ $got -eq "$want" ] || complain "$*: ends with $got, not $want: $(cat end.err)"
	[ -d end ] || complain "$*: nothing was recorded"
}
ended 7 sh -c 'exit 7'
ended 143 sh -c 'kill -TERM $$'
ended 137 sh -c 'sort in.txt | uniq -c | tail -n 1; kill -KILL $$'
grep -q 'signal 9 ended' end.err || complain "the signal is not told: $(cat end.err)"
# A child that is killed while it writes, and the others go on.
ended 0 sh -c 'yes >/dev/null & sleep 0.3; kill -KILL $!; wait; sort in.txt'
sort in.txt | cmp - end.out || complain "the others do not go on"
mv end killed
mkdir -p killed-hand/sh killed-hand/yes killed-hand/sleep killed-hand/sort
whole killed

# What a program did last is there, though nothing of it ran when it was killed.
cat >mark.c <<'END'
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static volatile long mark;

int
main(void)
{
	printf("%lx\n", (unsigned long)&mark);
	fflush(stdout);
	mark = 1;
	return kill(getpid(), SIGKILL);
}
END
if "$cc" -O1 -o mark mark.c; then
	ended 137 ./mark
	rows end/*/*.trc | grep -q "^write 0x$(cat end.out) " || complain "mark: not stored to"
fi

# One trace, by the emulator where there is no valgrind: the references that its log has.
mkdir bin
for name in "$qemu" uniq sh sleep; do
	ln -s "$(command -v "$name")" bin
done
# alone ARGUMENT...: trc there.
alone()
{
	timeout 60 env "PATH=$PWD/bin" "$trc" encode -q "$@" -- uniq -c in.txt >one.out || complain "encode $*: ends with $?"
	cmp alone.out one.out || complain "encode $*: uniq says something else"
}
alone --record alone.trc
env "PATH=$PWD/bin" "$qemu" -plugin "$plugin,out=hand" "$PWD/bin/uniq" -c in.txt >hand.out
# Types, sizes, addresses: of one process, the times and its space are left out.
rows='decode --fill time=rtime,asid=1 --to laplace'
"$trc" $rows alone.trc 2>/dev/null | cut -d ' ' -f 1,3,5 >one
cut -d ' ' -f 1,3,5 hand.laplace >hand
cmp hand one || complain "encode: other rows"
for some in '--limit 5' '--skip 3 --limit 2'; do
	alone --force $some --record some.trc
	"$trc" $rows some.trc 2>/dev/null | tail -n 2 >one
	"$trc" $rows alone.trc 2>/dev/null | sed -n 4,5p | cut -d ' ' -f 1,3,5 >hand
	cut -d ' ' -f 1,3,5 one | cmp - hand || complain "encode $some: $(cat one)"
done
# One process of several, without what it forks, with what it executes.
# count NAME COMMAND: how many records of it there are.
count()
{
	timeout 60 env "PATH=$PWD/bin" "$trc" encode --record "$1" -- sh -c "$2" >one.out 2>one.err ||
		complain "encode of '$2': ends with $?"
	got=$("$trc" stat "$1" | sed -n 's/^records *//p')
}
count shell.trc :
shell=$got
count forked.trc '(i=0; while [ $i -lt 9999 ]; do i=$((i + 1)); done); :'
[ "$got" -lt $((shell + 100000)) ] || complain "encode: of $got records, $shell are the shell's"
grep -q 'not its child processes; to' one.err || complain "encode, forked: $(cat one.err)"
count exec.trc 'uniq in.txt; exec uniq -c in.txt'
cmp alone.out one.out >/dev/null && complain "encode, exec: one uniq"
[ "$got" -gt $((shell + 50000)) ] || complain "encode, exec: $got records, $shell of the shell alone"
grep -q 'not its child processes (uniq); to' one.err || complain "encode, exec: $(cat one.err)"

# Ctrl-C goes to all that are in the foreground: the program and what it started end, and what they
# did until then is there, in traces that are sound.
# So do jobs in the background, which ignore it and go on by themselves, as they are recorded no more.
# interrupt NAME COMMAND...: so, for a trc that records into NAME.
interrupt()
{
	rm -f ready group
	setsid sh -c 'echo $$ >group; shift; exec "$@"' sh "$@" >interrupted.out 2>interrupted.err &
	while [ ! -e ready ]; do
		sleep 0.1
	done
	kill -INT "-$(cat group)"
	wait $!
	got=$?
	[ $got -eq 130 ] || complain "$1: Ctrl-C: ends with $got: $(cat interrupted.err)"
	grep -q "signal 2 ended the program; '$1' has its trace up to then" interrupted.err ||
		complain "$1: Ctrl-C: $(cat interrupted.err)"
	"$trc" stat --check "$1" >interrupted.out || complain "$1: Ctrl-C: $(cat interrupted.out)"
	[ -z "$(find . -name '*part-*')" ] || complain "Ctrl-C: leaves $(find . -name '*part-*')"
}
busy='echo >ready; while :; do :; done'
interrupt busy "$trc" split --record busy -- sh -c "$busy"
behind busy
sleep 0.1
kill -0 "-$(cat group)" 2>left.err && complain "Ctrl-C: not all ended"
interrupt lines "$trc" split --record lines -- sh -c "sleep 4 | cat & $busy"
behind lines
[ "$(ls lines | wc -l)" -eq 3 ] || complain "Ctrl-C: processes: $(ls lines)"

# A program recorded, split and plotted with two commands.
"$trc" stat --mrc --plot curves.svg pipeline/*/*.trc >curves || complain "--plot: ends with $?"
[ "$(grep -c ' - ' curves)" -eq 4 ] || complain "--plot: $(cat curves)"
grep -q '</svg>' curves.svg || complain "--plot: no picture"

# What cannot be recorded leaves nothing.
echo 'no program' >broken
chmod +x broken
"$trc" split --record none -- ./broken 2>none.err && complain "broken: recorded"
grep -q 'nothing was recorded; the recorder exited with status' none.err || complain "broken: $(cat none.err)"
[ -z "$(ls -d none* | grep -v none.err)" ] || complain "broken: left $(ls -d none*)"

exit $status
