#!/bin/sh
# SPDX-License-Identifier: MIT
# A cluster, simulated: what a plan, its shards, their partials and merges cost of a trace of FILES containers of
# 10^7 references, a shard each. Four containers, of which a manifest has the names again and again, stand for all;
# a sample of SAMPLE shards is computed, of which one in ten is killed first; what the others would write is written
# by `partials`, which is compared with the sample. Prints a table; TMPDIR needs 5 kB a file.
#   FILES=100000 sh test/bench/cluster.sh BUILD
set -eu
build=$(cd "${1:-build}" && pwd)
FILES=${FILES:-100000} SAMPLE=${SAMPLE:-100} EACH=${EACH:-400} FEW=${FEW:-10000}
PATH=$build/src:$PATH
export PATH
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"

# row WHAT COMMAND...: its seconds of processor time, and MB.
row()
{
	what=$1
	shift
	/usr/bin/time -f '%U %S %M' -o time "$@"
	tail -n 1 time | awk -v what="$what" '{ printf "| %s | %.2f | %.0f |\n", what, $1 + $2, $3 / 1024 }'
}
# opens PATTERN COMMAND...: how often files are opened whose names have that, and what is read of all.
opens()
{
	pattern=$1
	shift
	strace -f -o log -e trace=openat,read,pread64 "$@"
	awk -v pattern="openat.*$pattern" '$0 ~ pattern { opens++ } /read(64)?\(/ && $NF > 0 { bytes += $NF }
		END { print opens + 0 " opens, " int(bytes / 1024) " kB read" }' log
}

for k in 1 2 3 4; do
	awk -v seed=$k 'BEGIN { srand(seed); for (i = 0; i < 500000; i++)
		printf "%d %x\n", i % 3, i % 3 == 2 ? 4194304 + i % 9999 * 4 : int(rand() ^ 3 * 131072) * 8 }' >text
	for i in $(seq 20); do cat text; done | trc encode -q --from din - $k.trc
done
rm text
names() { awk -v n="$1" 'BEGIN { print "#trc manifest 1"; for (i = 0; i < n; i++) print 1 + i % 4 ".trc" }'; }
names "$FILES" >all.manifest
names "$FEW" >few.manifest

echo "| $FILES containers of 10^7 references, a shard each | s of processor | MB |"
echo "|---|---:|---:|"
row "plan, --shards $FILES" trc stat -q --mrc --shards "$FILES" -o plan all.manifest
middle=$((FILES / 2 + 1))
row "a shard of it" trc stat -q --plan plan --shard $middle --partial middle
row "the same, --resume, there" trc stat -q --plan plan --shard $middle --resume --partial middle

# ---- a sample ----
mkdir sample
shards=$(awk -v n="$SAMPLE" -v of="$FILES" 'BEGIN { for (i = 0; i < n; i++) print int(i * (of - 1) / (n - 1)) + 1 }')
compute()
{
	for i in $shards; do
		task=$((task + 1))
		kill=
		[ "$1" = again ] || [ $((task % 10)) -ne 0 ] || kill='timeout -s KILL 0.02'
		$kill trc stat -q --plan plan --shard $i --resume --partial sample/$i 2>/dev/null || failed=$((failed + 1))
	done
}
task=0 failed=0
compute once
killed=$failed
compute again
[ $failed -eq $killed ] || { echo "cluster.sh: a shard fails"; exit 1; }

# ---- partials of all ----
mkdir parts
like=$(for k in 1 2 3 4; do trc stat -q --plan plan --shard $k --partial like$k && echo like$k; done)
row "partials of all, written by one program" "$build/test/bench/partials" plan parts "$EACH" $like
for i in $shards; do cmp sample/$i parts/$(((i - 1) / EACH + 1))/$i; done
few=$(seq -f parts/%g $((FEW / EACH)))
row "merge of $FEW partials" trc stat --merge --plan plan --partial few.part $few
row "merge of $FILES partials" trc stat --merge --plan plan --csv -o flat.csv parts
mkdir branches
row "the same by a tree: a branch of $EACH" trc stat --merge --plan plan --partial branches/1 parts/1
row "all $((FILES / EACH)) branches" sh -c 'for b in parts/*; do
	[ -e branches/${b#parts/} ] || trc stat --merge --plan plan --partial branches/${b#parts/} $b || exit 1
done'
row "merge of the branches" trc stat --merge --plan plan --csv -o tree.csv branches
cmp flat.csv tree.csv
# ---- metadata ----
few_opens=$(opens parts/ trc stat --merge --plan plan --partial again.part $few)
cmp few.part again.part
for i in $(seq 10 10 "$FILES"); do rm parts/$(((i - 1) / EACH + 1))/$i; done
row "a merge without one in ten, which names these" sh -c '! trc stat --merge --plan plan --csv parts >none 2>missing'
[ ! -s none ] && [ "$(grep -c missing missing)" -ge $((FILES / 10 - 200)) ] || { echo "cluster.sh: missing shards"; exit 1; }

echo
echo "| metadata | |"
echo "|---|---:|"
echo "| plan, bytes | $(wc -c <plan) |"
echo "| a partial, bytes | $(wc -c <middle) |"
echo "| of $SAMPLE shards, killed and computed again | $killed |"
trc stat -q --mrc --shards "$FEW" -o few.plan few.manifest
echo "| a shard of $FEW files by a plan | $(opens '[.]trc' trc stat -q --plan few.plan --shard 2 --partial by_plan) |"
echo "| the same without one | $(opens '[.]trc' trc stat -q --mrc --shard 2/"$FEW" --partial without few.manifest) |"
cmp by_plan without
echo "| a merge of $FEW partials | $few_opens |"
