# SPDX-License-Identifier: MIT
# .zstf was read, but not written: chunks that can be read alone, and an index of them.
needs zst python3
check()
{
	trc encode -q --force "$1" x.stf && trc encode -q --force "$1" x.zstf || return
	python3 "$SRC/test/cli/zstf.py" x.zstf x.stf
	trc decode -q --to csv x.stf >a.csv
	trc decode -q --to csv x.zstf | cmp - a.csv && echo "read as the same"
}
trc replay -q "$SRC/test/data/sort.bus" sort.trc
trc replay -q "$SRC/test/data/sort.bus" sort.zstf
check sort.trc
cmp sort.zstf x.zstf
# Chunks end at instructions that go on, that branch, and that jump without a branch; in the kernel,
# after accesses, and at the end of the trace.
awk 'BEGIN {
	print "type,addr,size,asid,task,insn"
	for (i = 1; i <= 300000; i++) {
		kernel = (i > 150000) ? "kernel-" : ""
		printf "%sfetch,%d,4,1,7,%d\n", kernel, 4 * i + 2 ^ 24 * int((i - 1) / 100000), (i == 100000) ? 99 : 3
		if (i % 50000 == 0)
			printf "%sread,%d,8,1,7,0\n", kernel, i
	}
}' >long.csv
check long.csv
head -1 long.csv >none.csv
trc encode -q none.csv none.zstf
try trc stat none.zstf
# Other names, and what it is not for.
trc encode -q --to zstf sort.trc other && cmp other sort.zstf
trc decode -q --to csv sort.trc >a.csv
trc decode -q --drop asid,task,event --to csv other | cmp - a.csv && echo "read under any name"
try trc stat --from zstf other
try trc encode --to zstf sort.trc -
try trc encode --compress xz sort.trc no.zstf
try trc encode --compress zstf sort.trc no.stf
try trc encode sort.trc no.din.zstf
printf '0 10\n' >a.din
try trc encode a.din no.zstf
try trc encode --drop insn sort.trc no.zstf
printf 'type,addr,size,insn\nfetch,16,3,7\n' >three.csv
try trc encode three.csv no.zstf
ls
