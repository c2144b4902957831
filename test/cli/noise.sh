# SPDX-License-Identifier: MIT
# Bytes that are no trace, and lines that are no line: refused fast, with little memory.
tail -c +1000 "$SRC/test/data/sort.lackey.xz" | head -c 100000 >noise
try trc stat noise
try trc stat --from din noise
try trc stat --from laplace-bin noise

# 300 MB without a newline, in 200 MB of memory where the shell can limit it.
sh -c 'ulimit -v 200000 && trc --version; exit $?' >/dev/null 2>&1 && ulimit -v 200000
long()
{
	head -c 300000000 /dev/zero | tr '\0' 0
}
long | try trc stat -
long | try trc stat --from din -
