# SPDX-License-Identifier: MIT
# Input that cannot be opened, output that has no place.
mkdir folder
printf '0 10\n' >a.din
try trc stat missing.din
try trc stat folder
try trc stat ''
try trc encode missing.din b.din
try trc encode a.din folder
try trc encode --to din a.din nowhere/b.din
try trc encode --to din a.din a.din/b.din
ls
# A folder for temporary files: one of a long name was cut, and looked for elsewhere.
TMPDIR=nowhere try trc stat --formats a.din
long=$(printf '%0120d/%0120d' 1 2)
mkdir -p "$long"
TMPDIR=$long try trc stat --formats a.din | head -n 2
find "$long" -mindepth 1

# The folder that is missing is named, wherever it is on the way; a link of it may be a file.
mkdir there
for path in no/such/folder/b.trc there/no/b.trc there/../a.din/b.trc; do
	try trc encode a.din "$path"
	try trc stat --mrc --plot "${path%.trc}.svg" a.din
	try trc split --every 5 a.din "$path"
	try trc stat "$path"
done
# Names that a terminal would obey, from right to left for example, in errors and in notes; and names
# so long that nothing was left of the reason.
name=$(printf 'a\342\200\256b\342\201\246c\330\234d\342\200\217')
trc stat "$name" 2>&1
trc stat -q --mrc --shard 1/1 --partial "$name" a.din
trc stat --mrc --resume --shard 1/1 --partial "$name" a.din
rm "$name"
long=$(awk 'BEGIN { for (i = 0; i < 3000; i++) printf "y" }')
trc stat "no/$long" 2>&1 | sed 's/y\{9,\}/Y/g'
{ echo '#trc manifest 1'; awk 'BEGIN { for (i = 0; i < 100000; i++) printf "y" }'; echo; } >long.manifest
try trc stat --mrc long.manifest
# A line of 100 MB was read before it was refused.
echo '#trc manifest 1' >wide.manifest && truncate -s 1G wide.manifest
(! sh -c 'ulimit -v 400000 && trc --version; exit $?' >/dev/null 2>&1 || ulimit -v 400000; trc stat --mrc wide.manifest) 2>&1 && echo taken
rm wide.manifest
# --kernel has no --from, and the file that is none is named.
printf 'asid,time,type,addr\n1,10,read,10\n' | trc encode - t.trc
awk 'BEGIN { for (i = 0; i < 9; i++) printf "i %x 4\n", 4198400 + 4 * i }' >kernel
try trc split --kernel kernel t.trc out
try trc split --kernel t.trc t.trc out
# Working sets of each of very many spaces took 13 GB.
awk 'BEGIN { print "asid,type,addr"; for (i = 1; i < 6000; i++) print i ",read," i * 4096 }' >spaces.csv
try trc stat --ws --by-space spaces.csv
try trc stat --mrc --by-space spaces.csv
