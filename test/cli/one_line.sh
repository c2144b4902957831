# SPDX-License-Identifier: MIT
# One line ate the machine: a reference to 4 GiB became an entry for each of its lines. Every
# question, and every way to reduce, takes such a line as a range, or refuses it with the number
# and what to do, in little memory. A new option is a question and has a row here, or is listed as
# none: the case fails until then.
(ulimit -v 1000000 && trc --version >/dev/null 2>&1) || { echo "no limit of memory here"; exit 77; }
printf 'r 1000 4\nw 0 ffffffff\nr 2000 4\nw 0 fffffff0\n' >one.xdin
cat >one.csv <<END
type,addr,size,time,task,asid
fetch,0x1000,4,1,1,1
write,0,2147483648,2,1,1
read,0x4000,8,3,2,1
fetch,0x1004,4,4,1,1
END
printf 'type,addr,size,asid,cpn\nread,0x1000,4,1,1\nwrite,0x2000,4294967295,2,2\n' >shared.csv
trc reduce -q --sad 16 --page-size 64 --limit 1 one.csv reduced.trc

printf '0000000000400000 T main\n' >syms
# ask WORD...: whether it is answered, or the refusal. Each thread may take room of its own.
ask()
{
	(ulimit -v 1000000 && trc "$@" -T 2 >answer 2>notes)
	ret=$?
	rm -rf out.* 2>/dev/null
	case $ret in
	0) [ -e answer ] && how=answered ;;
	1) how=$(grep -o -e 'the record of [0-9]* bytes.*' -e 'is [^:]*$' notes | head -n 1) ;;
	*) how="exit $ret: $(tail -n 2 notes | head -n 1)" ;;
	esac
	echo "$* - ${how:-$(tail -n 1 notes)}"
}

# What is asked of each option that is a question; '-' is none.
words()
{
	case $1 in
	--count) echo '--count' ;;
	--cache) printf '%s\n' '--cache 32K:8:16' '--cache 32K:8:4:fifo' '--cache 32K:8:64:arc' \
		'--cache 32K:8:64:random' '--cache 32K..64K:1..8:16' '--cache 1K:2:64:fifo,1K:2:2' '--cache 32K:8:64 --cache 1M:8:4' '--cache 32K:8:64 --cache 64K:8:64:opt' \
		'--cache i:1K:1:64 --cache d:1K:1:64 --cache 4K:4:64 --inclusion inclusive' \
		'--cache 1K:1:64 --cache 4K:4:64 --inclusion exclusive' ;;
	--by) printf '%s\n' '--cache 32K:8:16 --by line' '--cache 32K:8:16 --by type' '--tlb 64 --by page' ;;
	--over-time) printf '%s\n' '--over-time 2' '--over-time 2 --line-size 1' '--over-time 2 --line-size 64 --csv' \
		'--cache 32K:8:16 --over-time 2' '--tlb 64 --over-time 2' ;;
	--warmup) printf '%s\n' '--mrc --line-size 64 --warmup 1' '--ws --line-size 64 --warmup 1' \
		'--reuse --line-size 64 --warmup 1' '--cache 32K:8:16 --warmup 1' '--top lines --warmup 1' \
		'--over-time 1 --line-size 64 --warmup 1' ;;
	--tlb) printf '%s\n' '--tlb 64' '--tlb 64 --page-size 256' ;;
	--huge) echo '--tlb 64 --huge all' ;;
	--mrc) printf '%s\n' '--mrc' '--mrc --line-size 1' ;;
	--policy) for p in $(trc help policies | sed -n '/With --bytes/q; s/^  \([a-z0-9][^ ]*\).*/\1/p'); do
			echo "--mrc --line-size 64 --policy $p --sizes 16"
		done
		echo '--mrc --line-size 64 --policy opt' ;;
	--bytes) printf '%s\n' '--mrc --bytes'
		for p in $(trc help policies | sed -n '/With --bytes/,$ s/^  \([a-z0-9][^ ]*\).*/\1/p'); do
			echo "--mrc --bytes --policy $p --sizes 1M,8G"
		done ;;
	--functions) echo '--top pcs --functions syms' ;;
	--popularity) echo '--popularity' ;;
	--sample) echo '--mrc --sample 1/2' ;;
	--sample-objects) echo '--mrc --bytes --sample-objects 9' ;;
	--every) echo '--popularity --every 1' ;;
	--requests) echo '--mrc --requests' ;;
	--bypass) echo '--mrc --policy opt --bypass' ;;
	--ttl) echo '--mrc --bytes --ttl 1 --sizes 8G' ;;
	--eager) echo '--mrc --bytes --ttl 1 --eager --sizes 8G' ;;
	--writes) printf '%s\n' '--mrc --bytes --writes none --sizes 8G' '--mrc --count read --writes around --sizes 9' ;;
	--all-sizes) echo '--mrc --all-sizes --line-size 1' ;;
	--ws) echo '--ws --line-size 1' ;;
	--reuse) echo '--reuse --line-size 1' ;;
	--objects) printf '%s\n' '--mrc --objects' '--ws --objects' '--reuse --objects' '--over-time 2 --objects' ;;
	--certify) echo '--certify reduced.trc' ;;
	--check | --formats | --fingerprint | --manifest) echo "$1" ;;
	--for) echo '--check --for champsim' ;;
	--diff) echo '--diff one.csv' ;;
	--map) echo '--map out.svg --force' ;;
	--top) for by in pages lines pcs tasks spaces types; do echo "--top $by"; done ;;
	--strides) echo '--strides' ;;
	--shared) echo '--shared' ;;
	--bbv) echo '--bbv 1' ;;
	--partial) printf '%s\n' '--mrc --line-size 64 --shard 1/1 --partial out.p' \
		'--cache 32K:8:16 --shard 1/1 --partial out.p' '--over-time 2 --line-size 64 --shard 1/1 --partial out.p' ;;
	--blocks | --inclusion | --rows | --plot | --title | --plot-size | --axes | --dark | --huge-size | \
		--sizes | --no-first | --clock | --sad | --jobs | --null | --strict | --tap | \
		--sample-blocks | --shards | --shard | --measure | --resume | --force | --plan | --merge | --json | --csv | \
		--page-size | --line-size | --by-space | --concat | --from | --skip | --limit | --from-time | \
		--to-time | --only | --addr | --pc | --task | --space | --salvage | --memlimit | --verbose | \
		--threads | --output | --quiet | --help) ;;
	*) echo "$1 is not known here: a question? what is it to be asked?" ;;
	esac
}

