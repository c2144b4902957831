# SPDX-License-Identifier: MIT
# Nothing at all: unknown without --from, and then a trace without records.
: >empty.din
try trc stat empty.din
try trc stat - </dev/null
try trc stat --from din empty.din
try trc stat --json --from laplace empty.din
try trc encode --from din --to hash empty.din -
try trc reduce --sad 4 --from din empty.din
xz <empty.din >empty.din.xz
try trc stat empty.din.xz
