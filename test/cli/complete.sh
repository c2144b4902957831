# SPDX-License-Identifier: MIT
# What completion offers; the shells' scripts only hand it on.
try trc --complete
try trc --complete re
try trc --complete help f
try trc --complete reduce --
try trc --complete stat --from pag
try trc --complete encode --to has
try trc --complete encode --drop size,t
try trc --complete encode --to pdats
try trc --complete encode --to=pdats:
try trc --complete encode --from pdats:raw,st
try trc --complete encode --to din:
try trc --complete encode --compress x
try trc --complete stat --only read,f
try trc --complete stat --out
try trc --complete reduce --clock ''
try trc --complete stat --clock=c
try trc --complete stat a
# Nothing was offered for the events of the kernel, which are a file.
try trc --complete split --kernel k
try trc --complete replay r
try trc --complete replay run r
# Options of all actions were offered, most of which the action that is named refuses.
try trc --complete replay info --
try trc --complete replay --force prune --m
try trc --complete stat --mrc --s
try trc --complete stat --cache 32K:8:64 --sizes ''
try trc --complete replay record --machine ''
try trc --complete encode --annotate ''
try trc --complete xyzzy ''
try trc --complete encode --fill si
try trc --complete encode --fill size=4,rt
try trc --complete encode --fill=size=4,time=
try trc --complete encode --fill size=
# Words within a value: policies behind the line of a cache and in a list, and what levels are.
for words in '--cache 32K:8:64:s' '--cache i:32K:8:64:pl' '--policy lru,s' '--inclusion inclusive,e' '--by p' '--top p' \
	'--tlb 64:4' '--reu' '--hug' '--bb'; do
	try trc --complete stat $words
done
try trc --complete replay run -
try trc --complete help tl
