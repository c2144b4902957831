# SPDX-License-Identifier: MIT
# Two harts of a machine that take turns, by N records: all registers of their own, one memory. Hart 0
# reserves, hart 1 stores there; the interrupt of hart 1 leaves hart 0 as it was.
cat >harts.bus <<'END'
bus 1
isa rv64imafdc
line 0
S 0 a 3000
S 0 40 1000
S 0 41 3
S 0 1305 1100
G 0
F 0 0 1000 93001000af320510      # addi x1, x0, 1; lr.d x5, (x10)
F 2 1 3000 0000000000000000
N 0 2 2000                       # its first turn
S 0 a 3000
S 0 41 3
S 0 1305 2100
S 0 1f14 1
X 0
F 0 0 2000 732340f123306500      # csrr x6, mhartid; sd x6, 0(x10)
N 2 1 1008                       # on with hart 0
F 0 0 1008 2f331518              # sc.d x6, x1, (x10)
N 1 2 2008
I 0 7 2008
F 0 0 2100 f3232034              # csrr x7, mcause
N 1 1 100c
F 0 0 100c f323203473240034      # csrr x7, mcause; csrr x8, mscratch
S 2 5 0
S 0 6 1
S 0 7 0
S 0 1f14 0
E 0 0
END
try trc replay harts.bus
try trc replay run --quiet harts.bus --to csv
try trc replay extract --quiet --checkpoints 1 harts.bus harts.pkg
try trc replay prune --quiet --checkpoints 1 harts.pkg small.pkg
for skip in 1 2 3 4 5 6 7; do
	trc replay run --quiet --skip $skip --to csv harts.pkg >a.csv
	trc replay run --quiet --skip $skip --to csv small.pkg >b.csv
	cmp a.csv b.csv && wc -l <a.csv
done
try trc replay run --quiet --skip 7 --to csv small.pkg

# wrong NAME SED
wrong() {
	sed "$2" harts.bus >"$1.bus"
	try trc replay --quiet "$1.bus"
}
wrong elsewhere 's/^N 2 1 1008/N 2 1 100c/'
wrong unknown 's/^N 2 1 1008/N 2 4 1008/'
wrong lost-turn '/^N 1 2 2008/d'
wrong other-hart 's/^S 0 1f14 0/S 0 1f14 1/'
wrong kept-reservation 's/^S 0 6 1/S 0 6 0/'
