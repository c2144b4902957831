# SPDX-License-Identifier: MIT
# What people type first, by the habits of xz, zstd, ffmpeg and DuckDB: it works.
needs gz
awk 'BEGIN { for (i = 0; i < 1500; i++) printf "2 %x\n%d %x\n", 4194304 + i * 4, i % 2, 268435456 + i * 64 }' >a.din
# The output by -o, wherever it stands; -c, and - where a pipe comes.
try trc encode a.din -o a.trc
try trc encode -o b.trc a.din
try trc decode a.trc -o back.din
cmp back.din a.din
try trc reduce --sad 4 a.din -o sad.trc
try trc split --by type a.din -o parts
ls parts
try trc stat -o answer --json a.din
cat answer
try trc stat -o answer a.din
try trc stat --force -o answer --json --limit 10 a.din
cat answer
trc decode -c a.trc | cmp - a.din
trc encode -c --to csv a.din | head -n 2
trc stat <a.din | head -n 2
trc encode -o piped.trc <a.din
trc decode <piped.trc | cmp - a.din
gzip -c a.din | trc reduce --sad 4 --quiet | head -n 2
# Numbers as they come.
try trc encode -T0 a.din threads.trc
for n in 1e3 1.5k 0.5K; do trc stat --limit $n a.din | grep records; done
try trc stat --limit 0.5 a.din
try trc stat --limit 1e30 a.din
for part in 1/10 0.1 10%; do trc reduce --sample $part a.din -o sample.trc && rm sample.trc; done
try trc reduce --sample 30% a.din sample.trc
# Which version it is, of any command.
[ "$(trc stat --version)" = "$(trc --version)" ] && [ "$(trc encode -V)" = "$(trc --version)" ] && echo same
trc encode --compress gzip --to din a.din packed && gzip -dc <packed | cmp - a.din
# Endings that files have.
printf 'type,addr,pc\nfetch,0x10,0x10\nread,0x100,0x10\n' >two.csv
trc encode -q --to champsim two.csv a.champsimtrace && trc encode -q two.csv b.champsimtrace && cmp a.champsimtrace b.champsimtrace && echo champsim
needs xz
trc encode -q two.csv b.champsimtrace.xz && xz -dc b.champsimtrace.xz | cmp - a.champsimtrace
printf 'addr,size,time\n1,2,3\n' | trc encode - a.oracleGeneral && trc stat a.oracleGeneral | head -n 1
mkdir corpus && mv a.champsimtrace b.champsimtrace.xz corpus && trc stat --check corpus
