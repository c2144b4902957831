# SPDX-License-Identifier: MIT
# README and help state which formats have checksums: there no changed byte passes as another trace.
# Of those that have none some do pass.
needs xz gz bz2 zst
awk 'BEGIN { for (i = 0; i < 3000; i++) printf "r %x 4 0 %x\n", i * 3, i * i * 64 % 65521 }' >a.laplace
trc encode a.laplace a.trc
for packing in xz gz bz2 zst; do
	trc encode a.laplace a.laplace.$packing
done
trc encode --drop size,asid a.laplace a.pdats
trc encode --to hash a.laplace >rows
trc encode --to hash a.pdats >rows.pdats
# Changes 40 bytes, one at a time, and prints how many times another trace came out.
passed()
{
	size=$(wc -c <"$1") n=0 i=0
	while [ $i -lt 40 ]; do
		at=$((size * i / 40))
		byte=$(od -An -tu1 -j $at -N 1 "$1")
		{
			head -c $at "$1"
			printf "\\$(printf %03o $((byte ^ 5)))"
			tail -c +$((at + 2)) "$1"
		} >damaged
		if trc encode --from "$2" --to hash damaged >rows.now 2>/dev/null && ! cmp -s rows.now "$3"; then
			n=$((n + 1))
		fi
		i=$((i + 1))
	done
	echo $n
}
echo "trc: $(passed a.trc trc rows)"
for packing in xz gz bz2 zst; do
	echo "$packing: $(passed a.laplace.$packing laplace rows)"
done
[ "$(passed a.pdats pdats rows.pdats)" -gt 0 ] && echo "pdats: some"
[ "$(passed a.laplace laplace rows)" -gt 0 ] && echo "laplace: some"
grep -c 'Only `trc` has checksums' "$SRC/README.md"
trc help formats | grep -c 'Only trc has checksums'
