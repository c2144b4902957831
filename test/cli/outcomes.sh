# SPDX-License-Identifier: MIT
# Conditional branches of drmemtrace before version 5, and of fetches that were filtered, are not read
# as if none was taken: the next instruction of the thread tells, and where it does not, that is said.
# 17 is not taken, 19 taken, 21 unknown.
assemble good-drmemtrace-version-4 >old.memtrace
try trc decode --only fetch --drop time,asid,pc,event old.memtrace
try trc encode old.memtrace x.din --drop size,time,asid,task,pc,branch,event
trc encode --limit 5 old.memtrace five.trc
trc decode --drop time,asid,pc five.trc

# ChampSim knows no third outcome.
try trc encode --drop size,time,asid,task,event old.memtrace x.champsim
try trc encode --for champsim old.memtrace x.champsim
try trc encode -q --for champsim old.memtrace quiet.champsim
try cmp x.champsim quiet.champsim
trc decode --from champsim x.champsim | grep -c ',19,'
trc encode -q old.memtrace x.trc
try trc encode --for cloudsuite x.trc x.cloudsuite

# Several inputs: all of them together.
cp old.memtrace other.memtrace
try trc encode --concat old.memtrace other.memtrace y.trc

# Where fetches are left out, the next one tells nothing, in version 5 neither.
{
	head -c 4 old.memtrace
	printf '\5\0\0\0\0\0\0\0'
	tail -c +13 old.memtrace | head -c 16
	printf '\300'
	tail -c +30 old.memtrace
} >filtered.memtrace
trc decode --only fetch --drop time,asid,pc,event filtered.memtrace | grep -c ',21$'

# Instruction words, of two processors that take turns.
cat >two.execlog <<'END'
0, 0x80000000, 0x463, "beqz zero,8"
1, 0x80000008, 0x463, "beqz zero,8"
0, 0x80000008, 0x463, "beqz zero,8"
1, 0x8000000c, 0x463, "beqz zero,8"
0, 0x80009000, 0x13, "nop"
END
try trc decode --annotate riscv --drop insn,regs two.execlog

# By the path alone, as awk finds it: what goes elsewhere than behind itself is a branch from then on,
# conditional if it was passed, too, indirect if it went to several places.
awk 'BEGIN {
	for (i = 0; i < 5000; i++) {
		x = (x * 1103515245 + 12345) % 2147483648
		printf "I  %x,4\n", pc += 1048576 * (pc == 0)
		if (int(x / 256) % 3 == 0)
			printf " L %x,8\n", 8192 + int(x / 4096) % 512 * 8
		jumps = pc % 12 == 0 && int(x / 65536) % 2 || pc % 28 == 0
		pc = jumps ? 1048576 + 4 * (int(x / 1024) % (pc % 8 ? 1 : 64)) : pc + 4
	}
}' >path.lackey
trc decode --fill branch=path --to csv path.lackey | cut -d, -f1,2,4 >got
trc decode --to csv path.lackey | awk -F, 'function value(s, v, i) {
		for (i = 3; i <= length(s); i++)
			v = v * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1
		return v
	}
	function end(next_, there, is) {
		is = there && next_ != pc && next_ != pc + 4
		if (is && pc in target && target[pc] != next_) many[pc] = 1
		if (is && !(pc in target)) target[pc] = next_
		passed[pc] += there && next_ == pc + 4
		b = !(pc in target) || there && next_ == pc ? 0 : 1 + (is ? 2 : there ? 0 : 4) + (passed[pc] ? 16 : pc in many ? 48 : 0)
		print row "," b
		printf "%s", data
		data = ""
	}
	NR == 1 { print "type,addr,branch"; next }
	$1 != "fetch" { data = data $1 "," $2 ",0\n"; next }
	{ a = value($2); if (row) end(a, 1); row = $1 "," $2; pc = a }
	END { end(0, 0) }' | cmp - got && cut -d, -f3 got | sort | uniq -c
try trc encode --for champsim --fill branch=path path.lackey path.champsim
trc decode --from champsim --only fetch path.champsim --to csv | grep -c ',19,'
try trc decode --drop size --fill branch=path --to din path.lackey -o path.din
printf '2 10\n2 14\n' | try trc decode --from din --fill branch=path --to csv -
try trc decode --only read --fill branch=path --to csv path.lackey
try trc decode --fill branch=paths --to csv path.lackey
