#!/bin/sh
# SPDX-License-Identifier: MIT
# functions.sh TRC SOURCE GUEST COMPILER...: a program that is recorded in one line has its functions,
# those of its libraries, its words, branches and registers, for this processor and others. So have the
# processes of a split.
trc=$1 source=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" && tmp=$(pwd -P) || exit 1
export LC_ALL=C
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
status=0 tried=0
while [ $# -gt 1 ]; do
	guest=$1 cc=$2 isa=${1%64}
	shift 2
	command -v "$cc" >/dev/null && command -v "qemu-$guest" >/dev/null || continue
	mkdir "$guest"
	"$cc" -O1 -shared -fPIC -DSHARED=early -o "$guest/libearly.so" "$source" &&
		"$cc" -O1 -shared -fPIC -DSHARED=late -o "$guest/liblate.so" "$source" &&
		"$cc" -O1 -fPIE -pie -o "$guest/program" "$source" -L"$guest" -learly -ldl \
			"-Wl,-rpath,$tmp/$guest" 2>log || { echo "$cc compiles nothing"; continue; }
	tried=$((tried + 1))
	case $guest in aarch64) isa=aarch64 ;; x86_64) isa=x86 ;; esac
	[ "$guest" = "$(uname -m)" ] || export "QEMU_LD_PREFIX=/usr/${cc%-gcc}"
	set -- "$guest/program" "$tmp/$guest/liblate.so" "$@"
	"$trc" encode -q --by qemu --annotate "$isa" --record "$guest.trc" -- "$1" "$2" >out 2>log ||
		{ cat log; grep -q 'without Zydis' log || status=1; }
	"$trc" encode -q --by qemu --for champsim --record "$guest.champsim" -- "$1" "$2" >>out 2>log ||
		{ cat log; status=1; }
	shift 2
	unset QEMU_LD_PREFIX
	[ -e "$guest.trc" ] || continue
	[ "$(tr '\n' ' ' <out)" = '0 0 ' ] || { echo "$guest says $(cat out)"; status=1; }
	python3 "$here/functions.py" "$trc" "$guest.trc" "$guest.champsim" "$tmp/$guest/program" \
		"$tmp/$guest/libearly.so" "$tmp/$guest/liblate.so" || { echo "above: $guest"; status=1; }
done
# A file for each process, also of what was translated before a fork: few are without registers.
cat >registers.py <<'END'
import sys
for path in sys.argv[1:]:
    b = open(path, "rb").read()
    none = sum(not any(b[i + 10:i + 16]) for i in range(0, len(b), 64))
    if none * 64 > len(b) / 10 or len(b) < 64000:
        print(path, len(b) // 64, "records,", none, "without registers")
END
native=$(uname -m)
if [ -e "$native.trc" ]; then
	"$trc" split -q --for champsim --record parts -- sh -c '("$0" "$1"; exit 0); exit 0' \
		"$native/program" "$tmp/$native/liblate.so" >out || { echo "split: ends with $?"; status=1; }
	[ "$(ls parts/* | grep -c champsim)" -ge 2 ] || { ls parts/*; status=1; }
	python3 registers.py parts/*/* >out
	[ ! -s out ] || { cat out; status=1; }
	# The parts know their functions: of a child that a shell forked, and that executed the program,
	# as many fetches as if it were recorded alone.
	"$trc" split -q --record processes -- sh -c '"$0" "$1"; exit 0' \
		"$native/program" "$tmp/$native/liblate.so" >out || { echo "split: ends with $?"; status=1; }
	functions() { "$trc" stat -q --csv --top functions --rows 100000 "$1" |
		grep -E ',(main|by_value|early|late)$' | sort; }
	functions "$native.trc" >alone
	[ "$(wc -l <alone)" = 4 ] || { cat alone; status=1; }
	for f in processes/*/*; do functions "$f"; done | sort | cmp - alone || status=1
	"$trc" encode -q processes joined.trc
	functions joined.trc | cmp - alone || status=1
fi
# Threads of one process take turns in its trace: the path of each is its own, so that no instruction
# that is none is a branch. Without their numbers, a container gives none by the path.
cat >threads.c <<'END'
#include <pthread.h>
#include <stdlib.h>
static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void *work(void *of)
{
	static int v[3][2000];
	int *own = v[(long)of];
	for (int i = 0; i < 2000; i++)
		own[i] = i * 7919 % 2003;
	qsort(own, 2000, sizeof(*own), by_value);
	return NULL;
}
int main(void)
{
	pthread_t t[3];
	for (long i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, work, (void *)i);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
END
cat >branches.py <<'END'
import csv, sys
rows = [[r for r in csv.DictReader(open(p)) if r["type"] == "fetch"] for p in sys.argv[1:3]]
known, found = ({(r["addr"], r["branch"] != "0") for r in x} for x in rows)
wrong = {a for a, is_one in found if is_one and (a, False) in known and (a, True) not in known}
if wrong or len(found) < 1000:
    print(len(wrong), "branches by the path are none by their words, such as", sorted(wrong)[:3])
END
if [ -e x86_64.trc ] && [ "$native" = x86_64 ]; then
	x86_64-linux-gnu-gcc -O1 -pthread -o threads threads.c
	for how in --annotate=x86 --fill=branch=path; do
		"$trc" encode -q --by qemu "$how" --drop insn,regs --record "$how.csv" -- ./threads || status=1
	done
	python3 branches.py ./--annotate=x86.csv ./--fill=branch=path.csv >out
	[ ! -s out ] || { cat out; status=1; }
	"$trc" encode -q --by qemu --record threads.trc -- ./threads || status=1
	"$trc" decode -q --to csv --fill branch=path threads.trc 2>&1 | grep -q 'without their numbers' || status=1
	# What a limit in instructions leaves, of all threads.
	"$trc" split -q --limit 2000i --record few -- ./threads || status=1
	[ "$("$trc" encode -q few/*/* - --to csv | grep -c ^fetch)" = 2000 ] || status=1
	"$trc" split -q --for dynamorio --record memtraces -- ./threads || status=1
	[ "$(ls memtraces/*/*.memtrace | wc -l)" = 4 ] || status=1
fi
# An instruction of AVX-512 in the program itself is named; ud2 is the program's own signal.
if [ -e x86_64.trc ] && [ "$native" = x86_64 ]; then
	for bytes in 0x62,0xf1,0x7d,0x48,0xef,0xc0 0x0f,0x0b; do
		echo "int main(void) { __asm__(\".byte $bytes\"); return 0; }" >own.c
		x86_64-linux-gnu-gcc -o own own.c
		"$trc" encode -q --force --by qemu --record own.trc -- ./own 2>&1
		[ $? = 132 ] || status=1
	done >out
	[ "$(grep -c "AVX-512 (62 f1 7d 48 ef c0 .* of '$tmp/own')" out)" = 1 ] &&
		[ "$(grep -c 'signal 4 ended the program' out)" = 1 ] || { cat out; status=1; }
fi
[ $tried -gt 0 ] || { echo "skipped: no compiler and emulator of the same processor"; exit 77; }
exit $status
