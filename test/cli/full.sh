# SPDX-License-Identifier: MIT
# A full disk is an error wherever it shows.
if [ ! -w /dev/full ]; then
	echo "no /dev/full"
	exit 77
fi
real=$SRC/test/data/sort.lackey.xz
status()
{
	echo "\$ $*"
	"$@" >/dev/full
	echo "exit $?"
}
status trc help
status trc --version
status trc --complete ''
printf '0 10\n' >a.din
status trc stat a.din
status trc decode a.din
status trc decode --quiet "$real" 2>&1 | sed "s|$SRC/||"
try trc encode --to din a.din /dev/full
