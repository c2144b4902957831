# SPDX-License-Identifier: MIT
# What stops a program, or misleads it, with the first record and how many: each rule once, planted
# into a trace that breaks none.
head='type,addr,size,task,branch,regs'
good='fetch,0x1000,4,1,0,0x10000000002
read,0x2000,8,1,0,0
fetch,0x1004,2,1,19,0x1a0000001a
fetch,0x1010,4,1,17,0x1a0000001a
fetch,0x1014,4,1,35,0x1a
fetch,0x1018,4,1,99,0x1a
fetch,0x3000,1,1,0,0
fetch,0x3000,1,1,0,0
fetch,0x3001,4,1,0,0'
rule() { # NAME PROGRAM LINES: behind what breaks none
	printf '%s\n' "$head" "$good" "$3" | sed '/^$/d' >"$1.csv"
	try trc stat --check --for "$2" "$1.csv"
}
rule none champsim ''
rule ip-0 champsim 'fetch,0,4,1,0,0'
rule ip-0 gem5 'fetch,0,4,1,0,0'
rule gap champsim 'fetch,0x3006,4,1,0,0
fetch,0x300b,4,1,0,0'
rule gap dynamorio 'fetch,0x3006,4,1,0,0'
rule gap ramulator 'fetch,0x3006,4,1,0,0'
rule not-taken champsim 'fetch,0x3005,2,1,17,0x1a
fetch,0x4000,4,1,0,0'
rule taken champsim 'fetch,0x3005,2,1,19,0x1a
fetch,0x3007,4,1,0,0'
rule indirect champsim 'fetch,0x3005,2,1,51,0x1a
fetch,0x3007,4,1,0,0'
rule never champsim 'fetch,0x3005,2,1,65,0x1a'
rule unknown champsim 'fetch,0x3005,2,1,21,0x1a'
rule kind champsim 'fetch,0x3005,2,1,3,0
fetch,0x4000,4,1,0,0'
rule regs-none champsim 'fetch,0x3005,2,1,19,0x5
fetch,0x4000,4,1,0,0'
rule regs champsim 'fetch,0x3005,2,1,0,0x1a
fetch,0x4000,2,1,0,0x1a0000001a
fetch,0x4002,2,1,0,0x191a0000001a
fetch,0x5000,2,1,0,0'
rule data-0 champsim 'read,0,4,1,0,0'
rule loads champsim 'read,0x10,4,1,0,0
read,0x20,4,1,0,0
modify,0x30,4,1,0,0
read,0x40,4,1,0,0
read,0x50,4,1,0,0
read,0x60,4,1,0,0'
rule stores champsim 'write,0x10,4,1,0,0
write,0x20,4,1,0,0
write,0x30,4,1,0,0'
rule stores cloudsuite 'write,0x10,4,1,0,0
write,0x20,4,1,0,0
write,0x30,4,1,0,0
write,0x40,4,1,0,0
write,0x50,4,1,0,0'
rule task champsim 'fetch,0x3005,2,2,0,0'
rule task dynamorio 'fetch,0x3005,2,2,0,0'
rule first champsim 'read,0x50,4,2,0,0'
for program in champsim ramulator2 dramsim3 gem5 dinero libcachesim; do
	rule lines $program 'read,0x3e,4,1,0,0'
done
# Behind a signal a task may be anywhere, not behind a change of its processor.
printf '%s\n' 'type,addr,size,branch,event' 'fetch,0x1000,4,0,' 'event,0,0,0,! signal-number 26' \
	'fetch,0x9000,4,0,' 'event,0,0,0,! cpu-id 3' 'fetch,0x1000,4,0,' >signal.csv
try trc stat --check --for dynamorio signal.csv
# The kernel, which interrupts, is a path of its own.
printf '%s\n' 'type,addr,size,branch' 'fetch,0x1000,4,0' 'kernel-fetch,0xf000,4,0' 'fetch,0x1004,4,0' \
	'kernel-fetch,0xf004,4,0' 'kernel-fetch,0xf014,4,0' >kernel.csv
try trc stat --check --for dynamorio kernel.csv
# The whole: no instructions, branches, registers; records that were left out.
printf '0 10\n1 20\n' >data.din
try trc stat --check --for champsim data.din
try trc stat --check --for ramulator data.din
try trc stat --check --for dinero data.din
cp "$SRC/test/data/sort.lackey.xz" .
try trc stat --check --for champsim sort.lackey.xz
trc reduce --quiet --sad 64 sort.lackey.xz reduced.sad
try trc stat --check --for dramsim3 reduced.sad
# Without sizes, an instruction has at most 15 bytes, and what is taken may be near.
near() { # ADDRESS
	printf 'type,addr,branch,regs\nfetch,0x1000,19,0x1a\nfetch,0x1004,0,0x1\nfetch,%s,0,0x1\n' "$1" >near.csv
	try trc stat --check --for champsim near.csv
}
near 0x1013
near 0x1014
# Times that run back, of programs that go by them, and of others.
printf 'type,addr,size,time\nread,0x10,4,5\nread,0x20,4,3\nread,0x30,4,4\nread,0x30,4,1\n' >back.csv
for program in champsim dramsim3 gem5; do
	try trc stat --check --for $program back.csv
done
# As a table, with other traces; what stops is an error, what misleads a warning.
try trc stat --check --for champsim --csv none.csv ip-0.csv gap.csv
try trc stat --check --for champsim --json ip-0.csv
try trc stat --check --for champsim --tap gap.csv
try trc stat --check --strict --for champsim gap.csv
try trc stat --check --for champsimm gap.csv
try trc stat --for champsim gap.csv
# Scarab decodes words of x86-64, of one thread, and has nothing of a trace without instructions.
printf '%s\n' type,addr,size,task,branch,insn read,0x10,4,1,0,0 fetch,0x1000,2,1,0,0x9090 fetch,0x1002,1,1,0,0 fetch,0x2000,1,2,0,0x90 \
	fetch,0x1010,1,1,0,0x90 >scarab.csv
try trc stat --check --for scarab scarab.csv
try trc stat --check --for scarab data.din
printf 'r 10 4\n' >none.xdin
try trc stat --check --for scarab none.xdin
