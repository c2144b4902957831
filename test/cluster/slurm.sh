# SPDX-License-Identifier: MIT
# A job array of Slurm over the shards of a plan, some to a task, and the merge as a job that depends on
# it: on this machine alone, in a folder of the test, as any user. One task is killed, one shard has no
# memory, one partial is cut: the merge names them; submitted again, only these are computed, and the
# answer is that of the whole run. Then a study of a corpus, a task of which is killed.
#   sh slurm.sh BUILD
set -u
here=$(cd "$(dirname "$0")" && pwd)
trc=$(cd "$1" && pwd)/src/trc
for tool in slurmctld slurmd sbatch munged xz; do
	command -v "$tool" >/dev/null || { echo "skipped: no $tool"; exit 77; }
done
# Its daemons talk to each other by it, and wait for minutes where there is none, as in `unshare -n`.
grep -q 127.0.0.1 /proc/net/fib_trie 2>/dev/null || { echo "skipped: no loopback"; exit 77; }
dir=$(mktemp -d)
pids=
stop()
{
	for pid in $pids $(cat "$dir"/*.pid 2>/dev/null); do kill "$pid" 2>/dev/null; done
	sleep 1
	for pid in $pids; do kill -9 "$pid" 2>/dev/null; done
	rm -rf "$dir"
}
trap stop EXIT
trap 'exit 1' INT TERM

# ---- a cluster of one machine ----
user=$(id -un) host=$(hostname)
munge="$dir/munge" && mkdir -m 700 "$munge" && mkdir "$dir/state" "$dir/spool" "$dir/log"
port=$((16000 + $$ % 8000 * 2))
head -c 1024 /dev/urandom >"$munge/key" && chmod 600 "$munge/key"
munged --force --foreground --key-file="$munge/key" --socket="$munge/socket" \
	--pid-file="$munge/pid" --log-file="$munge/log" --seed-file="$munge/seed" >/dev/null 2>&1 &
pids="$pids $!"
cat >"$dir/slurm.conf" <<EOF
ClusterName=one
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$munge/socket
CredType=cred/munge
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmctldPidFile=$dir/ctld.pid
SlurmdPidFile=$dir/slurmd.pid
SlurmctldLogFile=$dir/log/ctld
SlurmdLogFile=$dir/log/slurmd
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
SwitchType=switch/none
ReturnToService=2
MinJobAge=300
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 Boards=1 SocketsPerBoard=1 CoresPerSocket=2 ThreadsPerCore=1 RealMemory=1500 State=UNKNOWN
PartitionName=main Nodes=$host Default=YES MaxTime=INFINITE State=UP
EOF
export SLURM_CONF="$dir/slurm.conf"
cd "$dir" || exit 1
for i in $(seq 50); do [ -S "$munge/socket" ] && break; sleep 0.1; done
slurmctld -D -f "$SLURM_CONF" >/dev/null 2>&1 &
pids="$pids $!"
slurmd -D -f "$SLURM_CONF" -N "$host" >/dev/null 2>&1 &
pids="$pids $!"
for i in $(seq 100); do
	sinfo -h -o %T 2>/dev/null | grep -q idle && break
	sleep 0.2
done
if ! sinfo -h -o %T 2>/dev/null | grep -q idle; then
	echo "skipped: Slurm does not start here"
	exit 77
fi

# ---- a trace, and what goes wrong ----
fail() { echo "slurm.sh: $1"; cat "$dir"/out.* "$dir"/slurm-*.out 2>/dev/null | tail -40; exit 1; }
xz -dc "$here/../data/sort.lackey.xz" >all.lackey
mkdir traces bin parts
for i in 0 1 2 3 4 5 6 7; do
	"$trc" encode -q --skip "${i}0000" --limit 10000 all.lackey "traces/$i.trc" || fail "encode"
done
"$trc" stat --mrc --concat --csv traces/* >want.csv || fail "the whole run"
"$trc" stat -q --mrc --shards 8 -o plan traces/* || fail "a plan"
cat >bin/trc <<EOF
#!/bin/sh
if [ "\${ACCIDENTS:-}" ] && [ "\${SLURM_ARRAY_TASK_ID:-}" ]; then
	case " \$* " in
	*" --shard 3 "* | *" --tlb 64:4 "*traces/2.trc*) kill -9 \$PPID \$\$ ;;
	*" --shard 5 "*) ulimit -v 8000 ;;
	esac
fi
exec "$trc" "\$@"
EOF
chmod +x bin/trc
PATH="$dir/bin:$PATH"
export PATH

# submit OPTION... FILE WORD...: the number of the job.
submit() { sbatch --parsable --time=5 -o "$dir/out.%A.%a" "$@"; }

# wait_for JOB: until no task of it is waiting or running.
wait_for()
{
	for i in $(seq 600); do
		squeue -h -j "$1" -o %T 2>/dev/null | grep -qE 'PENDING|RUNNING|COMPLETING|CONFIGURING' ||
			return 0
		sleep 0.2
	done
	fail "job $1 does not end"
}

ACCIDENTS=1
export ACCIDENTS
memory=$(sed -n 's/^memory //p' plan)
job=$(submit --array=1-4 --mem="$memory" "$here/array.sbatch" plan parts 2) || fail "sbatch"
wait_for "$job"
[ "$(cd parts && echo *.part)" = "1.part 4.part" ] || fail "not 1.part and 4.part, but $(echo parts/*)"
head -c 200 parts/4.part >cut && mv cut parts/4.part
merge=$(submit --dependency=afterany:"$job" -o "$dir/out.merge" "$here/merge.sbatch" plan parts got.csv)
wait_for "$merge"
[ ! -e got.csv ] || fail "there is an answer without all shards"
for shard in 3/8 4/8 5/8 6/8 7/8 8/8; do
	grep -q "$shard" out.merge || fail "the merge does not name shard $shard"
done
grep -q "4.part" out.merge || fail "the merge does not name the partial that was cut"

# ---- once more ----
unset ACCIDENTS
touch -d '2001-01-01' parts/*.part
job=$(submit --array=1-4 --mem="$memory" "$here/array.sbatch" plan parts 2) || fail "sbatch"
merge=$(submit --dependency=afterok:"$job" -o "$dir/out.merge" "$here/merge.sbatch" plan parts got.csv)
wait_for "$job"
wait_for "$merge"
again=$(find parts -type f -newermt 2002-01-01 | sort | tr '\n' ' ')
[ "$again" = "parts/2.part parts/3.part parts/4.part " ] || fail "computed again: $again"
cmp want.csv got.csv || fail "the answer is not that of the whole run"

# ---- a corpus ----
ACCIDENTS=1
export ACCIDENTS
study() { sh "$here/corpus.sh" study traces/* >jobs || fail "corpus.sh"; for job in $(cat jobs); do wait_for "$job"; done; }
study
[ ! -e study/table.csv ] || fail "there is a table without all answers"
cat slurm-*.out | grep -q "tlb 64:4' for traces/2.trc" || fail "no trace without an answer is named"
unset ACCIDENTS
touch -d '2001-01-01' study/*.csv
study
[ "$(find study -name '[0-9]*.csv' -newermt 2002-01-01 | sort | tr '\n' ' ')" = "study/3.reuse.csv study/3.tlb.csv " ] ||
	fail "asked again: $(find study -name '[0-9]*.csv' -newermt 2002-01-01)"
[ "$(wc -l <study/table.csv)" -eq 9 ] || fail "the table has no line for each trace"
awk -F , 'NR > 1 && !(NF == 7 && $2 > 9999 && $3 > 0 && $4 > 0 && $4 < 1 && $7 > 0 && $7 <= 1)' study/table.csv | grep . &&
	fail "the table has no figures"
echo "killed tasks, one without memory and a cut partial were named, and only they computed again"
