# SPDX-License-Identifier: MIT
# What is reported on standard error: with -v, and where somebody is at a terminal, behind encode and
# decode. Times and speeds are left out.
needs xz
awk 'BEGIN { for (i = 0; i < 30000; i++) printf "%d %x\n", i % 3, i * 64 }' >a.din
xz -k a.din
no_times() { tr -d '\r' | sed 's/[0-9.]* M records/N M records/; s/[0-9.]* s$/N s/'; }
try trc encode -v a.din a.trc 2>&1 | no_times
try trc encode -v --force a.din.xz a.trc 2>&1 | no_times
try trc decode -v --from din - <a.din 2>&1 >/dev/null | no_times
try trc encode -v a.din.xz - --to null 2>&1 | no_times
try trc encode -v --concat a.din a.din both.trc 2>&1 | no_times
try trc stat -v --json a.trc 2>&1 >/dev/null | no_times
try trc stat -v no.din
# What -v reports is no part of a record, nor of what is kept of the command.
trc encode a.din b.trc && trc encode -v --force a.din c.trc 2>/dev/null && cmp b.trc c.trc && echo same
if ! script -qec true /dev/null >/dev/null 2>&1; then
	echo "no script(1)"
	exit 77
fi
export TERM=xterm
script -qec 'trc encode a.din d.trc' /dev/null | no_times
script -qec 'trc decode d.trc d.din' /dev/null | no_times
script -qec 'trc encode -q a.din e.trc' /dev/null
script -qec 'trc encode --limit 2 --to din a.din -' /dev/null | tr -d '\r'
script -qec 'TERM=dumb trc encode a.din f.trc' /dev/null
script -qec 'trc encode a.din g.trc 2>words' /dev/null
cat words
