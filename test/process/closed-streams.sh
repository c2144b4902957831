#!/bin/sh
# SPDX-License-Identifier: MIT
# A file that is opened where a standard stream is closed is not taken for that stream: the output is
# there, and what is said does not go into it. usage: closed-streams.sh TRC
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
in=$folder/in.din
printf '2 400100\n' >"$in"
"$1" encode "$in" "$folder/out.page" --drop type,addr --fill vpn=1 <&- >&- || exit 1
printf '1\n' | cmp - "$folder/out.page" || exit 1
"$1" reduce "$in" "$folder/out.sad" <&- >&- 2>&- || exit 1
grep -q '^r 1 1 1 0 400$' "$folder/out.sad" || exit 1
[ "$(wc -l <"$folder/out.sad")" -eq 2 ] || exit 1
# What must go to a closed stream cannot.
! "$1" decode "$in" >&- 2>/dev/null && ! "$1" decode - <&- 2>/dev/null
