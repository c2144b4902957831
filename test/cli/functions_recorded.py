# SPDX-License-Identifier: MIT
"""Totals by function as cachegrind has them: instructions and reads of each that both name, once.
usage: functions_recorded.py CACHEGRIND.OUT <FUNCTIONS.CSV"""
import collections
import csv
import sys


def cachegrind(path):
    """name -> [Ir, Dr], of those that are there once."""
    events, name, seen = [], None, collections.Counter()
    totals = collections.defaultdict(lambda: [0, 0])
    for line in open(path):
        if line.startswith("events:"):
            events = line.split()[1:]
        elif line.startswith("fn="):
            name = line[3:].strip().split("@")[0]
            seen[name] += 1
        elif line[0].isdigit():
            counts = dict(zip(events, map(int, line.split()[1:])))
            totals[name][0] += counts["Ir"]
            totals[name][1] += counts["Dr"]
    return {name: total for name, total in totals.items() if seen[name] == 1}


def main():
    want, have, twice = cachegrind(sys.argv[1]), {}, set()
    for row in csv.DictReader(sys.stdin):
        twice |= {row["function"]} & set(have)
        have[row["function"]] = [int(row["fetches"]), int(row["reads"])]
    both = [name for name in want if name in have and name not in twice]
    bad = [(name, have[name], want[name]) for name in both if have[name] != want[name]]
    print(bad or "as cachegrind" if len(both) >= 5 else "only %d" % len(both))


main()
