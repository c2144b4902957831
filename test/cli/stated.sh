# SPDX-License-Identifier: MIT
# Topics said that shards of a warm-up are refused, which they are not; hints named options that do
# something else. What help and README state is so, where that can be tried: options that they name are
# there, of the command that is named with them; pages are; commands run; and what is said to be refused
# is, each sentence that says so by the commands in the list below.
for file in "$SRC"/test/data/*; do ln -s "$file" .; done
trc decode -q sort.lackey.xz sort.lackey
commands=$(trc help | sed -n '/^trc help COMMAND/q; s/^  \([a-z]*\) .*/\1/p')
topics=$(trc help | sed '1,/^trc help COMMAND/d' | sed -n 's/^  \([a-z]*\) .*/\1/p')
formats=$(trc help formats | awk '/^Columns:/ { exit } /^  [a-z]/ { print $1 }')
for page in $commands $topics $formats; do trc help $page >page.$page; done
cp "$SRC/README.md" page.README
cp "$SRC/src/cmd/synonyms.c" page.hints
for command in $commands; do trc --complete $command -- 2>/dev/null | sed 's/[	=].*//' | sort -u >has.$command; done
for action in run extract record prune info hash; do trc --complete replay $action -- | sed 's/[	=].*//'; done >>has.replay
sort -u has.* >has

# Options of other programs stand behind their names.
foreign='ramulator|fio |valgrind|qemu|xz |drrun|pin |sbatch|make |curl|spike|gem5|git |meson|perf|ffmpeg|gpg|npm|echo'
for page in page.*; do
	sed -E "s/($foreign).*//" $page | grep -oE -e '--[a-z][a-z-]+' | sort -u | while read -r option; do
		grep -q -x -e "$option" has || case $option in
		--help | --version | --complete | --man | --child-silent-after-fork | --trace-children) ;;
		*) echo "$page: there is no $option" ;;
		esac
	done
	tr '\n' ' ' <$page | tr -s ' ' | grep -oE "\b(encode|decode|reduce|split|stat) --[a-z][a-z-]+" | sort -u |
		while read -r command option; do
			grep -q -x -e "$option" has.$command || echo "$page: '$command $option', which it has not"
		done
	tr '\n' ' ' <$page | tr -s ' "' | grep -oE "trc help [a-z0-9-]+" | sort -u | while read -r words; do
		$words >out 2>&1 || echo "$page: '$words': $(head -n 1 out)"
	done
done

# Commands of a topic, one after another, but of the one about tracers, which need these.
for topic in $(echo "$topics" | grep -v recording); do
	sed -n 's/^  \(trc .*\)/\1/p' page.$topic | grep -v '  ' | grep -v -E '[A-Z]{4}|\.\.\.' | while read -r line; do
		eval "$line" >out 2>&1 </dev/null || { echo "$topic: \$ $line"; cat out; }
	done
done

# Each sentence in which something is refused, and what shows it: ! before what is.
trc reduce -q --sad 16 sort.lackey.xz sad
trc reduce -q --window 9 sort.lackey.xz window
printf 'type,addr,size\nread,0,4\n' >bare.csv
printf 'type,addr,task,time\nfetch,0,1,1\nread,8,1,2\nfetch,4,2,3\nread,8,2,4\n' >tasks.csv
printf 'type,addr,size\nread,0x1000,4\ninvalidate,0x1000,4\nread,0x1000,4\n' >deletes.csv
trc encode -q --to u64 sort.lackey words --drop type,size
printf 'time,addr,size\n1,0,4\n2,0,4\n' >timed.csv
echo none >other.part
printf '0.5,8\n1.5,16\n' >half.csv
cat >list <<'END'
Shards take it too; reduced traces do not
	! trc stat --mrc --warmup 9 sad
	! trc stat --ws --warmup 9 window
	! trc stat --reuse --warmup 9 sad
	trc stat --mrc --warmup 9 --shard 2/2 --partial warm.part sort.lackey
	trc stat --top pages --warmup 9 --shard 2/2 --partial top.part sort.lackey
Policies that look ahead refuse these options
	! trc stat --bytes --ttl 9 --eager --sizes 1K --policy opt timed.csv
	! trc stat --bytes --ttl 9 --sizes 1K --policy opt timed.csv
	! trc stat --bytes --ttl 9 --sizes 1K --policy bound timed.csv
	trc stat --bytes --ttl 9 --sizes 1K --policy lru timed.csv
It goes with every policy, with --writes, --count read and --warmup, and for LRU with shards, not with samples
	trc stat --mrc --requests --writes around --count read --policy lru,arc --sizes 9 --warmup 5 sort.lackey
	trc stat --mrc --requests --policy opt sort.lackey
	trc stat --mrc --requests --shard 2/2 --partial requests.part sort.lackey
	! trc stat --mrc --requests --policy arc --sizes 9 --shard 2/2 --partial none.part sort.lackey
	! trc stat --mrc --requests --sample 1/2 sort.lackey
Both options go with --objects, --bytes, every policy, --warmup and --sample; shards of 'around' and 'none' are refused
	trc stat --mrc --writes none --count read --policy lru,arc,opt --sizes 9 --warmup 5 --objects sort.lackey
	trc stat --bytes --writes around --count read --policy lru,arc --sizes 1K --warmup 5 sort.lackey
	trc stat --mrc --writes none --count read --sample 1/2 --line-size 16 sort.lackey
	! trc stat --mrc --writes none --shard 2/2 --partial none.part sort.lackey
	! trc stat --mrc --writes around --sizes 9 --shard 2/2 --partial none.part sort.lackey
	! trc stat --bytes --writes none --shard 2/2 --partial none.part sort.lackey
