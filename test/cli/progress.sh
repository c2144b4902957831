# SPDX-License-Identifier: MIT
# The line of progress: how it looks once the work takes a second, and where there is none.
if ! script -qec true /dev/null >/dev/null 2>&1; then
	echo "no script(1)"
	exit 77
fi
needs gz xz
awk 'BEGIN { for (i = 0; i < 20000; i++) printf "%d %x\n", i % 3, i * 64 }' >a.din
awk 'BEGIN { print "time,addr"; for (i = 1; i < 20000; i++) printf "%d,0x%x\n", i, i * 64 }' >a.csv
for i in $(seq 64); do head -n 2 a.csv >few$i.csv; done
xz -dc "$SRC/test/data/kernel.bus.xz" >kernel.bus
cat >slowly <<'END'
{
	head -c 50000 "$1"
	sleep 4
	tail -c +50001 "$1"
}
END
# Runs it in a terminal beside others, for the result `n`: what stood in its line, numbers left out.
on_terminal()
{
	n=$((n + 1))
	{
		echo "\$ $*"
		script -qec "$*" /dev/null </dev/null | tr '\r' '\n' | sed -n "s/$escape\[K//p" |
			sed -e 's/[0-9][0-9.]*/N/g' -e '/^$/d' | sort -u
	} >result.$n &
}
n=10 escape=$(printf '\033')
export TERM=xterm
# Few records come out of a reduction, or none until its end: it is those that go in that count.
on_terminal 'sh slowly a.din | trc reduce --sad 4 --from din - a.sad'
on_terminal 'sh slowly a.din | trc encode --from din --to null -'
on_terminal 'sh slowly a.din | trc stat --mrc --from din - >/dev/null'
on_terminal 'sh slowly a.din | trc split --from din --by type - parts'
on_terminal 'mkfifo pipe; sh slowly a.din >pipe & trc stat --check --from din pipe a.din >/dev/null'
# More files than are open at a time are read before their first record comes.
on_terminal 'mkfifo many; sh slowly a.csv >many & trc encode --to null many few*.csv -'
on_terminal 'mkfifo more; sh slowly a.csv >more & trc encode --quiet --to null more few*.csv -'
on_terminal 'sh slowly kernel.bus | trc replay extract - kernel.pkg'
# None in the background, on a terminal that cannot take it away, and if none is asked for.
on_terminal 'set -m; sh slowly a.din | trc encode --from din --to null - & wait'
on_terminal 'TERM=dumb; sh slowly a.din | trc encode --from din --to null -'
on_terminal 'unset TERM; sh slowly a.din | trc encode --from din --to null -'
on_terminal 'sh slowly a.din | trc encode --quiet --from din --to null -'
# Nor over the lines of a program that is recorded.
mkdir fake
printf '#!/bin/sh\nfor w; do case $w in --log-file=*) exec >"${w#*=}" ;; esac; done\necho "I  04001234,3"\nsleep 2\nyes " L 04001234,8" | head -n 99999\nsleep 2\n' >fake/valgrind
chmod +x fake/valgrind
on_terminal 'PATH=$PWD/fake:$PATH; trc encode --by valgrind --to null --record /dev/null --force -- true'
# It is no wider than the terminal.
script -qec 'stty cols 12; sh slowly a.din | trc encode --from din --to null -' /dev/null |
	tr '\r' '\n' | sed "s/$escape\[K//" | awk 'length > 11 { print "too wide: " $0 }
	length == 11 { clipped = 1 } END { print clipped ? "clipped" : "no line" }'
# A small packed input was read within a second, and shown as done, 100 %, 0 s left, for the rest of the
# run; and where half of the records are a tenth of the bytes, those are no share of the work, either.
awk 'BEGIN { for (i = 0; i < 600000; i++) printf "%d %x\n", i % 3, i % 1000 * 64 }' >large.din
gzip -k large.din
xz -T2 --block-size=300000 -k large.din
cat >behind <<'END'
head -c 100000 >/dev/null
sleep 4
cat >/dev/null
END
share()
{
	script -qec "trc decode --to xdin --fill size=4 $1 - | sh behind" /dev/null </dev/null | tr '\r' '\n' |
		sed -n "/records/{s/$escape\[K//;p;}" | awk -v input="$1" '
		/100 %/ { print input ": all is done: " $0 }
		NR == 1 { print input ": " (/ of .* MB packed  [0-9]+ s$/ ? "no share" : $5 < 60 && /left$/ ? "a part" : $0) }' >share.$1
}
for input in large.din large.din.gz large.din.xz; do share $input & done
wait
cat share.* result.*
