# SPDX-License-Identifier: MIT
# Of several inputs, half of the questions had an answer for each, and half refused them. All that are of one
# trace answer for each of several what they answer for it alone, in text, CSV and JSON, behind its name; a
# picture has the curves of all. A new option of stat is a question and has a row
# here, or is listed as none: the case fails until then.
needs python3
mixed
mkdir b
xz -dc "$SRC/test/data/sort.lackey.xz" | head -n 3000 >b/sort.lackey
trc encode -q a.csv a.trc
trc encode -q b/sort.lackey sort.trc
printf 'type,addr,size,asid,cpn\nread,0x1000,4,1,1\nwrite,0x2000,4,2,1\nread,0x2000,4,2,2\n' >shared.csv
sed 's/2$/3/' shared.csv >more.csv
printf 'type,addr,pc\nread,0x10,1\nread,0x18,1\nwrite,0x8,1\n' >strides.csv
sed 's/0x8/0x28/' strides.csv >others.csv

printf '0000000000400000 T main\n' >syms
# What is asked of each option that is a question, and of which inputs if not of a.csv and b/sort.lackey; '-' is none.
words()
{
	case $1 in
	--blocks) echo '--blocks a.trc sort.trc' ;;
	--cache) printf '%s\n' '--cache 1K:2:64' '--cache 1K:2:64 --cache 4K:4:64' '--cache i:1K:1:64 --cache d:1K:1:64' '--cache 1K..4K:2:64' ;;
	--inclusion) echo '--cache 1K:2:64 --cache 4K:4:64 --inclusion exclusive' ;;
	--by) printf '%s\n' '--cache 1K:2:64 --by page' '--tlb 4 --by page --rows 3' ;;
	--tlb) echo '--tlb 8:4' ;;
	--over-time) printf '%s\n' '--over-time 2' '--cache 1K:2:64 --over-time 2' '--tlb 4 --over-time 2' ;;
	--mrc) printf '%s\n' '--mrc' '--mrc --by-space a.csv a.trc' ;;
	--ws) printf '%s\n' '--ws' '--ws --by-space a.csv a.trc' ;;
	--reuse) printf '%s\n' '--reuse' '--reuse --by-space a.csv a.trc' ;;
	--warmup) for q in '--mrc' '--ws' '--reuse' '--cache 1K:2:64' '--cache 1K..2K:2:64' '--tlb 4' '--top pages' '--over-time 2'; do
			echo "$q --warmup 1"
		done ;;
	--top) printf '%s\n' '--top pages' '--top pcs a.csv a.trc' '--top lines --rows 2' '--top types' ;;
	--strides) printf '%s\n' '--strides strides.csv others.csv' '--strides --warmup 1 strides.csv others.csv' ;;
	--shared) echo '--shared shared.csv more.csv' ;;
	--bbv) echo '--bbv 2' ;;
	--map) printf '%s\n' '--map -' '--map - --sample-blocks 1 a.trc sort.trc' ;;
	--fingerprint) echo '--fingerprint' ;;
	--bytes) printf '%s\n' '--mrc --bytes' '--mrc --bytes --sizes 4K,1M --policy lru,gdsf' ;;
	--functions) echo '--top pcs --functions syms' ;;
	--popularity) echo '--popularity' ;;
	--formats) echo '--formats a.csv shared.csv' ;;
	--count | --check | --for | --manifest) ;; # rows of one table, or lines, in any case
	--diff | --certify) ;; # two by nature
	--huge | --huge-size | --rows | --plot | --title | --plot-size | --axes | --dark | --sizes | --all-sizes | \
		--no-first | --clock | --sad | --jobs | --null | --strict | --tap | --sample-blocks | --shards | --shard | \
		--measure | --resume | --partial | --force | --plan | --merge | --policy | --json | --csv | --page-size | \
		--line-size | --by-space | --objects | --concat | --from | --skip | --limit | --from-time | --to-time | \
		--only | --addr | --pc | --task | --space | --salvage | --memlimit | --verbose | --threads | --output | \
		--quiet | --help | --writes | --ttl | --sample | --every | --bypass | --requests | --eager | --sample-objects) ;;
	*) echo "$1 is not known here: a question? what is it to be asked?" >&2 ;;
	esac
}

for option in $(trc --complete stat -- | cut -f 1); do
	words $option | while read -r question; do
		case $question in
		*.csv | *.trc) inputs=$(echo "$question" | grep -o '[a-z]*\.[a-z]* [a-z]*\.[a-z]*$') ;;
		*) inputs='a.csv b/sort.lackey' ;;
		esac
		question=${question%"$inputs"}
		python3 "$SRC/test/cli/each.py" "$TRC" stat -q -T 3 $question -- $inputs | sed "s/^/${question%% }: /"
	done
done
# Curves of all are in one picture, as far as there is room; a map is of one trace.
for question in '--top pages' '--over-time 500' '--cache 1K:2:64 --over-time 500' '--cache 1K:2:64 --by page' \
	'--reuse' '--ws' '--mrc' '--shared'; do
	inputs='a.csv b/sort.lackey'
	[ "$question" = --shared ] && inputs='shared.csv more.csv'
	trc stat -q $question --csv --plot curves.csv --force $inputs >/dev/null && sed 1d curves.csv | cut -d '"' -f 2 | uniq | sort -u |
		sed "s/^/$question: /"
done
try trc stat --map m.svg a.csv b/sort.lackey
# One that fails, and nothing is printed.
try trc stat --top pages a.csv none.din
try trc stat --fingerprint b a.csv
