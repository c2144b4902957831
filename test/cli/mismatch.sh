# SPDX-License-Identifier: MIT
# Lines that are not of the format: the file, the line, what was expected.
printf '0 10\n1 20\nhello, world\n2 30\n' >stray.din
try trc stat stray.din
try trc stat --from din stray.din
try trc stat --from page stray.din
try trc stat --from trc stray.din
printf 'hello\n0 10\n' >first.din
try trc stat first.din
printf '7 10\n' >label.din
try trc stat --from din label.din
printf '0 11111222223333344\n' >wide.din
try trc stat --from din wide.din
printf '0 10\n0 \001\033[31mred\n' >control.din
try trc stat --from din control.din

# What xdin would take with the rest of each line as a comment.
{ yes 'r 1 1 1 0 401' | head -4; echo 'r 1 1 1 0 401zz'; yes 'r 1 1 1 0 401' | head -4; } >damaged.sad
try trc stat damaged.sad

# It was called a bad xdin trace, which took more of its lines: all up to the comment at its end.
{ yes 'r 1 1 1 0 401' | head -9; echo 'r 1 1 1 0 401zz'; yes 'r 1 1 1 0 401' | head -4
  echo '# trc sad records=14 page-size=4096 r=4'; } >damaged.sad
try trc stat damaged.sad
# A table was all that could begin with a byte order mark.
printf '\357\273\2770 10\n1 20\n' >mark.din
for from in '' '--from din'; do
	try trc decode $from mark.din
done

# Far behind what recognition looks at.
{ yes '0 100c' | head -100000; echo '0 xyz'; echo '0 10'; } >late.din
try trc encode late.din b.din
xz <late.din | try trc encode --from din --to din - b.din

# A program that talks between the lines of its trace, as on a terminal.
printf '==1== Lackey\nI  04001234,3\nhello from the program\n L 1ffeffe7e0,8\n' >mixed.lackey
try trc stat mixed.lackey
printf 'I  04001234,3\nhello, I  04001237,3\n' | try trc encode --to null --from lackey -
printf 'I  04001234,3\nI  04001237 3\n' | try trc encode --to null --from lackey -
printf 'r 1 4 0 100\nr 2 4 0\n' >short.laplace
try trc stat --from laplace short.laplace
printf 'rrrrrrrrrrrrrrrrrrrrrrrrrrr' >cut.laplace-bin
try trc stat --from laplace-bin cut.laplace-bin
# What is for trc replay; and data that is no trace, as references to gigabytes.
cp "$SRC/test/data/sort.bus" a.bus
try trc stat a.bus
trc replay extract -q a.bus a.pkg
try trc stat a.pkg
printf 'bus 1\n' >head.bus
try trc replay head.bus
# What is known, but no trace: of texts in UTF-16 words could be addresses.
stranger() {
	printf "$1" >stranger
	try trc stat stranger
}
stranger '\377\3760\000 \0001\0000\000\n\0001\000 \0002\0000\000\n\000'
stranger '\376\377\0000\000 \0001\0000\000\n\0001\000 \0002\0000\000\n'
stranger '\004\042\115\030abc'
stranger '7z\274\257\047\034'
stranger 'LZIP\001'
stranger '\177ELF\002\001\001'
stranger "$(printf '%257s' '' | tr ' ' a)ustar"
# An archive without files, too.
stranger "$(printf 'PK\\005\\006%18s' '' | tr ' ' a)"
awk 'BEGIN { for (i = 0; i < 9000; i++) printf "r %x00000000 ffffffff\n", i }' >wide.xdin
try trc stat wide.xdin
ls
