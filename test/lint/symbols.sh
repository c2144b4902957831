#!/bin/sh
# SPDX-License-Identifier: MIT
# Every external symbol of the library begins with trc_; those of sanitizers and of the coverage of
# fuzzing engines do not count. usage: symbols.sh NM LIBRARY
all=$("$1" -g --defined-only "$2") || exit 1
wrong=$(echo "$all" | awk 'NF == 3 && $3 !~ /^trc_/ && $3 !~ /^__/ { print $3 }' | sort -u)
[ -z "$wrong" ] && exit 0
echo "external symbols without trc_:"
echo "$wrong"
exit 1
