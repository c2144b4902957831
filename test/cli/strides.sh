# SPDX-License-Identifier: MIT
# Strides of instructions are those that a script of ten lines counts, for any number of threads, joined from
# shards, behind a warm-up of one record, too.
needs python3
cat >count.py <<'EOS'
import csv, sys
last, strides = {}, {}
for i, r in enumerate(csv.DictReader(open('a.csv'))):
    if r['type'] in ('fetch', 'prefetch'):
        continue
    addr, who = int(r['addr'], 0), (r['asid'], r['pc'])
    if who in last and i >= int(sys.argv[1]):
        step = (addr - last[who] + 2**63) % 2**64 - 2**63
        strides[step] = strides.get(step, 0) + 1
    last[who] = addr
print('stride,references,share')
for step, n in sorted(strides.items(), key=lambda s: (-s[1], s[0] % 2**64)):
    print('%d,%d,%.9g' % (step, n, n / sum(strides.values())))
EOS
awk 'BEGIN {
	srand(7); print "type,addr,pc,asid"
	for (i = 0; i < 30000; i++)
		printf "%s,0x%x,0x%x,%d\n", substr("read    write   modify  fetch   prefetch", 1 + 8 * int(rand() * 5), 8), \
			int(rand() * 200) * 8, 4096 + 4 * int(rand() * 50), int(rand() * 2)
	print "read,0xfffffffffffffff8,0x1000,0\nread,0x8,0x1000,0"
}' | tr -d ' ' >a.csv
for warmup in 0 1 20000; do
	python3 count.py $warmup >want
	[ $warmup = 0 ] && ask=--strides || ask="--strides --warmup $warmup"
	for threads in 1 2 5; do
		trc stat $ask --rows 99999 --csv -T $threads a.csv | cmp - want && echo "$ask: as counted"
	done
	for n in 1 2 3; do trc stat $ask --shard $n/3 --partial $n.part --force a.csv; done
	trc stat --merge --rows 99999 --csv ?.part | cmp - want && echo "$ask: joined"
done | uniq
try trc stat --strides --rows 3 a.csv
printf 'addr\n0\n' >bare.csv
try trc stat --strides bare.csv
