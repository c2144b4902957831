#!/bin/sh
# SPDX-License-Identifier: MIT
# system_files.sh RECOGNISE: no file of /usr/share or /etc is recognised as a trace, but for one digit a
# line, which may be pages.
step=$(( ${TRC_TEST_STEP:-10} * 6 ))
[ -d /usr/share ] || exit 77
find /usr/share /etc -type f -size -2000k -readable 2>/dev/null | LC_ALL=C sort |
	awk -v step=$step 'NR % step == 0' | "$1" | awk -F '\t' '
	NF == 1 { files = $1; next }
	{ print "recognised as " $0; n++ }
	END { print files + 0 " files, " n + 0 " recognised"; exit n > files / 1000 || files == 0 }'
