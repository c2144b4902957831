# SPDX-License-Identifier: MIT
# The Simulation Tracing Format: rows, events, who made it; .zstf is the same.
needs zst
assemble good-stf-records >x.stf
try trc decode --to csv x.stf -
try trc stat x.stf
assemble good-stf-narrow-events >y.stf
try trc decode --to csv y.stf -
trc decode --to csv y.stf - >y.csv
assemble good-stf-packed >y.zstf
trc decode --to csv y.zstf - | cmp - y.csv && echo packed
trc encode --annotate riscv --only fetch --drop event x.stf --to csv - | tail -n 3
for bad in packed-not-finished version-1.1 transactions access-3 cut-short; do
	assemble "bad-stf-$bad" >bad.stf
	try trc stat bad.stf
done
# Data that ended between two records, in the header or before the word of an instruction, was read without a word.
for bytes in 29 146; do
	head -c $bytes x.stf >bad.stf
	try trc stat bad.stf
done
# Written, it is read as the same; so are events, processes, and traces that trc replay computes.
for f in x y; do
	trc encode -q --force $f.stf back.stf
	trc decode -q --to csv $f.stf >$f.csv
	trc decode -q --to csv back.stf | cmp - $f.csv && echo back
done
trc replay -q "$SRC/test/data/sort.bus" sort.stf
trc replay -q "$SRC/test/data/sort.bus" sort.trc
trc decode -q --to csv sort.trc >sort.csv
trc decode -q --drop asid,task,event --to csv sort.stf | cmp - sort.csv && echo replayed
# The kernel, of which no event tells; tasks in turn; a branch that leads elsewhere, and no branch that does.
cat >modes.csv <<'END'
type,addr,size,asid,task,insn,event
fetch,0x1000,4,1,7,0x73,
kernel-fetch,0x8000,2,1,7,0xa001,
kernel-read,0x9000,8,1,7,0,
kernel-fetch,0x8100,4,1,7,0x13,
kernel-fetch,0x8200,4,1,7,0x13,
fetch,0x1004,4,2,8,0x6f,
event,0,0,0,8,0,"! fault 13 0x1000"
fetch,0x2000,4,2,8,0x3,
write,0x3000,4,2,8,0,
END
try trc encode modes.csv modes.stf
try trc decode --to csv modes.stf
# What it cannot hold.
head -1 modes.csv >none.csv
trc encode -q none.csv none.stf
try trc stat none.stf
for row in 'fetch,0x1000,3,0,0,0x73,' 'fetch,0x1000,2,0,0,0x10072,' 'fetch,0x1000,4,0,0,0x91000421,' 'read,0x1000,4,0,0,0,' 'event,0,0,0,0,0,exit 7' \
	'fetch,0x1000,4,0,0,0x73,
read,0x2000,4,0,1,0,' 'fetch,0x1000,4,0,0,0x73,
read,0x2000,70000,0,0,0,' 'misc,0x1000,4,0,0,0,'; do
	{ cat none.csv; echo "$row"; } >row.csv
	try trc encode row.csv row.stf
done
trc decode -q --drop insn modes.csv --to csv | try trc encode - row.stf
