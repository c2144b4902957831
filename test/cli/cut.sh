# SPDX-License-Identifier: MIT
# A file of joined containers that is cut before an inner border: what its parity repaired was given
# as if it were all, with exit 0, and -q kept the only note of it to itself. Every cut, with parity
# and without: only at a border nobody can see it.
[ "${TRC_TEST_STEP:-1}" = 1 ] && step=11 || step=61
for parity in 2 0; do
	rm -f *.trc all.din
	for n in 0 1 2; do
		awk -v n=$n 'BEGIN {
			for (i = 0; i < 40; i++) {
				x = (x * 7141 + 54773 + n) % 259200
				print x % 2, 4096 + 8 * x
			}
		}' | trc encode --parity $parity --from din - $n.trc
	done
	cat 0.trc 1.trc 2.trc >all.trc
	trc decode all.trc all.din
	one=$(wc -c <0.trc) two=$(($(wc -c <0.trc) + $(wc -c <1.trc))) size=$(wc -c <all.trc)
	given=0 kept=0
	for at in $(seq 1 $step $((size - 1))) $one $two; do
		head -c $at all.trc >cut.trc
		rm -f out.din again.trc
		trc decode -q cut.trc out.din 2>said
		status=$?
		trc encode -q cut.trc again.trc 2>>said
		encoded=$?
		trc stat -q cut.trc >/dev/null 2>&1
		counted=$?
		trc stat -q --check cut.trc >/dev/null 2>&1
		all=$status$encoded$counted$?
		case $at in
		$one | $two) [ $all = 0000 ] || echo "$at: a border, $all" ;;
		*)
			[ $all = 1111 ] || echo "$at: $all"
			[ "$(grep -c . said)" = 2 ] || echo "$at: $(cat said)"
			;;
		esac
		# Rows are given only where all up to the cut are there, and a salvage agrees to these.
		[ -f out.din ] && [ $at != $one ] && [ $at != $two ] || continue
		given=$((given + 1))
		rows=$(wc -l <out.din)
		head -n $rows all.din | cmp - out.din
		[ $((rows % 40)) = 0 ] || echo "$at: $rows"
		trc decode -q --salvage cut.trc - 2>said | cmp - out.din
		[ ! -s said ] || kept=$((kept + 1))
	done
	[ $given -gt 0 ] && [ $kept = $given ] && echo "parity $parity: what is whole is given"
done

trc encode -q --parity 50 all.din a.trc
rm out.din
for cut in 5 30; do
	cat a.trc a.trc | head -c $(($(wc -c <a.trc) * 2 - cut)) >cut.trc
	try trc decode --quiet cut.trc out.din 2>&1 | sed 's/byte [0-9]*/byte N/'
	wc -l <out.din
	rm out.din
done
try trc decode --salvage --quiet cut.trc out.din
cat all.din all.din | cmp - out.din
try trc stat --check cut.trc
try trc stat --mrc cut.trc
try trc encode cut.trc a.trc b.trc --concat
cp cut.trc same.trc
try trc encode --force cut.trc cut.trc
cmp cut.trc same.trc
# Behind a whole end.
{ cat a.trc; echo more; } >bad.trc
trc decode --quiet bad.trc - 2>&1 >out.din | sed 's/byte [0-9]*/byte N/'
