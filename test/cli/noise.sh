# SPDX-License-Identifier: MIT
# Bytes that are no trace, and lines that are no line: refused fast, with little memory.
tail -c +1000 "$SRC/test/data/sort.lackey.xz" | head -c 100000 >noise
try trc stat noise
try trc stat --from din noise
try trc stat --from laplace-bin noise

# Texts of other systems were read as no record, or as one: lines that are not of requests are
# skipped, and a comment goes to the end of its line.
printf '==42== Lackey\rI  04000,3\r L 05000,8\r' >mac.txt
try trc stat --from lackey mac.txt
try trc stat mac.txt
try trc stat --from lackey - <mac.txt
printf '0 10 first\r1 20\r' >mac.din
try trc stat mac.din
printf '\377\376' >wide.txt
sed 's/./&\n/g' "$SRC/test/corpus/good-etw-example.csv" | tr '\n' '\0' >>wide.txt
try trc stat --from etw wide.txt

# 300 MB without a newline, in 200 MB of memory where the shell can limit it.
sh -c 'ulimit -v 200000 && trc --version; exit $?' >/dev/null 2>&1 && ulimit -v 200000
long()
{
	head -c 300000000 /dev/zero | tr '\0' 0
}
long | try trc stat -
long | try trc stat --from din -
