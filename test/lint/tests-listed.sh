#!/bin/sh
# SPDX-License-Identifier: MIT
# Nothing is forgotten: every .c file is in a meson list, every corpus file has its sentence in
# test/README.md, every script of test/lint runs, what has vectors is tested without. usage: tests-listed.sh SOURCE-ROOT
cd "$1" || exit 1
status=0
there=$(mktemp)
named=$(mktemp)
trap 'rm "$there" "$named"' EXIT

complain() {
	echo "$1"
	status=1
}

# missing FILE...: those whose names, without .c or .out, are not in the file `named`.
missing() {
	[ $# = 0 ] || printf '%s\n' "$@" | sed -e 's,.*/,,' -e 's/\.\(c\|out\)$//' | sort >"$there"
	[ $# = 0 ] || comm -23 "$there" "$named"
}

# words FILE: what stands between quotes there, after the last slash, without .c.
words() {
	grep -oE "[/'][A-Za-z0-9_.-]+'" "$1" | tr -d "/'" | sed 's/\.c$//' | sort -u >"$named"
}

# listed FOLDER WHERE: the names of its .c files are among the words of a list.
listed() {
	set -- "$1" "$2" "$1"/*.c
	[ -e "$3" ] || return 0
	where=$2 folder=$1
	shift 2
	for name in $(missing "$@"); do
		complain "$folder/$name.c is not in $where"
	done
}

words src/meson.build
for folder in $(find src -mindepth 1 -type d); do
	listed "$folder" "src/meson.build; put its name into a list there: formats, optional_stages, or that of its folder in rooms"
done
for folder in test/*/; do
	[ -e "${folder}meson.build" ] || continue
	words "${folder}meson.build"
	listed "${folder%/}" "${folder}meson.build; put its name into a list there"
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
sed -n '/^vectors = /,/)$/p' src/meson.build | grep -o "'[^']*'" | sed "s,',,g; s,^,src/," | sort -u >"$named"
for f in $(with_vectors | sort -u | comm -23 - "$named"); do
	complain "$f is not in vectors"
done
words test/lint/meson.build
for name in $(missing test/lint/*.sh test/lint/*.py); do
	complain "test/lint/$name does not run"
done
words test/cli/meson.build
for name in $(missing test/cli/*.out); do
	complain "test/cli/$name.out does not run"
done
grep -o '^| `[^`]*` |' test/README.md | tr -d '|` ' | sort -u >"$named"
# The name of an example is sentence enough.
for name in $(missing test/corpus/* | grep -v '^good-.*-example\.'); do
	complain "test/corpus/$name has no sentence in test/README.md; add its row to the table there"
done
for name in $(grep '^\(good\|bad\|unsupported\)-' "$named"); do
	[ -e "test/corpus/$name" ] || complain "test/README.md tells of $name, which is not there"
done
exit $status
