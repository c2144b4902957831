# SPDX-License-Identifier: MIT
# A run that is told to stop leaves nothing behind and dies of the signal, whether it reads or waits.
mkfifo in
run()
{
	signal=$1
	shift
	echo "\$ $* (and a SIG$signal)"
	# Shells start background commands with SIGINT ignored, which trc would respect.
	env --default-signal=INT "$@" &
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
