#!/bin/sh
# SPDX-License-Identifier: MIT
# All C files are as clang-format leaves them by the settings of .clang-format. Its versions do not
# agree, so that of the settings decides: 14. usage: format.sh SOURCE-ROOT
cd "$1" || exit 1
version=14
format=

for f in clang-format-$version clang-format; do
	case $("$f" --version 2>/dev/null) in
	*"version $version."*)
		format=$f
		break
		;;
	esac
done
if [ -z "$format" ]; then
	echo "there is no clang-format of version $version, and others format otherwise"
	exit 77
fi

files=$(find src test -type f -name '*.[ch]' ! -path 'test/corpus/*' | sort)
# All at once first, since that is quick; which they are is asked only if some differ. It says
# where in many lines, `FILE:LINE:COLUMN: error: ...`.
# shellcheck disable=SC2086
found=$("$format" --style=file --dry-run --Werror $files 2>&1) && exit 0
differ=$(echo "$found" | sed -n 's/^\([^:]*\):[0-9:]* error: code should be .*/\1/p' | sort -u)
if [ -z "$differ" ]; then
	echo "$found"
	exit 1
fi
for f in $differ; do
	echo "$f: differs from what $format makes of it"
done
echo "$format -i FILE... puts them right"
exit 1
