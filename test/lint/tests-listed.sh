#!/bin/sh
# SPDX-License-Identifier: MIT
# Nothing is forgotten: every .c file is in a meson list, every corpus file has its sentence in
# test/README.md, every script of test/lint runs, what has vectors is tested without. usage: tests-listed.sh SOURCE-ROOT
cd "$1" || exit 1
status=0

complain() {
	echo "$1"
	status=1
}

# listed FOLDER FILE WHERE: the names of the .c files of FOLDER stand in FILE, as 'name' or name.c.
listed() {
	for f in "$1"/*.c; do
		[ -e "$f" ] || continue
		name=$(basename "$f" .c)
		grep -q -e "[/']$name'" -e "[/']$name\.c'" "$2" || complain "$f is not in $2; put its name into a list there$3"
	done
}

for folder in $(find src -mindepth 1 -type d); do
	listed "$folder" src/meson.build ": formats, optional_stages, or that of its folder in rooms"
done
for folder in test/*/; do
	listed "${folder%/}" "${folder}meson.build"
done
# Of a header, all that include it.
with_vectors() {
	for f in $(grep -rlw TRC_NO_SIMD src); do
		case $f in
		*.h) grep -rl --include='*.c' "\"${f#src/}\"" src ;;
		*)   echo "$f" ;;
		esac
	done
}
for f in $(with_vectors); do
	sed -n '/^vectors = /,/)$/p' src/meson.build | grep -q "'${f#src/}'" ||
		complain "$f is not in vectors"
done
for f in test/lint/*.sh test/lint/*.py; do
	grep -q "$(basename "$f")" test/lint/meson.build || complain "$f does not run"
done
for f in test/cli/*.out; do
	grep -q "'$(basename "$f" .out)'" test/cli/meson.build || complain "$f does not run"
done
# The name of an example is sentence enough.
for f in test/corpus/*; do
	case $f in
	*/good-*-example.*) continue ;;
	esac
	grep -q "^| \`$(basename "$f")\` |" test/README.md ||
		complain "$f has no sentence in test/README.md; add its row to the table there"
done
grep -o '^| `\(good\|bad\|unsupported\)-[^`]*`' test/README.md | tr -d '|` ' | while read -r f; do
	[ -e "test/corpus/$f" ] || echo "test/README.md tells of $f, which is not there"
done | grep . && status=1
exit $status
