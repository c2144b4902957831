# SPDX-License-Identifier: MIT
# An output that takes the place of its own input, by whatever name, is refused where something
# would be lost: what valgrind wrote between the records of a lackey file was, without a word.
printf '==7== Lackey\nI  1000,4\n L 2000,8\n M 3000,8\n' >a.lackey
cp a.lackey kept.lackey
trc encode a.lackey a.trc
cp a.trc kept.trc
ln -s a.lackey soft.lackey
ln a.lackey hard.lackey
mkdir folder

# Every spelling.
try trc encode --force a.lackey a.lackey
try trc encode a.lackey a.lackey
try trc encode --force a.lackey ./folder/../a.lackey
try trc encode --force a.lackey soft.lackey
try trc encode --force soft.lackey a.lackey
try trc encode --force a.lackey hard.lackey
try trc encode --force --to trc a.lackey a.lackey
try trc encode --force --to lackey - a.lackey <a.lackey
if [ -e /proc/self/fd/0 ]; then
	trc encode --force --to lackey a.lackey /proc/self/fd/0 <a.lackey 2>message || echo refused
	trc encode --force --to lackey /proc/self/fd/0 a.lackey <a.lackey 2>message || echo refused
else
	echo refused
	echo refused
fi

# Every command, and what options leave out.
try trc decode --force a.lackey a.lackey
try trc decode --force --to csv a.trc a.trc
try trc reduce --force --sad 10 --to trc a.trc a.trc
try trc encode --force --limit 1 a.trc a.trc
try trc encode --force --skip 1 a.trc a.trc
try trc encode --force --salvage a.trc a.trc
try trc encode --force --drop size a.trc a.trc
try trc encode --force --split-modify a.trc a.trc
try trc encode --force --to csv a.trc a.trc
printf 'time,asid,type,addr\n1,1,read,10\n' | trc encode - t.trc
cp t.trc folder/1.trc
cp t.trc folder/2.trc
try trc encode --force t.trc folder/1.trc t.trc
try trc encode --force folder folder/2.trc
try trc stat --mrc --plot a.lackey --force a.lackey
printf 'S 0 1\n' >kernel
try trc split --kernel kernel --basic --force t.trc kernel
try trc split --kernel kernel --basic --force --to trc t.trc t.trc
cp "$SRC/test/data/sort.bus" .
trc replay extract --quiet sort.bus sort.pkg
cp sort.pkg kept.pkg
try trc replay extract --force sort.bus sort.bus
try trc replay prune --force sort.pkg sort.pkg
try trc replay prune --force -o sort.pkg sort.pkg
try trc replay run --force --to csv sort.pkg sort.pkg
try trc replay run --force --to csv --against sort.bus sort.pkg sort.bus
try trc replay record --force -o sort.pkg sort.pkg
try trc replay record --force -o kernel --disk kernel sort.pkg
try trc replay record --force --machine user -o sort.pkg sort.pkg

# All are as they were, and nothing else is there.
try cmp a.lackey kept.lackey
try cmp a.trc kept.trc
try cmp folder/2.trc t.trc
try cmp sort.pkg kept.pkg
cmp sort.bus "$SRC/test/data/sort.bus"
ls . folder

# A container that becomes another one keeps all that it has, and a column more is no loss.
try trc encode --force -e a.trc a.trc
try trc encode --force --fill asid=1 soft.lackey a.trc
try trc encode --force --fill task=7 a.trc ./a.trc
try trc decode --to csv a.trc -
try trc encode --force --to trc - a.trc <a.trc
try trc stat a.trc
