# SPDX-License-Identifier: MIT
# Without kernel events: a part for each value of a column, or windows.
printf '0 10\n1 20\n2 30\n0 40\n2 50\n' >a.din
try trc split --by type a.din types
head types/*
try trc split --every 2 a.din every
head every/*
cat every/*.din | cmp - a.din && echo same
try trc split --at 1 --at 4 a.din at
head at/*
try trc split --every 2 --compress xz --to xdin --fill size=4 a.din packed
ls packed
trc decode packed/2.xdin.xz
try trc split --by task a.din tasks
try trc split --by process a.din tasks
try trc split --basic a.din tasks
try trc split a.din tasks
try trc split --at 4 --at 4 a.din tasks
try trc split --at 4 --every 4 a.din tasks
try trc split --every 2 a.din every
try trc split --every 2 --to page a.din half
printf '0 10\n1 20\n2 30\nx\n' >bad.din
try trc split --from din --every 2 bad.din half
try trc split --from din --by type bad.din half
ls
# Spaces of a trace that has them, and merging by time again.
printf 'r 1 4 a 10\nw 2 4 b 20\nr 3 4 a 30\nI 4 4 c 40\n' >s.laplace
try trc split --by space s.laplace spaces
try trc encode spaces t.laplace
cmp s.laplace t.laplace && echo same
try trc encode spaces/c.laplace spaces/a.laplace spaces/b.laplace u.laplace
cmp s.laplace u.laplace && echo same
printf 'r 3 4 a 10\nr 2 4 a 10\n' >late.laplace
try trc encode late.laplace s.laplace v.laplace
try trc encode s.laplace a.din v.laplace
try trc encode types v.din
# What the format cannot hold was reported when all had been read.
printf 'I  04000000,4\n L 1ffeff7000,8\n' >late.lackey
i=0
while [ $i -lt 6 ]; do
	cat late.lackey late.lackey late.lackey late.lackey >more
	mv more late.lackey
	i=$((i + 1))
done
echo hello >>late.lackey
try trc split --by type --to din late.lackey late
try trc split --by type late.lackey late
ls -d late* 2>&1

# References of the same time in several tasks: their order is that of the names of the parts, if they
# have no reference times.
printf 'type,time,task,rtime,addr\n' >ties.csv
for i in 1 2 3 4; do echo "read,$((i / 3)),$((9 - i)),$i,0x${i}000"; done >>ties.csv
try trc split --quiet --by task ties.csv ties
try trc encode --quiet ties - --to csv
cut -d, -f1-3,5 ties.csv >untied.csv
try trc split --quiet --by task untied.csv untied
try trc encode --quiet untied - --to csv

# A modify is two references; the window in which it begins has both.
printf ' L 10,4\n M 20,4\n S 30,4\n' >modify.lackey
try trc split --every 2 modify.lackey modify
head modify/*
