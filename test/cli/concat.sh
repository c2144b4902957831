# SPDX-License-Identifier: MIT
# Several files in order as one trace, for whole runs, which merging by time once stood in the way of.
needs xz
xz -dc "$SRC/test/data/sort.lackey.xz" | head -n 9000 >all.lackey
head -n 3000 all.lackey >a.lackey
sed 1,3000d all.lackey | head -n 4000 | xz >b.lackey.xz
sed 1,7000d all.lackey >c.lackey
trc encode -q c.lackey c.trc
try trc encode a.lackey b.lackey.xz c.trc all.trc
try trc encode --concat a.lackey b.lackey.xz c.trc all.trc
# Where nothing is known of the source, what the file is is the same.
trc encode -q all.lackey whole.trc
trc encode --to hash all.trc >hash
trc encode --to hash whole.trc | cmp - hash
trc stat whole.trc | grep -v provenance >whole
trc stat all.trc | grep -v provenance >one
diff whole one
try trc decode --concat a.lackey b.lackey.xz c.trc text
grep -v '^==' all.lackey | cmp - text
for options in "--skip 2500 --limit 5000" "--skip 8000" "--limit 10" "-T1"; do
	trc encode -q $options --to din --drop size --split-modify all.lackey one.din --force
	trc encode -q $options --to din --drop size --split-modify --concat a.lackey b.lackey.xz c.trc - | cmp one.din - &&
		echo "the same: $options"
done
trc reduce -q --sad 4 all.lackey whole.sad
trc reduce -q --sad 4 --concat a.lackey b.lackey.xz c.trc - | cmp whole.sad -
trc reduce -q --olr 4 all.lackey whole.olr.sad
trc reduce -q --olr 4 --concat a.lackey b.lackey.xz c.trc - | cmp whole.olr.sad -
for i in 1 2; do trc reduce -q --sad 4 --shard $i/2 --partial $i.p --concat a.lackey c.trc; done
trc reduce -q --sad 4 --shard 2/2 --partial 2.again a.lackey c.trc && cmp 2.p 2.again
trc reduce -q --merge 1.p 2.p - | wc -l

# Files of a folder come in the order of their names, and times may run back, as where cat joins text.
mkdir folder
printf 'type,addr,time\nread,4096,50\nread,8192,60\n' >folder/1.csv
printf 'type,addr,time\nwrite,4096,10\nread,4096,20\n' >folder/2.csv
try trc encode --concat --to csv folder -
try trc encode --to csv folder -
try trc decode --concat --to csv folder folder/1.csv -

# Inputs that are there only once, as what a shell pipes.
cat a.lackey | trc encode -q --concat - b.lackey.xz c.trc --to hash - | cmp - hash
mkfifo pipe
xz -dc b.lackey.xz >pipe &
trc encode -q --concat a.lackey pipe c.trc --to hash - | cmp - hash
# Rows of standard input were lost by who looked at it first.
cat a.lackey | trc stat -q --mrc --concat --csv - c.lackey >one
trc stat -q --mrc --concat --csv a.lackey c.lackey | cmp one -
try trc encode --concat - a.lackey - both.trc <c.lackey

# What each came from is kept, and a trace of several is compared with none of them.
trc encode -q --concat a.lackey c.lackey both.trc
trc stat both.trc | sed -n '/^part/,$p'
try trc stat --check both.trc a.lackey c.lackey

# Reduced traces join as cat joins them.
trc reduce -q --sad 4 a.lackey a.sad
trc reduce -q --sad 4 c.lackey c.sad
trc reduce -q --window 8 c.lackey other.sad
cat a.sad c.sad >ac.sad
trc encode -q --to hash ac.sad - >hash
trc encode -q --to hash --concat a.sad c.sad - | cmp hash -
trc encode -q --concat a.sad c.sad ac.trc
trc stat ac.trc | grep original
trc stat ac.sad | grep original
try trc encode --concat a.sad other.sad no.sad
try trc encode --concat a.lackey a.sad no.trc
try trc encode --concat a.lackey none.lackey no.trc
try trc encode --concat a.lackey
try trc decode a.lackey c.lackey no.din
try trc encode --force --concat a.lackey c.lackey c.lackey
ls no.* 2>&1

# What a salvage of one of them lacks is named; stat of several once was silent about it.
trc encode -q --parity 0 all.lackey damaged.trc
size=$(wc -c <damaged.trc)
printf xxxx | dd of=damaged.trc bs=1 seek=$((size / 2)) conv=notrunc 2>/dev/null
try trc encode --salvage --concat c.trc damaged.trc --to null -
try trc stat -q --mrc --concat --csv --sizes 1 --salvage c.trc damaged.trc
