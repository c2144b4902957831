# SPDX-License-Identifier: MIT
# A whole system from what was seen on its bus: test/machine/kernel, which boots, pages, switches
# between two tasks and reads a disk, recorded behind a cache of 8 KiB.
needs xz
cp "$SRC/test/data/kernel.bus.xz" .

try trc replay kernel.bus.xz
try trc replay extract --quiet kernel.bus.xz kernel.pkg
try trc replay info kernel.pkg
try trc replay run --quiet --limit 4 kernel.pkg --to csv
try trc replay run --quiet --skip 2M --limit 1M kernel.pkg window.trc
try trc stat window.trc

# Checkpoints: a window begins at the nearest, and has the same rows.
try trc replay prune --checkpoints 500k kernel.pkg marked.pkg
try trc replay info marked.pkg
try trc replay run --skip 2M --limit 1M marked.pkg same.trc
try trc replay run --skip 2600000 --against kernel.bus.xz marked.pkg
try trc replay extract --quiet --checkpoints 1300000 kernel.bus.xz lines.pkg
try trc replay run --skip 2600000 --against kernel.bus.xz lines.pkg
for name in window same; do trc encode -q --to hash $name.trc $name.hash; done
try cmp window.hash same.hash
try trc replay extract --quiet --checkpoints 3000000 kernel.bus.xz once.pkg
try trc replay run --quiet once.pkg
try trc replay run --quiet --memory 16K once.pkg
head -c "$(($(wc -c <marked.pkg) - 1))" marked.pkg >cut.pkg
try trc replay run cut.pkg
printf X | dd of=marked.pkg bs=1 seek=9000 conv=notrunc status=none
try trc replay run marked.pkg

xz -dc kernel.bus.xz | head -c 50000 >cut.bus
try trc replay cut.bus
xz -dc kernel.bus.xz >flipped.bus
printf X | dd of=flipped.bus bs=1 seek=60000 conv=notrunc status=none
try trc replay flipped.bus
try trc replay record
try trc replay record kernel.pkg
try trc replay record --machine vax kernel.pkg x.bus
try trc replay record --cache 3K:1:64 kernel.pkg x.bus
ls
