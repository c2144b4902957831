# SPDX-License-Identifier: MIT
"""Caches one by one, as plainly as can be, beside what trc finds in one pass: hits, misses, evictions
and write-backs. usage: cache_family.py TRC SEED... (a trace and a family of caches each)"""
import csv
import io
import random
import subprocess
import sys


class Cache:
    def __init__(self, size, ways, line, policy):
        self.line, self.ways, self.policy = line, ways, policy
        self.sets = [[] for _ in range(size // ways // line)]  # [line, dirty], that used last at the end
        self.refs = self.misses = self.evictions = self.writebacks = 0

    def touch(self, space, number, write):
        held = self.sets[number % len(self.sets)]
        key = (space, number)
        self.refs += 1
        entry = next((e for e in held if e[0] == key), None)
        if entry is None:
            self.misses += 1
            if len(held) == self.ways:
                self.evictions += 1
                self.writebacks += held.pop(0)[1]
            entry = [key, False]
            held.append(entry)
        elif self.policy == "lru":
            held.remove(entry)
            held.append(entry)
        entry[1] |= write

    def order(self, space, number, deletes):
        for held in self.sets:
            for e in list(held):
                if number is not None and e[0] != (space, number):
                    continue
                if deletes:
                    held.remove(e)
                else:
                    self.writebacks += e[1]
                    e[1] = False

    def row(self, kind, addr, size, space):
        first, last = addr // self.line, (addr + max(size, 1) - 1) // self.line
        if kind in ("invalidate", "copy-back"):
            if size == 0:
                self.order(0, None, kind == "invalidate")
                return
            for number in range(first, last + 1 if kind == "invalidate" else first + 1):
                self.order(space, number, kind == "invalidate")
            return
        for write in {"modify": (False, True), "write": (True,)}.get(kind, (False,)):
            for number in range(first, last + 1):
                self.touch(space, number, write)

    def finish(self):
        self.order(0, None, False)


def make_trace(r):
    """Few lines, in runs, and at times far apart; with deletes, copy-backs and spaces or without."""
    kinds = ["read"] * 5 + ["write"] * 3 + ["fetch"] * 3 + ["modify", "misc"]
    if r.random() < 0.5:
        kinds += ["invalidate"] * r.choice([0, 1]) + ["copy-back"] * r.choice([0, 1])
    spaces = r.choice([1, 1, 3])
    bases = [r.choice([0, 1 << 20, (1 << 64) - (1 << 16)]) + r.randrange(1 << 12) for _ in range(4)]
    rows = []
    at = bases[0]
    for _ in range(r.randrange(1, 600)):
        at = r.choice([at, at + r.choice([1, 4, 8, 64]), r.choice(bases) + r.randrange(r.choice([64, 4096]))])
        size = r.choice([1, 2, 4, 8, 8, 16, 100]) if r.random() < 0.98 else 0
        rows.append((r.choice(kinds), at % ((1 << 64) - 200), size, r.randrange(spaces)))
    return rows, spaces > 1


def make_words(r):
    line = r.choice([1, 2, 4, 16, 64])
    low, ways = line << r.randrange(6), 1 << r.randrange(4)
    low = max(low, line * ways * 2)
    words = ["%d..%d:%d..%d:%d" % (low, low << r.randrange(4), ways, ways * r.choice([1, 2]), line)]
    if r.random() < 0.5:
        words.append("%d:3:%d:%s" % (line * 3 << r.randrange(5), line, r.choice(["fifo", "lru"])))
    if r.random() < 0.3:
        words.append("%d:full:%d" % (line << r.randrange(8), line))
    if r.random() < 0.3:
        words.append("%d..%d:1:%d" % (line * 2, line * 8, line * 2))
    return ",".join(words)


def ask(trc, words, text, warmup):
    args = [trc, "stat", "--csv", "-q", "--cache", words, "--from", "csv"]
    args += ["--warmup", str(warmup)] if warmup else []
    out = subprocess.run(args + ["-"], input=text, capture_output=True, text=True)
    if out.returncode:
        return None, "%s: %s" % (words, out.stderr.strip())
    return list(csv.DictReader(io.StringIO(out.stdout))), None


def simulate(a, rows, warmup):
    c = Cache(int(a["size"]), int(a["ways"]), int(a["line"]), a["policy"])
    for i, row in enumerate(rows):
        if i == warmup:
            c.refs = c.misses = c.evictions = c.writebacks = 0
        c.row(*row)
    c.finish()
    return [c.refs, c.refs - c.misses, c.misses, c.evictions, c.writebacks]


def check(trc, seed):
    """The family, and the last of it by itself."""
    r = random.Random(seed)
    rows, spaces = make_trace(r)
    warmup = r.choice([0, 0, r.randrange(len(rows)) if len(rows) > 1 else 0])
    text = "type,addr,size%s\n" % (",asid" if spaces else "")
    text += "".join("%s,0x%x,%d%s\n" % (k, a, s, ",%d" % p if spaces else "") for k, a, s, p in rows)
    words = make_words(r)
    answers, why = ask(trc, words, text, warmup)
    if not answers:
        return ["seed %d: %s" % (seed, why)], 0
    alone, why = ask(trc, "%(size)s:%(ways)s:%(line)s:%(policy)s" % answers[-1], text, warmup)
    if not alone:
        return ["seed %d: %s" % (seed, why)], 0
    answers.append(alone[-1])
    wrong = []
    for a in answers:
        want = simulate(a, rows, warmup)
        have = [int(a[n] or 0) for n in ("references", "hits", "misses", "evictions", "writebacks")]
        if want != have:
            wrong.append("seed %d: %s of %s: %s, not %s" % (seed, a, words, have, want))
    return wrong, len(answers)


if __name__ == "__main__":
    bad, caches = [], 0
    for one in sys.argv[2:]:
        wrong, n = check(sys.argv[1], int(one))
        bad += wrong
        caches += n
    print("\n".join(bad[:10]) or "as one by one" if caches else "none")
