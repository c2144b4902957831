# SPDX-License-Identifier: MIT
#
# What the scripts of this folder begin with, for them to source: a folder of their own, $tmp, and
# functions. $trc is the program.

tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT

fail()
{
	echo "$*"
	exit 1
}

# same_windows WHAT DISTANCE INSTRUCTION...: x.bus can be pruned, and from its stored states at such a
# distance on, a replay from these instructions on is what it is from the beginning.
same_windows()
{
	what=$1
	"$trc" replay prune -q --checkpoints "$2" --force x.bus x.pkg || fail "$what: cannot be pruned"
	shift 2
	for skip; do
		"$trc" replay run -q --skip "$skip" --limit 3000 --to csv x.bus >one.csv
		"$trc" replay run -q --skip "$skip" --limit 3000 --to csv x.pkg >other.csv
		cmp one.csv other.csv || fail "$what: another window from instruction $skip on"
	done
}
