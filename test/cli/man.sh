# SPDX-License-Identifier: MIT
# The manual page: nothing of the help is missing in it, and nothing in it is odd to who formats it.
trc --man >trc.1
head -n 7 trc.1 | sed 's/"trc [0-9.]*"/"trc VERSION"/'
grep '^\.SH' trc.1
# All words in one line: what is a paragraph of help is one here.
flat()
{
	tr -s ' \n' '  '
}
sed -e '/^\.\(PP\|TP\|RS\|RE\|nf\|fi\|in\|br\)/d' -e 's/^\.\(B\|SH\) //' -e 's/^\\&//' -e 's/\\f[BIR]//g' \
	-e "s/\\\\(aq/'/g" -e 's/\\(ga/`/g' -e 's/\\(ti/~/g' -e 's/\\(ha/^/g' -e 's/\\-/-/g' \
	-e 's/\\e/\\/g' trc.1 | flat >plain
for page in encode decode reduce split replay stat formats; do
	trc help $page | sed -e '/^usage: /d' -e 's/^Formats, what.*//' -e 's/^Columns:$//' >page
	# Options and formats are laid out otherwise: what they are called and what they do.
	sed -n 's/^ [ -]*\(-[A-Za-z-][^ ]*\( [A-Z][^ ]*\)*\)  .*/\1/p' page | while read -r option; do
		grep -q -F -e "$option" plain || echo "$page: no $option"
	done
	sed -e '/^  *-/d' -e '/^ \{20,\}/d' page | awk -v RS= '{ gsub(/[ \n]+/, " "); print }' |
		while read -r paragraph; do
			[ $page = formats ] || grep -q -F -e "$paragraph" plain ||
				echo "$page: not '$paragraph'"
		done
done
trc help formats | sed -n 's/^ \{2,17\}//p' | sed 's/   *.*//' | while read -r word; do
	grep -q -F -e "$word" plain || echo "formats: not '$word'"
done
if command -v groff >/dev/null; then
	groff -man -ww -z -Tutf8 trc.1 2>&1
fi
if command -v mandoc >/dev/null; then
	mandoc -T lint -W warning trc.1 | grep -v 'missing date'
fi
# Lines were wider than a page of 80 columns, and broken within words.
if command -v groff >/dev/null; then
	groff -man -Tascii -P-cbou -rLL=78n trc.1 | awk 'length > 78 { print "too wide: " $0 }'
fi
# What it gives as examples can be done.
command -v gzip >/dev/null || exit 0
cp "$SRC/test/data/sort.lackey.xz" .
sed -n '/^\.SH EXAMPLES/,/^\.SH ENV/p' trc.1 | sed -n -e 's/\\-/-/g' -e '/^trc\|^xz/p' |
	while read -r example; do
		echo "\$ $example"
		eval "$example" >out 2>err || { echo "exit $?"; cat err; }
	done
rm -f out err page plain trc.1
ls
