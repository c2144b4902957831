# SPDX-License-Identifier: MIT
# Physical addresses by a map of pages: DynamoRIO's v2p.textproto, a table, and the markers of drmemtrace. Pages
# that have none are counted and named, and refused unless it is known what becomes of them.
cat >v2p.textproto <<'END'
# a comment
address_mapping_group {
  page_size: 0x1000
  address_mapping { virtual_address: 0x1000 physical_address: 0x80000 }
  address_mapping {
    virtual_address: 8192
    physical_address: 528384
  }
  address_mapping {
    virtual_address: 0x3000
    physical_address: 0x4000
  }
  information { page_count: 3 bytes_mapped: 12288 }
}
END
printf 'vpn,ppn\n1,0x80\n\n0x2,129\n3,4\n' >pages.csv
# Pages 1 and 2 are neighbours, 2 and 3 are not.
printf '%s\n' type,addr,size,asid fetch,0x1004,4,7 read,0x1010,4,7 write,0x1ffc,8,7 read,0x2ffc,8,7 fetch,0x2ffe,4,7 \
	modify,0x3000,4,7 read,0x1ff0,8200,7 invalidate,0x9000,0,7 prefetch,0x2000,1,7 >all.csv
try trc decode --v2p v2p.textproto all.csv
trc decode --v2p v2p.textproto all.csv >one 2>/dev/null
trc decode --v2p pages.csv all.csv 2>/dev/null | cmp - one && echo the same
trc encode -q all.csv all.trc
trc encode -q --v2p pages.csv all.trc physical.trc
trc decode physical.trc 2>/dev/null | cmp - one && echo the same
trc stat physical.trc | grep addresses
# Pages that have none.
{ cat all.csv && printf '%s\n' read,0x9000,4,7 write,0xa000,4,7 read,0x9ffc,8,7 read,0x3ffc,8,7; } >more.csv
try trc decode --v2p pages.csv more.csv
trc decode --v2p pages.csv --unmapped drop more.csv 2>notes | tail -n 2
cat notes
trc decode --v2p pages.csv --unmapped keep more.csv 2>notes | tail -n 5
cat notes
try trc encode --v2p pages.csv more.csv none.trc
ls none.trc 2>/dev/null
# Spaces; large pages.
printf '1,5,7\n1,6,8\n' >spaces
printf 'type,addr,size,asid\nread,0x1010,4,7\nread,0x1010,4,8\n' >two.csv
try trc decode --v2p spaces two.csv
try trc decode --v2p spaces --unmapped drop data.din
printf '1 5\n' >one-space
try trc decode --v2p one-space two.csv
try trc decode --v2p one-space --space 8 two.csv
try trc decode --v2p one-space --v2p-page 2M --unmapped drop --only write all.csv
printf '0 200010\n1 3fffff\n' >large.din
try trc decode --v2p one-space --v2p-page 2M large.din
# The markers of a trace, where pages move, and are lost.
printf '%s\n' type,addr,size,asid,task,event 'event,0,0,0,5,! page-size 4096' 'event,0,0,0,5,! physical-address 0x7000' \
	'event,0,0,0,5,! virtual-address 0x1000' read,0x1008,8,5,5, 'event,0,0,0,5,! physical-address 0x9000' \
	'event,0,0,0,5,! virtual-address 0x1000' read,0x1008,8,5,5, \
	'event,0,0,0,5,! physical-address-not-available 0x1000' read,0x1008,8,5,5, >markers.csv
try trc decode --v2p markers --unmapped drop markers.csv
try trc decode --v2p markers markers.csv
try trc decode --v2p markers all.csv
# The path, by which branches are known, is that of virtual addresses.
try trc decode --v2p pages.csv --fill branch=path all.csv
try trc decode --v2p pages.csv --fill pc=fetch all.csv
# Files that are none.
bad() { # TEXT
	printf '%b' "$1" >bad
	try trc decode --v2p bad all.csv
}
bad ''
bad '1,2\n1,3\n'
bad '1\n'
bad '1,2\nx,3\n'
bad '1,2\n0x0x3,3\n' # whose second 0x was skipped, too
bad '1,2,3,4\n'
bad 'f,a\n' # the first row was taken for a header
bad '1,2\n3,4f\n'
bad '1,2,4294967296\n'
bad 'address_mapping { virtual_address: 0x1000 physical_address: 0x2000 }\n'
bad 'page_size: 0x200000\naddress_mapping { virtual_address: 0x123 physical_address: 0x3 }\n'
bad 'page_size: 4096\npage_size: 8192\n'
bad 'page_size: 4096\naddress_mapping { physical_address: 0x1000 }\n'
try trc decode --v2p nowhere all.csv
try trc decode --unmapped drop all.csv
try trc decode --v2p pages.csv --v2p-page 3K all.csv
# What was reduced by virtual pages is exact for these.
trc reduce -q --sad 4 --page-size 4096 "$SRC/test/data/sort.lackey.xz" small.sad
try trc decode --v2p pages.csv small.sad
trc reduce -q --cache 1K:1:64 "$SRC/test/data/sort.lackey.xz" strip.trc
try trc encode --v2p pages.csv --unmapped keep strip.trc x.trc
