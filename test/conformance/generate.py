# SPDX-License-Identifier: MIT
"""generate.py SEED CSV: writes a made-up trace as csv, and prints how many rows its blocks have,
the settings of the container, and the words of `trc reduce` if it is reduced first. Traces are of
all kinds that have a coder of their own: programs that run, data without programs, requests, visits
to pages, events, and anything. The same seed makes the same trace."""
import random
import sys

TYPES = "read write fetch modify misc copy-back invalidate prefetch".split()


def value(r, bits):
    """A number whose size is anything up to so many bits."""
    return r.getrandbits(r.randint(0, bits)) if r.random() < 0.95 else 2**bits - 1


# ---- programs ----

class Slot:
    """Where an instruction of a program reads or writes, by a rule."""

    def __init__(self, r):
        self.type = r.choice(["read", "read", "write", "modify"])
        self.size = r.choice([1, 2, 4, 4, 8, 8, 16, 64])
        self.rule = r.choice("fixed stride stride below scaled wild list few far same".split())
        self.at = 0x10000 + r.getrandbits(20) * 8
        self.step = r.choice([1, 4, 8, 8, 64, -8, 4096])
        self.shift = r.choice([1, 2, -1, -2])
        self.back = r.randint(1, 4)
        self.list = [r.getrandbits(r.choice([16, 32, 44])) * 8 for _ in range(r.randint(3, 40))]
        self.turn = 0

    def next(self, r, last):
        self.turn += 1
        before = last[-min(self.back, len(last))] if last else self.at
        if self.rule == "fixed":
            return self.at
        if self.rule == "stride":
            return self.at + self.step * self.turn
        if self.rule == "below":
            return before + self.step
        if self.rule == "same":
            return before
        if self.rule == "scaled":
            return self.at + (before << self.shift if self.shift > 0 else before >> -self.shift)
        if self.rule == "list":
            return self.list[self.turn % len(self.list)]
        if self.rule == "few":
            return before + r.choice([-8, 8, 16, 24])
        if self.rule == "wild":
            return 0x7F0000000000 + r.getrandbits(20) * 4
        return r.getrandbits(64)


class Instruction:
    def __init__(self, r, pc, fetch_size):
        self.pc, self.fetch_size = pc, fetch_size
        some = r.choice([0, 0, 0, 1, 1, 2, 3]) if r.random() < 0.98 else r.randint(4, 20)
        self.slots = [Slot(r) for _ in range(some)]
        self.insn = value(r, 32)
        self.regs = value(r, 64) if r.random() < 0.7 else 0
        self.turns = r.randint(2, 9)
        self.kind = r.randrange(1, 8) << 4


class Program:
    """Loops and calls whose branches follow patterns, or chance."""

    def __init__(self, r):
        self.r, pc, self.code = r, r.getrandbits(r.choice([16, 32, 47])) * 4, []
        sizes = r.choice([[4], [4, 2], [0], [1, 2, 3, 5, 7, 15]])
        for _ in range(r.choice([1, 3, 8, 20, 60, 200])):
            i = Instruction(r, pc, r.choice(sizes))
            self.code.append(i)
            pc += (i.fetch_size or 4) if r.random() < 0.95 else r.getrandbits(r.choice([8, 24]))
        self.at = self.turn = 0
        self.chance = r.choice([0, 0.1, 0.5])
        self.last = []
        self.changes = r.random() < 0.15

    def step(self):
        """The rows of an instruction: type, address, size, and what is the instruction's own."""
        r, i = self.r, self.code[self.at]
        self.turn += 1
        n = len(self.code)
        jumps = i.turns > 4 and (r.random() < 0.5 if r.random() < self.chance else
                                 self.turn % i.turns == 0)
        to = (self.at * 7 + i.turns) % n if r.random() < 0.9 else r.randrange(n)
        self.at = to if jumps else (self.at + 1) % n
        insn = i.insn ^ (self.changes and r.random() < 0.02)
        branch = (1 | 2 * jumps | i.kind) if i.turns > 4 else 0
        rows = [("fetch", i.pc, i.fetch_size, i.pc, insn, branch, i.regs)]
        for s in i.slots:
            address = s.next(r, self.last) % 2**64
            self.last = (self.last + [address])[-8:]
            rows.append((s.type, address, s.size, i.pc, 0, 0, 0))
        return rows


