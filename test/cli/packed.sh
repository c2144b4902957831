# SPDX-License-Identifier: MIT
# Packed input of every kind, by content whatever its name: one member, several, padded, in each other.
needs gz bz2 zst
printf '0 1c\n1 20\n' >one
printf '2 3c\n' >two
cat one two | trc encode --to hash --from din - plain.hash
check()
{
	trc encode --to hash --from din "$1" - | cmp - plain.hash && echo "$1 is read"
}
for tool in xz gzip bzip2 zstd; do
	cat one two | $tool >$tool
	check $tool
	$tool <one >$tool-members
	$tool <two >>$tool-members
	check $tool-members
done
{ cat gzip; head -c 512 /dev/zero; } >gzip-padded
{ xz <one; head -c 512 /dev/zero; xz <two; head -c 4 /dev/zero; } >xz-padded
check gzip-padded
check xz-padded
gzip <xz >xz-in-gzip
check xz-in-gzip
gzip <gzip | gzip | gzip | gzip >deep
try trc stat deep

# pzstd writes a frame to be passed over first: it was read as records. All 16 magics of such, and
# what they stand before; packings that are not unpacked here, also where --from says what is read.
zstd -q <one >one.zst
for n in 120 121 122 123 124 125 126 127 130 131 132 133 134 135 136 137; do
	skip="\\$n\\052\\115\\030\\004\\0\\0\\0abcd"
	{ printf "$skip"; cat one.zst; printf "$skip"; zstd -q <two; } >skip.$n
	check skip.$n
	{ printf "$skip$skip"; cat zstd; } >skip.$n
	check skip.$n
done
{ printf '\120\052\115\030\0\0\2\0'; head -c 131072 /dev/zero; cat zstd; } >long
check long
{ printf '\120\052\115\030\4\0\0\0abcd'; cat one two; } >junk
try trc stat junk
try trc stat --from din junk
refused()
{
	printf "$1" >other
	cat one >>other
	trc stat other 2>&1
	trc stat --from din other >out 2>&1 && echo "READ: $1"
	trc stat --from u64 - <other >out 2>&1 && echo "READ: $1"
	gzip <other | trc stat - 2>&1
}
refused '\004\042\115\030\144\100\247'
refused '\002\041\114\030\003\0\0\0'
refused '\137\052\115\030\1\0\0\0a\004\042\115\030'
refused 'LZIP\001\014'
refused '\211LZO\0\r\n\032\n'
refused '\135\0\0\200\0\377\377\377\377\377\377\377\377\0'
refused '7z\274\257\047\034\0\4'
refused 'Rar!\032\7\1\0'
refused '\037\235\220'
refused '\037\235\214'
refused 'LRZI\0\6'
refused 'BZ3v1'
refused '7kSt\240\061\203\323\214'
refused '\047\265\057\375'
