# SPDX-License-Identifier: MIT
# Shards of a trace by make and by GNU parallel: the answer of the whole run, and after an accident
# only what is missing is computed again.
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
xz -dc "$here/../data/sort.lackey.xz" | head -n 60000 >trace.lackey
trc stat --mrc --csv trace.lackey >want.csv || fail "the whole run"

# ---- make ----
run_make() { make -s -j 2 -f "$here/Makefile" TRACE=trace.lackey SHARDS=7; }
run_make || fail "make"
cmp want.csv curve.csv || fail "make has another answer"
rm curve.csv parts/4.part
touch -d 2000-01-01 trace.lackey
touch -d 2001-01-01 parts/*.part
run_make || fail "make, once more"
cmp want.csv curve.csv || fail "make has another answer after an accident"
[ "$(find parts -name '*.part' -newermt 2002-01-01)" = parts/4.part ] ||
	fail "make computed again what was there"

# ---- GNU parallel ----
mkdir p
run_parallel()
{
	seq 7 | parallel --will-cite -j 2 \
		trc stat -q --mrc --shard {}/7 --resume --partial p/{} trace.lackey
}
run_parallel || fail "parallel"
trc stat --merge --csv p/* | cmp want.csv - || fail "parallel has another answer"
head -c 100 p/2 >cut && mv cut p/2
rm p/5
trc stat --merge --csv p/* >got.csv 2>why && fail "a merge without shard 5"
[ ! -s got.csv ] || fail "a merge that failed has printed"
grep -q '5/7' why || fail "shard 5 is not named"
run_parallel || fail "parallel, once more"
trc stat --merge --csv p/* | cmp want.csv - || fail "parallel has another answer after an accident"
echo "make and parallel: the answer of the whole run, also after accidents"
