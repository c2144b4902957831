# SPDX-License-Identifier: MIT
# What is chosen by type, address, instruction, task or space is what awk chooses; in all commands that
# read, in shards as in the whole.
awk 'BEGIN {
	print "type,addr,size,time,asid,task,pc"
	split("read write fetch modify prefetch", type)
	for (i = 0; i < 20000; i++) {
		x = (x * 1103515245 + 12345) % 2147483648
		printf "%s,0x%x,4,%d,%d,%d,0x%x\n", type[1 + int(x / 65536) % 5],
			4096 * (int(x / 256) % 97) + 8 * (i % 512), i, int(x / 4096) % 3,
			int(x / 1024) % 7, 1048576 + 4 * (int(x / 128) % 200)
	}
}' >a.csv
trc encode a.csv a.trc
# Chooses by option $1 what awk chooses by condition $2.
same()
{
	awk -F, "function hex(s, v, i) {
		v = 0
		for (i = 3; i <= length(s); i++)
			v = v * 16 + index(\"0123456789abcdef\", substr(s, i, 1)) - 1
		return v
	}
	NR == 1 || ($2)" a.csv >want
	for from in a.csv a.trc; do
		trc decode $1 --to csv $from | cmp - want || echo "$1 of $from differs"
	done
	echo "$1: $(($(wc -l <want) - 1)) records"
}
same '--only read' '$1 == "read"'
same '--only write,modify,fetch' '$1 ~ /^(write|modify|fetch)$/'
same '--addr 0x10000-0x1ffff' 'hex($2) >= 65536 && hex($2) <= 131071'
same '--addr 64K-,0-4095,8192' 'hex($2) >= 65536 || hex($2) < 4096 || hex($2) == 8192'
same '--addr -0xfff' 'hex($2) < 4096'
same '--pc 0x100000-0x10003f' 'hex($7) >= 1048576 && hex($7) <= 1048639'
same '--task 1,4-5' '$6 == 1 || $6 == 4 || $6 == 5'
same '--space 2' '$5 == 2'
same '--only read --addr 0-64K --space 0,1' '$1 == "read" && hex($2) <= 65536 && $5 < 2'
same '--only event' '0'
# --skip and --limit count what is chosen; times go before.
trc decode --only read --skip 5 --limit 3 --to csv a.trc >got
awk -F, 'NR == 1 || ($1 == "read" && ++n > 5 && n <= 8)' a.csv | cmp - got
trc decode --only read --from-time 100 --to-time 200 --to csv a.trc | wc -l
# Questions and shards: files of a trace.
for i in 1 2 3 4; do
	awk -v i=$i 'NR == 1 || int(NR / 5001) + 1 == i' a.csv >f$i.csv
done
files='f1.csv f2.csv f3.csv f4.csv'
only='--only read,write --addr 0-0x30000 --space 0-1'
for how in '' --mrc --ws '--cache 4K:2:64'; do
	trc stat $how --json $only a.trc | sed 's/"trc"/"csv"/; s/, "provenance.*/}/' >whole
	trc decode $only --to csv a.trc chosen.csv
	trc stat $how --json chosen.csv | cmp - whole
	for i in 1 2 3; do trc stat -q $how $only --shard $i/3 --partial p$i $files; done
	trc stat --merge --json p1 p2 p3 | cmp - whole && echo "${how:-counts}: alike"
	rm -f p? chosen.csv