def instructions(r):
    """A trace of one program, or of several in turns."""
    key = r.choice([None, None, None, "task", "asid"])
    programs = [Program(r) for _ in range(r.randint(2, 5) if key else 1)]
    names = ["type", "addr"] + r.choice([[], ["size"], ["size"]])
    names += r.choice([[], [], ["pc"]]) + ([key] if key else [])
    names += r.choice([[], ["insn"], ["branch", "regs"], ["insn", "branch", "regs"]])
    names += r.choice([[], [], ["time"], ["itime", "rtime"], ["time", "rtime"]])
    data_only = r.random() < 0.2
    every, odd = r.choice([1, 1, 3]), r.choice([0, 0, 0.05])
    rows, most, clock, fetches, now = [], r.choice([1, 7, 40, 150, 400, 600]), 0, 0, 0
    while len(rows) < most:
        if r.random() < 0.02:
            now = r.randrange(len(programs))
        for type, addr, size, pc, insn, branch, regs in programs[now].step():
            if data_only and type == "fetch":
                continue
            clock += every if r.random() >= odd else r.randrange(100)
            fetches += type == "fetch"
            if r.random() < odd:
                regs += 1
            of = {"type": type, "addr": addr, "size": size, "pc": pc, "insn": insn,
                  "branch": branch, "regs": regs % 2**64, "time": clock, "itime": fetches,
                  "rtime": len(rows) + 1, "task": now + 100, "asid": now * 7}
            if type == "read" and odd and r.random() < odd:
                of["type"] = "kernel-read"
            rows.append([of[n] for n in names])
    return names, rows[:most]


def chase(r):
    """A short loop that looks things up."""
    key, found = ([r.getrandbits(30) * 8 for _ in range(40)] for _ in range(2))
    rows = []
    for _ in range(r.choice([150, 250])):
        at = r.randrange(40)
        rows += [["fetch", 0x1000], ["read", key[at]], ["read", found[at]]]
    return ["type", "addr"], rows


def odds(r):
    """A loop that reads one of a few fields of new places, and the first field or one of a few
    tables: addresses come again, and differences."""
    field, table = ([r.getrandbits(bits) for _ in range(40)] for bits in (8, 30))
    rows = []
    for _ in range(r.choice([200, 300])):
        place = r.getrandbits(30)
        other = place + field[0] if r.random() < 0.75 else r.choice(table)
        rows += [["fetch", 0x1000], ["read", place], ["fetch", 0x1004]]
        rows += [["read", place + r.choice(field)], ["fetch", 0x1008], ["read", other]]
    return ["type", "addr"], rows


def fanout(r):
    """A jump to more than 255 places."""
    rows = []
    for i in range(600):
        to = i if i < 300 else r.randrange(300)
        rows += [["fetch", 0x5000], ["fetch", 0x9000 + 16 * to]]
    return ["type", "addr"], rows


def shapes(r):
    """Instructions that are alike in nothing."""
    rows, pc = [], 0x1000
    for _ in range(300):
        size = r.randint(1, 5000)
        rows += [["fetch", pc, size]] + [[r.choice(TYPES[3:]), 0x90000, 8]] * r.randint(0, 2)
        pc += size
    return ["type", "addr", "size"], rows + rows[:90]


def many(r):
    """More instructions and places than are remembered."""
    rows = []
    for i in range(4300):
        rows += [["fetch", 0x1000 + 4 * i], ["read", 0x100000 + 64 * r.getrandbits(22)]]
    return ["type", "addr"], rows


# ---- what no program explains ----

def data(r):
    """Addresses alone, or nearly."""
    names = r.choice([["addr"], ["type", "addr"], ["addr", "size"], ["type", "addr", "size"],
                      ["type", "addr", "pc"]])
    regions = [r.getrandbits(40) for _ in range(r.randint(1, 5))]
    rows, at = [], 0
    for _ in range(r.choice([2, 40, 150, 300])):
        at = at + r.choice([4, 8, 8, 64]) if r.random() < 0.9 else r.getrandbits(12)
        of = {"type": r.choice(TYPES), "addr": r.choice(regions) + at, "size": 4,
              "pc": 0x400000 + r.getrandbits(3) * 4}
        rows.append([of[n] for n in names])
    return names, rows


def requests(r):
    """Blocks or objects: names that come again, streams of neighbours, times that go on."""
    names = ["addr", "size"] + r.choice([[], ["time"], ["type", "time"]])
    objects = [(r.getrandbits(r.choice([20, 44, 64])), 2**r.randint(9, 16) + 512 * r.getrandbits(3))
               for _ in range(r.choice([5, 50, 300]))]
    wide = r.random() < 0.1
    unit, rows, clock, stream = r.choice([0, 9]), [], 0, 0
    last = objects[0]
    for _ in range(r.choice([3, 60, 400])):
        clock += r.choice([0, 0, 1, 1000])
        if r.random() < 0.3:
            stream = r.getrandbits(30)
        if r.random() < 0.5:
            a, s = stream, r.choice([512, 4096, 65536])
            stream += s >> unit
        elif r.random() < 0.3:
            a, s = (last[0] + (last[1] >> unit)) % 2**64, 4096
        else:
            a, s = objects[int(len(objects) * r.random()**3)]
        last = a, s
        if r.random() < 0.02:
            s = value(r, 32)
        of = {"addr": a, "size": s if not wide else 2**32 - 1 - r.getrandbits(8), "time": clock,
              "type": r.choice(["read", "read", "write"])}
        rows.append([of[n] for n in names])
    return names, rows


