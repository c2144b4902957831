# SPDX-License-Identifier: MIT
# Packed input of every kind, by content whatever its name: one member, several, padded, in each other.
needs gz bz2 zst
printf '0 10\n1 20\n' >one
printf '2 30\n' >two
cat one two | trc encode --to hash --from din - plain.hash
check()
{
	trc encode --to hash "$1" - | cmp - plain.hash && echo "$1 is read"
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