for option in $(trc --complete stat -- | cut -f 1); do
	words $option | while read -r question; do
		[ "$question" = --shared ] && files=shared.csv || files="one.xdin one.csv"
		for f in $files; do
			ask stat $question $f
		done
	done
done
ask stat one.xdin

reduces()
{
	case $1 in
	--sad) echo '--sad 16' ;;
	--olr) echo '--olr 16' ;;
	--window) echo '--window 100' ;;
	--sample) echo '--sample 1/10' ;;
	--cache) printf '%s\n' '--cache 32K:1:64' '--cache 32K:8:64' ;;
	--write-backs) echo '--cache 32K:8:64 --write-backs' ;;
	--simpoint) echo '--simpoint 2,1' ;;
	--by-space) echo '--by-space --sad 16' ;;
	--no-block) echo '--no-block --sad 16' ;;
	--clock | --canonical | --page-size | --concat | --shards | --shard | --measure | --resume | --partial | \
		--from | --skip | --limit | --from-time | --to-time | --only | --addr | --pc | --task | --space | \
		--salvage | --memlimit | --verbose | --threads | --output | --stdout | --annotate | \
		--coalesce | --split-modify | --v2p | --v2p-page | --unmapped | --drop | --fill | --to | --for | \
		--compress | --level | --extreme | --no-verify | --parity | --block-size | \
		--note | --force | --no-sync | --quiet | --seed | --warmup | --sizes | --plan | --merge | --json | --csv | --help) ;;
	*) echo "$1 is not known here: a reduction? what is it to be asked?" ;;
	esac
}

for option in $(trc --complete reduce -- | cut -f 1); do
	reduces $option | while read -r how; do
		case $how in
		*--cache* | *--simpoint*) ask reduce -q $how one.csv out.d ;;
		*) ask reduce -q $how --page-size 64 one.csv out.trc ;;
		esac
	done
done
