# SPDX-License-Identifier: MIT
# Pictures of answers, by the endings of their names: SVG that is XML, PNG that unpacks to its size,
# a script with its data, the points. Axes, size, title, colours by options.
ln -s "$SRC/test/data/sort.lackey.xz" .
printf '%s\n' 'r 1 4 1 1000' 'w 2 4 2 1000' 'r 3 4 1 2ffe' 'w 4 4 1 1000' 'r 5 4 2 3000' >a.laplace

# What a picture is: its kind, size, and words or colours.
picture() {
	python3 - "$1" <<'END'
import struct, sys, xml.dom.minidom, zlib
name = sys.argv[1]
if name.endswith('.svg'):
    svg = xml.dom.minidom.parse(name).documentElement
    words = [t.firstChild.data for t in svg.getElementsByTagName('text') if t.firstChild]
    print('SVG', svg.getAttribute('width'), svg.getAttribute('height'),
          len(svg.getElementsByTagName('path')), 'lines;', ' | '.join(words))
else:
    data = open(name, 'rb').read()
    assert data[:8] == b'\x89PNG\r\n\x1a\n'
    at, idat = 8, b''
    while at < len(data):
        n, kind = struct.unpack('>I4s', data[at:at + 8])
        body = data[at + 8:at + 8 + n]
        assert struct.unpack('>I', data[at + 8 + n:at + 12 + n])[0] == zlib.crc32(kind + body)
        if kind == b'IHDR':
            width, height = struct.unpack('>II', body[:8])
        if kind == b'IDAT':
            idat += body
        at += 12 + n
    raw = zlib.decompress(idat)
    assert len(raw) == height * (1 + 3 * width)
    colours, above = {}, bytes(3 * width)
    for y in range(height):
        row = raw[y * (1 + 3 * width):][:1 + 3 * width]
        assert row[0] == 2
        above = bytes(a + b & 255 for a, b in zip(row[1:], above))
        for x in range(0, 3 * width, 3):
            colours[above[x:x + 3]] = colours.get(above[x:x + 3], 0) + 1
    paper = max(colours, key=colours.get)
    print('PNG', width, height, 'paper', paper.hex(), 'curves',
          [c for c in ('0072b2', '56b4e9', 'd55e00', 'ff8c42') if colours.get(bytes.fromhex(c), 0) > 200])
END
}
for file in a.svg a.png a.gp a.csv; do
	trc stat --mrc --csv --plot $file sort.lackey.xz >/dev/null
done
picture a.svg
picture a.png
head -n 3 a.csv
tail -n 1 a.csv
sed -n '1,2p; /^EOD/,$p' a.gp | grep -v '^[0-9]' | head -n 20

try trc stat --mrc --csv --plot dark.png --dark --plot-size 400x300 a.laplace
picture dark.png
try trc stat --mrc --by-space --csv --plot spaces.svg --title 'Two & more' --axes linear a.laplace
picture spaces.svg
try trc stat --ws --csv --plot ws.svg a.laplace
picture ws.svg
trc stat --ws --csv --plot ws.csv sort.lackey.xz >/dev/null && tail -n 1 ws.csv
try trc stat --mrc --axes linear --sizes 1,2,4,8 sort.lackey.xz

# Addresses against time.
try trc stat --map - sort.lackey.xz
try trc stat --map - a.laplace
try trc stat --map map.png --plot-size 300x200 sort.lackey.xz
picture map.png
trc stat --map map.svg a.laplace >/dev/null && picture map.svg
try trc stat --map map.gp none.laplace
try trc stat --map map.svg --plot a.svg none.laplace

# A name that is no picture, or options without one, are refused before anything is read.
try trc stat --mrc --plot a.jpg none.laplace
try trc stat --mrc --plot picture none.laplace
try trc stat --mrc --title T none.laplace
try trc stat --mrc --plot b.svg --plot-size 9x9 none.laplace
try trc stat --mrc --plot a.svg a.laplace
try trc stat --mrc --plot a.laplace a.laplace
# An empty trace has an empty picture.
: >none.page
try trc stat --mrc --csv --from page --plot none.svg none.page
picture none.svg
