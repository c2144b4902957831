#!/bin/sh
# SPDX-License-Identifier: MIT
# Files that documents and comments name are there, and documents keep within their lines. A path is
# looked for from the root, from src, from test, and beside the file that names it; a name alone also
# anywhere in src and test. Capitals stand for any word: stage/NAME.c. usage: paths.sh SOURCE-ROOT
cd "$1" || exit 1
status=0
names=$(find . -path ./src/\* -o -path ./test/\* ! -name '*.xz' | sed 's|.*/||' | sort -u | tr '\n' ' ')

# Of other projects.
foreign=' inc/instruction.h inc/trace_instruction.h instruction.h trace_instruction.h'
foreign="$foreign clients/drcachesim/common/trace_entry.h linux-user/riscv/signal.c"
foreign="$foreign arch/riscv/kernel/signal.c asm/unistd.h xxhash.h "

complain() {
	echo "$1"
	status=1
}

# there FILE PATH: FILE names PATH.
there() {
	case $2 in
	NAME* | */NAME* | *_NAME* | *-NAME* | *-FORMAT-* | *TARGET* | http* | //*) return ;;
	esac
	for from in . src test "${1%/*}"; do
		[ -e "$from/$2" ] && return
	done
	case "$foreign" in
	*" $2 "*) return ;;
	esac
	case $2 in
	*/*) ;;
	*)
		case " $names" in
		*" $2 "*) return ;;
		esac
		;;
	esac
	complain "$1 names $2, which is not there"
}

# most FILE LINES
most() {
	[ "$(wc -l <"$1")" -le "$2" ] || complain "$1 has more than $2 lines: what is one too many?"
}

most src/README.md 250
most src/codec/README.md 120
# Stages of CI run where others look at a change, too.
stages=$(sed -n 's/^stages=(\(.*\))/\1/p' .ci/run)
offered=$(sed -n '/^ *stages:/,/^ *steps:/s/^ *- //p' .github/workflows/ci.yml)
for stage in $(printf '%s\n' $stages $offered | sort | uniq -u); do
	complain "$stage is a stage of .ci/run or of .github/workflows/ci.yml only"
done

most CONTRIBUTING.md 60
most SECURITY.md 60

ending='(c|h|md|sh|py|def|ini|build)'

# In documents, what stands in backquotes: with a slash, or named like a file.
for f in CONTRIBUTING.md SECURITY.md src/README.md src/*/README.md src/*/SPEC.md src/machine/bus/*.md \
	test/README.md test/bench/FINDINGS.md; do
	for path in $(grep -o '`[^` ]*`' "$f" | tr -d '`' | sort -u |
		grep -E "^[A-Za-z0-9_./-]+(/|\\.$ending)\$"); do
		there "$f" "$path"
	done
done

# In comments, all that is named like a file. Comments are lines that begin with one or go on with
# one, or what stands behind code.
found=$(grep -rnE --include='*.[ch]' --include='*.def' '^[	 ]*(/\*| \*)|/\*' src test |
	sed -n 's|^\([^:]*\):[0-9]*:|\1 |; s|^\([^ ]*\) .*/\*|\1 |; p' |
	awk -v ending="\\\\.(c|h|md|sh|py|def|ini|build)" '{
		for (i = 2; i <= NF; i++) {
			w = $i
			sub(/^[^A-Za-z0-9_.]+/, "", w)
			sub(/[^A-Za-z0-9_]+$/, "", w)
			sub(/'"'"'s$/, "", w)
			if (w ~ "^[A-Za-z0-9_./-]+" ending "$")
				print $1, w
		}
	}' | sort -u)
while read -r f path; do
	[ -z "$f" ] || there "$f" "$path"
done <<END
$found
END
# Sections of SPEC.md that comments and itself name, also where a line ends within.
spec=src/container/SPEC.md
sections=$({
	cat $(find src test -name '*.[ch]') | sed 's|^ \* | |' | tr '\n' ' ' | grep -oE 'SPEC\.md, +"[^"]*"'
	tr '\n' ' ' <$spec | grep -oE ' in +"[A-Z][^"]*"'
} | sed 's/[^"]*"//; s/"//; s/  */ /g' | sort -u)
while read -r section; do
	grep -qE "^##* ([0-9.]+ )?$section\$" $spec || complain "$spec has no section \"$section\""
done <<END
$sections
END
# Its contents are its titles, each as a link.
titles=$(sed -n '/^#\{1,3\} \(Part\|[0-9]\)/p' $spec | while read -r level title; do
	anchor=$(echo "$title" | tr '[:upper:] ' '[:lower:]-' | tr -cd 'a-z0-9-')
	printf '%*s* [%s](#%s)\n' $((2 * ${#level} - 2)) '' "$title" "$anchor"
done)
[ "$titles" = "$(grep '^ *\* \[.*](#' $spec)" ] || complain "the contents of $spec are not its titles:
$titles"
exit $status
