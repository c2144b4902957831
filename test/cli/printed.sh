# SPDX-License-Identifier: MIT
# Rows are printed on all cores: the same bytes, and the same sentences, for any number of threads.
awk 'BEGIN {
	for (i = 0; i < 150000; i++) {
		printf "%d %x%s\n", i % 3, i * 2654435761 % 4294967296, i % 70001 == 7 ? "\r" : ""
		if (i % 40009 == 5)
			print ""
	}
}' >a.din
awk 'BEGIN {
	print "type,addr,size,pc,asid,task,time,itime,rtime"
	for (i = 0; i < 120000; i++)
		printf "%s,0x%x,%d,0x%x,%d,%d,%d,%d,%d\n", i % 7 ? "read" : "write", i * 40503 % 1048576,
		       2 ^ (i % 4), i % 999, 1 + i % 3, i % 5, 3 * i, 2 * i, i
}' >b.csv
trc encode -q a.din a.trc
trc encode -q b.csv b.trc

# law WORD...: trc writes the same file, or has the same to report, with any threads; which is printed.
law()
{
	rm -f out.*
	for t in 1 2 3; do
		trc "$@" -T $t out.$t >message.$t 2>&1
		echo "exit $?" >>message.$t
		sed -i "s/out\.$t/OUT/g; s/--threads $t //" message.$t
	done
	for t in 2 3; do
		cmp message.1 message.$t
		[ ! -e out.1 ] && [ ! -e out.$t ] || cmp out.1 out.$t
	done
	cat message.1
	ls | grep part-
}
law encode -q --to csv a.din
wc -l <out.2
law encode -q --to u64 --drop type a.trc
wc -c <out.2
law encode -q --to din --skip 1000 --limit 100000 a.trc
wc -l <out.3
for i in b.csv b.trc; do
	law encode -q --to csv $i
	law encode -q --to gem5 --drop asid,task,itime,rtime $i
	law encode -q --to laplace-diff --drop pc,task,itime,rtime $i
done

# What is wrong far behind the first record: a bad line, a bad last one, none at its end; a record that
# cannot be written; both.
sed '120000s/.*/0 zz/' a.din >bad.din
law decode -q --to csv bad.din
(cat a.din && printf '0 zz') >last.din
law decode -q --to csv last.din
(cat a.din && printf '0 12') >open.din
law decode -q --to csv open.din
tail -n 1 out.2
sed '110000s/^[a-z]*/modify/' b.csv >modify.csv
law decode -q --to dramsim3 --drop size,pc,asid,task,itime,rtime modify.csv
for i in 110005 109998; do
	sed "${i}s/.*/read,0/" modify.csv >both.csv
	law decode -q --to dramsim3 --drop size,pc,asid,task,itime,rtime both.csv
done
trc encode -q modify.csv modify.trc
law decode -q --to dramsim3 --drop size,pc,asid,task,itime,rtime modify.trc

# A reader that has seen enough, and a full disk.
for i in a.din a.trc; do
	(trap '' PIPE; trc decode -T 2 --to csv $i; echo "exit $?" >status) | head -n 1
	cat status
done
[ ! -w /dev/full ] || trc decode -q -T 2 --to csv a.din >/dev/full && echo "a full disk is none"
