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
