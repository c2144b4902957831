# SPDX-License-Identifier: MIT
# Certificates: given for what reduce makes, refused where something was changed since.
ln -s "$SRC/test/data/sort.lackey.xz" .
trc reduce --quiet --sad 32 sort.lackey.xz good.sad
try trc stat --certify good.sad sort.lackey.xz
try trc stat --certify --json good.sad sort.lackey.xz
try trc stat --certify --by-space good.sad sort.lackey.xz
trc reduce --quiet --sad 32 --no-block sort.lackey.xz no-block.sad
trc stat --certify no-block.sad sort.lackey.xz | grep 'certified\|writes'
try trc stat --certify --sad 31 good.sad sort.lackey.xz
# Two fingerprints stood there without a word why: each is that of a file.
trc stat --check --json sort.lackey.xz good.sad | grep -o 'fingerprint.*'

# One record is dropped, two are swapped, the pages of two are, a write becomes a read.
sed 1200d good.sad >dropped.sad
try trc stat --certify dropped.sad sort.lackey.xz
sed '1200{h;d;};1201G' good.sad >swapped.sad
try trc stat --certify swapped.sad sort.lackey.xz
awk 'NR == 1200 { a = $6; line = $0; next }
	NR == 1201 { b = $6; sub(a "$", b, line); print line; sub(b "$", a) } 1' good.sad >pages.sad
try trc stat --certify pages.sad sort.lackey.xz
for n in 1 22; do
	awk -v n=$n '/^w/ && ++i == n { sub("w", "r") } 1' good.sad >read-$n.sad
	try trc stat --certify read-$n.sad sort.lackey.xz
done
try trc stat --certify --json read-1.sad sort.lackey.xz
# A write that was given to a page which is dirty without it: no memory sees a difference.
awk '/^w/ && ++i == 99 { sub("w", "r") } 1' good.sad >read-99.sad
trc stat --certify read-99.sad sort.lackey.xz | head -n 1
try trc stat --certify --limit 500k good.sad sort.lackey.xz

# The number of records, the totals, and the stamps of records were not looked at.
changed() {
	sed "$1" good.sad >changed.sad
	try trc stat --certify changed.sad sort.lackey.xz
}
changed 's/records=[0-9]*/records=1/'
changed 's/references=[0-9]*/references=1/'
changed 's/instructions=[0-9]*/instructions=1/'
changed 's/last-cycle=[0-9]*/last-cycle=1/'
changed '1200s/^\(.\) [0-9a-f]*/\1 7/'
changed '1200s/^\(. [0-9a-f]*\) [0-9a-f]*/\1 7/'
sed '1200s/^\(.\) [0-9a-f]*/\1 7/' good.sad >changed.sad
try trc stat --certify --json changed.sad sort.lackey.xz

# A trace with cycles has these; without, it has reference times, in all records. A container has
# a count of its own, too.
awk 'BEGIN {
	for (i = 0; i < 3000; i++)
		printf "%s %x 4 1 %02x000\n", i % 7 ? "r" : "w", 5 * i + 3, int(i % 20 * i / 90) % 47
}' >cycles.laplace
trc reduce --quiet --sad 4 cycles.laplace cycles.sad
trc stat --certify cycles.sad cycles.laplace | head -n 1
trc reduce --quiet --sad 4 --drop time cycles.laplace none.sad
trc stat --certify none.sad cycles.laplace | head -n 1
trc reduce --quiet --sad 4 --to trc cycles.laplace cycles.trc
trc stat --certify cycles.trc cycles.laplace | head -n 1
sed '100s/^\(.\) [0-9a-f]*/\1 7/' cycles.sad >changed.sad
try trc stat --certify changed.sad cycles.laplace
awk 'NR == 100 { $2 = $4 } 1' cycles.sad >changed.sad
try trc stat --certify changed.sad cycles.laplace

# A trace reduced again is certified for more.
trc reduce --quiet --sad 64 good.sad better.sad
trc stat --certify better.sad good.sad | head -n 1
trc stat --certify better.sad sort.lackey.xz | head -n 1

grep -v '^#' good.sad >bare.sad
try trc stat --certify bare.sad sort.lackey.xz
trc stat --certify --sad 32 bare.sad sort.lackey.xz | head -n 1
try trc stat --certify sort.lackey.xz sort.lackey.xz
try trc stat --certify good.sad
try trc stat --certify - sort.lackey.xz
try trc stat --certify --page-size 8K good.sad sort.lackey.xz
try trc stat --certify --mrc good.sad sort.lackey.xz
try trc stat --sad 3 good.sad

# Over canonical pages, which both have to have: two processes that take turns share a file.
awk 'BEGIN {
	for (pid = 1; pid <= 2; pid++)
		printf "A 0 %d %d\nM 0 %d %d00000 40000 5 8 1 0 file\n", pid, pid, pid, pid
	for (i = 0; i < 30; i++)
		printf "S %x %d\n", 1 + i * 100, 1 + i % 2
}' >kernel
awk 'BEGIN {
	for (i = 0; i < 3000; i++)
		printf "%s %x 4 %d %d%02x000\n", i % 7 ? "r" : "w", 2 + i, 1 + int(i / 100) % 2,
			1 + int(i / 100) % 2, int(i % 20 * i / 90) % 47
}' >trace.laplace
try trc split --kernel kernel --basic --to trc trace.laplace system.trc
trc reduce -q --canonical --olr 16 --to trc system.trc canonical.trc
try trc stat --certify canonical.trc system.trc
# That it was reduced over canonical pages looked like the number of them.
trc stat canonical.trc | grep canonical
trc stat --certify --json canonical.trc system.trc | cut -c -70
trc encode -q --skip 100 canonical.trc less.trc
try trc stat --certify less.trc system.trc
try trc stat --certify canonical.trc trace.laplace
try trc stat --certify --by-space canonical.trc system.trc
# What is read again is no pipe, whatever it is called: the message was that it is empty.
cat canonical.trc | { try trc stat --certify /dev/stdin system.trc; }
cat trace.laplace | { try trc stat --formats /dev/stdin; }
trc reduce --quiet --sad 4 trace.laplace trace.sad
cat trace.sad | { try trc stat --check /dev/stdin; }
