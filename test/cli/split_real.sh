# SPDX-License-Identifier: MIT
# Real programs, recorded by src/capture/system.c: the laws of splitting.
for name in threads pipeline; do
	trace=$SRC/test/data/$name.trc.xz
	kernel=$SRC/test/data/$name.laplace-kernel.xz
	trc split --quiet --kernel $kernel $trace $name
	trc split --quiet --kernel $kernel -0 --to trc $trace $name.parts
	trc split --quiet --kernel $kernel --basic -0 $trace $name.whole.trc
	# The parts' records are those of the whole.
	cat $name/*/*.merge | grep -vc '^#'
	trc stat $name.whole.trc | head -n 3
	# Merged back, all is as it was, for what the forms hold.
	trc encode --to hash $name.whole.trc >want
	trc encode --to hash $name.parts | cmp - want && echo same
	trc encode --drop addr,asid,rtime --to hash $name.whole.trc >want
	trc encode --drop asid,vpn --to hash $name | cmp - want && echo same
	trc stat --shared $name.whole.trc
done

# What a program writes after it was started, no other program touches.
cat >private.awk <<'END'
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
END
awk -f private.awk pipeline/*/*.merge

# Code of the C library has the same canonical pages in all programs.
cat >library.awk <<'END'
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
END
awk -f library.awk pipeline/*/*.merge
