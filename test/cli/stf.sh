# SPDX-License-Identifier: MIT
# The Simulation Tracing Format: rows, events, who made it; .zstf is the same.
needs zst
assemble good-stf-records >x.stf
try trc decode --to csv x.stf -
try trc stat x.stf
assemble good-stf-narrow-events >y.stf
try trc decode --to csv y.stf -
trc decode --to csv y.stf - >y.csv
assemble good-stf-packed >y.zstf
trc decode --to csv y.zstf - | cmp - y.csv && echo packed
trc encode --annotate riscv --only fetch --drop event x.stf --to csv - | tail -n 3
for bad in packed-not-finished version-1.1 transactions access-3 cut-short; do
	assemble "bad-stf-$bad" >bad.stf
	try trc stat bad.stf
done
