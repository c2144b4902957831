# SPDX-License-Identifier: MIT
# Requests of several hosts or disks in files of MSR Cambridge were one disk's. Each disk is a space,
# which is the same in each file.
line() { echo "12816637200306162$1,$2,$3,Read,4096,4096,1331"; }
{ line 1 hm 1; line 3 hm 0; line 5 usr 1; line 7 hm 1; } >all.csv
line 1 hm 1 >hm1.csv
line 3 hm 0 >hm0.csv
line 5 usr 1 >usr1.csv
line 7 hm 1 >later.csv
try trc decode --to csv all.csv
try trc stat all.csv | grep -E '^(pages|spaces) '
try trc stat --mrc --sizes 1,2,3 --csv all.csv
# By name, by quotes and blanks, by several threads; h,m1 is not hm,1.
{ echo 'Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime'; sed 's/,hm,/, "hm" ,/' all.csv; } >named.csv
trc decode -q --to csv all.csv >want
trc decode -q --to csv named.csv | cmp - want && echo same
{ line 1 hm 11; line 3 hm1 1; } | trc decode -q --to csv --from msr - | sort -u -t, -k5 | wc -l
awk 'BEGIN { for (i = 0; i < 60000; i++)
	printf "%.0f,h%d,%d,Read,%d,512,1\n", 128166372003061620 + i, i % 7, i % 3, i * 512 }' >long.csv
for t in 1 2 4; do trc encode -q -T $t --to csv long.csv - | cksum; done | uniq | wc -l
trc decode -q --to csv long.csv | awk -F, 'NR > 1 { n[$5]++ } END { for (i in n) k++; print k }'
# Several files, one behind the other and merged.
trc encode -q --concat --to csv hm1.csv hm0.csv usr1.csv later.csv - | cmp - want && echo same
trc encode -q --to csv later.csv usr1.csv hm0.csv hm1.csv - | cmp - want && echo same
try trc stat --concat hm1.csv hm0.csv | grep '^spaces'
# A word that is no disk's name.
{ cat all.csv; echo '128166372003061629,,1,Read,4096,4096,1331'; } >bad.csv
try trc stat bad.csv
