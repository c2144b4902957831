# SPDX-License-Identifier: MIT
# Every question has CSV and JSON with the same names and values, one loader reads all of them, their
# names are in 'trc help columns', and no table is wider than 80 columns. A new option of stat is a question and has a row here, or is
# listed as none: the case fails until then.
needs python3
mixed
printf 'type,addr,size,asid,cpn\nread,0x1000,4,1,1\nwrite,0x2000,4,2,1\nread,0x2000,4,2,2\n' >shared.csv
xz -dc "$SRC/test/data/sort.lackey.xz" | head -n 20000 >sort.lackey
printf 'type,addr,pc\nread,0x10,1\nread,0x18,1\nwrite,0x8,1\n' >strides.csv
trc encode -q sort.lackey sort.trc
trc encode -q a.csv "a, b.trc"
trc encode -q --limit 3 a.csv less.csv
trc reduce -q --sad 16 sort.lackey sort.sad
trc reduce -q --sample 1/2 "$SRC/test/data/sort.lackey.xz" sample.trc
printf '2 1000\n2 2000\n' >fetches.din
trc help columns >names

# ask WORD...: both forms of a question, and the text; what they are is told at the end, in one process.
n=0
: >asked
ask()
{
	n=$((n + 1))
	echo "$*" >>asked
	trc "$@" --csv >$n.csv 2>$n.notes
	trc "$@" --json >$n.json 2>>$n.notes
	trc "$@" >$n.text 2>>$n.notes
}

