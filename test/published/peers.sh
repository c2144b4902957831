#!/bin/sh
# SPDX-License-Identifier: MIT
#
# peers.sh TRC TRACE: the same trace in the formats of other people's simulators gives, in these, as
# many LRU misses as `trc stat` counts, and misses of other policies. They are programs that are not
# ours; their places are given by
#
#   TRC_CACHESIM   cachesim of libCacheSim    oracleGeneral, csv, txt
#   TRC_DINERO     dineroIV                   din, xdin, dinero-bin
#   TRC_PARDA      parda.x of PARDA           u64, text
#
# and those that are not given are left out; without any of them the test is skipped.
set -u

trc=$1 trace=$2
sizes='16 64 256 1024'
if [ -z "${TRC_CACHESIM:-}${TRC_DINERO:-}${TRC_PARDA:-}" ]; then
	echo "skipped: none of TRC_CACHESIM, TRC_DINERO and TRC_PARDA names a simulator"
	exit 77
fi

tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
trap 'exit 99' INT TERM HUP
cd "$tmp" || exit 99
failed=0

# same WHAT WANT GOT
same()
{
	if [ "$2" = "$3" ]; then
		echo "ok   $1: $2"
	else
		echo "FAIL $1: $3, but trc counts $2"
		failed=1
	fi
}

encode()
{
	"$trc" encode -q --force "$@" || exit 99
}

# misses FILE SIZE: of an LRU memory of SIZE lines of 1 byte.
misses()
{
	"$trc" stat --mrc --csv --line-size 1 --sizes "$2" "$1" | awk -F, -v n="$2" '$1 == n { print $3 }'
}

# Everybody is to see the same objects: numbers of lines of 256 bytes, which take no more than 32 bits.
encode --drop size --split-modify "$trace" x.din
sed 's/..$//' x.din >lines.din
refs=$(grep -c . lines.din)
for size in $sizes; do
	misses lines.din "$size" >"misses.$size"
done

# ratio FILE TYPE SIZE [OPTION...]: as cachesim prints it, in four digits.
ratio()
{
	file=$1 type=$2 size=$3
	shift 3
	"$TRC_CACHESIM" "$file" "$type" "${algorithm:-LRU}" "$size" --ignore-obj-size 1 "$@" 2>&1 |
		sed -n 's/.*miss ratio \([0-9.]*\),.*/\1/p' | tail -n 1
}

