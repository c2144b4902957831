# SPDX-License-Identifier: MIT
# library.awk PART...: of the merges of tasks. Code of the C library has the same canonical pages in
# all programs: prints 1 if several run the same, and how often it has another.
function number(hex, i, v) {
	v = 0
	for (i = 1; i <= length(hex); i++)
		v = 16 * v + index("0123456789abcdef", substr(hex, i, 1)) - 1
	return v
}
FNR == 1 { files++; n = 0 }
$1 == "X" { n = 0 }
$1 == "M" && /libc.so.6$/ {
	first[n] = number($4) / 4096; last[n] = first[n] + number($5) / 4096
	offset[n++] = number($9) / 4096
}
/^i / {
	page = number($4)
	for (k = n - 1; k >= 0; k--)
		if (page >= first[k] && page < last[k]) {
			at = page - first[k] + offset[k]
			if (at in cpn && cpn[at] != $5)
				bad++
			if (at in cpn && file[at] != files)
				both[at]
			if (!(at in cpn))
				file[at] = files
			cpn[at] = $5
			break
		}
}
END { for (at in both) pages++; print (pages > 0), bad + 0 }
