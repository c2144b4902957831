#!/bin/sh
# SPDX-License-Identifier: MIT
# programs.sh TRC PLUGIN COMPILER SORT FORKS: records programs of this machine, a pipeline of the
# shell, a parallel make, SORT, which has threads, and FORKS, which has children, and looks whether
# the laws of splitting hold. Skips without an emulator of this machine's processor.
trc=$1 plugin=$2 cc=$3 source=$4 forks=$5
qemu=qemu-$(uname -m)
command -v "$qemu" >/dev/null || { echo "skipped: no $qemu"; exit 77; }
here=$(cd "$(dirname "$0")" && pwd)
. "$here/laws.sh"
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
export LC_ALL=C
status=0

# recorded NAME PROGRAM ARGUMENT...: as PROGRAM runs by itself.
recorded()
{
	name=$1
	shift
	"$qemu" -plugin "$plugin,out=$name" "$@" >"$name.out" || complain "$name: ends with $?"
	[ ! -e "$name.shared" ] || complain "$name: left what is shared"
	laws "$name" "$name-parts"
	echo "$name: $(grep -c . "$name.laplace") references," \
		"$(ls "$name-parts" | grep -c .) processes, $(ls "$name-parts"/* | grep -c merge) tasks"
}

# alone NAME: processes keep to themselves, but for libraries.
alone()
{
	[ "$(awk -f "$here/private.awk" "$1-parts"/*/*.merge)" = "1 0" ] ||
		complain "$1: what one program wrote, others touch"
	[ "$(awk -f "$here/library.awk" "$1-parts"/*/*.merge)" = "1 0" ] ||
		complain "$1: a library has several numbers"
}

# executed NAME N: at least so many programs were.
executed()
{
	[ "$(grep -c '^X' "$1.laplace-kernel")" -ge "$2" ] ||
		complain "$1: fewer than $2 programs were recorded"
}

printf '%s\n' one two one three >in.txt
recorded pipeline /bin/sh -c 'sort in.txt | uniq -c | tr a-z A-Z'
[ "$(grep -c . pipeline.out)" -eq 3 ] || complain "the pipeline says something else"
executed pipeline 4
alone pipeline

# A script is a program, too.
printf '#!/bin/sh -e\nexec cat "$1"\n' >show
chmod +x show
recorded script /bin/sh -c './show in.txt'
cmp in.txt script.out || complain "the script says something else"
executed script 3

if command -v make >/dev/null; then
	cat >Makefile <<'END'
all: prog; cat prog
prog: a.o b.o; cat a.o b.o >$@
%.o: %.c; tr a-z A-Z <$< >$@
END
	echo 'int a;' >a.c
	echo 'int b;' >b.c
	recorded make "$(command -v make)" -rR -s -j2
	[ "$(cat make.out)" = "$(printf 'INT A;\nINT B;')" ] || complain "make makes something else"
	executed make 5
	alone make
fi

if "$cc" -O1 -o sort "$source" -pthread; then
	recorded sort ./sort
	[ "$(cat sort.out)" = sorted ] || complain "the sort does not"
	[ "$(ls sort-parts/* | grep -c merge)" -eq 5 ] || complain "sort: not five tasks"
fi

# Who is the last to have a page after a fork stores to the page itself.
if "$cc" -O1 -o forks "$forks"; then
	recorded forks ./forks
	read -r first pages parent children <forks.out
	first=$(printf %d "0x$first")
	pages=$(printf %d "0x$pages")
	pid=$(awk '/^X/ { print $3; exit }' forks.laplace-kernel)
	mine=0 theirs=0
	for copy in $(awk '/^C/ { print $3 "," $4 }' forks.laplace-kernel); do
		at=$(($(printf %d "0x${copy#*,}") - first))
		[ $at -ge 0 ] && [ $at -lt $((pages * 4096)) ] || continue
		[ "${copy%,*}" = "$pid" ] && mine=$((mine + 1)) || theirs=$((theirs + 1))
	done
	[ "$mine $theirs" = "$parent $children" ] ||
		complain "forks: $mine copies and $theirs of children, of $parent and $children"

	# A process that was not forked is not waited for.
	recorded limited ./forks limited
fi
# A name may have bytes that a terminal obeys.
"$qemu" -plugin "$plugin,out=no/a$(printf '\302\233')b" /bin/true 2>named
grep -q "no/a?b: No such file" named || complain "a name is shown as it stands: $(od -c named | head -n 9)"

exit $status
