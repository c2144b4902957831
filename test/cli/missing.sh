# SPDX-License-Identifier: MIT
# Input that cannot be opened, output that has no place.
mkdir folder
printf '0 10\n' >a.din
try trc stat missing.din
try trc stat folder
try trc stat ''
try trc encode missing.din b.din
try trc encode a.din folder
try trc encode --to din a.din nowhere/b.din
try trc encode --to din a.din a.din/b.din
ls
# A folder for temporary files: one of a long name was cut, and looked for elsewhere.
TMPDIR=nowhere try trc stat --formats a.din
long=$(printf '%0120d/%0120d' 1 2)
mkdir -p "$long"
TMPDIR=$long try trc stat --formats a.din | head -n 2
find "$long" -mindepth 1
