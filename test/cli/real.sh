# SPDX-License-Identifier: MIT
# The main job on a real trace, three ways in.
real=$SRC/test/data/sort.lackey.xz
ln -s "$real" sort.lackey.xz
try trc reduce --sad 64 sort.lackey.xz sort.sad
try head -3 sort.sad
try tail -1 sort.sad
xz -dc "$real" | try trc reduce --sad 64 - again.sad
cmp sort.sad again.sad
try trc encode sort.lackey.xz sort.xdin --split-modify
try trc reduce --sad 64 sort.xdin third.sad
cmp sort.sad third.sad
try trc encode --to hash sort.lackey.xz -
try trc encode sort.lackey.xz again.lackey
try trc encode --to hash again.lackey -
