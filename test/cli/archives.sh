# SPDX-License-Identifier: MIT
# Archives are read as folders are: one trace, or several, each named ARCHIVE/FILE.
needs gz bz2 zst
mkdir -p g/deep f
lines()
{
	awk -v k=$1 -v n=$2 'BEGIN { for (i = 0; i < n; i++) printf i % 3 ? " L %08x,8\n" : "I  %08x,4\n", 4194304 + i * k * 4 }'
}
lines 7 60 >g/a.lackey
lines 11 90 >g/deep/b.lackey
printf '# hidden\n' >g/.hidden
: >g/empty
for n in 1 2; do
	printf 'type,addr,time\nread,4096,%s0\nwrite,%s,%s5\n' $n $((n * 8192)) $n >f/$n.csv
done
python3 - <<'EOP'
import tarfile, zipfile, io
def tar(name, mode, format, names):
    with tarfile.open(name, mode, format=format) as t:
        for n in names:
            t.add(n, arcname=n, recursive=False)
g = ['g', 'g/a.lackey', 'g/deep', 'g/deep/b.lackey', 'g/.hidden', 'g/empty']
tar('ustar.tar', 'w', tarfile.USTAR_FORMAT, g)
tar('gnu.tar', 'w', tarfile.GNU_FORMAT, g)
tar('pax.tar', 'w', tarfile.PAX_FORMAT, g)
tar('g.tar.gz', 'w:gz', tarfile.GNU_FORMAT, g)
tar('g.tar.bz2', 'w:bz2', tarfile.GNU_FORMAT, g)
tar('g.txz', 'w:xz', tarfile.GNU_FORMAT, g)
tar('f.tar', 'w', tarfile.GNU_FORMAT, ['f/1.csv', 'f/2.csv'])
tar('one.tar', 'w', tarfile.GNU_FORMAT, ['g/a.lackey'])
tar('nested.tar', 'w', tarfile.GNU_FORMAT, ['one.tar', 'g.tar.gz'])
def add(t, name, data, **how):
    info = tarfile.TarInfo(name)
    info.size = len(data)
    for k, v in how.items():
        setattr(info, k, v)
    t.addfile(info, io.BytesIO(data))
one, two = open('g/a.lackey', 'rb').read(), open('g/deep/b.lackey', 'rb').read()
long = 'folder/' * 30 + 'long.lackey'
for format in tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT:
    with tarfile.open('long%d.tar' % format, 'w', format=format) as t:
        add(t, long if format else 'folder/' * 14 + 'long.lackey', one)
        add(t, './short.lackey', two)
        add(t, 'link.lackey', b'', type=tarfile.SYMTYPE, linkname='short.lackey')
with tarfile.open('twice.tar', 'w') as t:
    add(t, 'a.lackey', one)
    add(t, 'a.lackey', two)
with tarfile.open('up.tar', 'w') as t:
    add(t, '../../up.lackey', one)
    add(t, '/etc/passwd', two)
def zip(name, how=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(name, 'w', how) as z:
        for n in g:
            z.write(n)
zip('g.zip')
zip('stored.zip', zipfile.ZIP_STORED)
class Pipe(io.RawIOBase):
    def __init__(self, f): self.f = f
    def writable(self): return True
    def write(self, b): return self.f.write(b)
with open('piped.zip', 'wb') as f, zipfile.ZipFile(Pipe(f), 'w', zipfile.ZIP_DEFLATED) as z:
    for n in g:
        z.write(n)
with zipfile.ZipFile('bad.zip', 'w') as z:
    z.writestr('a.lackey', one)
    z.writestr('b.lackey', one + b'5 zz\n')
EOP
zstd -q ustar.tar -o g.tar.zst
# A packed archive was refused if nothing in its name was tar.
cp g.tar.gz unnamed.gz
cp g.txz unnamed
# Where a file begins depends on how small those before it are.
said()
{
	try "$@" 2>&1 | sed 's/near byte [0-9]*/near byte N/'
}
trc stat -q --csv g 2>&1 | sed 's|^g/||' >want
cat want; sed -i /empty/d want; sed -i /could/d want
for archive in ustar.tar gnu.tar pax.tar g.tar.gz g.tar.bz2 g.txz g.tar.zst g.zip stored.zip piped.zip unnamed.gz unnamed; do
	trc stat -q --csv $archive 2>&1 | grep -v -e empty -e could | sed "s|^$archive/g/||" >rows
	cmp want rows && echo "$archive: as the folder"
	trc decode $archive/g/deep/b.lackey | cmp - g/deep/b.lackey
done
try trc stat --csv g.zip
try trc stat --mrc g.zip
try trc stat --mrc --csv --sizes 1,4 --concat g.tar.gz
try trc stat --mrc --csv --sizes 1 f.tar
try trc encode f.tar --to csv -
trc encode one.tar --to lackey - | cmp - g/a.lackey
for format in 0 1 2; do trc stat -q --csv long$format.tar; done
# What is in one file is not in another; names lead nowhere but into the archive.
try trc stat g.zip/g/b.lackey
try trc stat g/a.lackey/b.lackey
try trc stat g.zip/
try trc stat twice.tar
try trc stat up.tar
trc decode up.tar/../../up.lackey | cmp - g/a.lackey
try trc encode up.tar -o out/
ls out 2>&1
# Errors name the file and its line.
try trc stat bad.zip
try trc decode bad.zip/b.lackey out.lackey
try trc stat --check bad.zip one.tar
# Archives in archives, in folders, and in pipes.
said trc stat nested.tar
mkdir in && cp g.zip one.tar in
try trc stat -q in
try trc stat - <one.tar | head -n 2
said trc stat - <g.zip
cat one.tar | try trc stat - | head -n 2
cat f.tar | try trc stat -q --csv -
cat f.tar | try trc encode --concat - --to csv -
try trc stat -q --csv - <f.tar
gzip -c one.tar | try trc stat - | head -n 2
# Packed ones in a pipe were refused; some packings give nothing before there is a whole block.
gzip -c f.tar | try trc stat -q --csv -
for pack in gzip bzip2 'zstd -q'; do
	$pack -c f.tar >packed
	trc stat -q --csv - <packed >whole
	cat packed | trc stat -q --csv - | cmp - whole && echo "$pack"
done
head -c 90 packed | try trc stat -
cp g.tar.gz any
said trc stat any
# What cuts, changes or replaces them.
head -c 200 g.zip >cut.zip
head -c 1600 ustar.tar >cut.tar
head -c 150 g.tar.gz >cut.tar.gz
for cut in cut.zip cut.tar cut.tar.gz; do try trc stat $cut; done
said trc stat --mrc --shards 2 g.zip
try trc encode --concat --force --to csv f.tar f.tar
try trc encode --force --to csv f.tar/f/1.csv f.tar
try trc encode g/a.lackey x.tar
