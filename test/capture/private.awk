# SPDX-License-Identifier: MIT
# private.awk PART...: of the merges of tasks. What a program writes after it was started, no other
# program touches: prints 1 if it wrote at all, and how many pages others touch.
function other(a, i, k) {
	for (i = 1; i <= files; i++)
		if (i != k && (i, a) in touched)
			return 1
	return 0
}
FNR == 1 { files++ }
$1 == "X" { for (c in all) { delete touched[files, c]; delete written[files, c] } }
/^[rwi] / { all[$5]; touched[files, $5] }
/^w / { written[files, $5] }
END {
	for (k = 1; k <= files; k++)
		for (c in all)
			if ((k, c) in written) {
				private++
				shared += other(c, 0, k)
			}
	print (private > 0), shared + 0
}
