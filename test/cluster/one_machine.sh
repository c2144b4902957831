# SPDX-License-Identifier: MIT
# A cluster of Slurm on this machine alone, as any user: to be sourced. Makes the folder $dir, which is removed at
# the end, and goes there; ends with status 77 where there is no Slurm.
for tool in slurmctld slurmd sbatch munged; do
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

# wait_for JOB [SECONDS]: until no task of it is waiting or running.
wait_for()
{
	for i in $(seq $((5 * ${2:-120}))); do
		squeue -h -j "$1" -o %T 2>/dev/null | grep -qE 'PENDING|RUNNING|COMPLETING|CONFIGURING' ||
			return 0
		sleep 0.2
	done
	fail "job $1 does not end"
}
