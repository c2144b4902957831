# SPDX-License-Identifier: MIT
# --limit 1KB were 1000 records, --skip 1MB a million: a unit of bytes is refused by all options that
# count something else, those that help shows with a number of them: N, T, K,N, I/N, S.
printf 'type,addr,asid,task,time\nread,4096,0,1,0\nread,8192,0,1,9\n' >a.csv
for command in encode decode reduce split replay stat options shards; do
	trc help $command | sed -n 's/^.* \(--[a-z-]*\) \([NTS]\|N\[i\]\|N%\|N,\.\.\.\|K,N\|I\/N\)\( .*\|$\)/\1 \2/p' |
		while read -r option number; do
			case $option$number in
			*K,N) words='2,1KB 1KB,5' ;;
			*I/N) words='1/2KB 1KB/2000' ;;
			--sample-blocks*) words='1KB 1/1KB' ;;
			*) words='1KB 1kb 2MiB 64B' ;;
			esac
			for word in $words; do
				case $command-$option in
				options-*) line="trc encode $option $word a.csv b.trc" ;;
				replay-*) line="trc replay run a.pkg $option $word" ;;
				shards-*) line="trc stat --mrc $option $word --partial 1 a.csv" ;;
				stat-*) line="trc stat $option $word a.csv" ;;
				*) line="trc $command $option $word a.csv parts" ;;
				esac
				$line >out 2>err
				[ $? = 2 ] && [ ! -s out ] && grep -q -e "$option.*$word" err || { echo "\$ $line"; cat out err; }
			done
			echo $command $option $number
		done
done
# And by what counts within a word.
for words in '--cache 32K:8B:64' '--tlb 64KB' '--tlb 64B:4' '--tlb 64:4KB' '--mrc --sizes 4 --policy random=1KB'; do
	try trc stat $words a.csv
done
try trc stat --limit 1KB a.csv
try trc encode --from csv:time=2*1KB --to din a.csv -
try trc encode --fill task=1KB --to csv a.csv -
try trc encode --fill itime=every:1KB --to csv a.csv -
try trc encode --compress xz:9B --to din a.csv a.xz
# Bytes have units, and addresses; thousands are what has none.
try trc stat --mrc --sizes 4KB,8kib --csv --page-size 4KB a.csv
try trc decode --addr 8KB- --to csv a.csv
try trc decode --limit 0.002K --to csv a.csv
try trc decode --task 0.001k --to csv a.csv
