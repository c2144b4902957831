# SPDX-License-Identifier: MIT
# Every page of help: asked for in either way the same, on standard output alone, 80 columns at most.
try trc help

# The list of formats is as long as there are formats: one is shown.
try trc help formats | grep -A1 -e '^\$' -e ':$' -e '^  din '
for command in encode decode reduce split replay stat; do
	try trc help $command
	trc $command --help >page 2>words
	trc help $command | cmp - page
	cat words
done
topics=$(trc help | sed '1,/^trc help COMMAND/d' | sed -n 's/^  \([a-z]*\) .*/\1/p' | grep -v formats)
for page in $topics; do
	try trc help $page
done
formats=$(trc help formats | awk '/^Columns:/ { exit } /^  [a-z]/ { print $1 }')
commands=$(trc help | sed -n '/^trc help COMMAND/q; s/^  \([a-z]*\) .*/\1/p')
for page in '' formats $topics $commands $formats; do
	# What is to be pasted is not broken.
	trc help $page | awk -v page="$page" "length > 80 && !/^ *'(csv|struct):/ "'{ print page ": too wide: " $0 }'
done
# A page of a command begins with two examples, and is read to its end: what is longer is a topic.
for page in $commands; do
	trc help $page | awk -v page=$page '
		/^  # / { examples++ }
		/^ *-/ && !options++ && examples != 2 { print page ": " examples + 0 " examples before its options" }
		END { if (NR > 160) print page ": " NR " lines; what belongs to a topic?" }'
done
# In short, all options of a command are on one screen, and the questions of stat are described.
for command in encode decode reduce split replay stat; do
	trc $command -h >page
	[ $(wc -l <page) -le 50 ] || echo "$command -h: $(wc -l <page) lines"
	trc help $command | grep -o '^ .\{5\}--[a-z-]*' | grep -o -e '--.*' | while read -r option; do
		grep -q -e "$option\b" page || echo "$command -h: $option is missing"
	done
done
try trc stat -h
trc help >page
trc -h | cmp - page
trc --help | cmp - page
# What is read alone, or written alone; arguments that are alike stand in one line.
trc help formats | grep 'only'
trc help formats | grep 'csv:'

# What independent readers of pdats have to know, and that caches keep spaces apart.
trc help formats | grep -A 2 segment
trc help caches | tr '\n' ' ' | grep -o 'Lines of two address spaces[^.]*'

# What formats look like, what they hold, what files are called.
try trc help xdin
try trc help trc
try trc help din:raw
try trc help filess

# Of each format that is text, a line that is shown is read as such; of csv it is the second, of some
# all that is shown.
for format in $(sed -n 's/^[ 	]*\.name = "\(.*\)",.*/\1/p' "$SRC"/src/format/text/*.c | grep -v bin); do
	trc help $format | sed -n '/^[A-Z]/,$s/^  //p' | sed -e 's/   .*//' -e 's/  [a-z0-9:-]*$//' >lines
	before= good=no
	trc stat --from $format lines >page 2>&1 && grep -q 'records *1$' page && good=yes
	while IFS= read -r line && [ $good = no ]; do
		printf '%s\n' "$line" | trc stat --from $format - >page 2>&1 && grep -q 'records *1$' page && good=yes
		printf '%s\n%s\n' "$before" "$line" | trc stat --from $format - >page 2>&1 &&
			grep -q 'records *1$' page && good=yes
		before=$line
	done <lines
	[ $good = yes ] || echo "$format: no line of its help is one"
done
