# SPDX-License-Identifier: MIT
# TLBs: a fully associative one is an LRU memory; levels, halves, pages of two sizes.
ln -s "$SRC/test/data/sort.lackey.xz" .
for n in 3 16 48 100; do
	trc stat --tlb $n --csv sort.lackey.xz | awk -F, '$6 == "all" { print $9 }'
done
trc stat --mrc --sizes 3,16,48,100 --csv sort.lackey.xz | awk -F, 'NR > 1 { print $3 }'
# Pages of 16K that are all huge, and small ones of 16K, are the same.
trc stat --tlb 8:2 --tlb 32:4 --huge all --huge-size 16K --csv sort.lackey.xz >huge
trc stat --tlb 8:2 --tlb 32:4 --page-size 16K --csv sort.lackey.xz | cmp - huge && cat huge
try trc stat --tlb small:8:4 --tlb huge:2 --tlb 32:8:plru --huge 0x4000000- sort.lackey.xz
try trc stat --tlb d:8:4 --tlb i:4 --huge 0x4000000- --json sort.lackey.xz
try trc stat --tlb 16 --tlb 64:8 --inclusion exclusive --warmup 1M --csv sort.lackey.xz
try trc stat --tlb 16 --by pc --rows 2 --csv sort.lackey.xz
try trc stat --tlb 16 --by page --rows 2 --csv sort.lackey.xz
try trc stat --tlb 16 --over-time 600k --csv sort.lackey.xz
# A trace of pages has them without addresses.
trc encode --quiet --split-modify --drop size sort.lackey.xz a.din
awk '{ print substr($2, 1, length($2) - 3) }' a.din | awk 'length > 0' >pages.page
trc stat --from page --tlb 16:4 --csv pages.page | tail -n 1
trc stat --tlb 16:4 --csv a.din | tail -n 1
try trc stat --tlb 48:5 sort.lackey.xz
try trc stat --tlb 0 sort.lackey.xz
try trc stat --tlb 12:3:lru:9 sort.lackey.xz
try trc stat --tlb 8:2:best sort.lackey.xz
try trc stat --tlb 6:3:plru sort.lackey.xz
try trc stat --tlb i:4 sort.lackey.xz
try trc stat --tlb small:4 --tlb d:4 sort.lackey.xz
try trc stat --tlb 4 --huge 5-2 sort.lackey.xz
try trc stat --tlb 4 --huge-size 3000 sort.lackey.xz
try trc stat --tlb 4 --page-size 2M sort.lackey.xz
try trc stat --huge all sort.lackey.xz
try trc stat --tlb 4 --cache 4K:2:64 sort.lackey.xz
