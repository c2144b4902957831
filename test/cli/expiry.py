# SPDX-License-Identifier: MIT
"""Caches of objects that expire, one by one and as plainly as can be, beside what trc finds by column and by
option, at given sizes and at all of them, where two curves enclose what deletes leave.
usage: expiry.py TRC SEED... (a trace each)"""
import csv
import io
import os
import random
import subprocess
import sys
import tempfile

COLUMNS = ("misses", "missed_bytes", "read_misses", "writebacks", "written_bytes")


class Cache:
    """Of so many bytes; `held` has the object that was used last at the end: [size, until, dirty]."""

    def __init__(self, room):
        self.room, self.held, self.counts = room, {}, dict.fromkeys(COLUMNS, 0)

    def drop(self, key):
        size, _, dirty = self.held.pop(key)
        self.counts["writebacks"] += dirty
        self.counts["written_bytes"] += dirty * size

    def expire(self, now, keys):
        for key in [k for k in keys if k in self.held and now > self.held[k][1]]:
            self.drop(key)

    def use(self, key, size, write, until):
        if key in self.held:
            old, ends, dirty = self.held.pop(key)
            self.held[key] = [old, until if write else ends, dirty or write]
            return
        self.counts["misses"] += 1
        self.counts["missed_bytes"] += size
        self.counts["read_misses"] += not write
        if size > self.room:
            return
        while sum(s for s, _, _ in self.held.values()) + size > self.room:
            self.drop(next(iter(self.held)))
        self.held[key] = [size, until, write]


def simulate(rows, room, ttl_else, eager):
    cache = Cache(room)
    for time, kind, key, size, ttl in rows:
        if eager:
            cache.expire(time, list(cache.held))
        if kind == "invalidate":
            cache.held.pop(key, None)
            continue
        cache.expire(time, [key])
        lives = ttl or ttl_else
        cache.use(key, size, kind == "write", time + lives if lives else float("inf"))
    return [cache.counts[c] for c in COLUMNS]


def make(r, own):
    objects = r.choice([3, 8, 20])
    sizes = [r.randint(1, r.choice([3, 20, 90])) for _ in range(objects)]
    kinds = ["read", "read", "write"] + r.choice([[], [], ["invalidate"]])
    rows, time = [], 9
    for _ in range(r.choice([30, 120, 400])):
        time += r.choice([0, 1, 1, 3, r.choice([1, 1, 20, -5])])
        time = max(time, 0)
        key = min(r.randrange(objects), r.randrange(objects))
        ttl = r.choice([1, 3, 10, 40, r.choice([7, 2**64 - 1])]) if r.randrange(100) < own else 0
        rows.append((time, r.choice(kinds), key, sizes[key], ttl))
    return rows


def ask(trc, path, *words):
    made = subprocess.run([trc, "stat", "--bytes", "--csv", "-q", *words, path], capture_output=True, text=True)
    return None if made.returncode else list(csv.DictReader(io.StringIO(made.stdout)))


def compare(trc, path, seed):
    r = random.Random(seed)
    own = r.choice([0, 30, 60, 100])
    rows, ttl_else = make(r, own), r.choice([0, 2, 15, 60] if own else [2, 15, 60])
    with open(path, "w", encoding="ascii") as f:
        print("time,type,addr,size" + (",ttl" if own else ""), file=f)
        for row in rows:
            print(*row if own else row[:4], sep=",", file=f)
    words = ["--ttl", str(ttl_else) if ttl_else else "column"]
    most = sum({key: size for _, _, key, size, _ in rows}.values())
    rooms = sorted({r.randint(1, most + 3) for _ in range(12)})
    found = [(row, False) for row in ask(trc, path, *words, "--sizes", ",".join(map(str, rooms)))]
    found += [(row, True) for row in ask(trc, path, *words, "--eager", "--sizes", ",".join(map(str, rooms)))]
    curve = ask(trc, path, *words, "--all-sizes")
    deletes = any(kind == "invalidate" for _, kind, _, _, _ in rows)
    for row, eager in found + [(row, False) for row in curve if not deletes]:
        want, got = simulate(rows, int(row["bytes"]), ttl_else, eager), [int(row[c]) for c in COLUMNS]
        if want != got:
            sys.exit(f"seed {seed}, {row['bytes']} bytes, eager: {eager}: {got} instead of {want}")
    for row in curve if deletes else []:
        sign = {"lru least": 1, "lru most": -1}[row["policy"]]
        want = simulate(rows, int(row["bytes"]), ttl_else, False)
        if any(sign * int(row[c]) > sign * w for c, w in zip(COLUMNS[:3], want)):
            sys.exit(f"seed {seed}, {row['bytes']} bytes: {row} does not bound {want}")


with tempfile.TemporaryDirectory() as folder:
    for number in sys.argv[2:]:
        compare(sys.argv[1], os.path.join(folder, "x.csv"), int(number))
print("caches of objects that expire are as they should be")
