# SPDX-License-Identifier: MIT
# What a recording knows of the files that were executed names the functions of instructions.
needs python3
valgrind --tool=lackey true >/dev/null 2>&1 || {
	echo "no valgrind here"
	exit 77
}
files() { trc stat "$@" | sed -n 's/^module  *\([0-9a-f]*\)-[0-9a-f]* [0-9a-f]* [0-9a-f]* .*\/\([a-z]*\)[^/]*$/\2/p'; }
cp "$(command -v expr)" ./expr
trc encode --quiet --by valgrind --record a.trc -- ./expr 6 '*' 7
files a.trc | grep -cE '^(expr|ld|libc)$'
trc stat --csv -q --top functions --rows 100000 a.trc >functions.csv
valgrind --tool=cachegrind --cache-sim=yes --cachegrind-out-file=out ./expr 6 '*' 7 2>/dev/null
python3 "$SRC/test/cli/functions_recorded.py" out <functions.csv
# By pc, and with functions without being asked; through other commands, from a pipe, and in parts.
trc stat --csv -q --top pcs --rows 50 a.trc | awk -F, 'NR > 1 && $NF ~ /[+]0x/ { n++ } END { print (n > 10) }'
trc stat --csv -q --cache 32K:8:64 --by function a.trc >by.csv
awk -F, 'NR > 1 && $NF != "" { n++ } END { print (n > 10) }' by.csv
trc encode --quiet --only fetch,read,write,modify a.trc b.trc
files b.trc | grep -cE '^(expr|ld|libc)$'
trc stat --csv -q --cache 32K:8:64 --by function - <a.trc | cmp - by.csv && echo the same
for i in 1 2; do trc stat --cache 32K:8:64 --by function --shard $i/2 --partial p$i -q a.trc; done
trc stat --csv -q --merge p1 p2 | cmp - by.csv && echo the same
# A program that was built again has other functions, if any; text has no provenance.
echo >>expr
trc stat --csv --top functions --rows 100000 a.trc 2>&1 >changed.csv | sed 's/ [0-9]* files/ N files/'
cp "$(command -v expr)" ./expr
trc decode -q --to lackey a.trc a.lackey
try trc stat --top functions a.lackey
try trc stat --cache 1K:1:64 --by function a.lackey
# DynamoRIO has a list beside its traces, or in raw/ beside these: of files that are not there, or two in one place, too.
# And of what has no end, or waits for somebody, such as a list of strangers may have.
mkdir -p run/trace run/raw
mkfifo fifo
trc encode -q --for dynamorio a.trc run/trace/x.trace 2>/dev/null
{
	printf 'Module Table: version 5, count 1\nColumns: id, containing_id, start, end, entry, offset, preferred_base, path\n'
	trc stat a.trc | sed -n 's/^module  *\([0-9a-f]*\)-\([0-9a-f]*\) [0-9a-f]* [0-9a-f]* \(.*\/lib[a-z]*[.].*\)/ 0, 0, 0x\1, 0x\2, 0x0, 0, 0x0, \3/p'
	echo ' 1, 1, 0x9000, 0xa000, 0x0, 0, 0x0, /nowhere/lib.so'
	echo ' 2, 2, 0x9000, 0xa000, 0x0, 0, 0x0, /dev/zero'
	echo " 3, 3, 0x9000, 0xa000, 0x0, 0, 0x0, $PWD/fifo"
} >run/raw/modules.log
trc stat --csv -q --top functions --rows 100000 run/trace/x.trace | grep -c mem >beside
trc encode -q run/trace/x.trace c.trc
trc stat --csv -q --top functions --rows 100000 c.trc | grep -c mem | cmp - beside && echo the same
mv run/raw/modules.log run/trace/modules.log
trc stat --csv -q --top functions --rows 100000 run/trace/x.trace | grep -c mem | cmp - beside && echo the same
sed 's/ 0, 0,/ 5, 5,/' run/trace/modules.log | grep libc >>run/trace/modules.log
sed -i '$s/0x[0-9a-f]*,/0x48be000,/' run/trace/modules.log
trc stat --csv --top functions --rows 1 run/trace/x.trace 2>&1 >/dev/null | sed 's/ [0-9]* files/ N files/'
