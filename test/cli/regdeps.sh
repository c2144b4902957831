# SPDX-License-Identifier: MIT
# Traces of Google's workloads (REGDEPS), whose encodings have registers and hide the rest: by hand, and
# random ones of a writer that finds for itself what has to come of them.
needs python3
assemble good-drmemtrace-regdeps >by-hand.memtrace
try trc decode --drop time,asid,task,pc,event by-hand.memtrace
try trc encode --for champsim by-hand.memtrace x.champsim
try trc decode --only fetch --from champsim x.champsim
try trc encode by-hand.memtrace x.trc
trc decode x.trc >of-trc
trc decode by-hand.memtrace | cmp - of-trc
try trc encode --annotate x86 by-hand.memtrace x.csv

# Words are not whole encodings.
try trc encode x.trc x.memtrace --drop regs
try trc encode --for dynamorio x.trc x.memtrace

cat >write.py <<'END'
"""write.py NAME.memtrace >NAME.csv"""
import random
import struct
import sys

r = random.Random(7)
kinds = {10: 0, 11: 2, 12: 3, 14: 4, 15: 5, 16: 6, 48: 1, 49: 1}   # of entries, as column branch has them
out = open(sys.argv[1], 'wb')


def put(kind, size, value):
    out.write(struct.pack('<HHQ', kind, size, value))


def made():
    """An encoding, and what it reads and writes."""
    written = r.choices(range(2, 200), k=r.choice([0, 1, 1, 1, 2, 3]))
    read = r.choices(range(2, 200), k=r.choice([0, 1, 1, 2, 3, 5]))
    flags = r.randrange(4)
    head = len(written) | len(read) << 4 | flags << 8 | 1 << r.randrange(10, 32)
    size = r.randrange(256) if written + read else None
    body = bytes([size] + written + read) if written + read else b''
    body += bytes(r.randrange(256) for _ in range(-len(body) % 4))     # padding is anything
    word = head | (size or 0) << 32
    return (struct.pack('<I', head) + body, word,
            [n + 30 for n in written] + [25] * (flags & 1), [n + 30 for n in read] + [25] * (flags >> 1))


def column(kind, written, read):
    """As ChampSim has to have it: what shows the kind, then the others, each once, four at most."""
    first = {0: ([], []), 1: ([26], [26]), 2: ([26], [26]), 3: ([26], []), 4: ([26, 6], [26, 6]),
             5: ([26, 6], [26, 6]), 6: ([26, 6], [6])}[kind]
    read = [] if kind in (2, 4) else read
    other = {1: [25], 3: [1], 5: [1]}.get(kind, []) if not read else []
    sides = [list(dict.fromkeys(f + s + o)) for f, s, o in ((first[0], written, []), (first[1], read, other))]
    value = 0
    for at, side in enumerate(sides):
        for i, n in enumerate(side[:4]):
            value |= n << 32 * at + 8 * i
    return value


for entry in [(25, 0, 7), (28, 12, 7), (28, 9, 0x20200), (22, 4, 1), (24, 4, 1), (28, 2, 1 << 53)]:
    put(*entry)
print('type,size,insn,branch,regs')
program = {}
for i in range(30000):
    pc = 0x1000 + 16 * r.randrange(3000)
    new = pc not in program
    if new:
        program[pc] = (*made(), r.choice(list(kinds) + [10] * 8), r.randrange(1, 16))
    encoding, word, written, read, entry, size = program[pc]
    for at in range(0, len(encoding) if new else 0, 8):
        part = encoding[at:at + 8]
        put(47, len(part), int.from_bytes(part, 'little'))
    put(entry, size, pc)
    branch = (1 | 2 * (entry != 49)) * (entry != 10) | kinds[entry] << 4
    print(f'fetch,{size},{word:#x},{branch},{column(kinds[entry], written, read):#x}')
    if r.randrange(3) == 0:
        put(0, 8, 0x8000 + 8 * i)
        print('read,8,0x0,0,0x0')
put(23, 4, 1)
put(26, 0, 0)
END
python3 write.py random.memtrace >want.csv
trc decode --to csv --drop addr,time,asid,task,pc,event random.memtrace >got.csv
cmp want.csv got.csv && wc -l <got.csv
