# SPDX-License-Identifier: MIT
# A program reads three bytes, twice, into the same place. The second time the middle one is as it
# was, so no inconsistent read shows it; in the pruned package it is part of what was read, since
# files in pieces were a tenth larger.
cat >abc.bus <<'END'
bus 1
isa rv64imafdc
user
S 0 2 2000
S 0 11 3f
S 0 40 1000
G 0
# ecall; lb t0, 0(sp); lb t1, 1(sp); lb t2, 2(sp); the same again; ecall
F 0 0 1000 730000008302010003031100830321007300000083020100030311008303210073000000
Y 1 3f 3
F 1 1 2000 61
F 1 1 2001 62
F 1 1 2002 63
Y 1 3f 3
F 1 1 2000 78
F 2 1 2002 7a
E 1 0
END
try trc replay abc.bus
try trc replay extract --quiet abc.bus abc.pkg
try trc replay prune abc.pkg small.pkg
try trc replay info small.pkg
try trc replay run --quiet --to lackey small.pkg

# Memory is moved by whole pages, and not without end.
sed 's/^E .*/M 0 1001 2000 5000/' abc.bus >part.bus
try trc replay part.bus
sed 's/^E .*/M 0 7fff00000000 2000 5000/' abc.bus >large.bus
try trc replay large.bus
