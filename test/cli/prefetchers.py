# SPDX-License-Identifier: MIT
"""Levels of caches with prefetchers, as plainly as can be, beside what trc has.
usage: prefetchers.py TRC SEED... (a trace and a hierarchy each)"""
import csv
import io
import random
import subprocess
import sys

TYPES = ("fetch", "read", "write", "misc")
TOP = 1 << 64


class Level:
    def __init__(self, size, ways, line, policy, how, degree):
        self.shape = "%d:%d:%d:%s" % (size, ways, line, policy) + (":%s=%d" % (how, degree) if how else "")
        self.line, self.ways, self.policy, self.how, self.degree = line, ways, policy, how, degree
        self.sets = [[] for _ in range(size // ways // line)]  # that used last at the end
        self.below, self.insn = None, {}
        self.clear()

    def clear(self):
        names = ("references", "misses", "writebacks", "evictions", "prefetches", "prefetched", "useful")
        self.n = {name: dict.fromkeys(TYPES, 0) for name in names}
        self.read = self.written = 0

    def find(self, space, number):
        return next((e for e in self.sets[number % len(self.sets)] if e["key"] == (space, number)), None)

    def use(self, space, number, kind, whole, count):
        """A reference to one line: false if it was not there."""
        held, entry = self.sets[number % len(self.sets)], self.find(space, number)
        if entry:
            entry["dirty"] |= kind == "write"
            if self.policy == "lru":
                held.remove(entry)
                held.append(entry)
            return True
        self.n[count][kind] += 1
        gone = held.pop(0) if len(held) == self.ways else None
        held.append({"key": (space, number), "dirty": kind == "write", "fresh": count == "prefetched"})
        self.n["evictions"][kind] += gone is not None
        if kind != "write" or not whole:
            self.read += self.line
            self.ask(space, number, "read" if kind == "write" else kind)
        if gone and gone["dirty"]:
            self.n["writebacks"][kind] += 1
            self.written += self.line
            self.ask(*gone["key"], "write")
        return False

    def ask(self, space, number, kind):
        if self.below:
            self.below.refer(space, number * self.line, self.line, kind, self.pc)

    def demand(self, space, addr, kind, whole, first):
        number, entry = addr // self.line, self.find(space, addr // self.line)
        fresh = entry is not None and entry["fresh"]
        self.n["references"][kind] += 1
        self.n["useful"][kind] += fresh
        if fresh:
            entry["fresh"] = False
        hit = self.use(space, number, kind, whole, "misses")
        if kind not in ("read", "fetch") or not self.how:
            return
        step = self.line
        if self.how == "stride":
            step = self.stride(space, addr) if first else 0
        elif (self.how == "next-line-miss" and hit) or (self.how == "next-line-tagged" and hit and not fresh):
            step = 0
        for k in range(1, self.degree + 1):
            target = addr + k * step
            if step and 0 <= target < TOP:
                self.n["prefetches"][kind] += 1
                self.use(space, target // self.line, kind, False, "prefetched")

    def stride(self, space, addr):
        if self.pc is None:
            return 0
        last, before = self.insn.get((space, self.pc), (addr, 0))
        now = (addr - last + TOP // 2) % TOP - TOP // 2
        self.insn[(space, self.pc)] = (addr, now)
        if now == 0 or now != before:
            return 0
        return now if abs(now) >= self.line else (self.line if now > 0 else -self.line)

    def refer(self, space, addr, size, kind, pc):
        self.pc, first = pc, True
        while size > 0:
            n = min(size, self.line - addr % self.line)
            self.demand(space, addr, kind, n == self.line, first)
            addr, size, first = addr + n, size - n, False

    def finish(self):
        for number in reversed(range(len(self.sets))):
            for e in self.sets[number]:
                if e["dirty"]:
                    e["dirty"] = False
                    self.written += self.line
                    self.ask(*e["key"], "write")


def make_trace(r):
    """Instructions that walk, each by a stride of its own, and others that jump."""
    spaces, rows = r.choice([1, 1, 2]), []
    base = r.choice([0, 1 << 20, (1 << 32) - 4096, TOP - (1 << 15)])
    walks = [[0x400000 + 8 * i, base + r.randrange(1 << 14), r.choice([0, 4, 8, -8, 24, 64, -64, 200, 1000])]
             for i in range(r.randrange(1, 8))]
    for _ in range(r.randrange(1, 900)):
        walk, space = r.choice(walks), r.randrange(spaces)
        walk[1] = base + (walk[1] + walk[2] - base) % (1 << 14)
        addr = walk[1] if r.random() < 0.9 else base + r.randrange(1 << 14)
        if r.random() < 0.4:
            rows.append(("fetch", walk[0], 4, space, walk[0]))
        kind = r.choice(["read"] * 4 + ["write", "modify", "misc"])
        size = r.choice([1, 4, 8, 8, 16, 100, 1000])
        rows.append((kind, addr if addr + size < TOP else base, size, space, walk[0]))
    return rows, spaces > 1


def make_levels(r):
    levels = []
    for k in range(r.choice([1, 1, 2, 3])):
        line, ways = r.choice([2, 16, 64, 64, 128]), r.choice([1, 2, 4, 40])
        how = r.choice([None, "next-line", "next-line-miss", "next-line-tagged", "stride", "stride"])
        levels.append(Level(line * ways << r.randrange(1, 5) + k, ways, line, r.choice(["lru", "lru", "fifo"]), how,
                            r.choice([1, 1, 2, 5])))
    for above, below in zip(levels, levels[1:]):
        above.below = below
    return levels


def simulate(levels, rows, warmup, by_pc):
    fetched = None
    for i, (kind, addr, size, space, pc) in enumerate(rows):
        if i == warmup:
            for level in levels:
                level.clear()
        fetched = addr if kind == "fetch" else fetched
        for one in ("read", "write") if kind == "modify" else (kind,):
            levels[0].refer(space, addr, size, one, pc if by_pc else fetched)
    for level in levels:
        level.finish()


def check(trc, seed):
    r = random.Random(seed)
    (rows, spaces), levels, by_pc = make_trace(r), make_levels(r), r.random() < 0.5
    warmup = r.choice([0, 0, r.randrange(len(rows)) if len(rows) > 1 else 0])
    text = "type,addr,size%s%s\n" % (",asid" if spaces else "", ",pc" if by_pc else "")
    for kind, addr, size, space, pc in rows:
        text += "%s,0x%x,%d%s%s\n" % (kind, addr, size, ",%d" % space if spaces else "",
                                      ",0x%x" % pc if by_pc else "")
    args = [trc, "stat", "--csv", "-q", "--from", "csv", "-"]
    args += ["--warmup", str(warmup)] if warmup else []
    # Side by side, one may be the only level.
    family = len(levels) == 1 and r.random() < 0.5
    for level in levels:
        args += ["--cache", level.shape + (",1K:1:64" if family else "")]
    out = subprocess.run(args, input=text, capture_output=True, text=True)
    if out.returncode:
        return ["seed %d: %s: %s" % (seed, args, out.stderr.strip())]
    simulate(levels, rows, warmup, by_pc)
    return compare(seed, levels, list(csv.DictReader(io.StringIO(out.stdout))), family)


def compare(seed, levels, answers, family):
    bad = []
    for i, level in enumerate(levels):
        for name, of in level.n.items():
            for kind in ("all",) if family else TYPES:
                mine = [a for a in answers if family or (a["level"] == str(i + 1) and a["type"] == kind)]
                want = sum(of.values()) if family else of[kind]
                if family and name == "writebacks":
                    want = level.written // level.line
                have = int(mine[0].get(name) or 0) if mine else 0
                if have != want:
                    bad.append("seed %d: %s, %s %s: %d, not %d" % (seed, level.shape, kind, name, have, want))
    return bad


if __name__ == "__main__":
    wrong = [line for seed in sys.argv[2:] for line in check(sys.argv[1], int(seed))]
    print("\n".join(wrong[:10]) or "as by their definition" if sys.argv[2:] else "none")
