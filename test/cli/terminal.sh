# SPDX-License-Identifier: MIT
# Binary is not for a terminal; text is.
if ! script -qec true /dev/null >/dev/null 2>&1; then
	echo "no script(1)"
	exit 77
fi
printf 'r 1 4 0 100\n' >a.laplace
on_terminal()
{
	echo "\$ $*"
	script -qec "$*" /dev/null | tr -d '\r'
}
on_terminal trc encode --to laplace-bin a.laplace -
on_terminal trc encode --to laplace-bin a.laplace
on_terminal trc encode --to laplace a.laplace -
try trc encode --to laplace-bin a.laplace - | od -An -tx1
