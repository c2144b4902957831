# SPDX-License-Identifier: MIT
# Parts of words do not reach into the next word, as dineroIV has it.
assemble good-pixie32-unaligned >x.pixie32
try trc encode --from pixie32 x.pixie32 --to csv -
