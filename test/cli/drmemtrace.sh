# SPDX-License-Identifier: MIT
# What the entries of drmemtrace become: rows, columns and events.
assemble good-drmemtrace-markers >x.memtrace
try trc encode x.memtrace --to csv -
try trc stat x.memtrace
try trc encode --to csv --drop event x.memtrace - | tail -n 2
try trc encode x.memtrace x.trc
# A file that is cut between two entries looks whole, but for its footer.
head -c -24 x.memtrace >cut.memtrace
try trc encode --to hash cut.memtrace - | tail -n 1
try trc stat --check x.memtrace cut.memtrace
trc encode --to csv x.trc - >kept
trc encode --to csv x.memtrace - | cmp - kept && echo same
try trc encode --to laplace x.memtrace -
