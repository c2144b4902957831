# SPDX-License-Identifier: MIT
# What README.md shows is so. The blocks between "```console" and "```" are run one after another, from
# the root of the sources, where build/src has trc: lines that begin with "$ " are commands, the others
# their output.
# A block that begins with "```console no-run" is left as it is, for what needs more than trc and the
# tools of every system. Its picture is what its command draws. UPDATE=1 makes both show what is so. Its
# list has every format, and it is not longer than a stranger reads.
readme=$PWD/readme
mkdir -p root/build/src
ln -s "$SRC/test" root/test
ln -s "$TRC" root/build/src/trc
cd root || exit
running=no
while IFS= read -r line; do
	case $line in
	'```console') running=yes ;;
	'```') running=no ;;
	'$ '*) ;;
	*) [ $running = no ] || continue ;;
	esac
	printf '%s\n' "$line"
	case $running$line in
	'yes$ '*) eval "${line#??}" 2>&1 </dev/null ;;
	esac
done <"$SRC/README.md" >"$readme"
picture=test/data/sort.svg
command=$(grep -o '`trc stat [^`]* sort\.svg [^`]*`' "$SRC/README.md" | tr -d '`')
eval "$command" >/dev/null
if [ "${UPDATE:-}" = 1 ]; then
	cp "$readme" "$SRC/README.md"
	cp sort.svg "$SRC/$picture"
else
	diff -u "$SRC/README.md" "$readme"
	cmp "$SRC/$picture" sort.svg
fi
grep -q "]($picture)" "$SRC/README.md" || echo "does not show $picture"
trc help formats | awk '/^Columns:/ { exit } /^  [a-z]/ { print $1 }' |
	while read -r name; do
		sed -n '/^## Formats/,/^## St/p' "$SRC/README.md" | grep -q "\`$name\`" || echo "no $name in its list"
	done
words=$(wc -w <"$SRC/README.md")
[ "$words" -le 1800 ] || echo "$words words, more than 1800: what belongs to the manual?"
