# SPDX-License-Identifier: MIT
# Conditional branches of drmemtrace before version 5, and of fetches that were filtered, are not read
# as if none was taken: the next instruction of the thread tells, and where it does not, that is said.
# 17 is not taken, 19 taken, 21 unknown.
assemble good-drmemtrace-version-4 >old.memtrace
try trc decode --only fetch --drop time,asid,pc,event old.memtrace
try trc encode old.memtrace x.din --drop size,time,asid,task,pc,branch,event
trc encode --limit 5 old.memtrace five.trc
trc decode --drop time,asid,pc five.trc

# ChampSim knows no third outcome.
try trc encode --drop size,time,asid,task,event old.memtrace x.champsim
try trc encode --for champsim old.memtrace x.champsim
try trc encode -q --for champsim old.memtrace quiet.champsim
try cmp x.champsim quiet.champsim
trc decode --from champsim x.champsim | grep -c ',19,'
trc encode -q old.memtrace x.trc
try trc encode --for cloudsuite x.trc x.cloudsuite

# Several inputs: all of them together.
cp old.memtrace other.memtrace
try trc encode --concat old.memtrace other.memtrace y.trc

# Where fetches are left out, the next one tells nothing, in version 5 neither.
{
	head -c 4 old.memtrace
	printf '\5\0\0\0\0\0\0\0'
	tail -c +13 old.memtrace | head -c 16
	printf '\300'
	tail -c +30 old.memtrace
} >filtered.memtrace
trc decode --only fetch --drop time,asid,pc,event filtered.memtrace | grep -c ',21$'

# Instruction words, of two processors that take turns.
cat >two.execlog <<'END'
0, 0x80000000, 0x463, "beqz zero,8"
1, 0x80000008, 0x463, "beqz zero,8"
0, 0x80000008, 0x463, "beqz zero,8"
1, 0x8000000c, 0x463, "beqz zero,8"
0, 0x80009000, 0x13, "nop"
END
try trc decode --annotate riscv --drop insn,regs two.execlog
