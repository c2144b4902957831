# SPDX-License-Identifier: MIT
"""picture.py FILE: what a picture is, SVG or PNG: its kind, size, and words or colours."""
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
