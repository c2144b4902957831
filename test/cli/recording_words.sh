# SPDX-License-Identifier: MIT
# A program recorded for ChampSim: valgrind's lackey has no instruction words, but names the files that
# are executed, and where they are from which record on. By a valgrind that is none here.
needs python3
python3 - <<'END'
import struct


def elf(name, code):
    """A file whose code is at 0x1000."""
    head = b'\x7fELF\2\1\1' + bytes(9) + struct.pack('<HHIQQQIHHHHHH', 3, 62, 1, 0, 64, 0, 0, 64, 56, 1, 0, 0, 0)
    load = struct.pack('<IIQQQQQQ', 1, 5, 120, 0x1000, 0x1000, len(code), len(code), 4096)
    with open(name, 'wb') as f:
        f.write(head + load + code)


elf('one', bytes.fromhex('55 4889e5 4839c8 75fb c3'))          # push, mov, cmp, jnz, ret
elf('two', bytes.fromhex('90 4839c8 ffe0'))                     # nop, cmp, jmp
END
mkdir fake
cat >fake/valgrind <<'END'
#!/bin/sh
while [ "${1#-}" != "$1" ]; do
	case $1 in
	--log-file=*) log=${1#--log-file=} ;;
	--trace-redir=yes) words=yes ;;
	esac
	shift
done
exec 9>"$log"
[ "${threads:-}" ] && {
	# Valgrind gives the number of a thread that ended to another one.
	for turn in '1 starting 401000' '2 starting 501000' '1 yield 401002' '2 yield 501002' '2 starting 601000' '1 yield 401004'; do
		set -- $turn
		why="VG_($2)"
		[ $2 = starting ] && why='thread_wrapper(starting new thread)'
		printf '%s\n' "--1--   SCHED[$1]:  acquired lock ($why)" "I  00$3,2" \
			"--1--   SCHED[$1]: releasing lock ($why) -> VgTs_Yielding" 'SCHEDSETJMP(line 1211) tid 1, jumped=5' >&9
	done
	exit
}
[ "${words:-}" ] || { printf '==1== Lackey\nI  00401000,1\n' >&9; exit; }
printf '%s\n' >&9 "==1== Lackey, an example Valgrind tool
--1-- Arch and hwcaps: AMD64, LittleEndian, amd64
--1-- Reading syms from $PWD/one
--1--    svma 0x0000001000, avma 0x0000401000
I  00401000,1
 S 1ffeffe7e0,8
I  00401001,3
I  00401004,3
I  00401007,2
I  00401004,3
I  00401007,2
I  00401009,1
 L 1ffeffe7e0,8
--1-- Reading syms from $PWD/no-such-file
--1--    svma 0x0000001000, avma 0x0000501000
I  00501000,2
--1-- Discarding syms at 0x401000-0x40100a in $PWD/one (have_dinfo 1)
I  00401000,1
--1-- Reading syms from $PWD/two
--1--    svma 0x0000001000, avma 0x0000401000
I  00401000,1
I  00401001,3
I  00401004,2
I  00401000,3"
END
chmod +x fake/valgrind
PATH=$PWD/fake:$PATH
try trc encode --by valgrind --record a.champsim --for champsim -- true
trc encode --by valgrind --annotate x86 --record b.trc -- true 2>&1 | grep -q 'built without' &&
	{ echo "skipped: built without Zydis"; exit 77; }
try trc decode b.trc
# DynamoRIO decodes the targets of direct branches, and returns were among them.
try trc encode --by valgrind --record e.memtrace --for dynamorio -- true
trc decode -q --to csv --only fetch --drop asid,task,pc,time,event e.memtrace 2>&1
try trc encode -q --by valgrind --annotate x86 --skip 6 --only fetch --record c.trc -- true
try trc decode --limit 2 c.trc
# Without them, as ever.
try trc encode -q --by valgrind --record d.lackey -- true
try trc decode d.lackey
# The path is that of each thread. Each switch had made a branch of the instruction before it.
export threads=3
try trc encode -q --by valgrind --fill branch=path --record threads.csv -- true
cut -d , -f 1-4 threads.csv
trc encode -q --by valgrind --record threads.trc -- true && trc stat threads.trc | grep '^threads'
try trc encode -q --fill branch=path threads.trc none.csv
