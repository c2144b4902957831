# SPDX-License-Identifier: MIT
# Levels of caches that include or exclude those above; test/unit/inclusion.c has what they do.
ln -s "$SRC/test/data/sort.lackey.xz" .
try trc stat --cache 4K:2:64 --cache 8K:4:64 --inclusion inclusive sort.lackey.xz
try trc stat --cache 4K:2:64 --cache 8K:4:64 --inclusion exclusive sort.lackey.xz
try trc stat --csv --cache i:2K:2:32 --cache d:2K:2:32 --cache 4K:4:32 --cache 16K:4:64 --inclusion exclusive,inclusive \
	sort.lackey.xz
try trc stat --json --cache 4K:2:64 --cache 8K:4:64 --inclusion inclusive sort.lackey.xz
# Two caches of one set, the lower exclusive, have what one of as many ways has, and miss as often.
try trc stat --csv --cache 2K:full:64 --cache 6K:full:64 --inclusion exclusive sort.lackey.xz |
	awk -F, '$7 == "all" && $1 == 2 { print $10 }'
trc stat --csv --cache 8K:full:64 sort.lackey.xz | awk -F, '$7 == "all" { print $10 }'
# Nine is what is there without the option.
trc stat --cache 4K:2:64 --cache 8K:4:64 sort.lackey.xz >without
trc stat --cache 4K:2:64 --cache 8K:4:64 --inclusion nine sort.lackey.xz | grep -v '^clean victims' | cmp - without
try trc stat --cache 8K:4:64 --inclusion inclusive sort.lackey.xz
try trc stat --cache 4K:2:64 --cache 8K:4:64 --inclusion strict sort.lackey.xz
try trc stat --cache 4K:2:64 --cache 8K:4:64 --inclusion nine,exclusive sort.lackey.xz
try trc stat --cache 4K:2:64 --cache 8K:4:64 --cache 8K:4:64 --inclusion nine, sort.lackey.xz
try trc stat --cache 4K:2:64 --cache 8K:4:32 --inclusion inclusive sort.lackey.xz
try trc stat --cache 4K:2:32 --cache 8K:4:64 --inclusion exclusive sort.lackey.xz
