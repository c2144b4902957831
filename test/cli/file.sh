# SPDX-License-Identifier: MIT
# What a system knows of containers: file(1) by magic(5), desktops by the shared MIME-info database.
command -v file >/dev/null || { echo "no file here"; exit 77; }
needs python3
magic=$SRC/data/trc.magic
# What file says beside the warnings of some versions about a magic that is not compiled.
known()
{
	file -b -m "$magic" "$@" 2>/dev/null
}
printf '0 1000\n1 2000\n2 3000\n' >three.din
trc encode -q three.din three.trc
cat three.trc three.trc three.trc >joined.trc
trc encode -q --parity 0 joined.trc nine.trc
head -c 100 nine.trc >cut.trc
printf '' | trc encode -q --from din - empty.trc
# A header of 128 bytes and more: its length has two bytes.
printf '\365tT\200\001\001' >long.trc
for name in three joined nine cut empty long; do
	echo "$name: $(known $name.trc)"
done
known --mime-type nine.trc
known --extension nine.trc
echo "text: $(known three.din)"

# The same bytes and the same type in both.
python3 - "$SRC/data/trc.xml" nine.trc <<'END'
import sys
import xml.etree.ElementTree as tree

space = '{http://www.freedesktop.org/standards/shared-mime-info}'
root = tree.parse(sys.argv[1]).getroot()
assert root.tag == space + 'mime-info', root.tag
kind = root.find(space + 'mime-type')
match = kind.find(f'{space}magic/{space}match')
value = match.get('value').encode().decode('unicode_escape').encode('latin-1')
assert open(sys.argv[2], 'rb').read().startswith(value)
print(kind.get('type'), kind.find(space + 'glob').get('pattern'), match.get('offset'))
END
