# SPDX-License-Identifier: MIT
#
# What the scripts beside it begin with, which set `here`, their folder. Sets `root`, `build`, `trc`,
# and `tmp`, a folder that is removed in the end.

root=${here%/test/bench}
build=${BUILD:-$root/build}
trc=$build/src/trc
[ -x "$trc" ] || { echo "build first: no $trc" >&2; exit 1; }

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' INT TERM HUP

# Says what the figures are measured on.
processor() {
	grep -m1 'model name' /proc/cpuinfo 2>/dev/null | sed 's/.*: //'
}
