# SPDX-License-Identifier: MIT
# Questions of one trace made one of unrelated inputs, and said so in a note that -q hid; a folder was one
# for some of them in an order that no other had, and a zip of several files for all. What each question
# does with two inputs: it answers for each, by its name; or compares them; or refuses them with what to
# type. A manifest is one trace, and so is what --concat joins.
needs gz
printf '0 100c\n1 2000\n2 3000\n0 100c\n' >one.din
printf '0 900c\n1 2000\n' >two.din
trc stat --manifest one.din two.din >both
mkdir folder
cp one.din two.din folder
inputs()
{
	trc stat -q "$@" >out 2>err
	status=$?
	[ $status = 2 ] && [ -s out ] && echo "$*: an answer, and refused"
	first=one.din
	for word; do [ "$word" = both ] && first=both; done
	if grep -q "$first" out && grep -q two.din out; then answer=each
	elif [ $status = 2 ] && grep -q 'join .* with --concat' err; then answer='refused; --concat'
	elif [ $status = 2 ]; then answer="refused; $(sed 's/^trc stat: //; q' err)"
	elif [ $status = 0 ]; then answer=one
	else answer=$(sed 's/^trc stat: //; s/;.*//; q' err)
	fi
	echo "$*: $answer"
}
# Every question of the list has a line here.
cat >lines <<'EOF'
--count
--blocks
--cache 64:1:16
--cache 64:1:16 --by page
--cache 64..128:1:16
--cache 64:1:16 --over-time 2
--tlb 4
--over-time 2
--mrc --csv
--mrc --policy lru,opt --csv
--ws --csv
--reuse --csv
--top pages
--top types --warmup 1
--strides
--map m.svg
--map -
--fingerprint
--mrc --bytes
--popularity
--bbv 2
--check
--formats
--shared
--manifest
--diff
--certify
EOF
unlisted 'what does it do with two inputs?'
while read -r line; do
	rm -f m.svg
	inputs $line one.din two.din
	[ ! -e m.svg ] || echo "$line: drew"
done <lines
echo
for question in '--cache 64:1:16' '--tlb 4' '--over-time 2' '--top pages' '--fingerprint' '--bbv 2' '--map -'; do
	inputs $question both two.din
	inputs $question folder one.din
	inputs $question folder
	trc stat -q $question --concat one.din two.din >joined
	for input in both '--concat folder' '--concat both'; do
		trc stat -q $question $input | sed 's/ of .*//' >out
		sed 's/ of .*//' joined | cmp - out || echo "$question $input"
	done
	trc stat -q $question --shards 1 one.din two.din >/dev/null 2>&1
done
try trc stat --cache 64:1:16 one.din two.din
try trc stat --top pages --csv --concat one.din two.din
# The files of an archive are not more one trace than those of a folder; chunks of DynamoRIO are.
python3 - <<'EOF'
import zipfile
def zip(name, *files):
    with zipfile.ZipFile(name, 'w') as z:
        for file, text in files:
            z.writestr(file, text)
one, two = open('one.din').read(), open('two.din').read()
zip('two.zip', ('one.din', one), ('two.din', two))
zip('mac.din.zip', ('d/', ''), ('d/one.din', one), ('__MACOSX/._one.din', 'x'))
zip('one.din.zip', ('d/', ''), ('d/one.din', one))
zip('chunks.din.zip', ('chunk.0000', one), ('chunk.0001', two))
zip('mixed.zip', ('chunk.0000', one), ('notes', two))
EOF
for zip in two mac.din one.din chunks.din mixed; do
	try trc stat --top pages --csv $zip.zip
	trc stat -q --check $zip.zip
done
# Into a folder each goes by itself, too: a folder of several was refused, as one trace.
try trc encode -q folder one.din apart/
try trc encode folder apart/
ls apart
try trc encode -q two.zip zipped/ && ls zipped
