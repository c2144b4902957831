# SPDX-License-Identifier: MIT
# What a trace is shows in its lines; where several formats take them, the one that looks at more.
printf 'r 1 4 0 100\nW 2 4 0 104\n' >both.laplace
try trc stat both.laplace
try trc stat --from xdin both.laplace
awk 'BEGIN { for (i = 0; i < 1000; i++) printf "r %04x 4 9 9a8b7c\n", 4660 + i }' >lines-of-18-bytes
try trc stat lines-of-18-bytes | head -2
try trc stat --from laplace-bin lines-of-18-bytes | head -2
printf '10' >one
try trc stat one
printf '0 10' >one
try trc stat one
# Decimal numbers are no page numbers, which have letters where there are many.
awk 'BEGIN { for (i = 1; i < 100; i++) print i * 4096 }' >decimal
try trc stat decimal
try trc stat --from csv:addr=1 decimal | head -2
awk 'BEGIN { for (i = 1; i < 100; i++) printf("%x\n", i) }' >hexadecimal
try trc stat hexadecimal | head -2
# Merges of tables, which know no size of pages, had no comment, and were read as raw traces.
printf 'type,size,time,asid,vpn,cpn\nread,4,1,7,16,2\n' >both.csv
trc encode --drop asid both.csv both.merge
trc encode --drop vpn both.csv both.basic
try trc stat both.merge | head -2
try trc stat both.basic | head -2
# Lines that are text were read as pixie32 and laplace-bin; who says so may still have that.
awk 'BEGIN { for (i = 0; i < 300; i++) printf "l 0x%x 4\n", 65600 + 64 * i }' >l.txt
try trc stat l.txt
try trc stat --check l.txt
try trc stat --from pixie32 l.txt | head -2
yes 'R 000e64' | head -1000 >r.txt
try trc stat r.txt
try trc stat --from laplace-bin r.txt | head -2
printf '\n' >feed
try trc stat feed
# Structs became u64 or champsim; they are asked about, and the ending of the name answers.
i=0
while [ $i -lt 40 ]; do printf "\\$(printf %03o $((i * 5)))\\100\\100\\0\\0\\0\\0\\0"; i=$((i + 1)); done >words.bin
try trc stat words.bin
try trc encode words.bin words.trc
cp words.bin words.u64
try trc stat words.u64 | head -2
try trc stat --from u64 <words.bin | head -2
# Short text was guessed at. Each reading that holds is shown, and -v has what was counted for and against.
printf '0 0x100c\n1 0x200c\n0 0x200d\n' >short
try trc stat -v short
cp short short.din
trc stat -v short.din 2>&1 | head -2
# Sizes that most tools write in decimal were read as hexadecimal: 16 bytes were 22, 64 were 100. They show by
# what instructions and data are as long as; those of dineroIV do, too; 10 may be either; and where none has two
# digits in the head, the first that has is refused.
for size in '11 16' '20 a' '10 4'; do
	awk -v size="$size" 'BEGIN {
		split(size, s, " ")
		for (i = 0; i < 5000; i++) {
			print "I", sprintf("%x", 4194304 + 4 * i), (i % 9 == 8 ? s[1] : 4)
			print "W", sprintf("%x", 268435456 + 32 * i), (i % 9 ? 8 : s[2])
		}
	}' >sizes.txt
	try trc decode --to csv --skip 16 --limit 3 sizes.txt
done
try trc stat --from xdin:decimal sizes.txt | head -2
sed '1,9000s/ 10$/ 8/' sizes.txt >late.txt
try trc stat late.txt
sed 's/ 10$/ 16/' sizes.txt | try trc decode --to csv --skip 16 --limit 3 -
