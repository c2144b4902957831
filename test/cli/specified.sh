# SPDX-License-Identifier: MIT
# The worked example of the specification is what trc makes of its references, and reads. What is in
# its index depends on the version of trc, so only those bytes before it are compared if that is
# another.
sed -n '/^## 5.2 A worked example/,$p' "$SRC/src/container/SPEC.md" >section
sed -n 's/^    \([I ][ LS] [0-9a-f ]*,[0-9]*\)$/\1/p' section >example.lackey
bytes()
{
	grep -E '^    [0-9a-f]{2}( [0-9a-f]{2})*(   |$)' | cut -c 5-51 | tr -s ' ' '\n' | while read -r byte; do
		[ -z "$byte" ] || printf "\\$(printf %03o "0x$byte")"
	done
}
bytes <section >example.trc
sed '/`I`,/,$d' section | bytes >before
try trc encode --parity 0 example.lackey new.trc
try trc decode --to lackey example.trc -
bytes=$(wc -c <before)
[ "$(trc --version | sed 's/^trc //; q')" != 1.0.0 ] || bytes=$(wc -c <example.trc)
cmp -n "$bytes" example.trc new.trc && echo "as it is specified"
[ "$(wc -c <before)" -gt 100 ] || echo "only $(wc -c <before) bytes before the index"
