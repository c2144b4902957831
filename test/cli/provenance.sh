# SPDX-License-Identifier: MIT
# A container has where it came from: what its source was, the commands that made it what it is, and
# notes. Nothing else could, when the originals are gone.
printf '==7== Command: ./a.out x\nI  04001234,3\n L 1ffeffe7e0,8\n S 1ffeffe7d8,8\nI  04001237,3\n' >a.lackey
shows() { trc stat "$1" | sed -n '/^source\|^part/,$p'; }

try trc encode a.lackey a.trc --note machine=lab3 --note "who=Ann O'Hara, 2nd floor"
try shows a.trc
trc stat --json a.trc | grep -o '"provenance.*'

# The same input and command give the same bytes; so does another encode, which changes no record.
trc encode a.lackey again.trc --note machine=lab3 --note "who=Ann O'Hara, 2nd floor" -T 1
cmp a.trc again.trc
trc encode -9 a.trc again.trc --force
try shows again.trc
trc encode a.trc b.trc
cmp a.trc b.trc
trc encode --to trc - <a.trc >b.pipe.trc
cmp a.trc b.pipe.trc

# What changes records is in the chain, whatever it was read from; what does not is not.
trc encode --skip 1 --limit 2 -T 2 -q a.trc range.trc
try shows range.trc
trc encode --drop size -q range.trc dropped.trc --note 'why=size is not needed'
try shows dropped.trc
trc encode --limit 1 a.lackey part.trc
try shows part.trc
trc reduce -q --sad 2 a.trc reduced.trc
try shows reduced.trc
trc reduce -q --sad 2 a.lackey direct.trc
try shows direct.trc

# Parts have it, all the same; merged again, they are one trace.
trc split --by type a.trc parts
try shows parts/read.trc
try shows parts/fetch.trc
trc split --every 2 a.trc windows
try shows windows/1.trc
cmp_shown() { shows "$1" >one; shows "$2" >two; cmp one two; }
cmp_shown windows/1.trc windows/2.trc
trc split --every 2 a.lackey --to trc plain
try shows plain/1.trc
cmp_shown plain/1.trc plain/2.trc

# Several traces have a list each.
printf 'type,addr,time\nread,1,1\nread,2,3\n' >x.csv
printf 'type,addr,time\nread,7,2\n' >y.csv
trc encode x.csv y.csv merged.trc
try shows merged.trc
trc encode x.csv x.trc --note of=x
trc encode y.csv y.trc
cat x.trc y.trc >joined.trc
try shows joined.trc
trc encode joined.trc whole.trc
try shows whole.trc
trc encode --to trc - <joined.trc | cmp - whole.trc

# A text has no place for it: what comes back begins anew, with the same records.
trc decode a.trc back.lackey
trc encode back.lackey back.trc
try shows back.trc

# Only containers have notes, of a form that can be found again.
try trc encode --note a=b a.lackey n.din
try trc encode --note machine a.lackey n.trc
try trc encode --note =lab3 a.lackey n.trc
ls n.* 2>&1

# What a note has is not obeyed by terminals.
trc encode a.lackey n.trc --note "$(printf 'k=\033[31mred\377')"
trc stat n.trc | tail -n 1
trc stat --json n.trc | grep -o '"note.*'

# It stands at the end: of a pipe, the first records of a long container were without it.
trc encode --note n=1 "$SRC/test/data/sort.lackey.xz" long.trc
for i in 1 2 3 4 5 6 7 8; do cat long.trc long.trc long.trc long.trc; done >many.trc
for range in '--limit 2' '--skip 1100000 --limit 2' '--skip 99999999'; do
	trc encode $range many.trc range.trc --force
	trc encode $range --to trc - <many.trc | cmp - range.trc
done
shows range.trc | sed -n '$p'

# What a salvage finds, and what is merged of more files than are open at a time.
trc encode --parity 0 long.trc bad.trc
printf XXXX | dd of=bad.trc bs=1 seek=600 conv=notrunc 2>/dev/null
trc encode -q --salvage bad.trc saved.trc 2>/dev/null
shows saved.trc | sed -n '$p'
mkdir heap
for i in $(awk 'BEGIN { for (i = 100; i < 170; i++) print i }'); do trc encode -q x.csv heap/$i.trc --note n=$i; done
trc encode -q heap heap.trc
shows heap.trc | sed -n '$p'
shows heap.trc | grep -c '^note '
