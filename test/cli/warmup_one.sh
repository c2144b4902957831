# SPDX-License-Identifier: MIT
# A warm-up of one record, where the record that ends it is the first: every question that takes one leaves
# out what that record counted, whole, on several threads and joined from shards alike; the others say why they
# have none.
cat >a.csv <<END
type,addr,size,time,task,asid,pc
read,0x8000,8,1,1,1,0x1000
write,0x2ff8,16,2,1,1,0x1000
read,0x4000,8,3,2,2,0x1000
read,0x8000,8,4,1,1,0x1000
read,0x4010,8,5,2,2,0x1004
write,0x8000,8,6,1,1,0x1000
END
cat >lines <<'END'
--cache 1K:2:64
--cache 1K:2:64 --by page
--cache 1K:2:64 --over-time 2
--tlb 4
--over-time 2
--mrc
--mrc --policy opt
--mrc --policy fifo --sizes 2
--mrc --by-space
--mrc --bytes
--popularity
--mrc --bytes --sizes 4K
--ws
--reuse
--top pages
--top types
--strides
--count
--blocks
--map -
--fingerprint
--bbv 2
--check
--formats
--shared
--manifest
--diff
--certify
END
unlisted 'what does it do with a warm-up?'
while read -r line; do
	if ! trc stat $line --warmup 1 --csv -T 1 a.csv >one 2>err; then
		echo "$line: refused; $(sed 's/^trc stat: //; q' err)"
		continue
	fi
	trc stat $line --csv a.csv >all
	cmp -s one all && echo "$line: the same as without a warm-up"
	trc stat $line --warmup 1 --csv -T 3 a.csv | cmp - one
	shards='no shards'
	if trc stat $line --warmup 1 --shard 1/3 --partial 1.part --force a.csv 2>/dev/null; then
		for i in 2 3; do trc stat $line --warmup 1 --shard $i/3 --partial $i.part --force a.csv; done
		trc stat --merge --csv ?.part | cmp - one && shards='and joined'
	fi
	echo "$line: without the first record, $shards"
done <lines
