# SPDX-License-Identifier: MIT
# The manual page: nothing of the help is missing in it, and nothing in it is odd to who formats it.
trc --man >trc.1
head -n 5 trc.1 | sed 's/"trc [0-9.]*"/"trc VERSION"/'
sed -e 's/^\\&//' -e 's/\\f[BIR]//g' -e "s/\\\\(aq/'/g" -e 's/\\(ga/`/g' -e 's/\\(ti/~/g' \
	-e 's/\\(ha/^/g' -e 's/\\-/-/g' -e 's/\\e/\\/g' trc.1 >plain
for page in encode decode reduce split replay stat formats; do
	trc help $page | sed -e 's/ *$//' -e '/^usage: /d' >page
	# Options are laid out otherwise: what they are called and what they do.
	grep -E '^ +-' page | grep -o -E -e '--[a-z-]+' | sort -u | while read -r option; do
		grep -q -e "$option" plain || echo "$page: no $option"
	done
	sed -e '/^ .* --/d' -e '/^ \{20,\}/d' page | while IFS= read -r line; do
		grep -q -x -F -e "$line" plain || echo "$page: not '$line'"
	done
done
if command -v groff >/dev/null; then
	groff -man -ww -z -Tutf8 trc.1 2>&1
fi
if command -v mandoc >/dev/null; then
	mandoc -T lint -W warning trc.1
fi
# A page of 80 columns and its margin hold what the help holds.
if command -v groff >/dev/null; then
	groff -man -Tascii -P-cbou -rLL=90n trc.1 | awk 'length > 90 { print "too wide: " $0 }'
fi
