# SPDX-License-Identifier: MIT
# What a format cannot hold is refused, and named; what it lacks can be supplied.
printf 'I  00000010,4\n L 00000100,8\n M 00000200,4\n' >a.lackey
try trc encode a.lackey a.din
try trc encode --drop size a.lackey a.din
try trc encode --drop size --split-modify a.lackey a.din
try cat a.din
try trc encode --to laplace a.lackey -
try trc encode --to laplace --split-modify --fill time=0 --fill asid=0x1f a.lackey -
try trc encode --to xdin --split-modify a.lackey -
try trc encode --to page a.lackey -
try trc encode a.din b.lackey
try trc encode --fill size=4 --to lackey a.din -
try trc encode --fill type=32 --to din a.din -
try trc encode --fill type=8 --to din a.din -

printf 'R 1 4 0 123456789\n' >wide.laplace
try trc encode wide.laplace b.laplace-bin
printf 'R 1 100 0 12345678\n' >wide.laplace
try trc encode wide.laplace b.laplace-bin
printf 'r 1 4 0 10\nR 2 4 0 20\n' >kernel.laplace
try trc encode --drop size,time,asid --to din kernel.laplace -
try trc encode --drop size,time,asid,kernel --to din kernel.laplace -
printf '4 10\n' >copy.din
try trc encode --fill size=4 --to lackey copy.din -
ls
try trc encode --fill event=1 --to null a.din -
# What a trace has is not overwritten unasked, nor twice; and something has to be left of it.
try trc encode --fill size=4 --to xdin a.lackey -
try trc encode --drop size --fill size=4 --split-modify --to xdin a.lackey -
try trc encode --fill size=4 --fill size=8 --to xdin a.din -
try trc encode --drop type,addr --to csv a.din -
