# SPDX-License-Identifier: MIT
# A program recorded in one line: by a valgrind that is none here, so that each run is the same. Its
# streams are its own, its status is that of trc, and nothing is half-written.
mkdir fake
cat >fake/valgrind <<'END'
#!/bin/sh
while [ "${1#--}" != "$1" ]; do
	log=${1#--log-file=}
	shift
done
exec 9>"$log"
[ "${NONE:-}" ] && { echo '==1== Lackey' >&9; exit "$NONE"; }
printf '==1== Lackey\nI  04001234,3\n L 1ffeffe7e0,8\n' >&9
[ "${BAD:-}" ] && echo 'no line of lackey' >&9
[ "${VEX:-}" ] && printf 'vex amd64->IR: unhandled instruction bytes: 0x%s 0xF2\nvex amd64->IR:   REX=0\n' "$VEX" >&9 &&
	[ -z "${CRASH:-}" ] && exit 132
[ "${CRASH:-}" ] && printf 'Lackey: lk_main.c:529 (f): Assertion '"'a == b'"' failed.\n\nhost stacktrace:\n' >&9 && exit 1
[ "${MANY:-}" ] && yes ' L 1ffeffe7e0,8' | head -n 200000 >&9
"$@" 9>&-
status=$?
printf ' S 1ffeffe7e8,8\n' >&9
exit $status
END
chmod +x fake/valgrind
PATH=$PWD/fake:$PATH
# This trc has no plugin beside it, and so no other recorder, though one may be built.
mkdir alone
cp "$TRC" alone/trc
PATH=$PWD/alone:$PATH TRC=$PWD/alone/trc
echo 'to the program' | try trc encode -q --record a.trc -- tr a-z A-Z
try trc decode a.trc
try trc encode --record b.trc -- sh -c 'echo out; echo err >&2; exit 7'
trc decode b.trc | wc -l
try trc encode -q --record c.trc -- sh -c 'kill -INT $$'
# An instruction that valgrind does not know, as of AVX-512: it names that in lines of its own, and its
# tool may give up. A program that raises SIGILL itself, as by ud2, was said to have AVX-512.
VEX=62 try trc encode -q --record vex.trc -- true
try trc decode vex.trc
VEX=62 CRASH=1 try trc encode -q --force --record vex.trc -- true
try trc decode vex.trc
VEX=C5 try trc encode -q --force --record vex.trc -- true
CRASH=1 try trc encode -q --force --record vex.trc -- true
try trc encode -q --force --record vex.trc -- sh -c 'exit 132'
# A folder that the program is given is not an input, even if the output is in it; and / takes minutes to list.
try trc encode -q --force --record c.trc -- true .
# Another format, with what it cannot hold; then nothing is left, and the program is ended.
MANY=1 try trc encode --record d.din -- sleep 30
try trc encode -q --record d.din --drop size -- true
cat d.din
# Records that nobody wants are more than a pipe holds, and the program does not wait for ever.
MANY=1 try trc encode -q --limit 2 --record few.trc -- echo goes on
try trc decode few.trc
# What is refused before anything runs.
try trc encode --record a.trc -- touch ran
try trc encode --record e.trc
try trc encode --record e.trc -- no-such-program
# As a shell has it: 127 for what is not there, 126 for what cannot be run; 125 is trc's own.
try trc encode --record e.trc -- ./no-such-program
try trc encode --record e.trc -- 'ls | sort'
try trc encode --record e.trc -- ./a.trc
try trc encode --record e.trc -- ./fake
printf '\177ELF\002\001\001\0\0\0\0\0\0\0\0\0\002\0\377\177' >foreign
printf '#!/bin/sh\n' >script
chmod +x foreign script
try trc encode --record e.trc -- ./foreign
try trc encode --by qemu --record e.trc -- ./script
rm foreign script
try trc encode --record - -- touch ran
try trc encode --record touch.nothing -- touch ran
try trc split --kernel k --record parts -- touch ran
BAD=1 try trc encode --record bad.trc -- true
NONE=126 try trc encode --record none.trc -- true
NONE=0 try trc encode --record none.trc -- true
feed=
stop TERM 'test -e ready' trc encode --record stopped.trc -- sh -c 'touch ready; exec sleep 30'
# As help says: SIGINT and SIGQUIT are left to the program, which goes on if it alone did not get them.
trc help encode | tr '\n' ' ' | grep -o 'SIGINT and SIGQUIT, .* trc ignores them'
stop 'INT QUIT' 'test -e goes' trc encode -q --record ignored.trc -- sh -c 'touch goes; sleep 1; echo done'
trc decode ignored.trc | wc -l
rm ignored.trc goes
# Without the plugin, or a tracer, what to install.
mkdir lone
cp "$TRC" lone/trc
qemu=qemu-$(uname -m)
printf '#!/bin/sh\n' >"fake/$qemu"
chmod +x "fake/$qemu"
lone/trc split --record e -- true 2>&1 | sed 's/ in .*;/ in FOLDER;/'
rm -r lone "fake/$qemu"
PATH=$(dirname "$TRC"):/nothing

trc encode --record e.trc -- /bin/true 2>&1 | /usr/bin/cut -d , -f 1
trc split --record e -- /bin/true 2>&1 | /usr/bin/sed "s/$qemu/qemu/"
/bin/ls
# A program for another processor needs its emulator.
printf '\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\2\0\267\0' >arm
/bin/chmod +x arm
trc encode --record e.trc -- ./arm
trc encode --by valgrind --record e.trc -- ./arm 2>&1 | /usr/bin/cut -d , -f 1
