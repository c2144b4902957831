# SPDX-License-Identifier: MIT
# Several traces, or policies, in one table and one picture; none where one of them fails.
ln -s "$SRC/test/data/sort.lackey.xz" .
trc reduce --quiet --sad 64 sort.lackey.xz sort.sad

# Before, several files were one trace here, though each had a row of its own in the plain table.
try trc stat --mrc sort.lackey.xz sort.sad
try trc stat --mrc --csv --sizes 16,64K,64,1M --plot both.svg sort.lackey.xz sort.sad
python3 "$SRC/test/cli/picture.py" both.svg
try trc stat --mrc --json --sizes 64,128 sort.sad sort.lackey.xz

# Each is what it is alone, behind its name, for any number of threads.
mkdir runs
printf 'r 1 4 1 1000\nw 2 4 2 1000\nr 3 4 1 2ffe\nw 4 4 1 1000\nr 5 4 2 3000\n' >runs/a.laplace
printf 'r 1 4 1 5000\nw 2 4 1 6000\n' >'runs/b, "c".laplace'
# Counts of touches stand there if one of the traces has references to several pages.
ratios() {
	awk 'NR == 1 { wide = /,touches$/ } wide { sub(/,[^,]*,[^,]*$/, "") } { print }'
}
each() {
	for input in "$@"; do
		trc stat $question --csv "$input" | ratios | sed "1d; s|^|\"$(echo "$input" | sed 's/"/""/g')\",|"
	done
}
for question in "--mrc" "--mrc --all-sizes" "--mrc --by-space" "--mrc --line-size 64 --no-first"; do
	more=sort.lackey.xz
	[ "$question" = "--mrc --by-space" ] && more=runs/a.laplace
	each runs/* $more | tr -d '"' >want
	for n in $(some 1 5 2); do
		trc stat $question --csv -T $n runs/* $more | ratios | sed 1d | tr -d '"' | cmp - want ||
			echo "$question -T $n"
	done
	echo "$question: as alone"
done
try trc stat --mrc --csv --by-space runs/*
try trc stat --mrc --no-first runs/*
# Short names: where files have the same, their folders.
mkdir runs/x runs/y
cp runs/a.laplace runs/x && cp runs/a.laplace runs/y
trc stat --mrc runs/x/a.laplace runs/y/a.laplace | sed -n 2,3p
trc stat --mrc runs/a.laplace runs/y/a.laplace | sed -n 2,3p
mkdir -p trials/run1 trials/run2
cp runs/a.laplace trials/run1 && cp runs/a.laplace trials/run2
trc stat --mrc trials/run1/a.laplace trials/run2/a.laplace | sed -n 2,3p

# Working sets in the same way.
try trc stat --ws --plot ws.svg runs/a.laplace sort.lackey.xz
python3 "$SRC/test/cli/picture.py" ws.svg
try trc stat --ws --json runs/x runs/a.laplace
for question in "--ws" "--ws --clock cycles --by-space"; do
	each runs/*.laplace | tr -d '"' >want
	trc stat $question --csv runs/*.laplace | ratios | sed 1d | tr -d '"' | cmp - want &&
		echo "$question: as alone"
done
trc stat --ws --csv --concat runs/*.laplace >one
cat runs/*.laplace >whole.laplace
trc stat --ws --csv whole.laplace | cmp - one && echo concatenated
try trc stat --ws sort.lackey.xz sort.sad

# Policies, of one trace and of several.
try trc stat --mrc --policy lru,opt,arc --sizes 4,32,128 sort.lackey.xz
try trc stat --mrc --policy opt,lru --csv --sizes 4,32 --plot policies.csv sort.lackey.xz runs/a.laplace
cat policies.csv
for policy in lru opt random=7; do
	trc stat --mrc --csv --policy $policy --sizes 4,32 sort.lackey.xz | sed "1d; s/^/$policy,/"
done >want
trc stat --mrc --csv --policy lru,opt,random=7 --sizes 4,32 sort.lackey.xz | sed 1d | cmp - want &&
	echo policies as alone
trc decode --quiet --limit 9000 sort.lackey.xz head.lackey
tail -n 9000 head.lackey >tail.lackey
trc stat --mrc --csv --concat --policy lru,opt head.lackey tail.lackey >one
cat head.lackey tail.lackey >whole.lackey
trc stat --mrc --csv --policy lru,opt whole.lackey | cmp one - && echo concatenated

# All or nothing; what is asked wrongly is known before anything is read.
try trc stat --mrc sort.lackey.xz none.din runs/a.laplace
try trc stat --mrc --sizes 32 sort.sad sort.lackey.xz
try trc stat --mrc --policy lru,opt sort.lackey.xz sort.sad
try trc stat --mrc --policy lru,best none.din
try trc stat --mrc --policy lru,clock none.din
try trc stat --mrc --policy lru,opt --shard 1/2 --partial p sort.lackey.xz
try trc stat --mrc --policy lru,opt - <head.lackey
cp runs/a.laplace a.svg
try trc stat --mrc --from laplace --force --plot a.svg runs/a.laplace a.svg
printf '1\n2\n1\n' >a.page
trc encode --quiet --to csv runs/a.laplace - | trc stat --mrc --csv - a.page
cp runs/a.laplace a.laplace
trc reduce --quiet --sad 1 --page-size 64 a.laplace lines.sad
try trc stat --mrc a.laplace lines.sad
try trc stat --mrc --line-size 64 a.laplace a.page
