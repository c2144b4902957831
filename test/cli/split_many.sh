# SPDX-License-Identifier: MIT
# Thousands of parts with few files open at a time, and back; and parts of a recording reduced over
# canonical pages.
awk 'BEGIN {
	for (i = 1; i <= 100000; i++)
		printf "r %x 4 %x %x\n", i, 1 + i * i % 4999, i * 7 % 65536
}' >many.laplace
ulimit -n 64
try trc split --by space many.laplace parts
ls parts | wc -l
try trc encode parts back.laplace
cmp many.laplace back.laplace && echo same

needs xz
trc split --quiet --kernel "$SRC/test/data/threads.laplace-kernel.xz" \
	"$SRC/test/data/threads.laplace-diff.xz" threads
for part in threads/*/*.merge; do
	try trc reduce --canonical --sad 16 --to null "$part"
	try trc reduce --canonical --olr 16 --to null "$part"
done
