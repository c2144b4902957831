# SPDX-License-Identifier: MIT
# zstf.py FILE STF: checks .zstf as readers with an index see it. Each chunk is a frame that zstd
# unpacks alone, has 100000 words of instructions except the last, and ends with one; the pc that the
# index has for a chunk is that of its first instruction, or a record says otherwise. Together they
# are the bytes of STF.
import struct
import subprocess
import sys

FIXED = {1: 4, 2: 9, 4: 3, 5: 3, 7: 9, 8: 13, 9: 9, 19: 1, 31: 9, 60: 14, 101: 9, 240: 5, 241: 3}


def length(data, at):
    if data[at] == 6:
        return 7 + struct.unpack_from("<H", data, at + 5)[0]
    return 10 + 8 * data[at + 9] if data[at] == 100 else FIXED[data[at]]


def walk(data, pc):
    """Returns the number of instructions, whether the last record is one, and the next pc."""
    at = words = 0
    target = None
    while at < len(data):
        record = data[at]
        word = record in (240, 241)
        if record == 9:
            pc = struct.unpack_from("<Q", data, at + 1)[0]
        elif record in (31, 101):
            target = struct.unpack_from("<Q", data, at + 1)[0]
        elif word:
            pc = target if target is not None else pc + (4 if record == 240 else 2)
            target = None
            words += 1
        at += length(data, at)
    return words, word, pc


with open(sys.argv[1], "rb") as f:
    z = f.read()
magic, size, index = struct.unpack_from("<4sQQ", z)
count = struct.unpack_from("<Q", z, index)[0]
chunk = [struct.unpack_from("<QQQ", z, index + 8 + 24 * i) for i in range(count)]
assert (magic, size, len(z)) == (b"ZSTF", 100000, index + 8 + 24 * count)
assert chunk[0][:2] == (20, 0)
whole, pc = b"", 0
for i, (offset, start, plain) in enumerate(chunk):
    end = chunk[i + 1][0] if i + 1 < count else index
    data = subprocess.run(["zstd", "-dc"], input=z[offset:end], stdout=subprocess.PIPE, check=True).stdout
    assert len(data) == plain and start == pc, i
    words, ended, pc = walk(data, start)
    assert ended and (words == size or (i + 1 == count and words <= size)), i
    print("chunk", i, words, "instructions")
    whole += data
with open(sys.argv[2], "rb") as f:
    assert whole == f.read()
