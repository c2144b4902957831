#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Runs one case of the command line: NAME.sh, beside this file, in an empty folder of its own. What
# it prints on either stream must be what is in NAME.out.
#
#   [TRC=build/src/trc] test/cli/run.sh NAME
#
# What trc reports as its version in a provenance stands there as VERSION.
#
# UPDATE=1 makes its output the new NAME.out. A case has trc in its PATH, $TRC and $SRC, the root
# of the sources; `exit 77` skips it, with a reason printed before. It is written with
#
#   try COMMAND WORD...     shows the command, its output, and its exit status unless 0
#   needs ENDING...         skips the case where such files cannot be packed, by a tool or by trc;
#                           `python3`: where there is none
#   mixed                   a.csv: five records with all columns that a question may ask for
#   unlisted TEXT           names each question of stat that the file `lines` has not, and the text
#   assemble NAME           the bytes of test/corpus/NAME.hex
#   show FOLDER             all files of a folder, with their names
#   some N...               these numbers of shards, or widths; the last, where TRC_TEST_STEP thins
#                           tests out, as it does by default
#   by_plan COMMAND N "QUESTION" INPUT...
#                           N shards by a plan: what they write is what the partials of p/ have
#   thins KEY...            the lines of NAME.out that begin so, up to ': ', are not to come, as what
#                           they tell was thinned out
#   stop SIGNAL WHEN COMMAND WORD...
#                           sends the signals when the command line WHEN succeeds; what the pipe
#                           `in` has for COMMAND before that is the file $feed, if it is not empty
set -u

here=$(cd "$(dirname "$0")" && pwd)
name=${1:?"is the name of a case"}
SRC=${here%/test/cli}
TRC=${TRC:-$SRC/build/src/trc}
TRC=$(cd "$(dirname "$TRC")" && pwd)/$(basename "$TRC")
[ -x "$TRC" ] || { echo "no trc at '$TRC'; TRC=/path/to/trc says where it is"; exit 99; }
PATH=$(dirname "$TRC"):$PATH
TRC_TEST_STEP=${TRC_TEST_STEP:-10}
export SRC TRC PATH LC_ALL=C
# Filled memory doubles what a process costs, and nearly all that a case does is to begin processes: only
# where all is tried. The unit tests have it more often, and the sanitizers fill what they allocate.
[ "$TRC_TEST_STEP" = 1 ] || unset MALLOC_PERTURB_
unset MALLOC_TRIM_THRESHOLD_ MALLOC_TOP_PAD_ MALLOC_MMAP_THRESHOLD_

try()
{
	echo "\$ $*"
	"$@"
	set -- $?
	[ "$1" -eq 0 ] || echo "exit $1"
}

needs()
{
	for ending; do
		case $ending in
		python3)
			python3 -c 'import csv, json' 2>/dev/null && continue
			echo "no python3"
			exit 77
			;;
		gz) tool=gzip ;;
		bz2) tool=bzip2 ;;
		zst) tool=zstd ;;
		*) tool=$ending ;;
		esac
		if ! command -v $tool >/dev/null; then
			echo "no $tool here"
			exit 77
		elif [ ! "$(trc --complete encode --compress $ending)" ]; then
			echo "this trc packs no $ending"
			exit 77
		fi
	done
}

mixed()
{
	cat >a.csv <<END
type,addr,size,time,task,asid,pc
fetch,0x1000,4,1,1,1,0
write,0x2ffe,9000,2,1,1,0x1000
read,0x4000,8,3,2,2,0x1000
fetch,0x1004,4,4,1,1,0
read,0x4010,8,5,2,2,0x1004
END
}

unlisted()
{
	sed -n 's/.*\.name = "\(--[a-z-]*\)".*/\1/p' "$SRC"/src/cmd/stat/*.c "$SRC"/src/cmd/file/*.c \
		"$SRC"/src/cmd/curve/*.c "$SRC"/src/cmd/object/*.c | grep -v -e merge -e plan | sort |
		while read -r question; do
			grep -q -e "$question\\>" lines || echo "$question: $1"
		done
}

assemble()
{
	printf "$(sed 's/#.*//' "$SRC/test/corpus/$1.hex" | awk '{
		for (i = 1; i <= NF; i++) {
			for (byte = 0; $i != ""; $i = substr($i, 2))
				byte = byte * 16 + index("0123456789abcdef", tolower(substr($i, 1, 1))) - 1
			printf "\\%03o", byte
		}
	}')"
}

some()
{
	[ "$TRC_TEST_STEP" = 1 ] || shift $(($# - 1))
	echo "$@"
}

by_plan()
{
	command=$1 shards=$2 asked=$3
	shift 3
	trc $command -q $asked --shards $shards --force -o plan "$@" || return 1
	for i in $(seq 1 $((shards / 8 + 1)) $shards); do
		trc $command -q --plan plan --shard $i --force --partial by_plan && cmp by_plan p/$i || return 1
	done
}

thins()
{
	printf '%s\n' "$@" >>"$tmp/thinned"
}

show()
{
	for f in $(find "$1" -type f | sort); do
		echo "== $f"
		cat "$f"
	done
}

stop()
{
	signal=$1 when=$2
	shift 2
	# Shells start background commands with SIGINT ignored, and who runs the tests may ignore
	# SIGHUP: trc would respect both.
	env --default-signal=INT true 2>/dev/null || exit 77
	echo "\$ $* (and a SIG$signal)"
	env --default-signal=INT,HUP,TERM,QUIT,PIPE "$@" &
	pid=$!
	[ -z "$feed" ] || { exec 3>in; cat "$feed" >&3; }
	i=0
	until eval "$when" >/dev/null 2>&1; do
		i=$((i + 1))
		[ $i -lt 1000 ] || { echo "it did not come to $when"; break; }
		sleep 0.02
	done
	for each in $signal; do
		kill -s "$each" $pid 2>/dev/null
		sleep 0.01
	done
	wait $pid 2>/dev/null
	echo "exit $?"
	exec 3>&-
}

tmp=$(mktemp -d) || exit 99
trap 'chmod -R u+w "$tmp"; rm -rf "$tmp"' EXIT
trap 'exit 99' INT TERM HUP
mkdir "$tmp/work"
: >"$tmp/thinned"

(cd "$tmp/work" && . "$here/$name.sh") >"$tmp/out" 2>&1 </dev/null
status=$?
sed -i 's/trc \{23,\}[0-9][0-9.]* /trc                       VERSION /; s/{"trc": "[0-9.]* /{"trc": "VERSION /g' "$tmp/out"

if [ $status -eq 77 ]; then
	cat "$tmp/out"
	exit 77
elif grep -nE ': too wide: |is not known here: a |: what does it do with |not in the list of this test' "$tmp/out"; then
	echo "test/cli/$name.sh complains, which no golden takes"
	exit 1
elif [ "${UPDATE:-}" = 1 ]; then
	[ ! -s "$tmp/thinned" ] || { echo "only TRC_TEST_STEP=1 has all of $name.out"; exit 1; }
	cp "$tmp/out" "$here/$name.out"
elif ! awk -F ': ' 'FILENAME == ARGV[1] { thinned[$0]; next } !($1 in thinned)' "$tmp/thinned" "$here/$name.out" |
	diff -u --label "$name.out" - "$tmp/out"; then
	echo "test/cli/$name.sh says something else than $name.out; UPDATE=1 accepts it"
	exit 1
fi
