# SPDX-License-Identifier: MIT
# Options and words that cannot be meant: exit 2, with what would be right.
printf '0 10\n' >a.din
try trc stat
try trc stat a.din b.din
try trc encode
try trc encode a.din
try trc encode a.din b
try trc decode a.din b.laplace-bin
try trc encode a.din b.din c.din
try trc stat --from
try trc stat --json=yes a.din
try trc stat -f
try trc stat --limit many a.din
try trc stat --limit 0 a.din
try trc stat --page-size 3000 a.din
try trc stat --page-size 4x a.din
try trc reduce --sad 0 a.din
try trc reduce --sad 99000000000 a.din
try trc reduce --sad a.din
try trc encode --to xdin --fill size a.din -
try trc encode --to xdin --fill size=0x1ffffffff a.din -
try trc encode --to xdin --fill size=many a.din -
try trc encode --to hash a.din b.din
try trc stat --from hash a.din
try trc stat --limit 18446744073709551616 a.din
try trc encode -10 a.din b.trc
try trc encode --to execlog a.din -
try trc split a.din
try trc replay info a.din b.din
# It was passed over: the action that was left out was counted as a word.
try trc replay a.bus b.din c.din
trc encode -q a.din c.trc
try trc encode --memlimit 18446744073709551615 -T 18446744073709551615 --to din c.trc -
try trc encode --memlimit 1k --to din c.trc -
ls
# Options that what is asked has no use for are not passed over.
for o in '--cache 1K:1:64 --page-size 8K' '--check --page-size 8K' '--mrc --count' '--check --count' \
	'--check --from-time 5' '--check --to-time 5'; do
	try trc stat $o a.din
done
try trc split --by type --page-size 8K a.din parts
for o in 'extract --skip 5' 'extract --to csv' 'run --checkpoints 5' 'run --machine user' 'info --limit 3' \
	'prune --against b.bus' 'record --to csv' 'run --compress xz' 'info --split-modify' 'info -o a'; do
	try trc replay $o a.pkg
done
try trc replay --seed 3 a.bus
try trc replay record --machine user --disk a.din -o b.bus -- true
