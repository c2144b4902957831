#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The floors of src/README.md: which folder may include from which. Also: a file includes its own
header first, and none that is not there. Reports files above 600 lines without failing."""
import pathlib
import re
import sys

MAY = {
    'base': {'base'},
    'batch': {'base', 'batch'},
    'codec': {'base', 'codec'},
    'format': {'base', 'batch', 'codec', 'format'},
    'stage': {'base', 'batch', 'stage'},
    'machine': {'base', 'batch', 'codec', 'machine'},
    'capture': {'base', 'batch', 'machine', 'capture'},  # plugins of other programs
    'cmd': {'base', 'batch', 'codec', 'format', 'stage', 'machine', 'cmd'},
}
CODEC_MAY_NOT = {'in', 'interrupt', 'opt', 'out', 'packing', 'pool', 'stream'}  # only kernels
LINES = 600
GENERATED = {'formats.def'}
# Where threads may be.
THREADS = {'base/ahead.c', 'base/once.c', 'base/once.h', 'base/pool.c', 'base/pool.h',
           'capture/copies.c', 'capture/log.c', 'capture/system.c', 'format/trc_ahead.c'}

src = pathlib.Path(sys.argv[1]) / 'src'
wrong = []


def includes(path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        found = re.match(r'\s*#\s*include\s*"([^"]+)"', line)
        if found:
            yield number, found.group(1)


def check(path):
    here = path.relative_to(src)
    floor = here.parts[0]
    if floor not in MAY:
        wrong.append(f'{here}: no such floor')
        return
    first = True
    for number, name in includes(path):
        where = f'{here}:{number}: "{name}"'
        if name in GENERATED:
            continue
        if not (src / name).is_file():
            wrong.append(f'{where} is not there; write the path from src')
            continue
        if name.split('/')[0] not in MAY[floor]:
            wrong.append(f'{where}: {floor} may not include it')
        if floor == 'codec' and name.startswith('base/') and name[5:-2] in CODEC_MAY_NOT:
            wrong.append(f'{where}: codecs are plain arrays in, bytes out')
        own = here.with_suffix('.h').as_posix()
        if first and path.suffix == '.c' and (src / own).is_file() and name != own:
            wrong.append(f'{where}: {own} comes first')
        first = False
    text = path.read_text()
    if 'pthread_' in text and here.as_posix() not in THREADS:
        wrong.append(f'{here}: threads are the business of {", ".join(sorted(THREADS))}')
    if floor not in ('cmd', 'capture') and re.search(r'\b((printf|puts|exit)\s*\((?!printf,)|stdout|stderr)', text):
        wrong.append(f'{here}: nothing below cmd prints or exits')
    if len(text.splitlines()) > LINES:
        print(f'{here}: {len(text.splitlines())} lines, think again')


files = sorted(p for p in src.rglob('*') if p.suffix in ('.c', '.h', '.def'))
for path in files:
    check(path)
print('\n'.join(wrong))
sys.exit(1 if wrong or not files else 0)
