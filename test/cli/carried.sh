# SPDX-License-Identifier: MIT
# Whatever a command does to a container, what is made of it has all that was known of where it came
# from, and one entry more. What that leaves out of the command line changes no record. This is so for
# every option of every command that writes traces: a new one needs a value below.
whole
trc replay run -q --limit 2000 "$SRC/test/data/sort.bus" computed.trc
trc encode computed.trc in.trc --fill time=every:60,asid=1,task=2,cpn=3 --note 'who=Ann, 2nd floor'
printf 'A 0 2 1\nS 0 2\n' >events.laplace-kernel
printf 'vpn,ppn\n1,9\n' >pages.csv
list() { trc stat "$1" | sed -n '/^\(part\|source\) /,$p'; }
list in.trc | tee before

# The words that try option $2 of command $1, in front of in.trc.
words()
{
	case $2 in
	--kernel) echo '--kernel events.laplace-kernel' ;;
	--basic) echo '--kernel events.laplace-kernel --basic' ;;
	--from | --to) echo "$2 trc" ;;
	--skip) echo '--skip 5' ;;
	--limit) echo '--limit 500' ;;
	--from-time) echo '--from-time 600' ;;
	--to-time) echo '--to-time 6000' ;;
	--only) echo '--only read,write' ;;
	--addr | --pc | --task | --space) echo "$2 0-" ;;
	--memlimit) echo '--memlimit 1G' ;;
	--threads) echo '--threads 1' ;;
	--annotate) echo '--annotate riscv' ;;
	--coalesce) echo '--coalesce 64' ;;
	--v2p | --unmapped) echo '--v2p pages.csv --unmapped keep' ;;
	--v2p-page) echo '--v2p pages.csv --v2p-page 64K --unmapped keep' ;;
	--block-size) echo '--block-size 16K' ;;
	--drop) echo '--drop asid' ;;
	--fill) [ $1 = reduce ] && echo '--drop asid --fill asid=7' || echo '--fill itime=9' ;;
	--compress) echo '--compress xz' ;;
	--level) echo '--level 3' ;;
	--parity) echo '--parity 5%' ;;
	--note) echo '--note a=b' ;;
	--memory) echo '--memory 2G' ;;
	--against) echo "--against $SRC/test/data/sort.bus" ;;
	--concat | --salvage | --verbose | --split-modify | --extreme | --no-verify | --strict | --force | --no-sync | --quiet) echo "$2" ;;
	--sad) echo '--sad 3' ;;
	--olr) echo '--olr 3' ;;
	--window) echo '--window 50' ;;
	--clock) echo '--window 50 --clock instructions' ;;
	--cache) echo '--cache 1K:1:64' ;;
	--write-backs) echo '--cache 1K:1:64 --write-backs' ;;
	--simpoint) echo '--simpoint 2,500' ;;
	--seed) echo '--simpoint 2,500 --seed 2' ;;
	--warmup) echo '--simpoint 2,500 --warmup 100' ;;
	--json | --csv) [ $1 = replay ] && echo $2 || echo "--simpoint 2,500 $2" ;;
	--sizes) echo '--simpoint 2,500 --sizes 4K' ;;
	--sample) echo '--sample 1/2 --sad 2' ;;
	--by-space | --canonical | --no-block) echo "--sad 2 $2" ;;
	--page-size) [ $1 = reduce ] && echo '--sad 2 --page-size 8K' || echo '--kernel events.laplace-kernel --page-size 8K' ;;
	--by) echo '--by task' ;;
	--at) echo '--at 700' ;;
	--every) echo '--every 700' ;;
	esac
}

# What the option is tried with. Of a folder that split or reduce writes one part is looked at, and with
# the kernel's events, a trace of their own, what it has of the other.
base() { case $1 in reduce) echo '--sad 2' ;; split) echo '--by type' ;; replay) echo '--limit 2000' ;; esac; }
run()
{
	command=$1 && shift
	rm -rf out out.trc
	case "$command $*" in
	reduce*--simpoint*) trc reduce --no-sync "$@" in.trc out && cp "$(ls out/*.trc | sed 1q)" out.trc ;;
	split*) trc split --no-sync --to trc "$@" in.trc out && cp "$(find out -type f | sort | sed 1q)" out.trc ;;
	replay*) trc replay run --no-sync --to trc "$@" "$SRC/test/data/sort.bus" --output out.trc ;;
	*) trc "$command" --no-sync --to trc "$@" in.trc out.trc ;;
	esac
}

for command in encode decode reduce split replay; do
	[ $command != replay ] || { sed 3q before >whole && mv whole before; }
	trc --complete $command $([ $command = replay ] && echo run) -- | cut -f 1 >options
	grep -q '^--note$' options || continue
	[ $command != decode ] || { trc decode in.trc --to trc 2>&1 | sed 1q; continue; }
	run $command -q $(base $command)
	trc encode --to hash out.trc plain.hash --force
	# reduce_shards compares a container of shards with that of the whole; no program of --for
	# reads containers, and --record, with encode's --by, has its own test.
	for option in $(grep -v '^--\(help\|for\|record\|output\|stdout\|shards\|plan\|measure\|shard\|resume\|partial\|merge\)$' options); do
		[ $command$option != encode--by ] || continue
		words=$(words $command $option)
		case $command$words in
		$command) echo "$command $option: not tried" && continue ;;
		replay*--limit* | *--kernel* | *--sad* | *--olr* | *--window* | *--cache* | *--by* | *--at* | *--every* | *--simpoint*) ;;
		*) words="$(base $command) $words" ;;
		esac
		run $command -q $words 2>err >/dev/null || { echo "$command $words: $(cat err)" && continue; }
		list out.trc >after
		cp after whole
		case $words in *--kernel*) sed '1,/^part  *2$/d; /^joined/d' whole >after ;; esac
		head -n "$(wc -l <before)" after | cmp -s - before || echo "$command $words: loses what was known"
		tail -n +"$(($(wc -l <before) + 1))" after | cut -c 27- >added
		if grep -q -- " $option" added; then
			shown="${shown:-} $option"
		else
			trc encode --to hash out.trc >hash
			plain=plain.hash
			case $words in --simpoint*) # it is of regions alone
				run $command -q --simpoint 2,500 >/dev/null
				trc encode --to hash out.trc >regions.hash
				plain=regions.hash ;;
			esac
			cmp -s hash $plain || echo "$command $words: not in the list"
		fi
		trc stat --json out.trc | sed 's/.*"provenance": \[//; s/\]}$//; s/}, {/}\n{/g' |
			sed 's/^{"\([a-z-]*\)": "\(.*\)"}$/\1=\2/' >json
		sed 's/^\([a-z-]*\) */\1=/' whole | cmp -s - json || echo "$command $words: another in JSON"
	done
	echo "$command has in its entry:${shown:-}"
	shown=
done
