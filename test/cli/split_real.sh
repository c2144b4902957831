# SPDX-License-Identifier: MIT
# Real programs, recorded by src/capture/system.c: the laws of splitting.
for name in threads pipeline; do
	trace=$SRC/test/data/$name.laplace-diff.xz
	kernel=$SRC/test/data/$name.laplace-kernel.xz
	trc split --quiet --kernel $kernel $trace $name
	trc split --quiet --kernel $kernel -0 --to trc $trace $name.parts
	trc split --quiet --kernel $kernel --basic -0 $trace $name.whole.trc
	# The parts' records are those of the whole.
	cat $name/*/*.merge | grep -vc '^#'
	trc stat $name.whole.trc | head -n 3
	# Merged back, all is as it was, for what the forms hold.
	trc encode --to hash $name.whole.trc >want
	trc encode --to hash $name.parts | cmp - want && echo same
	trc encode --drop addr,asid,rtime --to hash $name.whole.trc >want
	trc encode --drop asid,vpn --to hash $name | cmp - want && echo same
	trc stat --shared $name.whole.trc
done

# What a program writes after it was started, no other program touches; code of the C library has
# the same canonical pages in all.
awk -f "$SRC/test/capture/private.awk" pipeline/*/*.merge
awk -f "$SRC/test/capture/library.awk" pipeline/*/*.merge
