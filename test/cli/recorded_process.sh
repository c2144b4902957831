# SPDX-License-Identifier: MIT
# A recording has one process, by valgrind itself: what that becomes by exec is in it, what it starts is
# not, but is named, and runs as it would without. Parent and child were one address space before, and
# what came after exec was lost.
valgrind --tool=lackey true >/dev/null 2>&1 || {
	echo "no valgrind here"
	exit 77
}
mkdir tmp alone
cp "$TRC" alone/trc # without the plugin of another recorder beside it
PATH=$PWD/alone:$PATH
export TMPDIR="$PWD/tmp"
seq 300 >in
# so_many FILE: its references.
so_many() { trc stat --json "$1" | sed 's/.*"references": *\([0-9]*\).*/\1/'; }
# more A B LEAST MOST: A has LEAST to MOST more references than B.
more()
{
	[ $((a = $(so_many "$1"))) -ge $(($(so_many "$2") + $3)) ] && [ $a -le $(($(so_many "$2") + $4)) ] ||
		echo "$1 has $a references, $2 $(so_many "$2")"
}
count='i=0; while [ $i -lt 100 ]; do i=$((i + 1)); done'
trc encode -q --record shell.trc -- sh -c :
trc encode -q --record count.trc -- sh -c "$count"
more count.trc shell.trc 200000 9000000
trc encode -q --record wc.trc -- wc -c in

# A child that is forked, and one that outlives its parent, which is not waited for.
try trc encode --record forked.trc -- sh -c "($count) & wait; echo parent"
more forked.trc shell.trc 0 100000
# Whether that has begun to sleep when its parent ends, so that its name is known, is chance.
trc encode --record early.trc -- sh -c "(sleep 2; echo >late) >/dev/null 2>&1 & echo parent" 2>&1 | sed 's/ (sleep);/;/'
ls late 2>/dev/null
more early.trc shell.trc 0 100000
# One that executes nothing, ends at once and is not waited for.
try trc encode --record ignored.trc -- sh -c 'trap "" CHLD; (:) & :'

# Exec, of a script, too, and with all files closed; children execute.
try trc encode --record exec.trc -- sh -c "exec wc -c in"
more exec.trc wc.trc 100000 900000
printf '#!/bin/sh\nexec 3>&- 9>&-\n[ "$1" ] && exec "$0"\nexec wc -c in\n' >twice
chmod +x twice
try trc encode --record twice.trc -- ./twice again
more twice.trc exec.trc 100000 1800000
try trc encode --record pipeline.trc -- sh -c "uniq in | uniq | uniq >out; tail -n 1 out; exec true"
more pipeline.trc shell.trc 100000 900000
try trc encode --record system.trc -- sh -c 'awk "BEGIN { exit system(\"exit 3\") }"; exit $?'
try trc encode --record failed.trc -- sh -c 'exec ./missing; echo not here'
more failed.trc shell.trc 0 200000

# One process, through exec in it: nothing is left out.
try trc encode --record one.trc -- env wc -l in
# The program reads and writes as ever, and what it starts has no file of ours open.
echo word | try trc encode -q --record streams.trc -- sh -c 'read a; echo $a; ls -l /proc/self/fd | grep record || echo none'
# Nothing is left, as soon as nothing that may execute is.
until [ -e late ]; do sleep 0.1; done
until [ -z "$(ls tmp)" ]; do sleep 0.1; done
