# SPDX-License-Identifier: MIT
# Instructions that Ramulator has no line for are counted if one agrees, and never lost unasked.
printf 'I  1000,4\nI  1004,4\n L 8000,8\nI  1008,4\n S 9000,8\n' >few.lackey
try trc encode -q --drop size few.lackey few.ramulator-inst
try trc encode -q --drop size --to ramulator-inst:count few.lackey -
try trc encode -q --drop size --to ramulator-inst:count,unfiltered few.lackey -
printf '3 20734016\n8 20841280 20841344\n' >two
try trc encode -q --from ramulator-inst --to csv two -
try trc encode -q --from ramulator-inst --to ramulator-inst two -
try trc encode -q --from ramulator-inst --to ramulator2-rw --drop itime two -
# Memories without bank groups have five places, and Ramulator 2 has signed addresses.
printf 'R 0,0,1,3,1024\nW 1,0,7,20,16\n' >five
try trc encode -q --to csv five -
try trc encode -q --to ramulator2-rw:places=5 five -
try trc encode -q --from ramulator2-rw --to ramulator2-rw five -
printf 'R 0,0,1,0,3,1024\n' >six
try trc encode -q --to ramulator2-rw:places=5 six -
printf 'type,addr\nread,0xffffffff81000000\n' | try trc encode -q --to ramulator2-ls - -
