# SPDX-License-Identifier: MIT
# The examples of 'trc help tables' are so: a table, the words that read it, and what comes.
trc help tables >page
awk -v RS= '/\n  csv:/ { print >("example" ++n) } END { print n " examples" }' page
for f in example?; do
	sed -n '/^  csv:/q; s/^  //p' $f >table
	sed -n '1,/^  csv:/d; s/^  //p' $f >want
	trc decode --quiet --to csv --from "$(sed -n 's/^  csv:/csv:/p' $f)" table >got
	diff want got
done
