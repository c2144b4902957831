#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The bill of materials is CycloneDX as far as readers need it, and names every library that trc is
linked with.
    bill.py BILL TRC"""
import json
import subprocess
import sys

with open(sys.argv[1]) as f:
    bill = json.load(f)
named = {c['name']: c for c in bill['components']}
assert bill['bomFormat'] == 'CycloneDX' and bill['specVersion'] == '1.5', 'not CycloneDX 1.5'
assert all(c['type'] == 'library' and c['version'] and c['licenses'] for c in named.values())
assert {'xxhash', 'liblzma'} <= set(named), 'a library that trc cannot do without is not in it'

OF = {'libxxhash': 'xxhash', 'liblzma': 'liblzma', 'libz': 'zlib', 'libbz2': 'bzip2',
      'libzstd': 'zstd', 'libZydis': 'zydis'}
SYSTEM = {'libc', 'libm', 'libpthread', 'ld-linux-x86-64', 'ld-linux-aarch64', 'libgcc_s', 'libatomic'}
out = subprocess.run(['readelf', '-d', sys.argv[2]], capture_output=True, text=True).stdout
for line in out.splitlines():
    if '(NEEDED)' in line:
        library = line.split('[')[1].split('.so')[0]
        if library not in SYSTEM:
            assert OF.get(library) in named, f'trc is linked with {library}, which is not in the bill'
print(', '.join(f"{c['name']} {c['version']}" for c in named.values()))
