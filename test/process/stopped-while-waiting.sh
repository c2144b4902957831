#!/bin/sh
# SPDX-License-Identifier: MIT
# A signal ends a run that waits for packed data from a pipe that gives none. Where it does not, this
# test ends by its time limit. usage: stopped-while-waiting.sh TRC
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
mkfifo "$folder/pipe" || exit 1
"$1" decode - <"$folder/pipe" >/dev/null 2>&1 &
run=$!
exec 9>"$folder/pipe"
# The page trace "12f\n12f\n12f\n", packed by xz: another stream could follow.
printf '\375\067\172\130\132\000\000\001\151\042\336\066\002\000\041\001\014\000\000\000\217' >&9
printf '\230\101\234\340\000\013\000\012\135\000\030\214\211\101\171\214\171\114\000\000\000' >&9
printf '\000\000\013\050\004\223\000\001\042\014\040\277\202\216\220\102\231\015\001\000\000' >&9
printf '\000\000\001\131\132' >&9
sleep 1
kill -TERM $run
wait $run
[ $? -eq 143 ]