if [ "${TRC_CACHESIM:-}" ]; then
	# Four digits give the misses among 4000 requests exactly.
	for skip in 0 300000 1000000; do
		"$trc" decode -q --skip $skip --limit 4000 lines.din >part.din
		encode --drop type --fill size=1 --fill time=0 --to oracle part.din part.oracleGeneral
		encode --drop type part.din part.csv
		sed 1d part.csv >part.txt
		for size in 16 64; do
			want=$(misses part.din $size | awk '{ printf "%.4f", $1 / 4000 }')
			same "cachesim oracle from $skip, $size" "$want" \
				"$(ratio part.oracleGeneral oracleGeneral $size)"
			same "cachesim csv from $skip, $size" "$want" "$(ratio part.csv csv $size \
				-t obj-id-col=1,has-header=true,obj-id-is-num=false)"
			same "cachesim txt from $skip, $size" "$want" "$(ratio part.txt txt $size)"
		done
	done
	encode --drop type --fill size=1 --fill time=0 --to oracle lines.din all.oracleGeneral
	for size in $sizes; do
		same "cachesim oracle, $size" \
			"$(awk -v n="$refs" '{ printf "%.4f", $1 / n }' "misses.$size")" \
			"$(ratio all.oracleGeneral oracleGeneral "$size")"
	done
	# Its 2Q and S3-FIFO need a queue of two lines at least.
	for names in fifo:fifo clock:clock sieve:sieve lfu:lfu 2q:twoq arc:arc s3-fifo:s3fifo \
		opt:belady; do
		policy=${names%:*} algorithm=${names#*:}
		for size in 64 256 1024; do
			want=$("$trc" stat --mrc --csv --line-size 1 --policy "$policy" --sizes $size \
				lines.din | awk -F, -v m=$size -v n="$refs" '$1 == m { printf "%.4f", $3 / n }')
			same "cachesim $algorithm, $size" "$want" \
				"$(ratio all.oracleGeneral oracleGeneral $size)"
		done
	done
	algorithm=LRU
fi

# dinero LETTER FILE OPTION...: fetch, read and write misses.
dinero()
{
	letter=$1 file=$2
	shift 2
	"$TRC_DINERO" -informat "$letter" "$@" <"$file" |
		awk '$1 == "Demand" && $2 == "Misses" { print $4, $6, $7 }'
}

# counted FILE CACHE [OPTION...]: the same, by trc.
counted()
{
	counted=$1 cache=$2
	shift 2
	"$trc" stat --cache "$cache" "$@" "$counted" |
		awk '/^(fetch|read|write)/ { printf "%s%s", sep, $4; sep = " " } END { print "" }'
}

if [ "${TRC_DINERO:-}" ]; then
	for cache in 4K:1:16 8K:2:32 32K:8:64 256K:16:128; do
		size=${cache%%:*} line=${cache##*:} ways=${cache#*:}
		same "dineroIV din, $cache" "$(counted x.din $cache)" \
			"$(dinero d x.din -l1-usize "$size" -l1-uassoc "${ways%:*}" -l1-ubsize "$line")"
	done
	# Its prefetchers: misses of the program, and prefetches that missed.
	encode --fill size=4 x.din x.xdin
	for letter in a:next-line m:next-line-miss t:next-line-tagged; do
		same "dineroIV -fetch ${letter%%:*}" \
			"$("$trc" stat --csv --cache 4K:2:32:${letter#*:} x.xdin | awk -F, '/,all,/ { print $10, $16 }')" \
			"$("$TRC_DINERO" -informat D -l1-usize 4K -l1-uassoc 2 -l1-ubsize 32 -l1-ufetch ${letter%%:*} <x.xdin |
			awk '$2 == "Misses" && $1 != "Total" { printf "%s%s", sep, $3; sep = " " }')"
	done
	encode --fill size=1 lines.din lines.xdin
	encode --fill size=1 --to dinero-bin lines.din lines.bin
	for size in $sizes; do
		for letter in D b; do
			file=lines.xdin
			[ $letter = D ] || file=lines.bin
			same "dineroIV -informat $letter, $size" "$(cat "misses.$size")" \
				"$(dinero $letter $file -l1-usize "$size" -l1-uassoc "$size" \
				-l1-ubsize 1 | awk '{ print $1 + $2 + $3 }')"
		done
	done
fi

# The traces of pixie that dineroIV is tested with, if they are beside it.
for bits in 32 64; do
	pixie=${TRC_DINERO:+$(dirname "$TRC_DINERO")/testing/mm.$bits}
	[ -f "${pixie:-}" ] || continue
	letter=p
	[ $bits = 32 ] || letter=P
	for cache in 8K:2:32 32K:8:64; do
		size=${cache%%:*} line=${cache##*:} ways=${cache#*:}
		same "dineroIV pixie$bits, $cache" "$(counted "$pixie" $cache --from pixie$bits)" "$(dinero $letter \
			"$pixie" -l1-usize "$size" -l1-uassoc "${ways%:*}" -l1-ubsize "$line")"
	done
done

if [ "${TRC_PARDA:-}" ]; then
	encode --drop type --to u64 lines.din lines.u64
	encode --drop type --to csv lines.din lines.csv
	sed 1d lines.csv >lines.txt
	"$TRC_PARDA" --fileformat=binary --input=lines.u64 --lines="$refs" >parda.u64
	"$TRC_PARDA" --input=lines.txt --lines="$refs" >parda.txt
	# Hits are the references at distances below the size; the sum so far is in the fourth column.
	for size in $sizes; do
		for kind in u64 txt; do
			same "PARDA $kind, $size" "$(cat "misses.$size")" "$(awk -v s="$size" \
				-v n="$refs" '$1 ~ /^[0-9]+$/ && $1 < s { hits = $4 } END { print n - hits }' \
				parda.$kind)"
		done
	done
fi

# And with the size in the trace, by the original addresses.
want=$("$trc" stat --mrc --csv --line-size 256 --sizes 64 x.din | awk -F, '$1 == 64 { print $3 }')
same "trc stat with lines of 256 bytes, 64" "$(cat misses.64)" "$want"
exit $failed
