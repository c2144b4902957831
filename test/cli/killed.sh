# SPDX-License-Identifier: MIT
# A run that is told to stop leaves nothing behind and dies of the signal, whether it reads or waits.
mkfifo in
run()
{
	signal=$1
	shift
	echo "\$ $* (and a SIG$signal)"
	# Shells start background commands with SIGINT ignored, and who runs the tests may ignore
	# SIGHUP: trc would respect both.
	env --default-signal=INT,HUP,TERM "$@" &
	pid=$!
	exec 3>in
	cat "$start" >&3
	i=0
	until ls b.din.part-* >/dev/null 2>&1; do
		i=$((i + 1))
		[ $i -lt 200 ] || break
		sleep 0.1
	done
	[ $i -lt 200 ] || echo "no part file"
	kill -s $signal $pid
	wait $pid 2>/dev/null
	echo "exit $?"
	exec 3>&-
	ls
}
env --default-signal=INT true 2>/dev/null || exit 77
yes '0 1000' | head -100000 >plain
xz <plain | head -c 100 >packed
start=plain
run TERM trc encode in b.din
run INT trc encode in b.din
run HUP trc encode --from din in b.din
printf 'precious\n' >b.din
run TERM trc encode --force in b.din
try cat b.din
rm b.din
start=packed
run TERM trc encode --from din in b.din
run INT trc encode --from din in b.din

# What a run that was killed outright had written can be salvaged: whole blocks, from a part file.
start=rows
awk 'BEGIN { for (i = 0; i < 9000000; i++) printf "2 %x\n", 4194304 + i % 1000 * 4 }' >rows
env --default-signal=INT trc encode --from din -T 1 -0 in d.trc &
pid=$!
exec 3>in
cat rows >&3
i=0
until [ $i -ge 200 ] || [ "$(cat d.trc.part-* 2>/dev/null | wc -c)" -gt 100 ]; do
	i=$((i + 1))
	sleep 0.1
done
kill -s KILL $pid
wait $pid 2>/dev/null
exec 3>&-
[ ! -e d.trc ] || echo "there is a file of the final name"
mv d.trc.part-* killed.trc
trc encode --from trc --salvage killed.trc d.din 2>why
echo "exit $?"
sed 's/ [0-9]* and all/ N and all/' why
[ $(($(wc -l <d.din) % 4194304)) -eq 0 ] && [ -s d.din ] || echo "$(wc -l <d.din) records"
head -n "$(wc -l <d.din)" rows | cmp - d.din