done
reduce='reduce -q --sad 8 --drop task'
for i in 1 2; do trc reduce -q --sad 8 $only --shard $i/2 --partial p$i $files; done
trc $reduce $only a.trc whole.sad
trc reduce -q --merge --drop task p1 p2 -o merged.sad && cmp merged.sad whole.sad && echo reduced alike
trc stat --shard 1/2 --partial p -q $only $files
trc stat -q --shard 2/2 --partial q $files
try trc stat --merge p q
# What is exact as a whole is not chosen from, but for spaces; at its end, where it is known there.
try trc decode --only write whole.sad -o none.sad
try trc stat --task 1 whole.sad
trc $reduce $only a.trc - | try trc stat --only read
trc stat --space 1 whole.sad | grep -E 'spaces|reduced'
# A reduction of what is chosen is exact for that.
try trc stat --certify whole.sad a.trc $only
# What is chosen is noted, and no file is taken for the whole.
trc encode $only a.trc b.trc && trc stat b.trc | grep -E '^trc|^part'
try trc encode --force $only a.trc a.trc
printf '0 10\n' >a.din
try trc stat --only reed a.din
try trc stat --only '' a.din
try trc stat --addr 5-3 a.din
try trc stat --addr x a.din
try trc stat --addr - a.din
try trc stat --pc 0-1 a.din
printf '2 0\n' | trc stat --from din --pc 0-1 - | grep records
try trc stat --space 1 a.din
try trc stat --check --only read a.din
try trc stat --blocks --only read a.trc
# Without column pc, what the task fetched last is the instruction: filled, chosen by, and counted by,
# as awk finds it. --pc was refused; --top pcs --only read had pc 0 for all.
awk 'BEGIN {
	print "type,addr,task"
	split("read write fetch fetch modify", type)
	for (i = 0; i < 20000; i++) {
		x = (x * 1103515245 + 12345) % 2147483648
		printf "%s,0x%x,%d\n", type[1 + int(x / 65536) % 5],
			1048576 + 4 * (int(x / 256) % 97), int(x / 4096) % 3
	}
}' >fetches.csv
awk -F, -v OFS=, 'NR == 1 { print $0, "pc"; next }
	$1 == "fetch" { pc[$3] = $2 }
	{ print $0, ($3 in pc) ? pc[$3] : "0x0" }' fetches.csv >with.csv
trc encode fetches.csv fetches.trc
for from in fetches.csv fetches.trc; do
	trc decode --fill pc=fetch --to csv $from | cmp - with.csv
	trc stat --top pcs --csv --rows 999 $from | sort >top
	trc stat --top pcs --csv --rows 999 with.csv | sort | cmp - top
done
awk -F, 'NR == 1 || ($4 >= "0x100000" && $4 <= "0x10003f" && length($4) == 8)' with.csv | cut -d, -f1-3 >want
trc decode --pc 0x100000-0x10003f --to csv fetches.trc | cmp - want && wc -l <want
trc decode -q --pc 0x100000-0x10003f --skip 10 --limit 20 -T 3 --to csv fetches.csv | sed 1d >got
sed -n 12,31p want | cmp - got
try trc decode --only read --fill pc=fetch --to csv fetches.csv
try trc decode --addr 0-1M --fill pc=fetch --to csv fetches.csv
try trc stat --top pcs --only read fetches.csv
try trc stat --by pc --cache 4K:2:64 --addr 0x100000-0x100010 fetches.csv
try trc stat --pc 0x100000 --shard 1/2 --partial f fetches.trc
try trc stat --strides fetches.csv
printf 'type,addr\nread,0x10\n' >none.csv
try trc decode --fill pc=fetch --to csv none.csv
try trc decode --fill pc=fetched --to csv fetches.csv
try trc decode --fill pc=fetch --to csv with.csv
try trc encode --drop task none.csv none.pinatrace
try trc encode --limit 4 fetches.csv some.pinatrace
try trc decode --to pinatrace-tid fetches.csv
# On all cores as on one, also where a line is damaged.
awk 'BEGIN {
	for (i = 0; i < 300000; i++) {
		x = (x * 1103515245 + 12345) % 2147483648
		printf "%d %x\n", int(x / 65536) % 3, 64 * (int(x / 256) % 9973)
	}
}' >b.din
sed '200001s/.*/0 zz/' b.din >bad.din
for n in 1 2 3; do
	for question in --mrc --ws --reuse '--cache 16K:2:64' '--top pages'; do
		trc stat -q $question --csv --only fetch,write --addr 16K- -T $n b.din
	done >all.$n
	trc reduce -q --sad 16 --only fetch,write -T $n b.din - >>all.$n
	cmp all.1 all.$n
	try trc stat --mrc --only write -T $n bad.din
	try trc reduce --sad 16 --only write -T $n bad.din bad.sad
done
# The last cycle was 0 where the last chunk had nothing that was chosen.
awk 'BEGIN { print "type,addr,time"
	for (i = 0; i < 100000; i++)
		printf "%s,%d,%d\n", i < 5000 ? "read" : "write", 64 * i, i
}' >c.csv
for n in 1 2 3; do
	trc reduce -q --sad 16 --only read -T $n c.csv - | tail -1
done
