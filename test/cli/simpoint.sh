# SPDX-License-Identifier: MIT
# Regions that stand for a whole trace: what is written is of the trace, and what is reported of it is what
# --mrc counts in the regions and in the whole.
ln -s "$SRC/test/data/sort.lackey.xz" .
trc encode -q sort.lackey.xz sort.trc
try trc reduce --simpoint 6,20k sort.trc regions/
ls regions
try cat regions/simpoints
try cat regions/weights
try cat regions/regions.tsv
try cat regions/errors.tsv
trc stat regions/$(ls regions | sed -n 's/^region/&/p' | sed -n 3p) | tail -n 4 | sed 's/\(trc  *\)[0-9.]*/\1VERSION/'

# The records of each region are those of the trace.
sed 1d regions/regions.tsv | while read -r cluster interval weight first records insn insns refs misses; do
	file=regions/region-$(printf %06d $interval).trc
	trc encode --to hash $file | cut -d ' ' -f 1 >hash
	trc encode --to hash --skip $((first - 1)) --limit $records sort.trc | cut -d ' ' -f 1 | cmp - hash
	[ "$(trc stat --json $file | sed 's/.*"instructions": \([0-9]*\).*/\1/')" = $insns ] || echo "$file: instructions"
done

# Misses: of the whole, of each region by itself, and of all of them together by their weights.
misses() {
	trc stat --mrc --line-size 64 --sizes 32K,256K,2M --csv "$@" | cut -d , -f 2-4
}
try misses sort.trc
sed 1d regions/regions.tsv | cut -f 2 | while read -r interval; do
	file=regions/region-$(printf %06d $interval).trc
	misses $file | sed 1d | cut -d , -f 2 | tr '\n' ' '
	echo
done >by_mrc
sed 1d regions/regions.tsv | awk '{ print $9 " " $11 " " $13 " " }' | try cmp by_mrc -
sed 1d regions/regions.tsv | awk '
	{ for (k = 0; k < 3; k++) { cold[k] += $3 * $(9 + 2 * k) / $7; warm[k] += $3 * $(10 + 2 * k) / $7 }
	  refs += $3 * $8 / $7 }
	END { for (k = 0; k < 3; k++) printf "%.5f,%.5f\n", cold[k] / refs, warm[k] / refs }' >by_awk
sed 1d regions/errors.tsv | awk '{ printf "%.5f,%.5f\n", $3, $4 }' | try cmp by_awk -

# Warmed up: what is before a region is written with it, and what it then misses is the difference.
try trc reduce -q --simpoint 6,20k --warmup 30k sort.lackey.xz warm
cut -f 1-9 warm/regions.tsv >warm.tsv
cut -f 1-9 regions/regions.tsv | try cmp - warm.tsv
file=$(sed 1d regions/simpoints | sed 's/ .*//; q')
try trc stat --json warm/region-$(printf %06d $file).trc | sed 's/.*"instructions": \([0-9]*\).*warmup=\([^"]*\)".*/\1: \2/'

# The same from text, by one thread, by the same seed; others may differ.
trc reduce -q --simpoint 6,20k -T 1 --seed 1 --to lackey sort.lackey.xz text
for file in simpoints weights regions.tsv errors.tsv; do cmp text/$file regions/$file; done
ls text | sed 1q
trc reduce -q --simpoint 6,20k --seed 2 --sizes 1K,512 sort.trc seed
cut -f 1 seed/errors.tsv
try trc reduce --simpoint 1,200k --limit 500k sort.trc one
try trc reduce --simpoint 9,10M sort.trc all
trc encode --to hash all/region-000000.trc | cut -d ' ' -f 1 >hash
trc encode --to hash sort.trc | cut -d ' ' -f 1 | try cmp - hash

# Two files as one, and what is left out.
trc reduce -q --simpoint 3,100k --concat sort.trc sort.trc twice
sed 's/ .*//' twice/simpoints | tr '\n' ' '; echo

# What stands beside the regions is taken for no trace.
try trc stat --check regions

# They were refused as parts of one trace, without a word of what to do instead.
try trc encode --for champsim regions regions.champsim
try trc encode -q --for champsim regions/ champsim/
ls champsim | sed 's/region-[0-9]*/N/' | uniq -c
first=$(ls champsim | sed 1q)
trc encode -q --for champsim regions/${first%.champsim}.trc - | cmp - champsim/$first
try trc stat --mrc regions
# One folder was merged by time for most questions, though --concat was given.
for what in '--mrc --csv' '--ws --csv' '--cache 4K:2:64 --csv' '--reuse --csv' --fingerprint '--top lines --csv'; do
	trc stat -q $what --concat regions >folder && trc stat -q $what --concat regions/*.trc | cmp - folder
done

# What cannot be.
try trc reduce --simpoint 6 sort.trc bad
try trc reduce --simpoint 0,10 sort.trc bad
try trc reduce --simpoint 6,x sort.trc bad
try trc reduce --simpoint 6,20k sort.trc
try trc reduce --simpoint 6,20k sort.trc regions
try trc reduce --simpoint 6,20k --force sort.trc bad
try trc reduce --simpoint 6,20k --sad 4 sort.trc bad
try trc reduce --simpoint 6,20k --sizes 0 sort.trc bad
try trc reduce --simpoint 6,20k --sizes 1.5K,1 sort.trc sizes
try trc reduce --seed 2 sort.trc bad
trc decode -q sort.trc - | try trc reduce --simpoint 6,20k - bad
printf '0 10\n1 14\n' >b.din
try trc reduce --simpoint 6,20k b.din bad
try trc reduce --simpoint 6,20k --to page sort.trc bad
ls
