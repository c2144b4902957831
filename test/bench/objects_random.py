#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""objects_random.py CACHESIM TRC FIRST LAST: misses of caches of objects of `trc stat --mrc --bytes` beside
cachesim of libCacheSim, over random streams of requests with the seeds from FIRST up to before LAST, eleven
policies, four capacities each. In every third stream, objects change their size. Prints what differs, and
how many were compared. cachesim prints four digits, so a stream has at most 10,000 requests."""
import random
import re
import struct
import subprocess
import sys
import tempfile

NAMES = {"lru": "lru", "fifo": "fifo", "clock": "clock", "sieve": "sieve", "s3-fifo": "s3fifo", "arc": "arc",
         "2q": "twoq", "lfu": "lfu", "gdsf": "gdsf", "opt": "belady", "w-tinylfu": "wtinylfu"}


def requests(seed):
    rng = random.Random(seed)
    objects, n = rng.choice([20, 100, 1000]), rng.choice([2000, 10000])
    most, skew = rng.choice([8, 64, 5000]), rng.choice([1, 2, 3])
    size = [rng.randint(1, most) for _ in range(objects)]
    for _ in range(n):
        o = int(objects * rng.random() ** skew)
        if seed % 3 == 2 and rng.random() < 0.1:
            size[o] = rng.randint(1, most)
        yield o, size[o]


def write(path, asked):
    """As oracleGeneral: time, object, size, number of the object's next request, or -1."""
    following, last = [-1] * len(asked), {}
    for i in reversed(range(len(asked))):
        following[i] = last.get(asked[i][0], -1)
        last[asked[i][0]] = i + 1
    with open(path, "wb") as f:
        for i, (o, size) in enumerate(asked):
            f.write(struct.pack("<IQIq", i // 10 + 1, 4096 * (o + 1), size, following[i]))


def own(trc, path, capacity):
    words = [trc, "stat", "--mrc", "--bytes", "-q", "--csv", "--from", "oracle", "--sizes", str(capacity),
             "--policy", ",".join(NAMES), path]
    rows = subprocess.run(words, capture_output=True, text=True, check=True).stdout.split("\n")[1:]
    return {row.split(",")[0]: int(row.split(",")[2]) for row in rows if row}


def theirs(cachesim, path, capacity, algorithm, n, folder):
    words = [cachesim, path, "oracleGeneral", algorithm, str(capacity), "--num-thread", "1"]
    said = subprocess.run(words, capture_output=True, text=True, check=False, cwd=folder).stdout
    ratio = re.search(r"miss ratio ([0-9.]+),", said)
    return round(float(ratio.group(1)) * n) if ratio else None


def main():
    cachesim, trc, first, last = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    compared = different = 0
    with tempfile.TemporaryDirectory() as folder:
        path = folder + "/a.oracleGeneral.bin"
        for seed in range(first, last):
            asked = list(requests(seed))
            write(path, asked)
            total = sum(dict(asked).values())
            for capacity in (max(10, total // part) for part in (50, 10, 3, 1)):
                misses = own(trc, path, capacity)
                for policy, algorithm in NAMES.items():
                    other = theirs(cachesim, path, capacity, algorithm, len(asked), folder)
                    compared += 1
                    if misses[policy] != other:
                        different += 1
                        print(f"seed {seed}, {policy}, {capacity} bytes: {misses[policy]}, not {other}")
    print(f"{compared} compared, {different} differ")


main()
