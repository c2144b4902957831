# SPDX-License-Identifier: MIT
# Instructions by their functions: symbols as nm prints them, of an ELF, a map of perf, and DynamoRIO's modules.log.
needs python3
printf '%s\n' type,addr,pc read,0x10,0x1000 read,0x20,0x1004 read,0x30,0x1108 read,0x30,0x1120 write,0x40,0x1210 \
	read,0x50,0x900 >a.csv
printf '%s\n' '0000000000001000 T alpha' '0000000000001100 0000000000000010 t beta' '0000000000001200 W gamma' \
	'                 U printf' '0000000000001104 d data' >nm
try trc stat --top pcs --functions nm a.csv
try trc stat --cache 1K:1:64 --by pc --functions nm a.csv
try trc stat --tlb 4 --by pc --csv --functions nm a.csv
try trc stat --json --top pcs --rows 1 --functions nm a.csv
# Symbols of a kernel, whose addresses begin with no zero.
printf '%s\n' type,addr,pc read,0x10,0xffffffff81000010 >kernel.csv
printf '%s\n' 'ffffffff81000000 T _stext' 'ffffffff81000008 D jiffies' >kernel
try trc stat --csv --top pcs --functions kernel kernel.csv
# What a trace names is opened only if it is a file: a pipe would wait for ever.
mkfifo pipe
trc encode --note "module=1000-2000 0 0000000000000000 $PWD/pipe" a.csv pipe.trc
try trc stat --csv --top pcs --rows 1 pipe.trc
printf 'Module Table: version 5, count 1\n 0, 0, 0x1000, 0x2000, 0x0, 0, 0x0, %s\n' "$PWD/pipe" >modules.log
try trc stat --csv --top pcs --rows 1 --functions modules.log a.csv
# An ELF of two sections of symbols and names; loaded elsewhere, and with modules.log.
python3 - <<'END'
import struct
names = b'\0alpha\0beta\0long' + b'g' * 300 + b'\0object\0'
def symbol(name, kind, at, size, section=1):
    return struct.pack('<IBBHQQ', names.index(name), kind, 0, section, at, size)
symbols = bytes(24) + symbol(b'alpha\0', 2, 0x100, 0x20) + symbol(b'beta\0', 0x12, 0x200, 0) + \
    symbol(b'long', 2, 0x300, 0x10) + symbol(b'object\0', 1, 0x400, 8) + symbol(b'beta\0', 2, 0x500, 8, 0)
def elf(kind, link=2, size=None):
    head = b'\x7fELF' + bytes([2, 1, 1]) + bytes(9) + struct.pack('<HHIQQQIHHHHHH', 3, 62, 1, 0, 0, 64, 0, 64, 0, 0, 64, 3, 0)
    def section(kind, at, size, link):
        return struct.pack('<IIQQQQIIQQ', 0, kind, 0, 0, at, size, link, 0, 1, 24)
    at = 64 + 3 * 64
    return head + section(0, 0, 0, 0) + section(kind, at, size or len(symbols), link) + \
        section(3, at + len(symbols), len(names), 0) + symbols + names
open('elf', 'wb').write(elf(2))
open('dynamic', 'wb').write(elf(11))
open('none', 'wb').write(elf(9))
open('cut', 'wb').write(elf(2)[:300])
open('nameless', 'wb').write(elf(2, link=77))
open('large', 'wb').write(elf(2, size=1 << 60))
open('short', 'wb').write(b'\x7fELF\2\1')
END
printf '%s\n' type,addr,pc read,0x10,0x5100 read,0x10,0x511f read,0x10,0x5120 read,0x10,0x5208 read,0x10,0x5304 \
	read,0x10,0x5404 >b.csv
for elf in elf dynamic; do
	try trc stat --csv --top pcs --functions $elf@0x5000 b.csv
done
cat >modules.log <<'END'
Module Table: version 5, count 2
Columns: id, containing_id, start, end, entry, offset, preferred_base, path
  0,   0, 0x0000000000005000, 0x0000000000006000, 0x0000000000000000, 0000000000000000, 0x0000000000000000,  elf
  1,   0, 0x0000000000006000, 0x0000000000007000, 0x0000000000000000, 0000000000001000, 0x0000000000001000,  elf
  2,   2, 0x0000000000009000, 0x000000000000a000, 0x0000000000000000, 0000000000000000, 0x0000000000000000,  [vdso]
END
trc stat --csv --top pcs --functions elf@0x5000 b.csv >one
trc stat --csv --top pcs --functions modules.log b.csv | cmp - one && echo the same
printf '5100 20 Lcom/example;::run\n5200 8 other\n' >perf-7.map
try trc stat --csv --top pcs --functions perf-7.map --functions nm b.csv
# What names nothing.
for file in none cut nameless large short nowhere a.csv nm@x; do
	try trc stat --top pcs --functions $file b.csv
done
try trc stat --top pages --functions nm b.csv
try trc stat --cache 1K:1:64 --functions nm b.csv
# What breaks misses down says what counts references.
try trc stat --by function b.csv
try trc stat --top pcs --by line b.csv
# A name longer than the line does not tear the table apart.
printf '0000000000001000 0000000000000300 T %0100d\n' 7 >long
try trc stat --top functions --functions long a.csv
