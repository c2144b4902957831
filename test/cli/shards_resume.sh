# SPDX-License-Identifier: MIT
# What --resume finds where its partial goes: it replaces what was a partial, and nothing else.
needs xz
xz -dc "$SRC/test/data/sort.lackey.xz" | head -n 20000 >t.lackey
head -n 9999 t.lackey >other.lackey
trc encode -q t.lackey t.trc
trc stat -q --mrc --shard 2/3 --partial good t.lackey
size=$(wc -c <good)
# found WHAT: answers where the file p is; whether that is there as it was, the answer, or is neither.
found()
{
	echo "== $1"
	shift
	[ ! -f p ] || cat p >was
	timeout 60 trc stat --mrc --resume --shard 2/3 --partial p "$@" t.lackey 2>&1
	status=$?
	[ $status -eq 0 ] || echo "exit $status"
	if [ -f p ]; then
		cmp -s p good && echo "it is the answer" || { cmp -s p was && echo "it was left"; } || echo "it is neither"
	fi
	rm -rf p was
}
mkdir p && found "a directory"
echo hello, world >p && found "a text"
cp t.lackey p && found "a trace, as text"
cp t.trc p && found "a trace, as a container"
cp t.lackey in && try trc stat --mrc --resume --shard 2/3 --partial in in && cmp in t.lackey
ln -s in p && found "a link to a text" && cmp in t.lackey
ln -s nowhere p && found "a link to nothing" && ls nowhere 2>/dev/null
ln -s p p && found "a link to itself"
mkfifo p && found "a pipe"
ln -s /dev/null p && found "a device"
# Who may read anything is not refused.
cp good p && chmod 0 p
if [ -r p ]; then
	rm -f p
else
	found "nothing to read" >out 2>&1
	grep -q "cannot open" out || echo "it was not refused"
fi

: >p && found "an empty file"
for n in 1 2 3 8 14 15 30 100 $((size - 1)); do
	head -c $n good >p && found "a partial cut to $n bytes" | sed 1d
done | sort -u
# The first byte, and each seventh of others: what does not begin as a partial ends as one.
for n in $(seq 0 7 $((size - 1))); do
	{ head -c $n good; printf '\252'; tail -c +$((n + 2)) good; } >p
	cmp -s p good || found "a partial with byte $n wrong" | sed 1d
done | sort -u
(cat good; echo more) >p && found "a partial with bytes behind it"
printf '\365\164\001\000\002\355\363\214\371\021\220\061\142\340\143' >p && found "a partial of another version"
trc stat -q --mrc --shard 1/3 --partial p t.lackey && found "another shard"
trc stat -q --ws --shard 2/3 --partial p t.lackey && found "another question"
trc stat -q --mrc --line-size 64 --shard 2/3 --partial p t.lackey && found "another option"
trc stat -q --mrc --shard 2/3 --partial p other.lackey && found "another input"
head -c 50 good >cut && ln -s cut p && found "a link to a partial" && cmp cut good
cp good p && found "the answer"
found "nothing"

# --force replaces anything but a directory.
echo hello, world >p && found "a text, with --force" --force
mkdir p && found "a directory, with --force" --force
mkfifo p && { timeout 60 cat p >read & } && found "a pipe, with --force" --force && wait && cmp read good
trc stat --mrc --resume --shard 2/3 --partial - t.lackey | cmp - good
