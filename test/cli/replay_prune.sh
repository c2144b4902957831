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

# What a program stores behind what was read into its memory is not there before. Four bytes around
# 203f are read, 256 times, any of which may stay; the byte at 203f is loaded, and then stored, before the
# next event.
awk 'BEGIN {
	print "bus 1\nisa rv64imafdc\nuser\nS 0 2 2000\nS 0 7 100\nS 0 11 3f\nS 0 40 1000\nG 0"
	# lb t1, 63(sp); lb t0, 64(sp), 65(sp), 66(sp) and 62(sp)
	print "F 0 0 1000 0303f1038302010483021104830221048302e103"
	# ecall; the loads of t0 again; lb t1, 63(sp); sb t0, 63(sp); addi t2, t2, -1; bnez to the
	# ecall; ecall
	print "F 0 0 1014 730000008302010483021104830221048302e103"
	print "F 0 0 1028 0303f103a30f51029383f3ffe39003fe73000000"
	split("40 41 42 3e", at)
	print "F 1 1 203f 7f"
	for (j = 1; j <= 4; j++)
		printf "F 1 1 20%s 00\n", at[j]
	for (count = last = 5; i < 256; i++) {
		printf "Y %x 3f 4\n", ++count - last
		last = count
		before = byte
		for (j = 1; j <= 4; j++) {
			seed = (seed * 1103 + 12345) % 65536
			count++
			byte = int(seed / 64) % 4 + 20
			printf "F %x 1 20%s %d\n", count - last, at[j], byte
			last = count
		}
		count += 4
	}
	printf "S %x 5 %d\nS 0 6 %d\nE 0 0\n", count + 1 - last, byte, before
}' >future.bus
try trc replay --quiet future.bus
try trc replay extract --quiet future.bus future.pkg
try trc replay prune future.pkg past.pkg
try trc replay run --quiet past.pkg

# Cache blocks, which QEMU 7.2 does not have: a block of zeros is a store of 64 bytes. lb t0, 8(sp); cbo.clean,
# cbo.flush, cbo.inval (sp); lb t1, 8(sp); cbo.zero (sp); ld t2, 8(sp); ecall
cat >blocks.bus <<'END'
bus 1
isa rv64imafdc_zicbom_zicboz
user
S 0 2 2030
S 0 11 3f
S 0 40 1000
G 0
F 0 0 1000 830281000f2011000f2021000f200100030381000f2041008333810073000000
F 1 1 2038 ff11111111111111
E 7 0
END
trc replay extract --quiet blocks.bus blocks.pkg
try trc replay prune --force blocks.pkg small.pkg
try trc replay run --quiet --to lackey small.pkg
sed s/_zicboz// blocks.bus >none.bus
try trc replay --quiet none.bus
# vsetvli zero, zero, e32, m1, ta, ma
sed s/0f204100/5770000d/ blocks.bus >vectors.bus
try trc replay --quiet vectors.bus