printf '0000000000400000 T main\n' >syms
# What is asked of each option that is a question; '-' is none.
words()
{
	case $1 in
	--count) printf '%s\n' sort.trc a.csv sort.sad 'sort.lackey sort.sad a.csv' ;;
	--blocks) printf '%s\n' '--blocks sort.trc' ;;
	--cache) printf '%s\n' '--cache 1K:2:64 --cache 4K:4:64:fifo sort.lackey' \
		'--cache i:1K:1:64 --cache d:1K:1:64 a.csv' '--cache 1K..4K:1..2:32,1K:2:64:fifo a.csv' ;;
	--inclusion) echo '--cache 1K:2:64 --cache 4K:4:64 --inclusion exclusive sort.lackey' ;;
	--by) for by in page line pc task space type; do echo "--cache 1K:2:64 --by $by a.csv"; done
		echo '--tlb 4 --by page --rows 3 sort.lackey'
		# One of the caches has no references, and no rows.
		echo '--cache i:1K:2:64 --cache d:1K:2:64 --by line fetches.din' ;;
	--tlb) printf '%s\n' '--tlb d:8:4 --tlb i:4 --huge 0x4000000- sort.lackey' ;;
	--over-time) printf '%s\n' '--over-time 5k sort.lackey' '--over-time 2 --line-size 64 a.csv' \
		'--over-time 2 --objects a.csv' '--cache 1K:2:64 --cache 4K:4:64 --over-time 5k sort.lackey' ;;
	--mrc) printf '%s\n' '--mrc sort.lackey' '--mrc --line-size 64 sort.lackey a.csv' '--mrc --by-space a.csv' \
		'--mrc sort.lackey sort.sad' '--mrc sample.trc sort.lackey' '--mrc --sizes 4,50% sort.lackey a.csv' ;;
	--policy) echo '--mrc --policy lru,opt,arc,fifo,sieve --sizes 4,16 sort.lackey sort.trc' ;;
	--bytes) printf '%s\n' '--mrc --bytes a.csv' '--bytes --sizes 4,10M --policy lru,gdsf,opt,bound a.csv' ;;
	--functions) echo '--top pcs --functions syms a.csv' ;;
	--popularity) echo '--popularity a.csv' ;;
	--sample) echo '--mrc --line-size 16 --sample 1/2 sort.lackey' ;;
	--sample-objects) echo '--bytes --sample-objects 999 a.csv' ;;
	--every) echo '--popularity --every 2 a.csv' ;;
	--requests) echo '--mrc --requests --sizes 4,9 sort.lackey a.csv' ;;
	--bypass) echo '--mrc --policy opt --bypass sort.lackey' ;;
	--ttl) echo '--bytes --sizes 4K --ttl 2 a.csv' ;;
	--eager) echo '--bytes --sizes 4K --ttl 2 --eager a.csv' ;;
	--writes) printf '%s\n' '--bytes --sizes 4K --writes around a.csv' '--mrc --count read --writes none a.csv sort.lackey' ;;
	--ws) printf '%s\n' '--ws sort.lackey' '--ws --by-space a.csv' '--ws sort.lackey a.csv' ;;
	--reuse) printf '%s\n' '--reuse sort.lackey' '--reuse --by-space a.csv' '--reuse sort.lackey a.csv sort.trc' ;;
	--warmup) printf '%s\n' '--mrc --warmup 100 sort.lackey' '--top pages --warmup 100 sort.lackey' ;;
	--top) for by in pages lines pcs tasks spaces types; do echo "--top $by a.csv"; done
		echo '--top pcs --rows 3 sort.lackey' ;;
	--strides) echo '--strides strides.csv' ;;
	--shared) echo '--shared shared.csv' ;;
	--bbv) echo '--bbv 2 a.csv' ;;
	--map) printf '%s\n' '--map a.svg --force sort.lackey' '--map b.svg --force --sample-blocks 1 sort.trc' ;;
	--certify) printf '%s\n' '--certify sort.sad sort.lackey' '--certify sort.sad less.csv' ;;
	--check) echo '--check sort.sad sort.lackey sort.trc names' ;;
	--for) echo '--check --for champsim sort.lackey a.csv' ;;
	--diff) printf '%s\n' '--diff sort.lackey sort.trc' '--diff a.csv less.csv' '--diff sort.sad sort.lackey' ;;
	--fingerprint) echo '--fingerprint a.csv' ;;
	--formats) echo '--formats less.csv' ;;
	--manifest) echo '--manifest sort.lackey sort.lackey' ;;
	--shards) printf '%s\n' '--mrc --shards 3 sort.lackey' '--shards 2 sort.trc' ;;
	--plan) trc stat -q --mrc --shards 2 -o plan sort.lackey
		echo '--plan plan' ;;
	--merge) trc stat --mrc --shard 1/2 --partial 1.part sort.lackey
		trc stat --mrc --shard 2/2 --partial 2.part sort.lackey
		echo '--merge 1.part 2.part' ;;
	--huge | --huge-size | --rows | --plot | --title | --plot-size | --axes | --dark | --sizes | --all-sizes | \
		--no-first | --clock | --sad | --jobs | --null | --strict | --tap | --sample-blocks | --shard | \
		--measure | --resume | --partial | --force | --json | --csv | --page-size | --line-size | --by-space | \
		--objects | --concat | --from | --skip | --limit | --from-time | --to-time | --only | --addr | --pc | \
		--task | --space | --salvage | --memlimit | --verbose | --threads | --output | --quiet | --help) ;;
	*) echo "$1 is not known here: a question? what is it to be asked?" ;;
	esac
}

for option in $(trc --complete stat -- | cut -f 1); do
	words $option >questions
	while read -r question; do
		ask stat $question
	done <questions
done
ask stat --top pages --rows 2 "a, b.trc"
ask stat --mrc "a, b.trc" a.csv
# A folder is written once.
n=$((n + 1))
echo reduce --simpoint >>asked
for form in csv json; do
	trc reduce --simpoint 3,2k --$form sort.lackey regions >$n.$form
	rm -r regions
done
ask reduce --sad 16 --shards 2 sort.lackey
python3 "$SRC/test/cli/answers.py" names asked |
	sed '/--formats/s/[0-9]* rows/a row for each/' # of whatever formats there are
awk 'length > 80 && !/^[a-z]|^FAIL|nothing: there/ { print "too wide: " $0 }' *.text
try trc reduce --simpoint 3,2k --csv --json sort.lackey regions
try trc reduce --sad 16 --json sort.lackey small.sad
