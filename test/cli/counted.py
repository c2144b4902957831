# SPDX-License-Identifier: MIT
"""Memories and caches of objects one by one, as plainly as can be, beside what trc finds: which references
count (--count read), and what writes do (--writes). usage: counted.py TRC SEED... (a trace each)"""
import csv
import io
import os
import random
import subprocess
import sys
import tempfile

WRITES = ("back", "through", "around", "none")


class Memory:
    """A memory of so many pages, or a cache of so many bytes of objects, which are held by `held`, the one that
    goes next first: [key, size, dirty]."""

    def __init__(self, room, policy, writes, reads):
        self.room, self.policy, self.writes, self.reads = room, policy, writes, reads
        self.held, self.used = [], 0
        self.misses = self.missed_bytes = self.down = self.counted = 0

    def remove(self, entry):
        self.held.remove(entry)
        self.used -= entry[1]

    def find(self, key):
        return next((e for e in self.held if e[0] == key), None)

    def delete(self, key):
        entry = self.find(key)
        if entry:
            self.remove(entry)

    def use(self, key, size, asked, write):
        counts = not (write and self.reads)
        self.counted += counts
        back = self.writes == "back"
        self.down += write and not back
        if write and self.writes == "none":
            self.delete(key)
        entry = self.find(key)
        if entry:
            entry[2] |= write and back
            if self.policy == "lru":
                self.held.remove(entry)
                self.held.append(entry)
            return
        self.misses += counts
        self.missed_bytes += asked * counts
        if (write and self.writes in ("around", "none")) or size > self.room:
            return
        while self.used + size > self.room:
            self.down += self.held[0][2]
            self.remove(self.held[0])
        self.held.append([key, size, write and back])
        self.used += size


def trace(rng, deletes, wide):
    pages = rng.choice([5, 30])
    size = [rng.randint(1, 9) * (512 if wide else 100) for _ in range(pages)]
    for _ in range(rng.choice([50, 400])):
        page = min(int(pages * rng.random() ** 1.5), pages - 1)
        kind = rng.choice(["r", "r", "w", "m" if rng.random() < .3 else "w"])
        if deletes and rng.random() < .1:
            kind = "invalidate"
        start = page * 4096 + (rng.randrange(8) * 512 if wide else 0)
        yield kind, start, size[page] * rng.choice([1, 1, 4]) if wide else size[page]


