# SPDX-License-Identifier: MIT
# Shards of a plan by make, GNU parallel and Snakemake, where there is one: the answer of the whole run, and after
# an accident only what is missing is computed again.
#   sh engines.sh BUILD
set -u
here=$(cd "$(dirname "$0")" && pwd)
PATH=$(cd "$1" && pwd)/src:$PATH
export PATH
for tool in make parallel xz; do
	command -v "$tool" >/dev/null || { echo "skipped: no $tool"; exit 77; }
done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
fail() { echo "engines.sh: $1"; exit 1; }
mkdir traces
xz -dc "$here/../data/sort.lackey.xz" | head -n 60000 | split -l 25000 --additional-suffix .lackey - traces/
trc stat --mrc --concat --csv traces/* >want.csv || fail "the whole run"

# ---- make ----
run_make() { make -s -j 2 -f "$here/Makefile" TRACES="$(echo traces/*)" SHARDS=7 EACH=3; }
run_make || fail "make"
cmp want.csv curve.csv || fail "make has another answer"
rm curve.csv parts/4.part parts/branch-2
touch -d 2000-01-01 traces/*
touch -d 2001-01-01 parts/plan
touch -d 2001-01-02 parts/*.part
touch -d 2001-01-03 parts/branch-*
run_make || fail "make, once more"
cmp want.csv curve.csv || fail "make has another answer after an accident"
[ "$(find parts -name '*.part' -newermt 2002-01-01)" = parts/4.part ] ||
	fail "make computed again what was there"
# Another plan of the same: partials that fit are kept, and a trace that changed is another.
touch traces/*
cp -p parts/6.part six
run_make || fail "make, with a new plan"
cmp want.csv curve.csv && cmp six parts/6.part || fail "make has another answer by a new plan"
sed '20,29s/I /S /' traces/ab.lackey >changed && mv changed traces/ab.lackey
trc stat --mrc --concat --csv traces/* >other.csv || fail "the whole run, once more"
run_make || fail "make, with another trace"
cmp other.csv curve.csv || fail "make has another answer of another trace"
cmp -s want.csv other.csv && fail "both traces have one answer"

# ---- GNU parallel, by hand ----
mkdir p
trc stat -q --mrc --shards 7 -o plan traces/* || fail "a plan"
run_parallel()
{
	seq 7 | parallel --will-cite -j 2 trc stat -q --plan plan --shard {} --resume --partial p/{}
}
run_parallel || fail "parallel"
trc stat --merge --plan plan --csv p | cmp other.csv - || fail "parallel has another answer"
head -c 100 p/2 >cut && mv cut p/2
rm p/5
trc stat --merge --plan plan --csv p >got.csv 2>why && fail "a merge without shard 5"
[ ! -s got.csv ] || fail "a merge that failed has printed"
grep -q '5/7' why || fail "shard 5 is not named"
run_parallel || fail "parallel, once more"
trc stat --merge --plan plan --csv p | cmp other.csv - || fail "parallel has another answer after an accident"
engines="make and parallel"

# ---- Snakemake ----
if command -v snakemake >/dev/null; then
	rm -r parts curve.csv
	run_snakemake()
	{
		HOME=$dir snakemake --cores 2 --nolock -q -s "$here/Snakefile" --config traces='traces/*' shards=7 each=3 >log 2>&1
	}
	run_snakemake || { cat log; fail "snakemake"; }
	cmp other.csv curve.csv || fail "snakemake has another answer"
	touch -d 2001-01-01 parts/*.part
	rm curve.csv parts/4.part parts/branch-2
	run_snakemake || { cat log; fail "snakemake, once more"; }
	cmp other.csv curve.csv || fail "snakemake has another answer after an accident"
	engines="make, parallel and snakemake"
fi
echo "$engines: the answer of the whole run, also after accidents"
