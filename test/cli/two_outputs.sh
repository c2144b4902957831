# SPDX-License-Identifier: MIT
# Two outputs of one name: the second took the place of the first, and the exit status was 0. All
# options that name an output, beside each other, by any spelling of the name.
printf 'I  1000,4\n L 2000,8\n I  1004,4\n S 3000,8\n' >x.lackey
mkdir d
ln -s d e
for command in encode decode reduce split replay stat; do
	trc --complete $command -- | cut -f 1 | grep -v -e --help -e --version >words
	: >outputs
	for word in $(cat words); do
		trc $command $word 2>&1 </dev/null | grep -q 'needs a value' &&
			[ "$(trc --complete $command $word '' | head -n 1)" = "$(printf '\tfiles')" ] &&
			echo "$word" >>outputs
	done
	for a in $(cat outputs); do
		for b in $(cat outputs); do
			[ $a = $b ] && continue
			trc $command --force $a d/out $b e/../e/./out x.lackey >said 2>&1 </dev/null
			grep -q 'are the same output' said && echo "$command $a $b" || [ ! -s d/out ] ||
				echo "$command $a $b: ONE OF THEM: $(cat said)"
			rm -rf d/out d/out.*
		done
	done
done
try trc stat --mrc --plot a.svg -o ./a.svg x.lackey
try trc stat --mrc --plot /dev/null -o /dev/null x.lackey
ls
