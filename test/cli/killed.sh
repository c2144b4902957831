# SPDX-License-Identifier: MIT
# A run that is stopped by a signal leaves nothing and dies of the signal, whether it reads or waits.
mkfifo in
run()
{
	stop "$@"
	ls
}
part='ls b.din.part-*'
yes '0 100c' | head -100000 >plain
xz <plain | head -c 100 >packed
feed=plain
run TERM "$part" trc encode --from din in b.din
run INT "$part" trc encode --from din in b.din
run HUP "$part" trc encode --from din in b.din
# These left the file: a habit of dd, batch systems, and a pipe whose reader has gone.
for signal in QUIT USR1 USR2 XCPU PIPE; do
	run $signal "$part" trc encode --from din in b.din
done
printf 'precious\n' >b.din
run TERM "$part" trc encode --from din --force in b.din
try cat b.din
rm b.din
feed=packed
run TERM "$part" trc encode --from din in b.din
run INT "$part" trc encode --from din in b.din

# What a run that was killed outright had written can be salvaged: whole blocks, from a part file.
feed=rows
awk 'BEGIN { for (i = 0; i < 9000000; i++) printf "2 %x\n", 4194304 + i % 1000 * 4 }' >rows
stop KILL '[ "$(cat d.trc.part-* | wc -c)" -gt 100 ]' trc encode --from din -T 1 -0 in d.trc
[ ! -e d.trc ] || echo "there is a file of the final name"
mv d.trc.part-* killed.trc
trc encode --from trc --salvage killed.trc d.din 2>why
echo "exit $?"
sed 's/ [0-9]* and all/ N and all/' why
[ $(($(wc -l <d.din) % 6291456)) -eq 0 ] && [ -s d.din ] || echo "$(wc -l <d.din) records"
head -n "$(wc -l <d.din)" rows | cmp - d.din

# A library that packs for seconds looks at no signal: the run ends all the same, and leaves nothing;
# at once if it is told twice.
feed=
awk 'BEGIN { for (i = 0; i < 3000000; i++) printf "%d %x\n", i % 3, i * 2654435761 % 4294967296 }' >noise
run INT 'ls slow.din.xz.part-*' trc encode --from din --compress xz:9 noise slow.din.xz
# An alarm that somebody else set is such a signal, too.
run ALRM 'ls slow.din.xz.part-*' trc encode --from din --compress xz:9 noise slow.din.xz
run 'TERM TERM' 'ls slow.din.xz.part-*' trc encode --from din --compress xz:9 noise slow.din.xz
