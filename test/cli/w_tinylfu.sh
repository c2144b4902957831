# SPDX-License-Identifier: MIT
# W-TinyLFU beside lists in another language, with counts that are halved; and what others call it.
needs python3
python3 "$SRC/test/cli/w_tinylfu.py" "$TRC" $([ "$TRC_TEST_STEP" = 1 ] && seq 60 || seq 6)
printf 'type,addr,size\nr,0,5\nr,1,5\nr,0,5\ninvalidate,0,5\nr,0,5\n' >a.csv
try trc stat --bytes --policy w-tinylfu,WTinyLFU,tinylfu --sizes 4,1K --csv a.csv
try trc stat --mrc --policy w-tinylfu --sizes 4 a.csv
