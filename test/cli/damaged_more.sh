# SPDX-License-Identifier: MIT
# The same for packers that need not be there.
needs gz bz2 zst
xz -dc "$SRC/test/data/sort.lackey.xz" | head -20000 >a
gzip -n <a >a.gz
bzip2 <a >a.bz2
zstd -q <a >a.zst
for kind in gz bz2 zst; do
	head -c 2000 a.$kind >short.lackey.$kind
	{ head -c -4 a.$kind; printf 'bad!'; } >bad.lackey.$kind
	{ cat a.$kind; echo garbage; } >tail.lackey.$kind
	for how in short bad tail; do
		try trc encode $how.lackey.$kind b.lackey 2>&1 |
			sed 's/byte [0-9]*/byte N/; s/ (.*)//'
		ls b.lackey* 2>/dev/null
	done
done
