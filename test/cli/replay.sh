# SPDX-License-Identifier: MIT
# What replay makes of a bus trace, and that nothing damaged is called verified. sort.bus is of a
# program that reads its input three times into the same place.
cp "$SRC/test/data/sort.bus" .

try trc replay sort.bus
try trc replay extract sort.bus sort.pkg
try trc replay run sort.pkg
try trc replay info sort.pkg
try trc replay prune sort.pkg small.pkg
try trc replay run --quiet small.pkg --to lackey | tail -n 4
try trc replay run --quiet --skip 2160 --limit 2 sort.pkg --to csv
try trc replay run --skip 100 --limit 100 sort.pkg
try trc replay run --against sort.bus sort.pkg whole.trc
try trc replay run --against sort.bus small.pkg
try trc stat whole.trc
trc replay run --quiet sort.pkg --to hash >a.hash
try trc encode --to hash whole.trc b.hash
try cmp a.hash b.hash

# Damage: each is reported where it shows.
damaged() {
	sed "$2" sort.bus >"$1.bus"
	try trc replay --quiet "$1.bus"
}
damaged cut '$d'
damaged flipped-code 's/^F 1 0 101b4 8145/F 1 0 101b4 0145/'
damaged flipped-input '0,/^F 0 1 111e0 73$/s//F 0 1 111e0 72/'
damaged lost-fill '/^F 1 0 101b4 /d'
damaged lost-call '0,/^Y/{/^Y/d}'
damaged other-call '0,/^Y 1 3f/s//Y 1 40/'
damaged other-isa 's/^isa .*/isa mips64/'
damaged no-pc '/^S 0 40 /d'
damaged other-end 's/^S 0 11 .*/S 0 11 1/'
damaged other-truth 's/^H .*/H 1 1 0/'
damaged no-record 's/^G 0/X 0/'
damaged early-end '0,/^Y/s/^Y/K 0 b\n&/'
# A signal that ended the program is the last event; a package has it, too.
sed 's/^E 0/K 0 b\n&/' sort.bus >killed.bus
try trc replay killed.bus
trc replay prune --quiet killed.bus killed.pkg
try trc replay run --json killed.pkg
rm killed.*
try trc replay --memory 4K --quiet sort.bus
try trc replay --memory 8K --quiet sort.bus
head -c 300 sort.pkg >cut.pkg
try trc replay run cut.pkg
printf x >>small.pkg
try trc replay run small.pkg
try trc replay run a.hash
try trc replay prune
try trc replay run
try trc replay run sort.pkg --to champsm
try trc replay extract sort.pkg x.pkg
try trc replay missing.bus
ls
try trc replay run --memory 1K sort.pkg
