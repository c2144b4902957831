# SPDX-License-Identifier: MIT
# Traces of others become those of DynamoRIO, and are the same again.
needs gz
back() {
	try trc encode "$1" --to drmemtrace x.memtrace --force
	trc decode --to "$2" x.memtrace back && cmp "$1" back && echo same
	rm -f back
}
cat >a.lackey <<'END'
I  00401000,4
 L 1ffeffe000,8
I  00401004,3
I  00402000,2
 S 1ffeffe008,8
I  00402000,2
END
back a.lackey lackey
od -A n -t u2 -w12 x.memtrace | awk '{ print $1, $2 }' | tr '\n' ';' && echo
cat >b.xdin <<'END'
r 1000 8
w 2000 4
END
back b.xdin xdin
trc encode --force a.lackey x.memtrace.gz && trc decode --to lackey x.memtrace.gz - | cmp - a.lackey && echo packed
# A part of a trace, with all columns; its time goes back.
cat >all.csv <<'END'
type,addr,size,time,asid,task,pc,insn,branch
read,0x7000,8,50,2,0,0x3ff0,0x0,0
fetch,0x4000,4,50,2,0,0x4000,0x13,0
read,0x7000,8,51,2,0,0x4000,0x0,0
fetch,0x4004,2,51,2,0,0x4004,0x8082,99
fetch,0x5000,4,52,2,0,0x5000,0x63,17
prefetch,0x7100,64,40,2,0,0x5000,0x0,0
fetch,0x6000,4,53,2,0,0x6000,0x13,0
END
back all.csv csv
try trc stat x.memtrace
# What it cannot hold.
echo 'I  00401000,4
 M 1ffeffe000,8' >m.lackey
try trc encode m.lackey x.memtrace --force
trc encode --split-modify m.lackey x.memtrace --force && trc decode x.memtrace --to lackey -
printf 'type,addr,size,task\nfetch,0x40,4,1\nfetch,0x44,4,2\n' >two.csv
try trc encode two.csv x.memtrace --force
trc encode two.csv --to drmemtrace:task x.memtrace --force && trc decode --to csv x.memtrace - | cmp - two.csv && echo same
trc split --by task --to drmemtrace two.csv two && ls two
printf 'type,addr\nfetch,0x40\n' >no.csv
try trc encode no.csv x.memtrace --force
printf 'type,addr,size\nkernel-fetch,0x40,4\n' >kernel.csv
try trc encode kernel.csv x.memtrace --force
printf 'type,addr,size,event\nevent,0x0,0,"E 1 2"\n' >event.csv
try trc encode event.csv x.memtrace --force
# Scarab decodes every instruction: words of more than 8 bytes were refused, and left out of what was for it, so
# that all instructions were nops.
printf '%s\n' type,addr,size,insn fetch,0x40,3,0xe78948 fetch,0x43,10,0x44332211b848 fetch,0x4d,11,0x0 fetch,0x58,3,0x0 \
	fetch,0x40,3,0xe78948 fetch,0x43,10,0x44332211b848 >words.csv
try trc encode words.csv --for scarab x.memtrace --force
od -A n -v -t x1 -w12 x.memtrace | grep '^ \(2f\|0a\) 00'
try trc stat --check --for scarab x.memtrace
trc decode x.memtrace --to csv -
try trc encode words.csv --to drmemtrace x.memtrace --force
# It drops an instruction if a time is between that and its data.
printf '%s\n' type,addr,size,time,insn fetch,0x40,3,7,0x8b48 read,0x900,8,8,0 fetch,0x43,1,9,0x90 >times.csv
try trc encode times.csv --for scarab x.memtrace --force
trc decode x.memtrace --to csv -
echo fetch,0x60,2,0x909090 >>words.csv
try trc encode words.csv --for scarab x.memtrace --force
# Words of another machine, and their machine, of which a header that was made up told nothing.
assemble good-stf-records >rv.stf
trc encode --from stf rv.stf --for scarab rv.memtrace 2>&1 | grep -o 'lost:.*insn'
printf -- '--1-- Arch and hwcaps: ARM64, LittleEndian, v8\nI  00401000,4\n' >arm.lackey
try trc encode -q arm.lackey --for scarab arm.memtrace
try trc stat --check --for scarab arm.memtrace
# A branch of unknown kind, as the path alone may leave it.
printf 'type,addr,size,branch\nfetch,0x40,4,3\nfetch,0x80,4,1\nfetch,0x84,4,0\n' >kindless.csv
try trc encode kindless.csv x.memtrace --force
trc decode x.memtrace --to csv -
