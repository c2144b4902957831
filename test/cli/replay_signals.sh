# SPDX-License-Identifier: MIT
# A program of user mode and its signals, test/machine/user/signals.c. An instruction that traps is
# fetched, and does nothing; the handler comes behind it.
needs xz
cp "$SRC/test/data/signals.bus.xz" .

try trc replay signals.bus.xz
try trc replay extract --quiet signals.bus.xz signals.pkg
try trc replay info signals.pkg
try trc replay run --quiet --skip 24353 --limit 4 signals.pkg --to csv
xz -dc signals.bus.xz >flipped.bus
printf X | dd of=flipped.bus bs=1 seek=50000 conv=notrunc status=none
try trc replay flipped.bus

# The plugin is looked for beside trc, and where it would be installed.
cp "$TRC" lone
./lone replay record --machine user -o x.bus -- true 2>&1 | sed 's|or in .*; |or in LIBRARIES; |'
try trc replay record --machine user -o x.bus
try trc replay record --machine user true
try trc replay record --machine user -o signals.pkg -- true
ls
