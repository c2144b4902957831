# SPDX-License-Identifier: MIT
# Packed output, by the ending of its name or by --compress: packers of the system unpack it.
printf '0 10\n1 20\n' >a.din
try trc encode a.din b.din.xz
xz -dc b.din.xz | cmp - a.din
trc decode --compress xz:0 a.din - | xz -dc
try trc encode --compress XZ:9 a.din c.din
xz -dc c.din | cmp - a.din
trc reduce --quiet a.din b.sad.xz
try xz -dc b.sad.xz
try trc encode a.din b.din.xz
try trc encode --compress gz a.din d.din.xz
try trc encode --compress xz:10 a.din d.din.xz
try trc encode --compress xs a.din d.din
try trc encode a.din --compress
try trc encode a.din .xz
ls
