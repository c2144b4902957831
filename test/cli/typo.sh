# SPDX-License-Identifier: MIT
# A word that is not known is answered with the nearest that is; exit 2.
printf '0 10\n' >a.din
try trc reduse a.din
try trc xyzzy
try trc help fromats
try trc help xyzzy
try trc stat --fron din a.din
try trc stat --xyzzy a.din
try trc stat -x a.din
# Long names behind one dash were letters, one of which was an output.
for o in -mrc -json -output -only=read; do
	try trc stat $o a.din
done
ls
try trc stat --from dim a.din
try trc stat --from xyzzy a.din
try trc stat --check --from dim a.din
try trc encode --to lakey a.din -
try trc encode --to din --drop szie a.din -
try trc encode --to din --drop xyzzy a.din -
try trc encode --to xdin --fill siez=4 a.din -
try trc replay exract a.din
try trc replay rn a.pkg b.trc
try trc replay a.bus
: >rum
try trc replay rum
# Options before a command, and more than one word for help.
try trc --hlep
try trc -x stat a.din
# Nothing at all: the page of help, where it is not taken for data.
trc 2>words
echo "exit $?"
trc help | cmp - words
try trc help stat encode
# One output, and one that can hold what is to go there.
try trc replay run -o b.csv a.pkg c.csv
try trc replay extract -o b.pkg a.bus c.pkg
try trc replay -o b.csv a.bus c.csv
try trc split --every 1 a.din -
# What is no number is not too large for one.
try trc stat --limit 1Ki a.din
try trc stat --limit 1kk a.din
try trc stat --page-size 99999999999999999999KiB a.din
try trc stat --from csv:addr=$(printf %0300d 1) a.din | sed 's/addr=0*/addr=0.../'
