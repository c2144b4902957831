#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The floors and rooms of src/README.md: which folder may include from which. Also: a file includes
its own header first, and none that is not there; no folder has more than MODULES modules (a .c with
its .h is one). Reports files above 600 lines without failing."""
import pathlib
import re
import sys

# Rooms from the ground up, and what each may include from besides itself. '*' is all rooms of a floor.
# A room that is not below is above or beside, and may not be included.
BASE = ['base', 'base/io']
MAY = {
    'base': [],
    'base/io': ['base'],
    'base/packing': BASE,
    'batch': BASE,
    'codec/entropy': ['base'],
    'codec/mixing': ['base', 'codec/entropy'],
    'codec/stream': ['base', 'codec/entropy', 'codec/mixing'],
    'codec/growth': ['base', 'codec/entropy', 'codec/mixing'],
    'codec/program': ['base', 'codec/entropy', 'codec/growth', 'codec/mixing', 'codec/stream'],
    'codec/column': ['base', 'codec/entropy', 'codec/mixing', 'codec/stream'],
    'container/frame': BASE,
    'container': BASE + ['batch', 'codec/*', 'container/frame'],
    'container/pack': BASE + ['batch', 'codec/*', 'container', 'container/frame'],
    'format': BASE + ['batch'],
    'format/csv': BASE + ['batch', 'format'],
    'format/log': BASE + ['batch', 'format'],
    'format/text': BASE + ['batch', 'format'],
    'format/binary': BASE + ['batch', 'format', 'container'],
    'format/columnar': BASE + ['base/packing', 'batch', 'format', 'format/csv'],
    'format/struct': BASE + ['batch', 'format'],
    'format/stf': BASE + ['batch', 'format'],
    'format/output': BASE + ['batch', 'format'],
    'stage': BASE + ['batch'],
    'stage/simulate/policy': ['base'],
    'stage/profile': BASE + ['batch', 'stage', 'stage/simulate'],
    'stage/simulate/object': BASE + ['batch', 'stage/simulate', 'stage/simulate/policy'],
    'stage/simulate/cache': BASE + ['batch', 'stage', 'stage/simulate/policy'],
    'stage/simulate': BASE + ['batch', 'stage', 'stage/simulate/policy', 'stage/simulate/cache'],
    'stage/phase': BASE + ['batch', 'stage/simulate', 'stage/simulate/policy'],
    'stage/branch': BASE + ['batch', 'stage'],
    'stage/space': BASE + ['batch', 'stage'],
    'stage/reduce': BASE + ['batch', 'stage', 'stage/simulate', 'stage/simulate/policy',
                            'stage/simulate/cache'],
    'machine/float': ['base'],
    'machine/hart': BASE + ['batch', 'machine/float'],
    'machine/isa': BASE + ['batch'],
    'machine/bus': BASE + ['batch', 'codec/*', 'machine/hart'],
    'machine/board': BASE + ['batch', 'machine/hart', 'machine/bus'],
    'capture': BASE + ['batch', 'machine/*'],  # plugins of other programs
    'capture/bus': BASE + ['batch', 'capture', 'machine/*'],
    'cmd/record': BASE + ['batch', 'stage', 'stage/space'],
    'cmd/fit': BASE + ['batch', 'format', 'stage'],
    'cmd/names': BASE,
    'cmd/job': BASE + ['batch', 'cmd/fit', 'cmd/names', 'container', 'format', 'stage/*', 'machine/*'],
}
MAY['cmd'] = MAY['cmd/job'] + ['cmd/job', 'cmd/record']
MAY['cmd/answer'] = MAY['cmd'] + ['cmd']
for name in ('file', 'manual', 'object', 'picture', 'shard', 'stat', 'split', 'replay', 'reduce'):
    MAY['cmd/' + name] = MAY['cmd'] + ['cmd', 'cmd/answer']
MAY['cmd/shard'] += ['cmd/picture']
for name in ('stat', 'reduce'):
    MAY['cmd/' + name] += ['cmd/shard']
MAY['cmd/stat'] += ['cmd/picture']
MAY['cmd/curve'] = MAY['cmd/stat'] + ['cmd/stat']
MAY['cmd/file'] += ['cmd/picture', 'cmd/shard', 'cmd/stat']
MAY['cmd/object'] += ['cmd/shard', 'cmd/stat', 'cmd/picture']

MODULES = 20
LINES = 600
GENERATED = {'formats.def', 'stages.def', 'version.def'}
# Where threads may be.
THREADS = {'base/io/readahead.c', 'base/io/reads.c', 'base/io/temporary.c',
           'base/once.c', 'base/once.h', 'base/pool.c',
           'base/pool.h', 'capture/bus/baton.c', 'capture/copies.c', 'capture/log.c', 'capture/system.c',
           'cmd/names/archive.c', 'container/schedule.c',
           'stage/chunk_parts.c', 'stage/chunk_parts.h', 'stage/chunk_shares.c', 'stage/chunks.c'}
# Who may include the threads' pool: codecs are plain arrays in, bytes out.
CODEC_MAY_NOT = {'base/interrupt.h', 'base/opt.h', 'base/pool.h'}

src = pathlib.Path(sys.argv[1]) / 'src'
wrong = []


def may(room, other):
    return other == room or any(
        other == m or (m.endswith('/*') and (other + '/').startswith(m[:-1])) for m in MAY[room])


def includes(path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        found = re.match(r'\s*#\s*include\s*"([^"]+)"', line)
        if found:
            yield number, found.group(1)


def check(path):
    here = path.relative_to(src)
    room = here.parent.as_posix()
    if room not in MAY:
        wrong.append(f'{here}: no such room; test/lint/floors.py lists them')
        return
    first = True
    for number, name in includes(path):
        where = f'{here}:{number}: "{name}"'
        if name in GENERATED:
            continue
        if not (src / name).is_file():
            wrong.append(f'{where} is not there; write the path from src')
            continue
        other = name.rsplit('/', 1)[0]
        if not may(room, other):
            wrong.append(f'{where}: {other} is not below {room}')
        if room.startswith('codec/') and name in CODEC_MAY_NOT:
            wrong.append(f'{where}: codecs are plain arrays in, bytes out')
        own = here.with_suffix('.h').as_posix()
        if first and path.suffix == '.c' and (src / own).is_file() and name != own:
            wrong.append(f'{where}: {own} comes first')
        first = False
    text = path.read_text()
    if 'pthread_' in text and here.as_posix() not in THREADS:
        wrong.append(f'{here}: threads are the business of {", ".join(sorted(THREADS))}')
    if here.parts[0] not in ('cmd', 'capture') and re.search(r'\b((printf|puts|exit)\s*\((?!printf,)|stdout|stderr)', text):
        wrong.append(f'{here}: nothing below cmd prints or exits')
    if len(text.splitlines()) > LINES:
        print(f'{here}: {len(text.splitlines())} lines, think again')


files = sorted(p for p in src.rglob('*') if p.suffix in ('.c', '.h', '.def'))
modules = {}
for path in files:
    check(path)
    modules.setdefault(path.parent.relative_to(src).as_posix(), set()).add(path.stem)
for room, names in sorted(modules.items()):
    if len(names) > MODULES:
        wrong.append(f'src/{room} has {len(names)} modules, more than {MODULES}: make a room of some')
print('\n'.join(wrong))
sys.exit(1 if wrong or not files else 0)
