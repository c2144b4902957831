#!/bin/sh
# SPDX-License-Identifier: MIT
# Every header compiles alone, has a guard, and means by a name what all others mean: they compile
# together. What a .c file includes first, the build has compiled alone.
# usage: headers.sh SOURCE-ROOT BUILD-ROOT COMPILER...
root=$1 build=$2
shift 2
cd "$root/src" || exit 1
status=0
headers=$(find . -name '*.h' | sed 's,^\./,,' | sort)
first=$(grep -rhm 1 --include='*.c' '^#include' . | sed -n 's/^#include "\(.*\)"/\1/p' | sort -u)
check()
{
	"$@" -std=c11 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -Werror -Wno-unused-function \
		-fsyntax-only -I . -I "$build/src" -x c -
}
for header in $(printf '%s\n' "$headers" "$first" "$first" | sort | uniq -u); do
	printf '#include "%s"\nint trc_alone;\n' "$header" | check "$@" || {
		echo "$header does not compile alone"
		status=1
	}
done
# shellcheck disable=SC2086 # a list
printf '#include "%s"\n' $headers | check "$@" || {
	echo "two headers mean different things by one name"
	status=1
}
# shellcheck disable=SC2086 # a list
for header in $(grep -L '^#ifndef TRC_[A-Z0-9_]*_H$' $headers); do
	echo "$header has no guard: #ifndef TRC_..._H"
	status=1
done
exit $status