def pages_of(addr, size):
    return range(addr // 4096, (addr + size - 1) // 4096 + 1)


def memory(rows, warm, *shape):
    m = Memory(*shape)
    m.requests = m.missed_requests = m.bytes = 0
    for i, (kind, addr, size) in enumerate(rows):
        if i == warm:
            m.misses = m.down = m.counted = m.requests = m.missed_requests = m.missed_bytes = m.bytes = 0
        for write in {"r": (False,), "w": (True,), "m": (False, True), "invalidate": (None,)}[kind]:
            before, counted = m.misses, m.counted
            for page in pages_of(addr, size):
                if write is None:
                    m.delete(page)
                else:
                    in_page = min(addr + size, 4096 * page + 4096) - max(addr, 4096 * page)
                    m.use(page, 1, in_page, write)
            m.requests += m.counted > counted
            m.missed_requests += m.misses > before
            m.bytes += size * (m.counted > counted)
    return m


def share(part, whole):
    return part / whole if whole else 0


def by_requests(what, row, m):
    assert (int(row["missed_requests"]), int(row["missed_bytes"])) == (m.missed_requests, m.missed_bytes), (
        what, row, m.missed_requests, m.missed_bytes)
    if m.requests:
        assert abs(float(row["request_miss_ratio"]) - share(m.missed_requests, m.requests)) < 1e-4, (what, row)
        assert abs(float(row["byte_miss_ratio"]) - share(m.missed_bytes, m.bytes)) < 1e-4, (what, row)


def cache(rows, warm, *shape):
    m = Memory(*shape)
    for i, (kind, addr, size) in enumerate(rows):
        if i == warm:
            m.misses = m.missed_bytes = m.down = m.counted = 0
        if kind == "invalidate":
            m.delete(addr)
        else:
            m.use(addr, size, size, kind in "wm")
    return m


def ask(trc, *words):
    said = subprocess.run([trc, "stat", "-q", "--csv", *words], capture_output=True, text=True, check=False)
    assert said.returncode == 0, (words, said.stderr)
    return list(csv.DictReader(io.StringIO(said.stdout)))


def compare(what, row, m, down="writebacks"):
    ratio = float(row["miss_ratio"]) if row["miss_ratio"] else 0
    found = int(row["misses"]), int(row[down]) if row[down] else m.down
    assert found == (m.misses, m.down), (what, row, m.misses, m.down)
    assert abs(ratio - (m.misses / m.counted if m.counted else 0)) < 1e-4, (what, row, m.misses, m.counted)


def parts(trc, path, words, n):
    """The same by shards."""
    with tempfile.TemporaryDirectory() as folder:
        part = [f"{folder}/{i}" for i in range(1, n + 1)]
        for i in range(n):
            subprocess.run([trc, "stat", "-q", *words, "--shard", f"{i + 1}/{n}", "--partial", part[i], path],
                           check=True)
        return ask(trc, "--merge", *part)


def check(trc, path, seed):
    rng = random.Random(seed)
    deletes, wide, warm = seed % 3 == 0, seed % 4 < 2, rng.choice([0, 20])
    rows = list(trace(rng, deletes, wide))
    with open(path, "w", encoding="ascii") as f:
        f.write("type,addr,size\n" + "".join(f"{k},{a},{s}\n" for k, a, s in rows))
    for writes in WRITES:
        for reads in (False, True):
            words = ["--writes", writes] + ["--count", "read"] * reads + ["--warmup", str(warm)] * (warm > 0)
            sizes = "1,2,3,5,8,13,40"
            for policy in ("lru", "fifo"):
                given = ["--sizes", sizes] if policy == "fifo" else ["--all-sizes"]
                for row in ask(trc, "--mrc", "--policy", policy, *words, *given, "-T", str(1 + seed % 2), path):
                    compare((seed, policy, words), row,
                            memory(rows, warm, int(row["pages"]), policy, writes, reads))
                for row in ask(trc, "--mrc", "--policy", policy, "--requests", *words, *given, path):
                    m = memory(rows, warm, int(row["pages"]), policy, writes, reads)
                    compare((seed, policy, words), row, m)
                    by_requests((seed, policy, words), row, m)
                if not wide:
                    for row in ask(trc, "--bytes", "--policy", policy, *words, "--sizes", "900,2000,9000", path):
                        m = cache(rows, warm, int(row["bytes"]), policy, writes, reads)
                        compare((seed, policy, words, "bytes"), row, m)
                        assert int(row["missed_bytes"]) == m.missed_bytes, (seed, words, row, m.missed_bytes)
            if not wide and writes != "around":
                curve(trc, path, rows, warm, words, writes, reads)
            if writes in ("back", "through") and not deletes and not warm:
                whole = ask(trc, "--mrc", *words, path)
                assert whole == parts(trc, path, ["--mrc", *words], 3), (seed, words)


def curve(trc, path, rows, warm, words, writes, reads):
    """Where bytes are freed, between two."""
    by_size = {}
    for row in ask(trc, "--bytes", *words, path):
        by_size.setdefault(int(row["bytes"]), []).append(row)
    for size, found in by_size.items():
        m = cache(rows, warm, size, "lru", writes, reads)
        misses = [int(row["misses"]) for row in found]
        assert min(misses) <= m.misses <= max(misses), (words, found, m.misses)
        if len(found) == 1:
            compare((words, size), found[0], m)


def expiring(trc, path, seed):
    """Objects that expire: when they are asked for, or at once."""
    rng = random.Random(seed)
    size = [rng.randint(1, 9) * 100 for _ in range(30)]
    rows, now, base = [], 0, rng.choice([0, 2**60 + 1])
    for _ in range(400):
        now += rng.randrange(4)
        rows.append((base + now, rng.choice("rrw"), int(30 * rng.random() ** 1.5)))
    with open(path, "w", encoding="ascii") as f:
        f.write("time,type,addr,size\n" + "".join(f"{t},{k},{o},{size[o]}\n" for t, k, o in rows))
    for ttl in (3, 40, 300):
        for eager in (False, True):
            words = ["--ttl", str(ttl)] + ["--eager"] * eager + ["--sizes", "900,2000,9000"]
            # What ARC remembered and forgets has no place among those that expire.
            ask(trc, "--bytes", "--policy", "arc,2q,s3-fifo,sieve,clock,lfu,gdsf,w-tinylfu", *words, path)
            for policy in ("lru", "fifo"):
                for row in ask(trc, "--bytes", "--policy", policy, *words, path):
                    m, came = Memory(int(row["bytes"]), policy, "back", False), {}
                    for t, kind, o in rows:
                        for entry in [e for e in m.held if t - came[e[0]] > ttl and (eager or e[0] == o)]:
                            m.down += entry[2]
                            m.remove(entry)
                        if kind == "w" or not m.find(o):
                            came[o] = t
                        m.use(o, size[o], size[o], kind == "w")
                    compare((seed, words, policy), row, m)


def expiring_by_count(trc, path, seed):
    """The same of caches of a number of objects, of all sizes, with deletes."""
    rng = random.Random(seed)
    rows, now, writes = [], 0, WRITES[seed % 4]
    for _ in range(400):
        now += rng.randrange(4)
        rows.append((now, rng.choices("rwi", (6, 3, 1))[0], int(20 * rng.random() ** 1.5)))
    with open(path, "w", encoding="ascii") as f:
        f.write("time,type,addr,size\n" +
                "".join(f"{t},{'invalidate' if k == 'i' else k},{o},{o % 3}\n" for t, k, o in rows))
    for ttl in (3, 40, 300):
        words = ["--mrc", "--objects", "--ttl", str(ttl), "--writes", writes, path]
        curve_of_all = ["--all-sizes"] if writes != "around" else ["--sizes", "2,7"]
        for policy, sizes in (("lru", curve_of_all), ("fifo", ["--sizes", "1,3,9,50%"])):
            for row in ask(trc, "--policy", policy, *sizes, *words):
                m, came = Memory(int(row["objects"]), policy, writes, False), {}
                for t, kind, o in rows:
                    entry = m.find(o)
                    if kind == "i":
                        m.delete(o)
                        continue
                    if entry and t - came[o] > ttl:
                        m.down += entry[2]
                        m.remove(entry)
                    if kind == "w" or not m.find(o):
                        came[o] = t
                    m.use(o, 1, 1, kind == "w")
                compare((seed, words, policy), row, m)
    enclosed(trc, path, rows, writes)
    # What never expires is as in memories of lines.
    for policy in ("lru", "fifo", "clock", "sieve", "lfu", "2q", "arc", "s3-fifo"):
        words = ["--mrc", "--objects", "--policy", policy, "--sizes", "1,2,3,4,9,10,11,19", path]
        for a, b in zip(ask(trc, *words), ask(trc, "--ttl", "99999", *words)):
            assert all(a[name] == b[name] for name in ("objects", "misses", "writebacks")), (seed, policy, a, b)


def enclosed(trc, path, rows, writes):
    """In bytes, between two curves."""
    words = ["--bytes", "--ttl", "40", "--writes", writes if writes != "around" else "back", path]
    found = {}
    for row in ask(trc, *words):
        found.setdefault(int(row["bytes"]), []).append((int(row["misses"]), int(row["missed_bytes"])))
    for room, pairs in found.items():
        m, came = Memory(room, "lru", words[4], False), {}
        for t, kind, o in rows:
            if kind == "i":
                m.delete(o)
                continue
            if m.find(o) and t - came[o] > 40:
                m.delete(o)
            if kind == "w" or not m.find(o):
                came[o] = t
            m.use(o, o % 3, o % 3, kind == "w")
        for had, bounds in zip((m.misses, m.missed_bytes), zip(*pairs)):
            assert min(bounds) <= had <= max(bounds), (words, room, pairs, had)


def sampled(trc, path):
    """Intervals of caches of a sample hold what all have."""
    rng = random.Random(1)
    size = [512 * rng.randint(1, 64) for _ in range(20000)]
    with open(path, "w", encoding="ascii") as f:
        f.write("addr,size\n")
        for i in range(100000):
            o = int(20000 * rng.random() ** 2) if i % 3 else i // 3 % 20000
            f.write(f"{o},{size[o]}\n")
    words = ["--bytes", "--policy", "lru,fifo,sieve,s3-fifo,2q,arc,lfu,gdsf,random,opt", "--sizes", "50M,99M"]
    rows = list(zip(ask(trc, *words, path), ask(trc, *words, "--sample", "1/4", path)))
    assert len(rows) == 20
    for row, drawn in rows:
        assert row["policy"] == drawn["policy"], drawn
        assert int(drawn["misses_low"]) <= int(row["misses"]) <= int(drawn["misses_high"]), (row, drawn)
        assert int(drawn["missed_bytes_low"]) <= int(row["missed_bytes"]) <= int(drawn["missed_bytes_high"]), drawn


def main():
    with tempfile.TemporaryDirectory() as folder:
        sampled(sys.argv[1], os.path.join(folder, "c.csv"))
        for seed in sys.argv[2:]:
            check(sys.argv[1], os.path.join(folder, "a.csv"), int(seed))
            expiring(sys.argv[1], os.path.join(folder, "b.csv"), int(seed))
            expiring_by_count(sys.argv[1], os.path.join(folder, "d.csv"), int(seed))


main()
