# SPDX-License-Identifier: MIT
# Instructions, with an i, wherever records are counted: an instruction is its fetch and what comes behind it, and
# what is in front of the first fetch is of that.
cp "$SRC/test/data/sort.lackey.xz" .
trc encode -q sort.lackey.xz sort.trc
trc decode --to lackey sort.trc | grep -v '^=' >all
for range in '0 1' '1 1' '1999 4096' '100000 5000' '747000 10000' '0 747472'; do
	set -- $range
	for input in all sort.trc; do
		trc decode --from $([ $input = all ] && echo lackey || echo trc) --to lackey --skip "$1i" --limit "$2i" $input |
			grep -v '^=' >some
		awk -v from="$1" -v n="$2" '/^I/ { k++ } k > from && k <= from + n' all | cmp - some &&
			echo "$range of $input: $(wc -l <some) lines"
	done
done
# Both ways in one line; and behind filters.
try trc stat --csv --skip 10 --limit 100ki sort.trc
try trc stat --csv --skip 100ki --limit 10 sort.trc
try trc stat --csv --only fetch,read --limit 1ki sort.trc
try trc stat --skip 1Mi sort.trc
# A warm-up of instructions is one of the records that they have.
records=$(awk '/^I/ { k++ } k > 100000 { exit } { n++ } END { print n }' all)
for ask in '--cache 8K:2:64' '--cache 8K:2:64,16K:2:64' '--mrc --csv' '--ws --csv' '--reuse --csv' '--top pages --csv' \
	'--tlb 16 --csv' '--mrc --policy fifo --sizes 8 --csv'; do
	trc stat $ask --warmup 100ki sort.trc | sed 's/instructions/records/; s/100000/N/' >insns
	trc stat $ask --warmup $records sort.trc | sed "s/$records/N/" | cmp - insns && echo "$ask: the same"
done
# Windows of instructions: each has as many, but the last.
try trc stat --csv --over-time 200ki sort.trc
try trc stat --csv --over-time 200ki --warmup 100ki sort.trc
try trc stat --csv --cache 8K:2:64 --over-time 200ki sort.trc
try trc stat --csv --cache 8K:2:64 --over-time 200ki --warmup 147472i sort.trc
trc stat --csv --cache 8K:2:64 sort.trc | grep ',all,'
trc split --quiet --every 200ki sort.trc parts
for part in 1 2 3 4; do
	trc stat --csv parts/$part.trc | grep -E '^(records|instructions),' | tr '\n' ' '
done
echo
trc encode -q --concat parts/1.trc parts/2.trc parts/3.trc parts/4.trc joined.trc
try trc stat --diff joined.trc sort.trc
# Parts know of records alone, and what has no fetches has no instructions.
try trc stat --over-time 200ki --shard 1/2 --partial p sort.trc
try trc stat --over-time 2 --warmup 1i sort.trc
printf '0 10\n1 20\n' >data.din
for ask in '--limit 5i' '--skip 1i' '--over-time 5i --line-size 64' '--cache 1K:1:64 --over-time 5i' '--mrc --warmup 5i'; do
	try trc stat $ask data.din
done
try trc split --every 5i data.din none
: >empty.din
try trc stat --limit 5i --from din empty.din
# Words that count bytes, or nothing.
for n in 1KB 10MiB i 0i 1.5i 1e3i 18446744073709551615 9223372036854775808i 5Ki; do
	try trc stat --limit $n data.din
done
