# SPDX-License-Identifier: MIT
# Standard input and output by the name -, and by default; closed ones.
printf '0 1c\n1 20\n' >a.din
try trc encode --from din --to xdin --fill size=4 - - <a.din
try trc decode --from din - <a.din
try trc encode --to din ./- b.din
cp a.din ./-
try trc encode --from din ./- b.din
try cat b.din
try trc encode --from din - c.din <a.din
try cat c.din
try trc stat - <&-
(trc decode a.din >&-; echo "exit $?" >&2)
trc encode a.din d.din <&- >&- 2>&-
try cat d.din
