# SPDX-License-Identifier: MIT
# What people and other systems write: carriage returns, tabs, capitals, 0x, leading zeros, comments,
# no newline at the end.
printf '0 10\r\n1 20\r\n' >crlf.din
try trc decode crlf.din
printf '\t0   0x10 a comment\n\n1\t00000000000000000ABCDEF' >odd.din
try trc decode odd.din
printf 'R 1F 4\nw 0x20 10\n' >odd.xdin
try trc decode odd.xdin
printf -- '==1== words\n--1-- words\n**1** words\nI  04001234,3\r\n M 10,0x10\n' >odd.lackey
try trc decode odd.lackey
printf '# a comment\nr 1 1 1 0 a\n' >odd.sad
try trc decode odd.sad
