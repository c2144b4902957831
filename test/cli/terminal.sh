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
# Records on a terminal have no line of progress among them, however slowly they come.
cat >slowly.sh <<'END'
{
	echo 'r 1 4 0 100'
	sleep 1.2
	awk 'BEGIN { for (i = 2; i < 9000; i++) printf "r %x 4 0 100\n", i }'
} | trc decode --from laplace -
END
script -qec 'sh slowly.sh' /dev/null | tr -d '\r' | grep -v '^r ' && echo "not only records"
# A map has halves of blocks in the colours of both, or letters where these are not wanted; it is as wide as the
# terminal, as plots are.
printf 'r 1 4 0 100\nw 2 4 0 140\n' >b.laplace
export LC_ALL=C.UTF-8 TERM=xterm
on_terminal 'stty cols 42 && trc stat -q --map - b.laplace' | sed -n '5,$p' | sed 's/\x1b/^/g' | uniq
NO_COLOR=1 on_terminal 'stty cols 42 && trc stat -q --map - b.laplace' | tail -n 4
on_terminal 'stty cols 42 && trc stat -q --ws b.laplace' | awk '/\+--/ { print length($0) }'
on_terminal 'stty cols 350 && trc stat -q --mrc --line-size 16 b.laplace' | awk '/\+--/ { print length($0) }'
on_terminal 'stty cols 350 && trc stat -q --map - b.laplace' | awk '/\+--/ { print length($0) }'
