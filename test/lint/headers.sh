#!/bin/sh
# SPDX-License-Identifier: MIT
# Every header compiles alone, and twice over. usage: headers.sh SOURCE-ROOT BUILD-ROOT COMPILER...
root=$1 build=$2
shift 2
status=0
for header in $(cd "$root/src" && find . -name '*.h' | sort); do
	printf '#include "%s"\n#include "%s"\nint trc_alone;\n' "$header" "$header" |
		"$@" -std=c11 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -Werror -Wno-unused-function \
			-fsyntax-only -I "$root/src" -I "$build/src" -x c - || {
		echo "$header does not compile alone"
		status=1
	}
done
exit $status
