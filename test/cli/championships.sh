# SPDX-License-Identifier: MIT
# Registers of CVP-1 were copied by number to ChampSim, so that x25 was the instruction pointer and
# loads were jumps, while branches or all registers were lost; and ldp moved 8 bytes.
assemble good-cvp1-registers >in.cvp1
try trc decode in.cvp1
try trc encode --drop size in.cvp1 x.champsim
try trc encode --for champsim in.cvp1 x.champsim
try trc decode x.champsim
try trc encode -q --for cloudsuite in.cvp1 x.cloudsuite
try trc decode --only fetch x.cloudsuite | grep ',[0-9]*[13579],'
# Written by way of a container; and for ChampSim as it was before 2023-09.
trc encode -q in.cvp1 in.trc
trc encode -q --for champsim in.trc - | cmp - x.champsim && echo same
trc encode --drop size --to champsim:regs,flags in.cvp1 - 2>/dev/null | trc decode --from champsim - | grep ',1[79],'
# What the kind of a branch is by registers, as ChampSim has it: 6 sp, 25 flags, 26 ip.
trc decode x.champsim | awk -F, '
	function has(list, reg, i) {
		for (i = length(list) - 1; i > 0; i -= 2)
			if (substr(list, i, 2) == reg)
				return 1
		return 0
	}
	function others(list, i) {
		for (i = length(list) - 1; i > 0; i -= 2)
			if (substr(list, i, 2) !~ /00|06|19|1a/)
				return 1
		return 0
	}
	$1 == "fetch" {
		regs = sprintf("%16s", substr($4, 3)); gsub(/ /, "0", regs)
		r = substr(regs, 1, 8); w = substr(regs, 9)
		ip = has(r, "1a"); sp = has(r, "06"); fl = has(r, "19"); other = others(r)
		if (!has(w, "1a")) kind = 0
		else if (!sp && !fl && !other) kind = 2
		else if (!sp && !ip && !fl) kind = 3
		else if (!sp && ip && !has(w, "06")) kind = 1
		else if (sp && ip && !fl) kind = 4 + other
		else kind = 6
		n[kind]++
		wrong += kind != int($3 / 16)
	}
	END { for (k = 0; k < 8; k++) printf "%d ", n[k]; print "of each kind, " wrong " wrong" }'
# A comparison lists no register, so that no branch depended on it: it writes the flags.
printf '\0\0\1\0\0\0\0\0\0\1\1\0\4\0\1\0\0\0\0\0\3\0\0\0' >flags.cvp1
trc decode --from cvp1 --to csv flags.cvp1 -
