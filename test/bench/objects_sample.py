#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""objects_sample.py TRC FIRST LAST: `trc stat --mrc --bytes` from samples beside the exact curve, over random streams
of requests with the seeds from FIRST up to before LAST: popularity by Zipf's law, drifting, or in loops; sizes that
are equal, uniform, log-normal, or of Pareto's law, without or with much of its bytes in few objects; one object in
10 and in 30, and 2,000 objects in all; the same with deletes, whose two curves each have estimates; and ten policies at three capacities, one object in 10. Prints how many points have an estimate, the median of its error, and the
share of exact values outside of the intervals of 95 %, of requests and of bytes."""
import csv
import io
import random
import subprocess
import sys
import tempfile

SIZES = {"equal": lambda r: 4096, "uniform": lambda r: r.randint(1, 65536),
         "log-normal": lambda r: 1 + int(r.lognormvariate(9, 1.5)),
         "pareto 2.5": lambda r: 1 + int(4096 * r.paretovariate(2.5)),
         "pareto 1.2": lambda r: min(1 << 31, 1 + int(4096 * r.paretovariate(1.2)))}
CURVE = ("--all-sizes", "--only", "read")
CACHES = ("--only", "read", "--policy", "fifo,clock,sieve,s3-fifo,2q,arc,lfu,gdsf,random,opt", "--sizes", "3%,10%,40%")
DELETES = ("--all-sizes",)
SAMPLES = ((CURVE, ("--sample", "1/10")), (CURVE, ("--sample", "1/30")), (CURVE, ("--sample-objects", "2000")),
           (DELETES, ("--sample", "1/10")), (DELETES, ("--sample-objects", "2000")), (CACHES, ("--sample", "1/10")))
NOTES = {CURVE: "", DELETES: " deletes", CACHES: " policies"}


def requests(rng, size):
    objects, n, how = rng.choice([20000, 60000]), 200000, rng.randrange(3)
    sizes, skew = [size(rng) for _ in range(objects)], rng.choice([1, 2, 4])
    for i in range(n):
        if how == 2 and rng.random() < 0.5:
            o = i % objects
        else:
            o = int(objects * rng.random() ** skew)
        if how == 1:
            o = (o + i // 10) % objects
        yield o, sizes[o]


def curve(trc, path, *more):
    words = [trc, "stat", "--bytes", "--csv", "-q", *more, path]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return {(row["policy"], row["bytes"]): row for row in csv.DictReader(io.StringIO(done.stdout))}


class Tally:
    def __init__(self):
        self.errors, self.outside = [], 0

    def add(self, exact, row, name):
        if not row[name + "_low"]:
            return
        truth = int(exact[name])
        self.errors.append(abs(int(row[name]) - truth) / truth)
        self.outside += not int(row[name + "_low"]) <= truth <= int(row[name + "_high"])

    def __str__(self):
        n = len(self.errors)
        if n == 0:
            return f"{0:8} {'-':>8} {'-':>8}"
        return f"{n:8} {sorted(self.errors)[n // 2]:8.2%} {self.outside / n:8.2%}"


def main():
    trc, first, last = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    print(f"{'sizes':11} {'sample':29}   points    error  outside   points    error  outside of bytes")
    for name, size in SIZES.items():
        tally = {sample: (Tally(), Tally()) for sample in SAMPLES}
        for seed in range(first, last):
            with tempfile.NamedTemporaryFile("w", suffix=".csv") as f:
                deletes = random.Random(seed)
                f.write("type,addr,size\n")
                f.writelines(f"read,{o * 64},{s}\n" + f"invalidate,{o * 64},0\n" * (deletes.random() < 0.1)
                             for o, s in requests(random.Random(seed), size))
                f.flush()
                exact = {what: curve(trc, f.name, *what) for what in NOTES}
                for what, sample in SAMPLES:
                    for cache, row in curve(trc, f.name, *what, *sample).items():
                        if cache in exact[what]:
                            tally[what, sample][0].add(exact[what][cache], row, "misses")
                            tally[what, sample][1].add(exact[what][cache], row, "missed_bytes")
        for (what, sample), (by_requests, by_bytes) in tally.items():
            print(f"{name:11} {' '.join(sample) + NOTES[what]:29} {by_requests} {by_bytes}",
                  flush=True)


main()
