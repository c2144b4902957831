# SPDX-License-Identifier: MIT
# A system made by hand: three processes, five tasks, a fork with copy on write, a mapped file and
# shared memory that two share, exec, exit, a remap. Every canonical page is known:
#
#   1, 2, 3   private pages 10, 11 and 12 of process 100, seen by 200 after the fork
#   4, 6      pages 2 and 3 of the library, in three processes
#   5         the kernel's own page
#   7         page 1 of the shared memory, in two processes
#   8, b      page 10 of process 200, and of 100, after their copies on write; b moves with a remap
#   9, c      page 13, which nobody touched before the fork, of 200 and of 100
#   a         page 10 of process 300, after its exec
#   d         page 12 of process 100, unmapped and touched again
cat >kernel <<END
A 1 100 aa
m 2 100 10000 4000
M 3 100 40000 3000 5 8 1 1000 /lib/with a blank.so
s 4 100 80000 2000 7
S 5 100
F 20 101 100
S 21 101
F 30 200 100
A 31 200 bb
D 32 aa bb 0 100000
F 33 201 200
S 34 200
C 40 200 10010
S 45 201
S 48 200
F 50 300 200
A 51 300 cc
D 52 bb cc 0 100000
S 53 300
X 55 300 99 8 1 /bin/true
A 56 300 dd
u 57 cc
m 58 300 10000 1000
M 59 300 70000 3000 5 8 1 1000 /lib/with a blank.so
! 60 nobody knows
S 65 100
C 66 100 10000
@ 69 100 90000 2000 10000 2000
T 75 300
S 76 101
U 77 101 12000 1000
U 78 101 999000 1000
END
cat >trace <<END
r 6 4 aa 10000
w 7 4 aa 11ffe
i 8 4 aa 41000
w 22 8 aa 12008
R 23 4 aa c0000000
r 35 4 bb 10000
r 36 4 bb 12ff8
r 37 4 bb 42000
r 38 4 bb 81000
I 39 4 bb c0000004
w 41 4 bb 10010
r 46 4 bb 10000
w 49 4 bb 13000
r 54 4 cc 10000
i 61 4 dd 71000
r 62 4 dd 72ffc
w 63 4 dd 10000
w 67 4 aa 10000
r 68 4 aa 81004
r 70 4 aa 90000
w 71 4 aa 13000
r 72 4 aa 91000
r 79 4 aa 12000
END
# The parts of a system, as text.
try trc split --from laplace --kernel kernel trace parts
show parts
# The same in one file; merged back, in both forms; and cut where a window ends.
try trc split --from laplace --kernel kernel --basic trace all.basic
try trc split --from laplace --kernel kernel --basic --to trc trace all.trc
try trc split --from laplace --kernel kernel --to trc trace parts.d
try trc encode parts.d back.trc
trc encode --to hash all.trc >a
trc encode --to hash back.trc | cmp - a && echo same
try trc encode parts back.merge
try trc encode --drop asid,task parts back.merge
trc encode --drop addr,asid,task,rtime --to hash --from trc all.trc >a
trc encode --drop asid,task,vpn --to hash parts | cmp - a && echo same
try trc stat parts
try trc stat back.trc
try trc split --from laplace --kernel kernel --by process trace processes
head -n 4 processes/*
try trc split --from laplace --kernel kernel --by space trace spaces
try trc split --from laplace --kernel kernel --by type --to trc trace types
ls processes spaces types
# An instruction with its word that crosses pages was two, so that a core simulator had one more; data are two.
printf 'A 1 100 7\nS 1 100\n' >words.kernel
printf '%s\n' type,addr,size,time,asid,insn fetch,0x1ffe,4,2,7,0x8b48 read,0x2ffc,8,3,7,0 fetch,0x2002,2,4,7,0 >words.csv
try trc split -q --kernel words.kernel --to csv words.csv words
cat words/*/*
