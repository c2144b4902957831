# SPDX-License-Identifier: MIT
# Kernel events: the published records stay byte for byte, behind a comment, and what is wrong is named.
cat >published.merge <<END
r 123456789abcdef0 4 9a8b7 8888ffff3e456a21
F 123456789abcdef7 100 77
M 123456789abcdefe 100 1a2b3c4d 9000 8efa5567 35 5 1029384756afbecd foobar.so
END
try trc encode --from merge published.merge a.trc
trc decode a.trc | grep -v '^#' | cmp - published.merge && echo same
trc decode --from merge published.merge | grep -v '^#' | cmp - published.merge && echo same
try trc stat a.trc
try trc encode - b.trc <published.merge
try trc encode --drop event a.trc b.merge
cat b.merge
try trc encode --to laplace-kernel a.trc -
try trc encode --to sad a.trc -
bad() {
	printf "$1\n" >bad.laplace-kernel
	try trc stat --from laplace-kernel bad.laplace-kernel
}
bad 'S 1 1a\nM 2 1a 1000 1000 5 6\n'
bad 'S 1 1a\nm 2 1a 1000 x\n'
bad 'S 1 100000000\n'
bad 'm 1 1a fffffffffffff000 1001\n'
bad '@ 1 1a 0 1000 fffffffffffff000 2000\n'
bad 'D 1 5 6 2000 1000\n'
bad '< 1 1a 5 6 7 0 100000000\n'
bad 'S\n'
bad 'S 10000000000000000 1\n'
bad 'r 1 4 5 6\n'
bad 'Sw 1 4\n'

# What is opaque stays byte for byte behind its time.
printf '? 5   two  blanks \nZ 6\n! 7 \t tab\n' >opaque.laplace-kernel
try trc encode --quiet --from laplace-kernel opaque.laplace-kernel opaque.trc
trc decode opaque.trc --to laplace-kernel | grep -v '^#' | cmp - opaque.laplace-kernel && echo same
trc encode --quiet opaque.trc opaque.csv
trc decode opaque.csv --to laplace-kernel | grep -v '^#' | cmp - opaque.laplace-kernel && echo same