def pages(r):
    """Visits to pages, as reduced traces have them."""
    names = r.choice([["vpn"], ["vpn", "rtime"], ["type", "vpn", "itime", "rtime"],
                      ["type", "time", "asid", "itime", "rtime", "vpn"], ["type", "time", "vpn"],
                      ["rtime", "vpn", "asid"], ["type", "time", "cpn", "size"],
                      ["type", "vpn", "time", "task"]])
    base, some = value(r, 40), r.choice([1, 4, 30, 200])
    wide = r.random() < 0.15
    turns = r.choice([2, 9, 50])
    way = [r.randrange(some) for _ in range(turns)]
    rows, rtime, itime = [], 0, 0
    for i in range(r.choice([1, 30, 150, 300])):
        rtime += r.choice([1, 1, 2, 5]) if r.random() < 0.97 else value(r, 40 if wide else 12)
        itime += r.choice([0, 1, 1])
        page = way[i % turns] if r.random() < 0.9 else r.randrange(some)
        of = {"type": "write" if page % 3 == 0 else "read", "time": rtime, "asid": page % 2,
              "itime": itime, "rtime": rtime, "vpn": base + page, "task": 7 + page % 3,
              "cpn": page * 5, "size": r.choice([0, 4096])}
        if wide and r.random() < 0.01:
            of["type"], of["vpn"] = r.choice(TYPES), value(r, 64)
        rows.append([of[n] for n in names])
    return names, rows


def events(r):
    """References with events of the kernel among them."""
    names, rows = instructions(r)
    names.append("event")
    out = []
    for row in rows:
        if r.random() < 0.05:
            event = [0] * (len(names) - 1)
            event[names.index("type")] = "event"
            if "time" in names:
                event[names.index("time")] = row[names.index("time")]
            text = r.choice(["S 65", "! call 0x10, 0x20", 'M 64 "name" of', "x" * r.getrandbits(9)])
            out.append(event + ['"' + text.replace('"', '""') + '"'])
        out.append(row + ['""'])
    return names, out


COLUMN_BITS = {"type": 0, "addr": 64, "size": 32, "time": 64, "asid": 32, "task": 32, "pc": 64,
               "itime": 64, "rtime": 64, "vpn": 64, "cpn": 64, "insn": 64, "branch": 8, "regs": 64}


def anything(r):
    """Any columns, of constants, steps, few values, small ones, or any."""
    names = [n for n in COLUMN_BITS if r.random() < r.choice([0.2, 0.5])] or ["time"]
    count, made = r.choice([1, 2, 30, 200, 700]), []
    for n in names:
        bits = COLUMN_BITS[n]
        rule = r.choice("constant steps few small any near".split())
        few = [value(r, bits) for _ in range(r.choice([2, 7, 300]))]
        start, step = value(r, bits), r.randint(-3, 9)
        width, column = r.choice([3, 8, 16, 32]), []
        for i in range(count):
            v = {"constant": start, "steps": start + step * i, "few": r.choice(few),
                 "small": r.getrandbits(width), "any": value(r, bits),
                 "near": start + r.getrandbits(width)}[rule] % 2**bits
            column.append(r.choice(TYPES[:3]) if n == "type" else v)
        made.append(column)
    return names, [list(row) for row in zip(*made)]


def rare(r):
    return many(r) if r.random() < 0.1 else r.choice([chase, odds, fanout, shapes, data])(r)


KINDS = (instructions, instructions, instructions, instructions, data, requests, pages, pages,
         events, anything, anything, rare)


def settings(r, rows):
    block = r.choice([rows, rows, rows, max(1, rows // 3), max(1, rows // 20)])
    words = ["level=%d" % r.choice([0, 1, 3, 6, 6, 7, 9, 9])]
    words += ["extreme"] if r.random() < 0.4 else []
    words += ["parity=%d%%" % r.choice([0, 0, 2, 10])]
    return block, ",".join(words)


def generate(seed):
    """The text of a trace, rows of its blocks, settings, words of reduce."""
    r = random.Random(seed)
    kind = KINDS[seed % len(KINDS)]
    names, rows = kind(r)
    text = ",".join(names) + "\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)
    block, words = settings(r, len(rows))
    reduce = []
    if kind is instructions and "addr" in names and r.random() < 0.25:
        reduce = r.choice([["--sad", "4"], ["--olr", "2"], ["--window", "50"],
                           ["--sample", "1/2"], ["--sad", "16", "--page-size", "512"],
                           ["--cache", "512:2:64"]])
    return text, block, words, reduce


def main():
    text, block, words, reduce = generate(int(sys.argv[1]))
    with open(sys.argv[2], "w", encoding="ascii") as f:
        f.write(text)
    print(block, words, *reduce)


if __name__ == "__main__":
    main()