Reduced traces are refused, because the references they lack count as reuse
	! trc stat --reuse sad
	! trc stat --reuse window
Traces that were reduced separately are refused
	! trc encode sad sad merged.trc
that is refused
	! trc reduce --window 9 sad out.ws
	! trc reduce --sad 16 window out.sad
refuses to replace any other file
	! trc stat --mrc --shard 1/2 --resume --partial other.part sort.lackey
--top pcs has no shards
	! trc stat --top pcs --shard 1/2 --partial pcs.part tasks.csv
	trc stat --top tasks --shard 1/2 --partial tasks.part tasks.csv
--olr and --cache have no shards
	! trc reduce --olr 9 --shard 1/2 --partial olr.part sort.lackey
	! trc reduce --cache 1K:1:64 --shard 1/2 --partial cache.part sort.lackey
	trc reduce --sad 9 --shard 1/2 --partial sad.part sort.lackey
refuses partials of other plans
	trc stat --mrc --shards 3 -o thirds sort.lackey
	! trc stat --merge --plan thirds first.part second.part
	trc stat --merge --plan plan first.part second.part
A trace without fetches is refused, as are shards of --warmup and --over-time in instructions
	! trc stat --limit 1i bare.csv
	! trc stat --over-time 1i --shard 1/2 --partial over.part sort.lackey
	trc stat --limit 1i tasks.csv
--olr does not support deletes
	! trc reduce --olr 9 deletes.csv olr.trc
	trc reduce --olr 9 deletes.csv olr.trc --drop invalidate
	trc reduce --sad 9 deletes.csv deletes.trc
with neither, the input is refused and the message lists the commands that read it
	! trc stat words
	trc stat --from u64 words
	cp words words.u64 && trc stat words.u64
If one fails, nothing is printed
	! trc stat --cache 1K:1:64 sort.lackey none
	trc stat --cache 1K:1:64 sort.lackey sort.lackey
Values that are not 64-bit integers are refused; the message gives the factor that makes them integers
	! trc stat --from csv:time=1,addr=2 half.csv
	trc stat --from csv:time=1*10,addr=2 half.csv
If a table is refused, the message gives the WORDS that come closest
	! trc stat --from csv half.csv
	trc stat --from csv:addr=2 half.csv
Caches with opt refuse deletes, and so do shards of --mrc, --ws and --reuse
	! trc stat --cache 1K:full:64:opt deletes.csv
	! trc stat --mrc --shard 1/1 --partial deletes.part deletes.csv
	trc stat --tlb 4 deletes.csv
refuse lines that do not have 7 fields
	! trc stat --from csv:fields=3,addr=2 half.csv
	trc stat --from csv:fields=2,addr=2 half.csv
instructions beyond RV64GC with Zba
END
sentence=
while IFS= read -r line; do
	case $line in
	'	! '*)
		command=${line#'	! '}
		eval "$command" >out 2>&1 </dev/null && { echo "is not refused, but '$sentence': $command"; cat out; } ;;
	'	'*) eval "$line" >out 2>&1 </dev/null || { echo "is refused, and '$sentence':$line"; cat out; } ;;
	*)
		sentence=$line
		cat page.* | tr '\n' ' ' | tr -s ' ' | grep -q -F -e "$sentence" || echo "nowhere: $sentence" ;;
	esac
done <list
grep -v '^	' list >sentences
for page in $commands $topics; do
	tr '\n' ' ' <page.$page | tr -s ' ' | sed 's/\([.:]\) \([A-Z-]\)/\1\n\2/g' | grep -E '(is|are) refused|refuses |refuse (this|deletes)|(has|have) no shards|reduced traces do not|does not support' |
		grep -v -F -f sentences | sed "s/^/$page: not in the list of this test: /"
done
echo "$(wc -l <sentences) sentences"

# Parity repairs a burst of 2 %, and 50 flipped bits in 100 kB, as 'trc help trc' has it.
python3 -c "
import random
random.seed(4)
for i in range(25000): print(0, '%x' % random.getrandbits(48))" >random.din
trc encode -q random.din random.trc
cat >harm.py <<'EOF2'
import random, sys
d = bytearray(open('random.trc', 'rb').read())
random.seed(int(sys.argv[2]))
if sys.argv[1] == 'flips':
    for i in range(len(d) // 2000):
        d[random.randrange(len(d))] ^= 1 << random.randrange(8)
else:
    at = random.randrange(len(d) * 98 // 100)
    for i in range(at, at + len(d) * 2 // 100):
        d[i] ^= 0xff
open('harmed.trc', 'wb').write(d)
EOF2
for way in 'flips 1' 'flips 2' 'burst 1' 'burst 2'; do
	python3 harm.py $way
	trc decode -q harmed.trc harmed.din --force 2>/dev/null && cmp random.din harmed.din && echo repaired || echo "$way: not repaired"
done
# What hints said was something else: a thread is no number of threads, and --sample is of reduce.
for words in 'encode --thread 4 a b' 'stat --sample 8 a' 'stat --tid 4 a'; do trc $words 2>&1 | sed -n 1p; done
for word in simpoint bbv tlb inclusive json manifest warm-up; do trc help $word | sed -n 1p; done
