# SPDX-License-Identifier: MIT
# What a format cannot hold, all at once: the command that a refusal has below it works, whatever the
# two formats are. For each kind of trace that has an example in the corpus, to each format that can be
# written; for those that no command joins the reason is there. The unit test `matrix` has all formats.
# That is thousands of processes: where cases are thinned out, it is pairs that have each kind and each
# format.
step=$((TRC_TEST_STEP == 1 ? 1 : 40))
mkdir in
: >kinds
# kind_of FORMAT FILE: the columns and the types of references on one line, which decide what is refused.
kind_of()
{
	trc stat -q --csv --from "$1" "$2" >counts 2>/dev/null && trc stat -q --fingerprint --from "$1" "$2" >columns &&
		{ cut -d ' ' -f 1 columns && grep -E '^(reads|writes|modifies|invalidates|prefetches|instructions),[1-9]' counts |
			cut -d , -f 1; } | tr '\n' ' '
}
# bytes_of FILE: of the corpus.
bytes_of()
{
	case $1 in
	*.hex) assemble "${1%.hex}" ;;
	*) cat "$SRC/test/corpus/$1" ;;
	esac
}
trc --complete encode --from '' | cut -f 1 >formats
# The formats and files that are of kinds of their own.
found()
{
	for f in "$SRC"/test/corpus/good-*; do
		name=${f##*/} format=
		while read -r each; do
			case $name in good-$each-*) [ ${#each} -lt ${#format} ] || format=$each ;; esac
		done <formats
		[ -e "in/$format" ] && continue
		bytes_of "$name" >"in/$format"
		kind=$(kind_of "$format" "in/$format") && ! grep -qxF "$kind" kinds && echo "$kind" >>kinds &&
			echo "$format $name" || rm "in/$format"
	done
}
if [ $step = 1 ]; then found; else sed -n 's/^kind //p' "$SRC/test/cli/fitting.out"; fi >of_kinds
while read -r format name; do
	echo "kind $format $name"
	bytes_of "$name" >"in/$format"
done <of_kinds
trc --complete encode --to '' | cut -f 1 | grep -v -e null -e hash >formats
# The shell itself reads what was refused: thousands of other processes would take longer than trc.
commands_of()
{
	told='' last=''
	while IFS= read -r line; do
		last=$line
		case $line in '  trc '*) told="$told
${line#  }" ;; esac
	done
}
nth=0
for from in in/*; do
	name=${from#in/} nth=$((nth + 1)) i=$nth
	while read -r to; do
		i=$((i + 1))
		[ $((i % step)) = 0 ] || { thins "$name to $to" "back/$to/$name" && continue; }
		rm -f out
		trc encode -q --from "$name" --to "$to" "$from" out 2>refused && continue
		commands_of <refused
		if [ -z "$told" ]; then
			case $last in 'no option helps'*) echo "$name to $to${last#no option helps}" >>none ;; esac
		elif ! (eval "$told") 2>then; then
			echo "FAILED: $told: $(head -n 1 then)"
		else
			mkdir -p "back/$to" && mv out "back/$to/$name"
		fi
	done <formats
done
# All at once, and each where one cannot be read.
while read -r to; do
	[ ! -d "back/$to" ] || trc stat --from "$to" "back/$to"/* >checked 2>&1 ||
		grep -q "written, but not read" checked && continue
	for out in "back/$to"/*; do
		trc stat --from "$to" "$out" >checked 2>&1 || echo "$out: UNREADABLE: $(head -n 1 checked)"
	done
done <formats
for why in 'trc reduce makes' 'trc split --kernel' 'addresses cannot be made' 'kernel events are recorded' \
	'the instruction that made a reference'; do
	[ $step != 1 ] || echo "pairs: $(grep -c ": $why" none)$(grep -m 1 -o ": $why.*" none)"
	grep -v "$why" none >others
	mv others none
done
[ $step = 1 ] || thins pairs
cut -c 1-90 none
