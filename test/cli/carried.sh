# SPDX-License-Identifier: MIT
# Whatever a command does to a container, what is made of it has all that was known of where it came
# from, and one entry more. What that leaves out of the command line changes no record. This is so for
# every option of every command that writes traces: a new one needs a value below. Where cases are
# thinned out, each option is tried with one of the commands that have it.
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
	--v2p) echo '--v2p pages.csv --unmapped keep' ;;
	--unmapped) echo '--unmapped keep --v2p pages.csv' ;;
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

# reduce_shards compares a container of shards with that of the whole; no program of --for reads
# containers, and --record, with encode's --by, has its own test.
for command in encode reduce split replay; do
	trc --complete $command $([ $command = replay ] && echo run) -- | cut -f 1 >options
	! grep -q '^--note$' options || sed "s/^/$command /" options
done | grep -v -e ' --\(help\|for\|record\|output\|stdout\|shards\|plan\|measure\|shard\|resume\|partial\|merge\)$' \
	-e 'encode --by$' >all
awk '{ n[$2]++; at[$2, n[$2]] = $1 } n[$2] == 1 { option[++options] = $2 }
	END { for (i = 1; i <= options; i++) print at[option[i], i % n[option[i]] + 1], option[i] }' all >thin
[ "$TRC_TEST_STEP" = 1 ] && cp all tried || cp thin tried
tried=$(tr '\n' , <tried)

# told OPTION KERNEL: of the lists `text` and `json` of what was made, in one process: whether what was
# known `before` is `lost`, the option is `shown`, and the two are `other`. What joins the kernel's events
# has the list of that trace first.
told()
{
	awk -v option=" $1" -v kernel="${2:-}" '
		FILENAME == ARGV[1] { before[++known] = $0; next }
		FILENAME == ARGV[2] && /^(part|source) / { on = 1 }
		FILENAME == ARGV[2] && on { whole[++lines] = $0 }
		FILENAME == ARGV[2] { next }
		{ json = json $0 }
		END {
			for (i = 1; i <= lines; i++) {
				if (kernel == "" || second && whole[i] !~ /^joined/)
					after[++n] = whole[i]
				second = second || whole[i] ~ /^part  *2$/
			}
			for (i = 1; i <= known; i++)
				lost = lost || after[i] != before[i]
			for (; i <= n; i++)
				shown = shown || index(substr(after[i], 27), option)
			sub(/.*"provenance": \[/, "", json)
			sub(/\]}$/, "", json)
			entries = split(json, entry, /\}, \{/)
			other = entries != lines
			for (i = 1; i <= entries; i++) {
				gsub(/^\{?"|"}?$/, "", entry[i])
				sub(/": "/, "=", entry[i])
				sub(/ *$/, "", whole[i])
				match(whole[i], /^[a-z-]* */)
				key = substr(whole[i], 1, RLENGTH)
				sub(/ *$/, "", key)
				other = other || key "=" substr(whole[i], RLENGTH + 1) != entry[i]
			}
			print lost ? "lost" : "", shown ? "shown" : "", other ? "other" : ""
		}' before text json
}
for command in encode decode reduce split replay; do
	[ $command != replay ] || { sed 3q before >whole && mv whole before; }
	[ $command != decode ] || { trc decode in.trc --to trc 2>&1 | sed 1q; continue; }
	run $command -q $(base $command)
	trc encode --to hash out.trc plain.hash --force
	for option in $(sed -n "s/^$command //p" all); do
		words=$(words $command $option)
		case $command$words in
		$command) echo "$command $option: not tried" && continue ;;
		replay*--limit* | *--kernel* | *--sad* | *--olr* | *--window* | *--cache* | *--by* | *--at* | *--every* | *--simpoint*) ;;
		*) words="$(base $command) $words" ;;
		esac
		case ",$tried" in *",$command $option,"*) ;; *) thins "$command $words" && continue ;; esac
		run $command -q $words 2>err >/dev/null || { echo "$command $words: $(sed 1q err)" && continue; }
		trc stat out.trc >text
		trc stat --json out.trc >json
		case $words in *--kernel*) found=$(told $option 1) ;; *) found=$(told $option) ;; esac
		case $found in *lost*) echo "$command $words: loses what was known" ;; esac
		case $found in *other*) echo "$command $words: another in JSON" ;; esac
		case $found in
		*shown*) shown="${shown:-} $option" ;;
		*)
			trc encode --to hash out.trc >hash
			plain=plain.hash
			case $words in --simpoint*) # it is of regions alone
				run $command -q --simpoint 2,500 >/dev/null
				trc encode --to hash out.trc >regions.hash
				plain=regions.hash ;;
			esac
			cmp -s hash $plain || echo "$command $words: not in the list" ;;
		esac
	done
	if [ "$TRC_TEST_STEP" = 1 ]; then
		echo "$command has in its entry:${shown:-}"
	else
		thins "$command has in its entry"
	fi
	shown=
done
