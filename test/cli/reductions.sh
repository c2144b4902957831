# SPDX-License-Identifier: MIT
# The reductions beside SAD: what they write, report and refuse.
printf '0 1000\n1 1004\n2 2000\n0 1008\n0 2000\n0 1000\n0 3000\n0 4000\n0 1000\n' >a.din
try trc reduce --olr 2 a.din
try trc reduce --window 4 a.din
try trc reduce --window 2 --clock instructions a.din
try trc reduce --sad 2 --window 4 --quiet a.din both.sad
try tail -n 1 both.sad
try trc stat both.sad
try trc reduce --olr 3 both.sad
try trc reduce --window 4 --no-block both.sad

# Samples are marked as such.
awk 'BEGIN { for (i = 0; i < 9000; i++) printf "0 %x000\n", i * i % 2048 }' >b.din
try trc reduce --sample 1/10 --sad 4 --to trc b.din b.trc
try trc stat b.trc
try trc reduce --sample 1/10 --quiet --limit 50 b.din

# Memories for each space, and pages that spaces share.
printf 'r 1 4 1 1000\nr 2 4 2 1000\nr 3 4 1 1000\nr 4 4 2 1000\nr 5 4 1 1000\n' >c.laplace
try trc reduce --sad 1 c.laplace
try trc reduce --sad 1 --by-space c.laplace c.trc
try trc stat c.trc
try trc reduce --sad 1 c.trc

# Through a cache: what misses it, for other caches, and what it and memory exchange.
printf '2 100\n0 1000\n0 1004\n1 1008\n1 100c\n0 2000\n2 104\n0 1000\n' >d.din
try trc reduce --cache 4K:1:16 d.din
try trc reduce --cache 4K:1:16 --write-backs d.din
try trc reduce --cache i:8K:2:16 --cache d:8K:2:16 d.din d.trc
try trc stat d.trc
try trc reduce --cache 4K:1:16 d.trc
try trc reduce --cache 4K:1:16 --write-backs --to trc d.din e.trc
try trc stat --cache 4K:1:16 e.trc

# What cannot be is refused with its reason.
try trc reduce --cache 4K:1:16 --sad 8 d.din
try trc reduce --cache 4K:3:16 d.din
try trc reduce --cache 4K:4:16:fifo d.din
try trc reduce --cache 4K:1:16 --cache 8K:1:16 d.din
try trc reduce --cache i:4K:1:16 --cache d:4K:1:32 d.din
try trc reduce --cache i:4K:2:16 --cache d:4K:4:16 d.din
try trc reduce --cache i:4K:1:16 d.din
try trc reduce --write-backs d.din
printf '1\n2\n1\n' >p.page
try trc reduce --window 100 p.page
try trc reduce --cache 4K:1:16 p.page
try trc reduce --window 100 --clock cycles a.din
try trc reduce --sad 0 a.din
try trc reduce --olr 0 a.din
try trc reduce --sad 8 --page-size 3000 a.din
try trc reduce --sad 8 --olr 8 a.din
try trc reduce --olr 8 --window 100 a.din
try trc reduce --clock cycles a.din
try trc reduce --by-space a.din
try trc reduce --by-space --sad 8 a.din
try trc reduce --canonical --sad 8 a.din
try trc reduce --canonical --by-space --sad 8 c.laplace
try trc reduce --sample 0.3 a.din
try trc reduce --sample 1/0 a.din
try trc reduce --sad 9000000000 a.din
try trc reduce --olr 9000000000 a.din
trc reduce --quiet --sad 2 a.din only.sad
try trc reduce --window 100 only.sad
trc reduce --quiet a.din merged.sad
try trc reduce --window 100 merged.sad
trc reduce --quiet --window 2 a.din only.trc
try trc reduce --sad 2 only.trc
try trc reduce only.trc
ls
# Pages with cycles have a clock, if not that of references.
printf '# trc merge page-size=4096\nr 5 4 1 1\nr 6 4 1 1\nr 8 4 2 2\nr 9 4 1 1\n' >p.merge
try trc reduce --quiet --window 2 p.merge
try trc reduce --quiet --window 2 --clock cycles --drop cpn,event p.merge

# A reference to 4 GiB made millions of records without a word.
echo 'w 0 ffffffff' >large.xdin
try trc reduce --page-size 2048 --to null large.xdin
try trc reduce --cache 32K:1:2048 --to null large.xdin
try trc reduce --sad 4 --to null large.xdin
