#!/bin/sh
# SPDX-License-Identifier: MIT
# A study of a corpus as test/cluster/corpus.sh does it, with a job array of Slurm on this machine: TRACES small traces
# of one generator, five questions of each, one table. Prints what it takes, and compares the memory that the
# plans tell, which is --mem, with what the tasks take.
#   TRACES=1000 sh test/bench/study.sh BUILD
set -u
trc=$(cd "${1:-build}" && pwd)/src/trc
here=$(cd "$(dirname "$0")/../cluster" && pwd)
TRACES=${TRACES:-1000}
. "$here/one_machine.sh"
fail() { echo "study.sh: $1"; tail -n 5 "$dir"/slurm-*.out 2>/dev/null | tail -40; exit 1; }

mkdir traces bin
cat >bin/trc <<END
#!/bin/sh
[ "\${SLURM_ARRAY_TASK_ID:-}" ] || exec "$trc" "\$@"
exec /usr/bin/time -a -o "$dir/memory" -f %M "$trc" "\$@"
END
chmod +x bin/trc
PATH=$dir/bin:$PATH
export PATH
for i in $(seq "$TRACES"); do
	awk -v seed="$i" 'BEGIN { srand(seed); for (i = 0; i < 5000; i++)
		printf "%d %x\n", i % 3, i % 3 == 2 ? 4194304 + i % (9 + seed) * 4 : int(rand() ^ 3 * 64 * seed) * 8 }' |
		trc encode -q --from din - "traces/$i.trc" || fail "encode"
done

# seconds WHAT COMMAND...
seconds()
{
	what=$1 begin=$(date +%s)
	shift
	"$@" || fail "$what"
	echo "| $what | $(($(date +%s) - begin)) |"
}
submit() { sh "$here/corpus.sh" study traces/*.trc >jobs; }
answers() { wait_for "$(cut -d ' ' -f 1 jobs)" 7200; }
table() { wait_for "$(cut -d ' ' -f 2 jobs)" 7200; }
opens() { strace -f -o opens.log -e trace=openat "$@" >/dev/null && grep -c 'openat.*[.]trc"' opens.log; }

echo "| $TRACES traces, five questions of each | seconds |"
echo "|---|---:|"
seconds "plans of all, and the jobs are submitted" submit
told=$(scontrol show job "$(cut -d ' ' -f 1 jobs)" | grep -m1 -oE 'mem=[0-9]+M' | tr -dc 0-9)
seconds "$TRACES tasks" answers
seconds "the table" table
[ "$(wc -l <study/table.csv)" -eq $((TRACES + 1)) ] || fail "the table has no line for each trace"
taken=$(sort -n memory | tail -n 1)
[ "$taken" -le $((told * 1024)) ] || fail "a task took $taken KiB, and $told MiB were asked for"
rm study/1.*.csv
echo "| MB: told to --mem, and the most that a task took | $told; $((taken / 1024)) |"
echo "| opens of traces: by a task; by the plans of its questions | $(SLURM_ARRAY_TASK_ID=1 opens sh "$here/corpus.sbatch" study "$here"); $(
	while read -r name question; do
		[ "$name" = "#" ] || opens trc stat -q $question --shards 1 --csv traces/1.trc
	done <"$here/corpus.questions" | awk '{ n += $1 } END { print n }') |"
