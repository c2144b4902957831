# SPDX-License-Identifier: MIT
"""functions.py TRC TRACE CHAMPSIM FILE...: what a recording has of the FILEs that the program executed.
Each function, by the table of symbols, has as many fetches in 'stat --top functions' as its addresses have
in the trace; the word of each instruction is the bytes of the file; and ChampSim's records go on where
the path does, but after branches that are taken."""
import collections
import csv
import struct
import subprocess
import sys

trc, trace, champsim = sys.argv[1:4]
HEADER, SYMBOL, FUNC, SYMTAB = "<16sHHIQQQIHHHHHH", "<IBBHQQ", 2, 2


def run(*words):
    return subprocess.run([trc, *words], check=True, stdout=subprocess.PIPE, text=True).stdout


def elf(path):
    """Loaded segments of a file, (address, bytes), and functions, (name, address, size)."""
    b = open(path, "rb").read()
    h = struct.unpack_from(HEADER, b)
    programs = [struct.unpack_from("<IIQQQQQQ", b, h[5] + i * h[9]) for i in range(h[10])]
    sections = [struct.unpack_from("<IIQQQQIIQQ", b, h[6] + i * h[11]) for i in range(h[12])]
    functions = []
    for s in sections:
        if s[1] != SYMTAB:
            continue
        names = sections[s[6]][4]
        for at in range(s[4], s[4] + s[5], 24):
            name, info, _, where, value, size = struct.unpack_from(SYMBOL, b, at)
            if info & 15 == FUNC and where and size:
                end = b.index(b"\0", names + name)
                functions.append((b[names + name:end].decode(), value, size))
    return [(p[3], b[p[2]:p[2] + p[5]]) for p in programs if p[0] == 1], functions


def fetches():
    rows = csv.reader(run("decode", "--to", "csv", trace).splitlines())
    head = next(rows)
    at, size, insn = head.index("addr"), head.index("size"), head.index("insn")
    for row in rows:
        if row[0] == "fetch":
            yield int(row[at], 16), int(row[size]), int(row[insn], 16)


def modules():
    """Path -> bias, of those that were executed."""
    lines = [x.split(None, 4) for x in run("stat", trace).splitlines() if x.startswith("module")]
    return {x[4]: int(x[2], 16) for x in lines}


def main():
    bias, at, word, bad = modules(), collections.Counter(), {}, 0
    for addr, size, insn in fetches():
        at[addr] += 1
        word[addr] = size, insn
    top = run("stat", "--csv", "-q", "--top", "functions", "--rows", "100000", trace)
    told = {row["function"]: int(row["fetches"]) for row in csv.DictReader(top.splitlines())}
    for path in sys.argv[4:]:
        segments, functions = elf(path)
        for name, lo, size in functions:
            have = sum(n for a, n in at.items() if 0 <= a - bias[path] - lo < size)
            if have != told.get(name, 0) and name in ("main", "by_value", "early", "late"):
                print(path, name, "has", told.get(name), "fetches, not", have)
                bad += 1
            bad += have == 0 and name in ("main", "by_value", "early", "late")
        for addr, (size, insn) in word.items():
            for lo, b in segments:
                a = addr - bias[path] - lo
                if 0 <= a < len(b) and b[a:a + min(size, 8)] != insn.to_bytes(8, "little")[:size]:
                    print(path, hex(addr), "has another word than", hex(insn))
                    bad += 1
    b = open(champsim, "rb").read()
    records = [struct.unpack_from("<QBB2B4B", b, i) for i in range(0, len(b), 64)]
    pairs = list(zip(records, records[1:]))
    gone = [r for r, s in pairs if not 0 <= s[0] - r[0] <= 15 and not r[2]]
    none = sum(not any(r[3:]) for r in records)
    taken = sum(r[2] for r in records)
    if gone or none > len(records) / 20 or not 0 < taken < sum(r[1] for r in records):
        print("of", len(records), "records", len(gone), "go on elsewhere,", none, "without registers,", taken, "taken")
        bad += 1
    sys.exit(bad > 0)


main()
