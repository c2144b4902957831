# SPDX-License-Identifier: MIT
# Kernel traces that cannot be: an error with its place, and no folder.
printf 'r 5 4 a 1000\nw 9 4 a 2000\n' >t.laplace
bad() {
	printf "$1" >k.laplace-kernel
	try trc split --kernel k.laplace-kernel t.laplace out
	[ ! -e out ] || { cat out/*/* && rm -r out; }
}
bad 'S 1 7\n'
bad 'S 6 7\n'
bad 'S 4 7\nA 3 7 a\n'
bad 'S 1 7\nM 2 7 1000 1000 1 2 3 0 x\n'
bad 'S 1 7\nC 2 7 1000\n'
bad 'F 1 7 7\n'
bad 'S 1 7\nm 2 7 1000\n'
bad 'S 1 7\nm 2 7 fffffffffffff000 2000\n'
bad 'S 1 7\nA 2 7 1ffffffff\n'
# Taken as they are: an exec without mappings, unmapping nothing, a task that nobody started, one
# that exited and runs, no task at all before references by the kernel.
bad 'A 1 7 a\nm 1 7 1000 2000\nS 1 7\nX 6 7 1 2 3 /bin/x\n'
bad 'A 1 7 a\nS 1 7\nU 2 7 1000 1000\nU 6 7 0 ffffffffffffffff\nu 7 a\nu 8 b\n'
bad 'A 1 7 a\nS 1 7\nT 2 7\nS 6 8\n'
bad 'A 1 7 a\nS 1 7\n@ 6 7 5000 0 1000 0\n@ 7 7 5000 1000 1000 0\nC 8 7 ffffffffffffffff\n'
bad 'S 1 0\n'
try trc split --kernel t.laplace t.laplace out
try trc split --kernel none t.laplace out
printf '0 1\n' >a.din
try trc split --kernel k.laplace-kernel a.din out
mkdir out
try trc split --kernel k.laplace-kernel t.laplace out
try trc split --force --kernel k.laplace-kernel t.laplace out
ls
try trc split --record cut --every 10i -- true
