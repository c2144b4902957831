# SPDX-License-Identifier: MIT
# Decoding needs no format to be named, whatever the input is: what a format of text cannot hold, or
# is not written as, becomes csv.
cp "$SRC/test/corpus/good-execlog-system.execlog" .
try trc decode good-execlog-system.execlog | head -n 3
printf 'A 1 5 a\nS 2 5\n' >kernel
printf 'r 5 4 a 1000\n' >trace
trc split --from laplace --kernel kernel trace parts
try trc decode parts
trc encode parts whole.trc
try trc decode whole.trc
try trc decode --drop asid,task whole.trc
# However many files a folder has, it is of their format.
mkdir many
for i in 1 2 3 4 5 6 7 8; do
	for k in 1 2 3 4 5 6 7 8 9; do
		printf 'type,addr,time\nread,0x1,1\n' >many/$i$k.csv
	done
done
try trc stat many | head -n 3
# Of fetches with times, a format of loads and stores was taken for the plainest.
printf 'type,addr,time\nfetch,0x1,1\nread,0x2,1\n' >timed.csv
trc encode --to pdats timed.csv timed.pdats
try trc decode timed.pdats
# The program that was named was named twice in the command.
try trc decode --for champsim timed.csv timed.champsim
try trc decode --to champsim timed.csv timed.champsim
