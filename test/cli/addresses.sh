# SPDX-License-Identifier: MIT
# Byte addresses, one a line, were read as the numbers of pages, and nothing said so.
printf '0x7fff12345678\n0x401000\n0x401040\n' >marked
try trc decode --to csv marked
printf '7fff12345678\n401000\n401040\n' >bare
try trc decode --to csv bare
printf '140733491762808\n4198400\n' >decimal
try trc decode --to csv --from addr decimal
# Small numbers are pages, as ever, with a note.
printf '401f\n4010\n' >either
try trc stat --mrc --csv either
try trc stat either
try trc stat -T 2 --ws --csv either
try trc encode either either.trc
try trc encode --quiet --force either either.trc
try trc stat --quiet --mrc --csv either
try trc stat --from page --mrc --csv either
try trc decode --to csv --from addr-hex either
# Pages of 64-bit programs and of the kernel could be addresses of 32-bit ones.
printf '7fff12345\nffff888000000\n' >pages
try trc decode --to csv pages
# Large numbers among many small ones, not always.
{ seq 1000 1400; echo a; seq 1000 1400; echo 7fff12345678; } >late
try trc decode late
try trc encode bare out.addr
cat out.addr

# Of more than 20 bits, or multiples of 4 alone, they were taken as pages, too: a program at 0x400000.
printf '401000\n4010c0\n' >program
try trc stat program
awk 'BEGIN { for (i = 0; i < 40; i++) printf "%x\n", 4 * (i * i + 7) }' >words
try trc stat words
