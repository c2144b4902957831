# SPDX-License-Identifier: MIT
# What README.md shows is so. Each block between "```console" and "```" is run in an empty folder with
# the traces of test/data in it: lines that begin with "$ " are commands, the others their output. A
# block that begins with "```console no-run" is left as it is, for what needs more than trc and the
# tools of every system. UPDATE=1 makes README.md show what is so. Its table has every format.
n=0 running=no
while IFS= read -r line; do
	case $line in
	'```console')
		running=yes n=$((n + 1))
		mkdir block-$n && cd block-$n || exit
		ln -s "$SRC"/test/data/*.xz .
		;;
	'```')
		[ $running = no ] || cd ..
		running=no
		;;
	'$ '*) ;;
	*) [ $running = no ] || continue ;;
	esac
	printf '%s\n' "$line"
	case $running$line in
	'yes$ '*) (eval "${line#??}") 2>&1 </dev/null ;;
	esac
done <"$SRC/README.md" >readme
if [ "${UPDATE:-}" = 1 ]; then
	cp readme "$SRC/README.md"
else
	diff -u "$SRC/README.md" readme
fi
trc help formats | awk '/^Columns:/ { exit } /^  [a-z]/ { print $1 }' |
	while read -r name; do
		grep '^| `' "$SRC/README.md" | grep -q "\`$name\`" || echo "no $name in its table"
	done
