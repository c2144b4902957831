# SPDX-License-Identifier: MIT
# Branches and registers by the words of other machines than RISC-V, whose tests are outcomes, champsim
# and stf. An instruction of ten bytes has no word.
cat >x86.csv <<'END'
type,addr,size,insn
fetch,0x1000,1,0x55
write,0x7ff8,8,0
fetch,0x1001,3,0xe58948
fetch,0x1004,10,0
fetch,0x100e,5,0xede8
write,0x7ff0,8,0
fetch,0x1100,3,0xc83948
fetch,0x1103,2,0xfb75
fetch,0x1100,3,0xc83948
fetch,0x1103,2,0xfb75
fetch,0x1105,1,0xc3
read,0x7ff0,8,0
fetch,0x1013,2,0xe0ff
fetch,0x2000,2,0x90
END
trc decode --annotate x86 x86.csv 2>&1 | grep -q 'built without' &&
	{ echo "skipped: built without Zydis"; exit 77; }
try trc decode --annotate x86 --drop insn --to csv x86.csv
try trc encode --annotate x86 --for champsim x86.csv x86.champsim
try trc decode --only fetch --drop addr,type x86.champsim

cat >arm.execlog <<'END'
0, 0x400000, 0xa9bf7bfd, "stp x29, x30, [sp, #-16]!", store, 0x7ff0, store, 0x7ff8
0, 0x400004, 0xeb14003f, "cmp x1, x20"
0, 0x400008, 0x54000041, "b.ne #8"
0, 0x400010, 0x94000004, "bl #16"
0, 0x400020, 0xd65f03c0, "ret"
0, 0x400014, 0x04206000, "an instruction of SVE"
END
try trc decode --annotate aarch64 --drop task --to csv arm.execlog

# Sizes are from the word of the instruction, unless it is of another processor or makes several accesses.
cat >sizes.execlog <<'END'
0, 0x80001000, 0x6398, "ld a4,0(a5)", load, 0x80003000, RAM
0, 0x80001002, 0x13, "nop"
0, 0x80001006, 0x00c5a52f, "amoadd.w a0,a2,(a1)", load, 0x80003020, RAM, store, 0x80003020, RAM
1, 0x8000100a, 0x00058503, "lb a0,0(a1)", load, 0x80003020
1, 0x8000100e, 0xffffffff, "none", load, 0x80003020
END
try trc decode --annotate riscv --drop regs,branch,insn --to csv sizes.execlog
cat >sizes.execlog <<'END'
0, 0x400000, 0xf9400021, "ldr x1, [x1]", load, 0x7000
0, 0x400004, 0x39000021, "strb w1, [x1]", store, 0x7000
0, 0x400008, 0x1c000000, "ldr s0, 0x400008", load, 0x400008
0, 0x40000c, 0xc85ffc20, "ldaxr x0, [x1]", load, 0x7008
0, 0x400010, 0xb8200020, "ldadd w0, w0, [x1]", load, 0x7010, store, 0x7010
0, 0x400014, 0x3dc00020, "ldr q0, [x1]", load, 0x7020, load, 0x7028
END
try trc decode --annotate aarch64 --drop regs,branch,insn,task --to csv sizes.execlog

# Without sizes nobody knows whether a word of x86 is whole; and a trace may say what it is of.
try trc decode --annotate x86 arm.execlog
assemble good-drmemtrace-version-4 >old.memtrace
try trc decode --annotate aarch64 old.memtrace
try trc decode --annotate mips old.memtrace

# A filter leaves gaps in the path: what was fetched next is not known any more.
try trc decode --addr 0x400000-0x40000c,0x400020-0x400024 --annotate aarch64 --drop task --to csv arm.execlog

# Words of a machine of 32 bits are other instructions: a call of RV32C adds in RV64C.
assemble good-stf-records >narrow.stf
try trc encode --annotate riscv narrow.stf wide.csv
printf '\1' | dd of=narrow.stf bs=1 seek=27 conv=notrunc 2>/dev/null
try trc decode --annotate riscv narrow.stf
try trc encode --for champsim narrow.stf narrow.champsim
# Nor are the words of other machines taken for those of this one.
printf '%s\n' '--1-- Arch and hwcaps: PPC64, BigEndian, ppc64' 'I  1000,4' >other.lackey
try trc decode --annotate aarch64 other.lackey
# Nor is an encoding of REGDEPS one of x86, of which the file says that it was, too.
assemble good-drmemtrace-regdeps >both.memtrace
printf '\100' | dd of=both.memtrace bs=1 seek=28 conv=notrunc 2>/dev/null
try trc decode --annotate x86 both.memtrace
