# SPDX-License-Identifier: MIT
# Logs of Spike, NVBit and Accel-Sim were refused, or taken for comma-separated values.
for f in spike-example.spike spike-listing.spike spike-both.spike spike-before-2020.spike \
	nvbit-example.nvbit traceg-example.traceg traceg-version-5.traceg; do
	cp "$SRC/test/corpus/good-$f" $f
	try trc decode --to csv $f
done
for f in "$SRC"/test/corpus/bad-spike-* "$SRC"/test/corpus/bad-nvbit-* "$SRC"/test/corpus/bad-traceg-*; do
	cp "$f" .
	try trc stat --quiet "${f##*/}"
done
# Loads of all widths: lb, lhu, lw, ld, flq, c.lw, c.ld and c.flw, c.lbu, c.lhu, c.ldsp, lr.d, hlv.wu,
# elements by their width and by their indices'; stores have the width of their values.
i=0
for word in 0x00050583 0x00055583 0x00052583 0x00053583 0x00054587 0x4188 0x6188 0x8188 0x8588 0x6582 \
	0x100535af 0x6815c5f3 0x02056407 0x06056407; do
	printf 'core   0: 0 0x%016x (%s) e16 m1 l1 mem 0x%016x\n' $((i += 4)) $word $((i + 4096))
done >loads.spike
try trc decode --to csv loads.spike
printf 'core   0: 3 0x80000000 (0x6188) f10 0x00000001 mem 0x80001000\n' >narrow.spike
printf 'core   0: 3 0x80000002 (0x00b51023) mem 0x80001004 0x00ff\n' >>narrow.spike
printf 'core   0: 3 0x80000006 (0x18c5262f) x12 0x00000000 mem 0x80001008 0x00000007\n' >>narrow.spike
try trc decode --to csv narrow.spike
# Lines that end as on Windows; registers and branches by the words.
printf 'core   0: 0x0000000080001004 (0x00000013) nop\r\ncore   0: 0x0000000080001008 (0x00000013) nop\r\n' >crlf.spike
try trc decode --to csv crlf.spike
try trc decode --annotate riscv --to csv spike-example.spike
# The transactions of a warp's lanes.
for size in 32 128; do
	try trc decode --to csv --coalesce $size traceg-example.traceg
done
try trc decode --to csv --coalesce 64 nvbit-example.nvbit
try trc decode --to csv --coalesce 64 crlf.spike
try trc stat --coalesce 64 traceg-example.traceg
try trc decode --to csv --coalesce 48 traceg-example.traceg
# gem5's Exec: an instruction of several micro-operations is one fetch, with or without a line of its own.
for f in "$SRC"/test/corpus/*-gem5-exec-*; do
	cp "$f" .
	try trc decode --to csv --from gem5-exec "${f##*/}"
done
