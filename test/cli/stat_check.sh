# SPDX-License-Identifier: MIT
# Whether traces are what they claim: planted faults are found, in files, directories and lists.
mkdir corpus corpus/sub
cp "$SRC/test/data/sort.lackey.xz" corpus
trc reduce --quiet --sad 64 corpus/sort.lackey.xz corpus/sort.sad
trc encode --parity 0 corpus/sort.sad corpus/sub/sort.trc
printf '0 10\n1 20\n2 30\n' >corpus/sub/a.din
echo 'What is here.' >corpus/NOTES
try trc stat --check corpus
try trc stat --check -j 1 corpus
# A byte of a container, of a packed file, of a text; a file that is cut, and one that is none.
mkdir bad
flip() { # FILE OFFSET NEW
	{ head -c "$(($2))" "$1" && printf "$4" && tail -c "+$(($2 + 2))" "$1"; } >"$3"
}
flip corpus/sub/sort.trc 2000 bad/byte.trc '\252'
flip corpus/sort.lackey.xz 20000 bad/byte.lackey.xz '\252'
flip corpus/sub/a.din 5 bad/byte.din '9'
head -c 3000 corpus/sub/sort.trc >bad/cut.trc
head -c 30000 corpus/sort.lackey.xz >bad/cut.lackey.xz
head -n 1000 corpus/sort.sad >bad/cut.sad
echo 'hello' >bad/hello.din
: >bad/empty.din
: >bad/empty
# A record of SAD that is missing, there twice, moved, or a fetch; other totals, another r.
sed 1000d corpus/sort.sad >bad/dropped.sad
sed '1000{p;s/^r/w/}' corpus/sort.sad >bad/twice.sad
awk '{ print } NR == 1000 || NR == 1003 || NR == 1006 { print "r", $2, $3, $4, 0, "99" }' \
	corpus/sort.sad | sed 's/records=1681/records=1684/' >bad/added.sad
sed '1000{h;d};1001G' corpus/sort.sad >bad/moved.sad
sed 's/references=1058273/references=1058/' corpus/sort.sad >bad/totals.sad
sed 's/ r=64 / r=400 /' corpus/sort.sad >bad/other-r.sad
echo 'r 1 1 1 0 ffffffffffff401a
# trc sad records=1 page-size=4096 r=64 references=9 instructions=9 last-cycle=9' >bad/page.sad
printf 'r 10 0\nw ffffffffffffffff 2\nr 10 4\nr 10 20000\n' >bad/sizes.xdin
printf 'r 5 4 1 1000\nr 4 4 1 2000\nr 4 4 1 3000\nr 3 4 1 4000\n' >bad/times.laplace
try trc stat --check bad
# Numbers that nobody would write.
sed 's/ r=64 / r=99999999999999 /' corpus/sort.sad >bad/huge-r.sad
sed 's/ r=64 / r=64 canonical lru-only by-space sample=0 window=9 clock=cycles /' corpus/sort.sad \
	>bad/words.sad
try trc stat --check bad/huge-r.sad bad/words.sad corpus/sub/a.din
# Whatever trc reduces is sound, and a record too many is found in it.
for how in '--sad 64 --no-block' '--olr 64' '--window 1000' '--sad 9 --window 99 --clock instructions' \
	'--sample 1/2 --sad 9'; do
	trc reduce --quiet --force $how corpus/sort.lackey.xz reduced.sad
	awk '{ print } NR > 900 && NR < 904 { print "r", $2, $3, $4, 0, "99" }' reduced.sad |
		sed 's/records=[0-9]*//' >more.sad
	try trc stat --check reduced.sad more.sad
