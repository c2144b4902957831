# SPDX-License-Identifier: MIT
# A job array of Slurm over the shards of a plan, some to a task, and the merge as a job that depends on
# it: on this machine alone, in a folder of the test, as any user. One task is killed, one shard has no
# memory, one partial is cut: the merge names them; submitted again, only these are computed, and the
# answer is that of the whole run. Then a study of a corpus, a task of which is killed.
#   sh slurm.sh BUILD
set -u
here=$(cd "$(dirname "$0")" && pwd)
trc=$(cd "$1" && pwd)/src/trc
command -v xz >/dev/null || { echo "skipped: no xz"; exit 77; }
. "$here/one_machine.sh"

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
