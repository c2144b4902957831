#!/bin/sh
# SPDX-License-Identifier: MIT
# What the formatter does not look after, in all files that are ours: trailing blanks, blanks for
# tabs, lines above 100 columns, the newline at the end, the licence line, characters that do not
# show. usage: style.sh SOURCE-ROOT
cd "$1" || exit 1
status=0
tab=$(printf '\t')

# complain WHAT: fails with what comes in, if anything does.
complain() {
	found=$(cat)
	[ -z "$found" ] && return
	echo "$found"
	echo "$1"
	status=1
}

files=$(find src test completions meson.build meson_options.txt -type f ! -path 'test/corpus/*' \
	! -path 'test/data/*.xz' ! -name '*.out' ! -name '*.pyc' | sort)
c=$(echo "$files" | grep -E '\.([ch]|def)$')
scripts=$(echo "$files" | grep -E '\.(sh|py)$')

complain "trailing blanks" <<END
$(LC_ALL=C grep -n "[ $tab]\$" $files)
END
complain "characters that are not ASCII" <<END
$(LC_ALL=C grep -n "[^ -~$tab]" $files)
END
if [ -n "$(tail -qc 1 $files | tr -d '\n')" ]; then
	for f in $files; do
		[ -z "$(tail -c 1 "$f")" ] || echo "$f: no newline at the end"
	done
	status=1
fi
complain "no SPDX line" <<END
$(awk 'FNR == 1 && !/^\/\* SPDX-License-Identifier: MIT/ { print FILENAME }' $c)
$(awk 'FNR == 1 { first = $0 }
	FNR == 2 && first !~ /^# SPDX-License-Identifier: MIT/ &&
		!/^# SPDX-License-Identifier: MIT/ { print FILENAME }' $scripts)
END
# A pattern of REUSE.toml as grep has it: ** is any folders, * is within one.
others=$(sed -n 's/^  "\(.*\)",$/\1/p' REUSE.toml |
	sed -e 's/\./\\./g' -e 's/\*\*/.@/g' -e 's|\*|[^/]*|g' -e 's/@/*/g' -e 's/.*/^&$/')
complain "no SPDX line, and none in REUSE.toml" <<END
$(find .ci .github completions data src test subprojects -type f ! -name '*.pyc' ! -path 'subprojects/*/*' \
	-exec grep -aL SPDX-License-Identifier {} + | grep -Ev "$others")
$(grep -L SPDX-License-Identifier meson.build meson_options.txt REUSE.toml .clang-format .editorconfig \
	.gitattributes .gitignore)
END
# Continuations are aligned with blanks, and strings are not broken.
complain "blanks where tabs should indent" <<END
$(awk 'FNR == 1 { before = "" }
	/^    / && before ~ /[{;]$/ { print FILENAME ":" FNR }
	{ before = $0 }' $c)
END
complain "lines above 100 columns" <<END
$(awk 'function width(s,    n, part, i, w) {
		n = split(s, part, "\t")
		for (i = 1; i <= n; i++)
			w = (i > 1 ? int(w / 8 + 1) * 8 : 0) + length(part[i])
		return w
	}
	!/"/ && width($0) > 100 { print FILENAME ":" FNR }' $c)
END
exit $status
