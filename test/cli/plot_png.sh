# SPDX-License-Identifier: MIT
# PNG pictures unpack to their size, twice that of SVG, and have the colours of their curves.
needs gz
ln -s "$SRC/test/data/sort.lackey.xz" .
printf '%s\n' 'r 1 4 1 1000' 'w 2 4 2 1000' 'r 3 4 1 2ffe' 'w 4 4 1 1000' 'r 5 4 2 3000' >a.laplace
picture() {
	python3 "$SRC/test/cli/picture.py" "$1"
}
trc stat --mrc --csv --plot a.png sort.lackey.xz >/dev/null
picture a.png
try trc stat --mrc --csv --plot dark.png --dark --plot-size 400x300 a.laplace
picture dark.png
try trc stat --map map.png --plot-size 300x200 sort.lackey.xz
picture map.png
