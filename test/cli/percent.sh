# SPDX-License-Identifier: MIT
# A share of the pages was refused where it was of several policies, of one that is run size by size, or
# of several traces: "here are several curves". It is of the pages or objects that each trace touches, and
# what is run at sizes counts them first.
{ echo time,type,addr,size
awk 'BEGIN { for (i = 0; i < 900; i++) { x = (x * 1103 + 377) % 7919; print i ",read," x % (1 + x % 97) * 512 ",512" } }'; } >a.csv
{ sed 300q a.csv; echo 999,write,99999999,700; } >b.csv

# Is what the numbers give: of any policy, unit and choice of records.
same()
{
	all=$(trc stat -q --mrc --sizes 100% --csv "$@" | sed -n '2s/,.*//p')
	for policy in lru opt fifo arc random=3 lru,opt fifo,opt,lru,s3-fifo; do
		for share in $(some 10 50 100 0.1 33.3); do
			n=$(awk -v all=$all -v s=$share 'BEGIN { n = int(all * s * 10 / 1000); print n ? n : 1 }')
			trc stat -q --mrc --csv --policy $policy --sizes $share% "$@" >got
			trc stat -q --mrc --csv --policy $policy --sizes $n "$@" | cmp - got || echo "$policy $share% of $all: $*"
		done
	done
	echo "of $all: $*"
}
same a.csv
same --objects a.csv
same --line-size 64 -T 2 a.csv
same --objects --warmup 100 --skip 7 a.csv
same --objects --only write b.csv
same --objects --concat a.csv b.csv
trc stat --manifest a.csv b.csv >both
same --objects both

try trc stat --mrc --policy lru,opt --sizes 10%,0.5 a.csv
try trc stat --mrc --objects --policy lru,fifo --sizes 10%,64,50% --csv a.csv b.csv
trc stat --mrc --objects --policy lru,fifo --sizes 10%,64,50% a.csv b.csv | tail -n 5
# A reduced trace has it where it holds.
trc reduce -q --sad 16 --page-size 512 --drop size a.csv a.sad
trc stat --mrc --page-size 512 --sizes 5%,50% a.sad a.csv | tail -n 4
# What cannot be read twice is read once where that is enough.
for policy in lru opt fifo lru,opt; do
	cat a.csv | try trc stat --mrc --policy $policy --sizes 10% --csv -
done
try trc stat --mrc --by-space --sizes 10% a.csv
try trc stat --mrc --policy fifo --sizes 12.3456789% --objects --csv a.csv
try trc stat --mrc --sizes 12.34567891% a.csv
