# SPDX-License-Identifier: MIT
# Files that are not containers and break off: refused with the place where that shows, and --salvage
# gets what is whole before it, names what is missing, and reports that by its exit status.
needs gz bz2 zst
awk 'BEGIN {
	for (i = 0; i < 200000; i++) {
		x = (x * 7141 + 54773) % 259200
		printf "%d %x\n", x % 3, 4096 + 8 * x
	}
}' >a.din
said()
{
	try "$@" 2>&1 | sed 's/byte [0-9]*/byte N/; s/except: [0-9]*/except: N/'
}
# cut_at FILE: cuts it in the middle; what is salvaged is a beginning of what there was, by whole lines.
cut_at()
{
	head -c $(($(wc -c <$1) * 2 / 3)) $1 >cut
	mv cut cut-$1
	said trc decode --from din cut-$1 out.din
	rm -f out.din
	said trc decode --from din --salvage cut-$1 out.din
	rows=$(wc -l <out.din)
	head -n $rows a.din | cmp - out.din
	[ $rows -gt 60000 ] && [ $rows -lt 190000 ] || echo "$rows lines"
	trc stat --from din --salvage --csv -q cut-$1 2>&1 | grep -c "^records,$rows$\|: $((rows + 1)) and all after"
	rm out.din
}
xz -1 --block-size=200000 -k a.din
gzip -k a.din
bzip2 -1 -k a.din
zstd -q a.din
gzip <a.din | head -c 100000 >tail
cat a.din.gz tail >two.din.gz
tar czf a.tgz a.din
for file in a.din a.din.xz a.din.gz a.din.bz2 a.din.zst a.tgz; do cut_at $file; done
# A member that is whole, and one that is cut.
trc decode -q --salvage two.din.gz - 2>/dev/null | head -n 200000 | cmp - a.din
# Text: the last line alone, of a file that is not packed, also one that would be a record.
head -c 2000 a.din >short.din
try trc decode --salvage short.din - | tail -n 1
printf '0 1a\n1 2b\n5 zz' >word.din
try trc stat word.din
try trc decode --salvage word.din -
try trc decode --salvage --from din word.din -
# Records.
printf '%80s' ' ' | tr ' ' '\1' | head -c 75 >records.u64
try trc stat --from u64 records.u64
try trc decode --salvage --to din --from u64 --fill type=0 records.u64 -
assemble good-drmemtrace-entries >x.memtrace
head -c $(($(wc -c <x.memtrace) - 5)) x.memtrace >cut.memtrace
said trc stat cut.memtrace
said trc stat -q --salvage --csv cut.memtrace
# What is whole loses nothing; of several inputs, the one that was cut is named.
try trc stat --salvage --csv a.din.gz
try trc stat -q --mrc --csv --sizes 1 --concat --salvage a.din cut-a.din.gz 2>&1 | sed 's/gz: [0-9]*/gz: N/; s/[0-9][0-9]* and all/N and all/' | grep -v 4096
try trc stat -q --csv --salvage short.din word.din

# Dictionaries and windows that take more memory than is given to a file.
python3 - <<'EOP'
import lzma, zlib
x = bytearray(lzma.compress(b'0 10\n' * 1000))
length = (x[12] + 1) * 4
assert x[14] == 0x21 and x[15] == 1
x[16] = 40
x[12 + length - 4:12 + length] = zlib.crc32(bytes(x[12:12 + length - 4])).to_bytes(4, 'little')
open('wide.din.xz', 'wb').write(x)
EOP
try trc stat wide.din.xz
awk 'BEGIN { for (i = 0; i < 1000; i++) print "0 1a" }' | zstd -q --ultra --long=31 - -o wide.din.zst
try trc stat --csv wide.din.zst | head -n 3
