# SPDX-License-Identifier: MIT
# A name of a file may have any bytes, some of which a terminal obeys: C0, DEL, and C1, which is two
# bytes of UTF-8, or a bare byte. None of them comes out. Letters of any language do.
name=$(printf 'a\033[31m\177\302\2332J\2336n\303\251\345\255\227.din')
printf '0 10\n1 20\n' >"$name"
# Whatever is left of these bytes shows as a number.
visible()
{
	sed -e "s/$(printf '\033')/<ESC>/g" -e "s/$(printf '\177')/<DEL>/g" \
		-e "s/$(printf '\302')\([$(printf '\200')-$(printf '\237')]\)/<C1>/g" \
		-e "s/$(printf '\233')/<CSI>/g"
}
trc stat "missing-$name" 2>&1 | visible
trc "$name" 2>&1 | visible
trc stat --nope="$name" --"$name" x 2>&1 | visible
trc stat --check "$name" 2>&1 | visible
trc stat --check --tap "$name" 2>&1 | visible
trc stat --check --json "$name" 2>&1 | visible
printf '1 10\nx\n' >"bad-$name"
trc stat --check "$name" "bad-$name" 2>&1 | visible
trc stat --mrc --plot a.svg "$name" >/dev/null
grep '<text' a.svg | head -n 1 | visible
trc encode --drop addr "$name" "$name/x.din" 2>&1 | visible
trc replay extract "$name" 2>&1 | visible
trc help "$name" 2>&1 | visible
# Marks of direction, which turn what follows around: none comes out, and JSON has each as what it is.
name=$(printf 'a\342\200\256nid\342\201\246b\330\234.din')
printf '0 10\n1 20\n' >"$name"
trc stat "missing-$name" 2>&1
trc stat --check "$name" 2>&1
trc stat --check --json "$name" 2>&1
