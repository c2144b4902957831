# SPDX-License-Identifier: MIT
"""W-TinyLFU of objects by lists, as its definition has it, beside trc. usage: w_tinylfu.py TRC SEED..."""
import collections
import csv
import io
import os
import random
import subprocess
import sys
import tempfile

WINDOW, PROBATION, PROTECTED = range(3)


class Cache:
    def __init__(self, capacity):
        self.capacity, window = capacity, int(capacity * 0.01)
        self.main = capacity - window
        self.limit = [window, int(self.main * 0.2), int(self.main * 0.8)]
        self.queue = [{}, {}, {}]  # sizes of objects, the oldest first
        self.seen, self.hits = collections.Counter(), 0

    def bytes(self, *queues):
        return sum(sum(self.queue[q].values()) for q in queues)

    def oldest(self, q):
        return next(iter(self.queue[q]))

    def shift(self, name, source, to):
        self.queue[to][name] = self.queue[source].pop(name)

    def next_victim(self):
        q = PROBATION if self.queue[PROBATION] else PROTECTED
        return q, self.oldest(q)

    def drop(self, q, name):
        del self.queue[q][name]

    def leave_window(self):
        """True if it is admitted."""
        name, size = next(iter(self.queue[WINDOW].items()))
        if self.bytes(PROBATION, PROTECTED) + size > self.main:
            q, victim = self.next_victim()
            if self.seen[name] <= self.seen[victim]:
                self.drop(WINDOW, name)
                self.seen[name] += 1
                return False
            self.drop(q, victim)
        self.seen[name] += 1
        for q in (PROBATION, PROTECTED):
            if self.bytes(q) + size <= self.limit[q]:
                self.shift(name, WINDOW, q)
                return True
        while self.bytes(PROBATION, PROTECTED) + size > self.main:
            self.drop(*self.next_victim())
        self.shift(name, WINDOW, PROBATION)
        return True

    def hit(self, q, name):
        if q == WINDOW:
            self.shift(name, WINDOW, WINDOW)
            return
        self.shift(name, q, PROTECTED)
        while self.bytes(PROTECTED) > self.limit[PROTECTED]:
            self.shift(self.oldest(PROTECTED), PROTECTED, PROBATION)
            while self.bytes(PROBATION) > self.limit[PROBATION]:
                self.drop(PROBATION, self.oldest(PROBATION))
        self.seen[name] += 1
        self.hits += 1
        if self.hits == 32 * self.main:
            self.hits = 0
            self.seen = collections.Counter({n: k // 2 for n, k in self.seen.items()})

    def evict(self):
        while self.queue[WINDOW]:
            if not self.leave_window():
                return
        self.drop(*self.next_victim())

    def ask(self, name, size):
        """True for a miss."""
        for q in range(3):
            if name in self.queue[q]:
                self.hit(q, name)
                return False
        if size > min(self.limit[WINDOW], self.limit[PROBATION]):
            return True
        while self.bytes(WINDOW, PROBATION, PROTECTED) + size > self.capacity:
            self.evict()
        self.queue[WINDOW][name] = size
        self.seen[name] += 1
        return True


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.csv")
        for seed in sys.argv[2:]:
            rng = random.Random(int(seed))
            objects, most = rng.choice([100, 400]), rng.choice([1, 3])
            size = [rng.randint(1, most) for _ in range(objects)]
            asked = [int(objects * rng.random() ** 2) for _ in range(rng.choice([3000, 15000]))]
            with open(path, "w", encoding="ascii") as f:
                f.write("addr,size\n" + "".join(f"{o},{size[o]}\n" for o in asked))
            words = ["--bytes", "-q", "--csv", "--policy", "w-tinylfu", "--sizes", "50,100,150,200,301"]
            said = subprocess.run([sys.argv[1], "stat", *words, path], capture_output=True, text=True, check=True)
            for row in csv.DictReader(io.StringIO(said.stdout)):
                cache = Cache(int(row["bytes"]))
                misses = sum(cache.ask(o, size[o]) for o in asked)
                assert misses == int(row["misses"]), (seed, row, misses)


main()
