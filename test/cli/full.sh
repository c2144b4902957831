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
# What -o names was called standard output.
try trc stat -o /dev/full a.din
# A table of formats is not one of those that the disk had room for.
awk 'BEGIN { for (i = 0; i < 9999; i++) print "0 10" }' >big.din
(
	trap '' XFSZ
	ulimit -f 8
	TMPDIR=$PWD trc stat --formats big.din 2>&1
	echo "exit $?"
) | sed "s|$PWD/trc-formats.part-[^/]*|TMPDIR|"
ls
