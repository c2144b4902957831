# SPDX-License-Identifier: MIT
# The same for packers that need not be there.
needs gz bz2 zst
trc decode --quiet --limit 20000 "$SRC/test/data/sort.lackey.xz" a.lackey
for pair in gz:gzip bz2:bzip2 zst:zstd; do
	ending=${pair%:*} tool=${pair#*:}
	try trc encode a.lackey b.lackey.$ending
	$tool -dc b.lackey.$ending | cmp - a.lackey
	trc encode --compress $ending:1 --to lackey b.lackey.$ending - | $tool -dc | cmp - a.lackey
	try trc encode --compress $ending:99 a.lackey c.lackey
done