done
# What is only odd; the same trace twice, in any format.
mkdir odd
cp bad/cut.sad bad/times.laplace odd
cp corpus/sub/sort.trc odd/one.trc
cp corpus/sub/sort.trc odd/two.trc
trc encode --to laplace odd/times.laplace odd/other.laplace
trc encode bad/times.laplace odd/times.trc
awk 'BEGIN { for (i = 0; i < 9; i++) printf "i %x 4\n", 4198400 + 4 * i }' >odd/other.din
try trc stat --check odd
try trc stat --check --strict odd
# Lists, and words for machines.
ls odd/*.trc >list
tr '\n' '\0' <list >list0
try trc stat --check - <list
try trc stat --check -0 - corpus/NOTES <list0
try trc stat --check --tap odd corpus
# The number of a line is printed whole.
mkdir lines
awk 'BEGIN { for (i = 1; i < 12345; i++) print "0 10"; print "hello" }' >lines/long.din
try trc stat --check --tap lines
# A table that was not reduced needs no trailer.
printf 'type,addr\nread,0x10\n' >lines/a.csv
try trc stat --check --strict lines/a.csv
try trc stat --check --json odd/one.trc odd/two.trc bad/byte.trc corpus
# Odd names.
mkdir names
cp corpus/sub/a.din "names/# \"quoted\" \\.din"
printf '0 10\n' >"$(printf 'names/two\nlines \303\251 \351.din')"
try trc stat --check --json names
rm names/two*
try trc stat --check names
try trc stat --check --tap names
# Of names that end in NUL bytes only the first was checked, without the option for that.
printf 'corpus/sub/a.din\0none.din\0' | { try trc stat --check -; }
printf 'corpus/sub/a.din\0none.din\0' | { try trc stat --check --null -; }
# Asked wrongly.
mkdir nothing
try trc stat --check nothing
try trc stat --check
try trc stat --check none.din
try trc stat --check --limit 5 corpus
try trc stat --check --tap --json corpus
try trc stat --check --from dinn corpus
try trc stat --check --from xdin corpus/sub/a.din
try trc stat --strict corpus/sub/a.din
try trc stat --check --csv corpus
# A container and what it was made of are no duplicates; whoever wants to delete that, looks first.
mkdir pair
cp "$SRC/test/data/sort.lackey.xz" pair/a.lackey.xz
trc encode pair/a.lackey.xz pair/a.trc
trc reduce --quiet --sad 64 pair/a.trc pair/reduced.trc
try trc stat --check --strict pair
try trc stat --check --strict pair/reduced.trc pair/a.trc pair/a.lackey.xz
try trc stat --check --json pair/a.trc pair/a.lackey.xz
cp pair/a.trc pair/copy.trc
try trc stat --check pair
# One that was made of another trace, by their names or by both.
trc decode --limit 1000 pair/a.trc pair/copy.lackey
try trc stat --check pair/copy.trc pair/copy.lackey
try trc stat --check pair/copy.lackey pair/copy.trc
# Of some records of a source there is no fingerprint, so names prove nothing.
trc encode --limit 1000 pair/a.lackey.xz pair/some.trc
trc decode --skip 1 pair/a.trc pair/some.lackey
try trc stat --check pair/some.trc pair/some.lackey
# Copies of a container, one behind the other, are no other records than its source had.
mkdir copies
cat pair/copy.trc pair/copy.trc >copies/twice.trc
try trc stat --check copies
# A text that was cut: within a line that is none then, or behind one that could be whole.
printf '0 1000\n1 2000\n2' >cut.din
try trc stat cut.din
try trc stat --mrc --from din cut.din
printf '0 1000\n1 2000\n2 30' >short.din
try trc stat --check cut.din short.din
try trc stat --check --strict --json short.din
# An instruction of ChampSim at address 0, which none is at, was ok; so is no text that nothing reads.
i=0
while [ $i -lt 40 ]; do
	ip=$((i * 4 % 256))
	[ $i -ne 20 ] || ip=0
	printf "\\$(printf %03o $ip)\\$([ $i -eq 20 ] && echo 0 || echo 100)\\0\\0\\0\\0\\0\\0\\0\\0\\3\\0"
	head -c 52 /dev/zero
	i=$((i + 1))
done >zero.champsim
try trc stat --check zero.champsim
