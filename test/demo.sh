#!/bin/sh
# SPDX-License-Identifier: MIT
#
# sh test/demo.sh: installs what is missing (Debian), builds in build/, and does the main job on the
# real trace of test/data: reduces it for the simulation of LRU memories, and shows what came out.
set -u
exec 2>&1

root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/test/setup.sh"

log=$(mktemp) && folder=$(mktemp -d) || exit 1
trap 'rm -rf "$log" "$folder"' EXIT
trap 'exit 1' INT TERM HUP

# Prints what is being done; shows its output only if it failed.
quietly()
{
	echo "$1 ..."
	shift
	"$@" >"$log" 2>&1 || { cat "$log"; exit 1; }
}

# Shows a command and runs it.
run()
{
	printf '\n$ %s\n' "$*"
	"$@" || exit 1
}

# shellcheck disable=SC2086 # a list
quietly 'installing what is missing' install_missing $packages_to_build
quietly 'building' build_in "$root/build"
PATH=$root/build/src:$PATH
cp "$root/test/data/sort.lackey.xz" "$folder"
cd "$folder" || exit 1

cat <<'END'

sort.lackey.xz is every instruction fetch, load and store of GNU sort, sorting a
text, as valgrind wrote them:
END
run trc decode --limit 4 sort.lackey.xz
run trc stat sort.lackey.xz

cat <<'END'

Who simulates LRU memories of 64 pages and more needs few of these references to
get the very same faults:
END
run trc reduce --sad 64 sort.lackey.xz sort.sad

cat <<'END'

What came out: type, cycle, instruction and reference time, address space and
page, in hexadecimal.
END
run head -n 5 sort.sad
run trc stat sort.sad

trc decode --quiet sort.lackey.xz sort.lackey
printf '\n%s bytes of text became %s. trc is in %s; its README tells more.\n' \
	"$(wc -c <sort.lackey)" "$(wc -c <sort.sad)" "$root/build/src"
