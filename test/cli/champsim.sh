# SPDX-License-Identifier: MIT
# What simulators of other machines get of a computed trace: whole records, with the kinds of branches
# and with registers. sort.bus is of a user program, kernel.bus of a system with interrupts.
cp "$SRC/test/data/sort.bus" .
xz -dc "$SRC/test/data/kernel.bus.xz" >kernel.bus
trc replay extract --quiet sort.bus sort.pkg
trc replay extract --quiet kernel.bus kernel.pkg

try trc replay run --quiet sort.pkg sort.champsim
try trc replay run --quiet sort.pkg sort.cloudsuite
trc replay run --quiet --limit 21 sort.pkg --to champsim >head.champsim
try trc decode --from champsim head.champsim

# There and back again.
trc encode sort.champsim sort.trc
trc encode sort.trc again.champsim
try cmp sort.champsim again.champsim

# A branch was taken if the next instruction is not the one behind it.
trc replay run --quiet sort.pkg --annotate riscv --to csv >sort.csv
awk -F, 'NR == 1 { next }
	$1 == "fetch" && branch % 2 { n++; wrong += int(branch / 2) % 2 != ($2 != behind) }
	$1 == "fetch" { branch = $5; behind = sprintf("0x%x", addr($2) + $3) }
	function addr(hex, i, v) {
		for (i = 3; i <= length(hex); i++)
			v = v * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
		return v
	}
	END { print n " branches, " wrong " wrong" }' sort.csv

# The instruction words alone give the same to every reader.
trc replay run --quiet sort.pkg words.trc
try trc encode --annotate riscv words.trc told.csv
try cmp sort.csv told.csv
try trc encode --annotate riscv --drop insn,size words.trc told.champsim
try cmp sort.champsim told.champsim

# But for a branch behind which an interrupt came: the processor has where it would have gone.
trc replay run --quiet --limit 200000 kernel.pkg --annotate riscv --to csv >kernel.csv
trc replay run --quiet --limit 200000 kernel.pkg --to csv |
	trc encode --annotate riscv - kernel-told.csv
diff kernel.csv kernel-told.csv

# What cannot be found is refused, and what could be is not lost without the option.
try trc encode words.trc x.champsim
try trc replay run --quiet kernel.pkg kernel.champsim
try trc encode --annotate riscv sort.champsim x.trc
try trc encode --annotate mips words.trc x.trc
try trc replay run --quiet --annotate mips sort.pkg x.trc
ls
# For ChampSim before September 2023, conditional branches read the flags: 25, 0x19.
try trc encode --to champsim:flags head.champsim flags.champsim
trc decode --from champsim head.champsim | grep ",1[79],"
trc decode --from champsim flags.champsim | grep ",1[79],"
# A trace without branches has none for a simulator either, and that is told.
printf 'I  1000,4\n L 8000,8\n' >plain.lackey
try trc encode --drop size plain.lackey plain.champsim
try trc encode -q --drop size plain.lackey quiet.champsim
