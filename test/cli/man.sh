# SPDX-License-Identifier: MIT
# The manual pages: nothing of the help is missing in them, nothing in them is odd to who formats them, at
# any width, and what they give as examples can be done.
pages="trc $(trc help | sed -n 's/^  \([a-z]*\) .*/\1/p' | sed '/^options$/,$d') formats"
for page in $pages; do
	[ $page = trc ] && trc --man >trc || trc --man $page >$page
	head -n 1 $page | sed 's/"trc [0-9.]*"/"trc VERSION"/'
done
try trc --man nothing
trc help encode >help-encode
# Names as man has them, and where they are guessed to be.
for words in 'man trc-encode' 'help --man encode' 'help trc-encode'; do trc $words | cmp - help-encode; done
trc --man trc-encode | cmp - encode
trc --man din | cmp - formats
trc --man files | cmp - trc
try trc man nothing
# Examples were outdented where they were wide, each by another width.
for page in encode decode reduce stat; do sed -n '/^\.SH EXAMPLES/,/^\.SH ENV/p' $page | grep '^\.in'; done

# All of them are installed.
for page in ${pages#trc }; do
	grep -q "'$page\.[15]'" "$SRC/src/meson.build" || echo "add '$page.1' to the manual pages of src/meson.build"
done
grep '^\.SH' trc encode formats

# All words in one line: what is a paragraph of help is one here. A line of a shell may go on elsewhere.
flat()
{
	tr -s ' \n' '  ' | sed 's/ \\ / /g'
}
plain()
{
	sed -e '/^\.\(PP\|TP\|RS\|RE\|nf\|fi\|in\|br\)/d' -e 's/^\.\(BR\|B\|SH\|SS\) //' -e 's/^\\&//' \
		-e 's/\\f[BIR]//g' -e "s/\\\\(aq/'/g" -e 's/\\(ga/`/g' -e 's/\\(ti/~/g' -e 's/\\(ha/^/g' \
		-e 's/\\-/-/g' -e 's/\\://g' -e 's/\\e/\\/g' "$1" | flat
}
# lacks PAGE: the paragraphs that come in and are not in `words`, the page in one line.
lacks()
{
	awk -v RS= -v page="$1" '
		FILENAME == "words" { words = $0; next }
		{ gsub(/[ \n]+/, " "); gsub(/ \\( |$)/, " "); sub(/^ /, ""); sub(/ $/, "") }
		!index(words, $0) { print page ": not \047" $0 "\047" }' words -
}
# holds PAGE TOPIC: all paragraphs, options and formats of `trc help TOPIC`, how ever they are laid out.
holds()
{
	plain $1 >words
	trc help $2 | sed -e '/^usage: /d' -e '/^  # /d' -e "/^'man trc-/d" -e '/^[A-Z].*:$/d' >page
	sed -n 's/^ [ -]*\(-[A-Za-z-][^ ]*\( [A-Z][^ ]*\)*\)  .*/\1/p' page | while read -r option; do
		grep -q -F -e "$option" words || echo "$1: no $option"
	done
	sed -e '/^  *-/d' -e '/^ \{27\}[^ ]/d' page | lacks $1
}
for page in $pages; do
	[ $page = trc ] || [ $page = formats ] || holds $page $page
done
for topic in $(trc help | sed -n '/^  options  /,/^$/s/^  \([a-z]*\)  .*/\1/p' | grep -v -e '^formats' -e '^events'); do
	holds trc $topic
done
plain formats >words
for format in $(trc help formats | awk '/^Columns:/ { exit } /^  [a-z]/ { print $1 }'); do
	trc help $format >page
	[ "$(sed -n '/^$/=' page | wc -l)" -ge 2 ] || echo "$format: its file has no text of it at its head"
	grep -q '^  [^ ].*' page || echo "$format: not what it looks like"
	awk -v RS= 'NR > 2 && !/^ / { print $0 "\n" }' page | lacks formats
	sed -n 's/^  *//p' page >>verbatim # lines of a format are as wide as they are
done
# A word that cannot be broken, as --from has them, may be wider than 60.
for page in $pages; do
	! command -v groff >/dev/null || groff -man -ww -z -Tutf8 $page 2>&1 | grep -v "can't break line"
	! command -v mandoc >/dev/null || mandoc -T lint -W warning $page | grep -v 'missing date'
	for width in $(some 60 130 80); do
		! command -v groff >/dev/null || groff -man -Tascii -P-cbou -rLL=${width}n $page 2>/dev/null |
			awk -v w=$width -v page=$page '
				FILENAME == "verbatim" { is[$0]; next }
				{ line = $0; sub(/^ */, "", line) }
				length > w && !(w < 80 && (line in is || line !~ / /)) { print page ": wider than " w ": " $0 }' verbatim -
	done
done

# Examples: lines that begin with tools that are here, and their continuations; but what takes seconds.
command -v gzip >/dev/null || exit 0
for page in $pages; do
	[ $page = formats ] && continue
	echo "== $page"
	mkdir run-$page && cd run-$page || exit
	ln -s "$SRC"/test/data/*.xz .
	sed -n '/^\.SH EXAMPLES/,/^\.SH ENV/p' ../$page | sed -n '/^\.nf/,/^\.fi/p' | sed '/^\./d' |
		sed -e 's/\\&//' -e 's/\\://g' -e 's/\\-/-/g' -e "s/\\\\(aq/'/g" -e 's/\\e/\\/g' |
		sed -e ':more' -e '/\\$/{N;s/\\\n */ /;b more' -e '}' |
		grep -e '^\(trc\|xz\|cat\|printf\|mkdir\) ' |
		grep -v -e gzip-static -e gzip.bus -e linux.bus -e ' parts/\*' -e ' --formats ' -e ' -9e ' |
		while read -r example; do
			eval "$example" >out 2>err </dev/null || { echo "\$ $example"; cat err; }
		done
	rm -f out err
	ls
	cd ..
done
