#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""No file uses, by way of others, itself: what each object of the library defines and what it needs
are a graph without circles. usage: circles.py NM LIBRARY"""
import re
import subprocess
import sys

# Rooms in which there may be some: the handlers of instructions and the loop that calls them know each
# other.
MAY = {'machine_hart_'}

symbols = subprocess.run([sys.argv[1], '-A', sys.argv[2]], check=True, capture_output=True, text=True)
owner, needs = {}, {}
for line in symbols.stdout.splitlines():
    found = re.search(r'[:/]([^:/]+)\.c\.o: *[0-9a-f]* ([A-Za-z]) (\S+)$', line)
    if not found:
        continue
    module, kind, name = found.groups()
    needs.setdefault(module, set())
    if kind == 'U':
        needs[module].add(name)
    elif kind.isupper():
        owner[name] = module

uses = {m: {owner[n] for n in names if owner.get(n, m) != m} for m, names in needs.items()}


def below(module):
    seen, left = set(), [module]
    while left:
        for other in uses[left.pop()] - seen:
            seen.add(other)
            left.append(other)
    return seen


reach = {m: below(m) for m in uses}
circles = {tuple(sorted(o for o in reach[m] if m in reach[o])) for m in uses if m in reach[m]}
wrong = [c for c in sorted(circles) if not any(all(m.startswith(p) for m in c) for p in MAY)]
for circle in wrong:
    print('these use each other: ' + ', '.join(circle))
sys.exit(1 if wrong or not uses else 0)
