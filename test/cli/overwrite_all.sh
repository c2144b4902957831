# SPDX-License-Identifier: MIT
# No output takes the place of anything that the run reads: --force --partial X replaced the trace X,
# and exited with 0. All options that name a file, beside each other option, in their own order, so
# that a new one is tried, too, or beside one in TRC_TEST_STEP, others with each; then each kind of input by each
# spelling.
printf 'I  1000,4\n L 2000,8\n I  1004,4\n S 3000,8\n' >x.lackey
cp x.lackey kept
cp x.lackey other.lackey

lost=0
turn=0
# its_turn: one call in TRC_TEST_STEP.
its_turn()
{
	turn=$((turn + 1))
	[ $((turn % TRC_TEST_STEP)) = 0 ]
}
# run KEPT FILE COMMAND...: FILE stays as it was, whatever becomes of the command.
run()
{
	was=$1 kept_as=$2
	shift 2
	"$@" </dev/null >said 2>&1
	while IFS= read -r line; do
		case $line in *'is also an input'*) refused=yes ;; esac
	done <said
	cmp -s "$was" "$kept_as" && return
	lost=$((lost + 1))
	echo "LOST by $*"
	cp "$was" "$kept_as"
}

tab=$(printf '\t')
for command in encode decode reduce split replay stat; do
	trc --complete $command -- | cut -f 1 | grep -v -e --help -e --version >words
	: >files
	: >others
	for word in $(cat words); do
		case $(trc $command $word 2>&1 </dev/null) in
		*'needs a value'*)
			case $(trc --complete $command $word '') in
			"$tab"files*) echo "$word" >>files ;;
			*) echo "$word=8" >>others ;;
			esac
			;;
		*) echo "$word" >>others ;;
		esac
	done
	for output in $(cat files); do
		refused=no
		for word in $(cat others); do
			its_turn && run kept x.lackey trc $command --force $word $output x.lackey x.lackey
		done
		for word in $(cat files); do
			[ $word = $output ] && continue # one of them, and x.lackey is no input
			its_turn && run kept x.lackey trc $command --force $word x.lackey $output x.lackey other.lackey
		done
		[ "$TRC_TEST_STEP" = 1 ] && echo "$command $output: $refused" || thins "$command $output"
	done
done

# Kinds of inputs: FILE, the words that have it read.
trc encode -q x.lackey x.trc
cp x.trc kept.trc
mkdir d e && cp x.trc d/x.trc && ln d/x.trc hard && ln -s d/x.trc soft && ln -s d way && ln -s e/../d/x.trc soft2
printf '#trc manifest 1\nd/x.trc\n' >m
cp m kept.m
trc stat --mrc --shard 1/1 --partial p x.trc
cp p kept.p
trc reduce --sad 8 --shard 1/1 --partial sad.p x.trc
cp sad.p kept.sad
# asked QUESTION...: all outputs of a question.
asked()
{
	for output in --partial --plot -o --map; do
		run $kept $in trc stat --force "$@" $output "$name" $words
		run $kept $in trc stat --force "$@" --shard 1/1 --resume $output "$name" $words
	done
}
all()
{
	kept=$1 in=$2
	shift 2
	words=$*
	asked --mrc
	asked --check
	run $kept $in trc reduce --force --sad 8 --shard 1/1 --partial "$name" "$@"
	run $kept $in trc reduce --force --sad 8 --to csv -o "$name" "$@"
	run $kept $in trc encode --force --to csv "$@" "$name"
	run $kept $in trc encode --force --record "$name" -- cat "$@"
}
name=d/x.trc kept=kept.trc in=d/x.trc words=d/x.trc
for question in --ws --reuse '--cache 1K:1:64' --certify --fingerprint '--top pages' --count; do
	asked $question
done
for name in d/x.trc ./d//x.trc "$PWD/d/x.trc" hard soft soft2 way/x.trc e/../d/x.trc; do
	all kept.trc d/x.trc d/x.trc
done
for words in m d "x.lackey soft"; do
	name=hard
	all kept.trc d/x.trc $words
done
for name in m ./m d/../m; do
	all kept.m m m
done
for name in p ./p d/../p; do
	run kept.p p trc stat --mrc --merge --force --partial $name p
	run kept.p p trc stat --mrc --merge --force -o $name p
	run kept.p p trc stat --mrc --merge --force --plot $name p
	run kept.sad sad.p trc reduce --merge --force --partial sad.p sad.p
	run kept.sad sad.p trc reduce --merge --force --to trc sad.p sad.p
done

# A list on standard input, which is read behind the output is opened; one in a folder of outputs.
echo d/x.trc >names
try sh -c 'trc stat --check --force -o d/x.trc - <names'
try sh -c 'trc stat --check --force -o names - <names'
cmp d/x.trc kept.trc
mkdir in && cp x.lackey in/hard.lackey && ln in/hard.lackey e/x.lackey
try trc encode --force --to lackey x.trc in/hard.lackey e/
cmp e/x.lackey kept
cmp in/hard.lackey kept

# What --resume looked at, and what is no input, is replaced.
echo '{' >answer && try trc stat --mrc --force -o answer x.trc && head -n 1 answer
trc stat -q --mrc --shard 1/1 --partial q x.lackey
try trc stat -q --mrc --resume --shard 1/1 --partial q x.trc
echo "$lost lost"
