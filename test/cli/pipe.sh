# SPDX-License-Identifier: MIT
# A reader that has seen enough ends the run, without a word.
real=$SRC/test/data/sort.lackey.xz
try trc decode "$real" | sed -n 2p
trc decode "$real" | head -1
trc stat "$real" | true
# head closes its input before it prints what it read.
(trap '' PIPE; trc decode "$real"; echo "exit $?" >status) | head -1
cat status
rm status
