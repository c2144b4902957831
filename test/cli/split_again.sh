# SPDX-License-Identifier: MIT
# A pid that comes again is another process, and another task: 7 is a process, one without an
# event for its exit, a thread of process 5, and last a process with the space of the first.
cat >kernel <<END
A 1 5 a
F 2 7 5
A 3 7 b
S 4 7
T 8 7
F a 7 5
A b 7 c
S c 7
F 10 7 5
S 12 7
T 18 7
F 19 7 5
A 1a 7 b
S 1b 7
END
cat >trace <<END
r 5 4 b 1000
w 6 4 b 2000
r d 4 c 1000
r 13 4 a 1000
r 1c 4 b 1000
END
try trc split --from laplace --kernel kernel trace parts
show parts
try trc split --from laplace --kernel kernel --by process trace processes
ls processes
try trc split --from laplace --kernel kernel --basic --to trc trace whole.trc
try trc split --by task whole.trc tasks
ls tasks
# Merged back, all is as it was; each process has a space of its own.
trc encode --drop addr,asid,rtime --to hash whole.trc >want
trc encode --drop asid,vpn --to hash parts | cmp - want && echo same
trc encode --to hash whole.trc >want
trc encode --to hash tasks | cmp - want && echo same
trc decode --to csv --drop event parts
