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
