# SPDX-License-Identifier: MIT
# Output that exists is refused and stays as it was; --force replaces it, at the very end.
printf '0 10\n' >a.din
printf 'precious\n' >b.din
try trc encode a.din b.din
try cat b.din
printf '0 10\nbad\n' >bad.din
try trc encode --from din --force bad.din b.din
try cat b.din
try trc encode --force a.din b.din
try cat b.din

# Input and output may be the same file where all of it is kept: a container becomes another one.
trc encode a.din a.trc
try trc encode --force -9 a.trc a.trc
try trc decode a.trc -

# Not where what is read grows by what is written: that filled the disk.
try sh -c 'ulimit -f 100; trc encode --to din a.din >>a.din'
try sh -c 'ulimit -f 100; trc stat - <a.din >>a.din'
try cat a.din

# A link stays, and what it leads to is replaced; one that leads nowhere is refused.
mkdir elsewhere
printf 'old\n' >elsewhere/c.din
ln -s elsewhere/c.din c.din
ln -s nowhere d.din
try trc encode a.din c.din
try trc encode --force a.din c.din
try readlink c.din
try cat elsewhere/c.din
try trc encode a.din d.din
try trc encode --force a.din d.din
ls . elsewhere

# Nobody may read what takes the place of a file that was for its owner only.
printf 'secret\n' >own.din
chmod 600 own.din
try trc encode --force a.din own.din
ls -l own.din | cut -c 1-10

# What exists is refused before the work of a run, not behind it.
ln -s "$SRC/test/data/sort.bus" .
printf 'precious\n' >there
cp there there.svg
try trc stat --mrc --plot there.svg a.din
try trc replay extract sort.bus there
try trc replay prune sort.bus there
try cat there there.svg
