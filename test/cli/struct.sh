# SPDX-License-Identifier: MIT
# Records of a layout that is given, in the letters of Python's struct: byte orders, signs, gaps, alignment,
# factors, codes of types, a header; and what is refused. Such files were read as u64 or ChampSim.
assemble good-struct-example >in
try trc decode --from 'struct:<IQI,time,addr,size' --to csv in
try trc decode --from 'struct:<2xHQI,time,addr,size' --to csv in
try trc decode --from 'struct:<IQI,_,_,addr*512' --to csv in
try trc decode --from 'struct:>IQI,time,addr,_,skip=16' --to csv in
printf '\001\000\000\000\000\000\000\000\020\000\000\000\000\000\000\000\002\000\000\000\377\377\377\377\000\000\000\000\000\000\000\000' >aligned
try trc decode --from 'struct:BQ,_,addr' --to csv aligned
try trc decode --from 'struct:bQxi,type,addr,_,read=1' --to csv aligned
try trc decode --from 'struct:<BxHI4sI,type,_,size,_,addr,read=1,ignore=2' --to csv aligned
# What is refused: in the records, with its place,
try trc stat --from 'struct:<B7xq,type,addr,read=1' aligned
try trc stat --from 'struct:<4xiQ,time,addr' aligned
try trc stat --from 'struct:<iiQ,time,size,addr' aligned
try trc stat --from 'struct:<16xiQ,time,addr' aligned
try trc stat --from 'struct:<IQI,_,addr*2G,_' in
try trc stat --from 'struct:<IIQ,_,_,size' in
try trc stat --from 'struct:<IQI,time,addr,size,skip=100' in
# and in the layout.
for layout in '' '<' ',addr' '<IQI' '<IQI,time,addr' '<IQI,time,addr,size,pc' '<IQI,time,addr,addr' \
	'<IQI,_,_,_' '<IZ,time,addr' '<Id,time,addr' '<Q,adr' '<Q,addr*0' '<Q,addr*x' '<BQ,type,addr' \
	'<BQ,type,addr,read=1,write=1' '<BQ,type,addr,reads=1' '<BQ,type,addr,read=x' '<Q,addr,read=1' \
	'<5000Q,addr' '<Q,event' '<Q,addr,skip=x'; do
	try trc stat --from "struct:$layout" in
done
# A long of the machine has 8 bytes, and a standard one 4.
printf '\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0' >longs
try trc decode --from struct:l,addr --to csv longs
try trc decode --from 'struct:<l,addr' --to csv longs
