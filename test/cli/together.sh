# SPDX-License-Identifier: MIT
# What is known of traces that are merged, and of parts of a trace that was reduced.
for space in 1 2; do
	i=0
	while [ $i -lt 400 ]; do
		i=$((i + 1))
		echo "read,$((i * i % 23 * 4096)),$i,$space"
	done >rows
	{ echo type,addr,time,asid; cat rows; } >$space.csv
	trc reduce --quiet --sad 4 $space.csv $space.sad
done
tail -q -n 1 1.sad 2.sad

# Traces that were reduced apart went by the promise, and the totals, of the last one: of a memory
# for both, that was wrong, and had more misses than references.
try trc encode 1.sad 2.sad both.sad
trc reduce --quiet 1.csv 1.merged.sad
trc reduce --quiet 2.csv 2.merged.sad
try trc encode 1.merged.sad 2.merged.sad both.sad
mkdir folder
cp 1.sad 2.sad folder
try trc encode folder both.sad
try trc stat --mrc folder
ls both.sad 2>&1
# What lay five folders deep was passed over, and so was a link to nothing.
mkdir -p deep/1/2/3/4
cp 1.csv deep
cp 2.csv deep/1/2/3/4
try trc encode --to hash deep | head -n 2
ln -s nowhere deep/link
try trc encode --to hash deep
# A reduced trace in the folder of the parts that it was made of: which file does not belong?
try trc encode 1.csv 1.merged.sad both.trc
# What caches exchange with memory goes on to the next level.
for space in 1 2; do
	trc reduce --quiet --cache 1K:1:16 --write-backs --to trc $space.csv $space.behind.trc
done
try trc reduce --cache 4K:2:16 --write-backs --to null 1.behind.trc
trc encode 1.behind.trc 2.behind.trc both.trc
trc stat both.trc | grep original
# Parts of a trace that was reduced before are what they were.
trc split --by type --to trc 1.sad types
trc encode types types.sad
cmp types.sad 1.sad && echo same
# They had totals of as many references as the whole one, as if all of these were theirs.
printf 'read,8192,%d,1\nwrite,4096,%d,1\n' 1 2 3 4 5 6 | cat 1.csv - >3.csv
trc reduce --quiet --sad 2 3.csv 3.sad
trc split --by type --to sad 3.sad three
tail -q -n 1 3.sad three/*
trc stat three/write.sad | grep -e original -e part
trc stat --mrc --csv three/write.sad | head -n 2
trc reduce --quiet --sad 3 --to sad three/write.sad - | tail -n 1
trc encode three three.sad
cmp three.sad 3.sad && echo same
trc split --every 200 --to sad 3.sad windows
tail -q -n 1 windows/*
# A window of the whole trace lost the totals of the original one.
trc split --every 1G --to sad 3.sad whole
cmp whole/1.sad 3.sad && echo same
# The trailer behind all records was lost by all windows but the last.
awk 'BEGIN { print "type,addr"; for (i = 0; i < 9000; i++) print "read," i % 7 * 4096 }' >long.csv
trc reduce --quiet --sad 2 long.csv long.sad
trc encode long.sad long.trc
for of in long.sad long.trc; do
	try trc split --every 4000 --to sad $of $of.windows
	tail -q -n 1 $of.windows/*
done
try trc split --every 4000 --to sad - piped <long.sad
# So it was by what --limit left of the first records: a curve began at one page.
for of in long.sad long.trc; do
	trc encode --limit 10 --to sad $of | tail -n 1
	trc stat --mrc --limit 10 --csv $of | sed -n 2p
done
for of in long.sad long.trc; do
	cat $of | trc encode --skip 5 --limit 10 --to sad - | tail -n 1
done

# A part of a reduced trace had totals of all references of the whole one, or, of a container, not that
# it was reduced.
trc encode 1.sad 1.trc
for of in 1.sad 1.trc; do
	try trc encode --quiet --skip 3 --limit 2 --to sad $of -
	trc encode --to sad --from-time 300 $of | tail -n 1
	trc stat --mrc --limit 100 --csv $of | head -n 2
	try trc stat --ws --skip 5 $of
done

# Of several containers, only what the last one had lost was told, and of more than 64 nothing if
# it had lost all.
trc encode --parity 0 1.csv good.trc
half=$(($(wc -c <good.trc) / 2))
{ head -c $half good.trc; printf damage; tail -c +$((half + 7)) good.trc; } >bad.trc
try trc encode --salvage --to null bad.trc good.trc -
try trc encode --salvage --to null good.trc bad.trc -
mkdir many
i=100
while [ $i -lt 170 ]; do
	cp good.trc many/$i.trc
	i=$((i + 1))
done
cp bad.trc many/130.trc
cp bad.trc many/169.trc
try trc encode --salvage --to null many
