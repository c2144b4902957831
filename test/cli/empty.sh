# SPDX-License-Identifier: MIT
# Nothing at all: unknown unless said, and then a trace without records.
: >empty.din
try trc stat empty.din
try trc stat - </dev/null
try trc stat --from din empty.din
try trc stat --json --from laplace empty.din
try trc encode --from din --to hash empty.din -
try trc reduce --sad 4 --from din empty.din
gzip -n <empty.din >empty.din.gz
try trc stat empty.din.gz
