# SPDX-License-Identifier: MIT
# For other scripts: laws NAME FOLDER finds $trc splitting the recording NAME into FOLDER, and what
# is to hold of any. Sets `status` to 1 if it does not.

complain()
{
	echo "$*"
	status=1
}

# counts WHAT...: what a trace holds.
counts()
{
	"$trc" stat --quiet "$@" | awk '/^(references|fetches|reads|writes)/ { print $1, $2 }'
}

laws()
{
	"$trc" split --quiet --kernel "$1.laplace-kernel" "$1.laplace" "$2" &&
		"$trc" split --quiet --kernel "$1.laplace-kernel" --basic -0 "$1.laplace" "$2.trc" ||
		{ complain "$1: cannot be split"; return; }

	# The parts' records are those of the whole.
	all=$(cat "$2"/*/* | grep -c '^[rwiRWI] ')
	whole=$("$trc" stat --json "$2.trc" | tr ',{' '\n\n' | sed -n 's/^ *"records": *//p')
	events=$(grep -c . "$1.laplace-kernel")
	[ $((all + events)) -eq "$whole" ] ||
		complain "$1: $all references in the parts, and $events events, of $whole records"

	# Merged back, all is as it was, for what the form holds.
	"$trc" encode --drop addr,asid,rtime --to hash "$2.trc" >"$2.want"
	"$trc" encode --drop asid,vpn --to hash "$2" >"$2.back"
	cmp "$2.want" "$2.back" || complain "$1: merged back it is another"
}
