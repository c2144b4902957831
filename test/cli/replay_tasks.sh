# SPDX-License-Identifier: MIT
# Two tasks that take turns, by N records: registers of their own, one memory. Task 1 reserves, and
# what task 2 stores in between decides about its store-conditional.
cat >head <<'END'
bus 1
isa rv64imafdc
user
line 0
S 0 1 1
S 0 a 3000
S 0 11 62
S 0 40 1000
G 0
F 0 0 1000 93001000af320510      # addi x1, x0, 1; lr.d x5, (x10)
F 2 1 3000 0000000000000000
N 0 2 2000                       # its first turn
S 0 7 5
S 0 a 3000
S 0 11 b2
S 0 1003 40
X 0
F 0 0 2000 23307500              # sd x7, 0(x10), or what replaces it
END
cat >tail <<'END'
N 1 1 1008                       # on with task 1
F 0 0 1008 2f33151873000000      # sc.d x6, x1, (x10); ecall
Y 2 62 2                         # a futex that waits
N 0 2 2004
F 0 0 2004 930211007300000073000000 # addi x5, x2, 1; ecall; ecall
Y 2 b2 9                         # gettid
N 0 1 1010
S 0 a 77                         # what the futex returned meanwhile
X 0
F 0 0 1010 13051500              # addi x10, x10, 1
N 1 2 200c
END
cat >registers <<'END'
S 1 5 1
S 0 7 5
S 0 a 9
S 0 1003 40
E 0 0
END
cat head tail registers >lost.bus
sed 's/ 23307500 / 13000000 /' lost.bus >kept.bus

try trc replay lost.bus
try trc replay run --quiet lost.bus --to csv
try trc replay run --quiet kept.bus --to csv
try trc replay extract --quiet --checkpoints 1 lost.bus lost.pkg
try trc replay prune --quiet --checkpoints 1 lost.pkg small.pkg
try trc replay info small.pkg
for skip in 1 2 3 4 5 6 7; do
	trc replay run --quiet --skip $skip --to csv lost.pkg >a.csv
	trc replay run --quiet --skip $skip --to csv small.pkg >b.csv
	cmp a.csv b.csv && wc -l <a.csv
done
try trc replay run --quiet --skip 7 --to csv small.pkg
try trc replay run --quiet lost.pkg --to champsim x.champsim
try trc replay run --quiet lost.pkg x.trc
try trc split --quiet --by task --to csv x.trc tasks
wc -l tasks/*

# wrong NAME SED
wrong() {
	sed "$2" lost.bus >"$1.bus"
	try trc replay --quiet "$1.bus"
}
wrong elsewhere 's/^N 0 2 2004/N 0 2 2008/'
wrong unknown 's/^N 0 2 2004/N 0 4 2004/'
wrong none 's/^N 0 2 2004/N 0 0 2004/'
wrong odd 's/^N 0 2 2000/N 0 2 2001/'
wrong other-registers 's/^S 0 a 9/S 0 a 8/'
wrong lost-turn '/^N 1 1 1008/d'
