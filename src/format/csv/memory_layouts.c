/* SPDX-License-Identifier: MIT
 *
 * Traces of memory references of simulators and courses:
 *
 *   31: read 0x400140          dramsys
 *   12 R 0x1fffffc0 0x400a3c   usimm
 *   5 W 0x1a5db58 0x0 0        nvmain
 *   1 W 140734192927288 8      prospero
 *   R 4 0.123456 1 0xb0000...  mmiotrace
 *    L 7ff0005c8,8 1           csapp
 *   load 0x1a2b                op-addr
 *   # 0 7fffed80 1             ucsd
 *   l 0x2ffff150 1             jhu
 *   2 408ed4                   psu
 *   3 00007a50                 smpcache
 *   W,0x2ffff150,17            rw-value
 *   W 0x2ffff150 17            rw-data
 *   L 00400a3c 1fffffc0        lsbc
 *   208,1,118725548            pc-op-addr
 *   7, 0, 0, 1, 8, 0xff.., 0x4 armie
 *   1 48d1e9 -1 5 3 - - L -200 7fffe7ff088 48d1f0 0 CMP LOAD   cis501
 *   R 1ffff:4                  memsim
 *   36, 11, 7ffe1e39c740, 4004cc, 0   ml-prefetch
 *
 * dramsys: .stl files of DRAMSys (its StlPlayer): cycle, a colon, read or write, address, and data,
 * which are skipped. Times in brackets, which count from the previous request, are refused.
 *
 * usimm: USIMM (Chatterjee, Balasubramonian et al., UUCS-12-002; sscanf() in its main.c): the
 * number of preceding instructions that are not references, which is skipped, R or W, address and,
 * for a read, the pc; in hexadecimal.
 *
 * nvmain: NVMain (Poremba, Xie, ISVLSI 2012; its NVMainTraceReader): cycle, R or W, address, data,
 * which are skipped, and thread. It is recognised by the data of writes, where USIMM has none, and
 * by reads that have 0 there.
 *
 * prospero: text of SST's Prospero (ProsperoTextTraceReader): cycle, R or W, address, bytes; in
 * decimal.
 *
 * mmiotrace: traces of the kernel (mmiotrace in its Documentation/trace): R or W, bytes, seconds,
 * map, physical address, value, pc, pid. Seconds become microseconds; mappings and marks are
 * skipped. It is recognised by its first line, VERSION 20070824.
 *
 * csapp: the lines of lackey followed by a value, in the cache lab of CS:APP.
 *
 * op-addr: any word for a type, and a hexadecimal address. D, a reference to data of unknown type,
 * is misc.
 *
 * ucsd, jhu: caches of courses: #, then 0 for a load or 1 for a store, and a hexadecimal address;
 * or l or s, and an address. The number after them, which counts instructions, is skipped.
 *
 * psu: a cache of Portland State's ECE 485 and 585: 0 loads, 1 stores, 2 fetches, 3 invalidates; 4
 * to 6 belong to other processors, 8 clears and 9 prints, which may have no address.
 *
 * smpcache: traces of SMPCache (its manual, "trace files"; .prg): 0 fetches, 2 loads, 3 stores, as
 * no other label does, and a hexadecimal address.
 *
 * rw-value, rw-data: R or W, an address, and after W the value that is written, separated by commas
 * or blanks.
 *
 * lsbc: a processor and its caches, of a course: a load or a store, its pc and its address.
 * Branches and whether they are taken, and computing, C, and its cycles, are skipped.
 *
 * pc-op-addr: the instructions of a course, in decimal: the pc and, for one that refers to data, 0
 * to load or 1 to store, and the address; other instructions have empty fields, and are skipped.
 *
 * armie: memory traces of Arm's Instruction Emulator, as SVE Cache Simulator reads them: number,
 * thread, which part of a gather or scatter it is, 1 for a store, bytes, address, pc. The number
 * and the part are skipped.
 *
 * cis501: micro-operations of the University of Pennsylvania's CIS 501 (its "trace format"): which
 * of its instruction, pc, three registers, flags, branch, L or S, offset, address, next pc, target,
 * two names. Those without a reference are skipped.
 *
 * memsim: MemSim (Wingbermuehle; its README): R or W, an address and bytes; I, which it waits for,
 * and cycles, are skipped.
 *
 * ml-prefetch: load traces of the ML-based prefetching competition (MLArchSys 2021, its README):
 * number of the instruction, cycle, address, pc, and whether it hit the last-level cache; the first
 * and the last are skipped.
 *
 * usimm is recognised by the pc that a read has and a write has not, and likewise rw-value and
 * rw-data by their values; psu by lines that clear or print, and have no address but 0, or by
 * comments; lsbc by branches or computing; pc-op-addr by lines of a pc alone. prospero,
 * smpcache and ml-prefetch could be something else as well: they need --from.
 */
#include "format/csv/layout.h"

#define REFERENCES (TRC_HAS_TYPE | TRC_HAS_ADDR)

const struct trc_format trc_family_memory_layouts[] = {
	{
	        .name = "dramsys",
	        .doc = "requests as DRAMSys reads them",
	        .ending = ".stl",
	        .holds = REFERENCES | TRC_HAS_TIME,
	        .gives = TRC_LAYOUT_READS_AND_WRITES,
	        .as = "csv:separator=any,comment=#,fields=3+,time=1,type=2,addr=3",
	        TRC_LAYOUT("CYCLE: read|write 0xADDRESS ...", .shown = TRC_LAYOUT_BY_SHAPE,
	                   .shape = "9: a x*|9:a x*"),
	},
	{
	        .name = "usimm",
	        .doc = "requests as USIMM reads them",
	        .holds = REFERENCES | TRC_HAS_PC,
	        .gives = TRC_LAYOUT_READS_AND_WRITES,
	        .unshown = true,
	        .as = "csv:separator=blank,fields=4,hex,type=2,addr=3,pc=4?",
	        TRC_LAYOUT("INSTRUCTIONS R|W ADDRESS PC", .shown = TRC_LAYOUT_BY_SHAPE,
	                   .shape = "n R x x&n W x"),
	        .changes = "instructions without references are skipped; a write has pc 0",
	},
	{
	        .name = "nvmain",
	        .doc = "requests as NVMain reads them",
	        .holds = REFERENCES | TRC_HAS_TIME | TRC_HAS_TASK,
	        .gives = TRC_LAYOUT_READS_AND_WRITES,
	        .unshown = true,
	        .as = "csv:separator=blank,fields=5,coded,time=1,type=2,read=R,write=W,addr=3,task=5",
	        TRC_LAYOUT("CYCLE R|W 0xADDRESS DATA THREAD", .shown = TRC_LAYOUT_BY_SHAPE,
	                   .shape = "n R x z n|n W x H n"),
	        .changes = "data is skipped",
	},
	{
	        .name = "prospero",
	        .doc = "text of SST's Prospero",
	        .holds = TRC_LAYOUT_REQUESTS,
	        .gives = TRC_LAYOUT_READS_AND_WRITES,
	        .as = "csv:separator=blank,fields=4,time=1,type=2,addr=3,size=4",
	        TRC_LAYOUT_NAMED("CYCLE R|W ADDRESS SIZE", NULL),
	},
	{
	        .name = "mmiotrace",
	        .doc = "the kernel's traces of memory-mapped input and output",
	        .second = TRC_LAYOUT_SECOND,
	        .holds = TRC_LAYOUT_REQUESTS | TRC_HAS_PC,
	        .gives = TRC_LAYOUT_READS_AND_WRITES,
	        .as = "csv:separator=blank,comment=#,fields=8,type=1,size=2,time=3*1e6,addr=5,pc=7,"
	              "ignore=MAP:UNMAP:MARK:VERSION:LSPCI:PCIDEV:UNKNOWN",
	        TRC_LAYOUT_NAMED("R|W WIDTH TIME MAP ADDRESS VALUE PC PID", "VERSION 20070824"),
	        .changes = "mappings, marks and values are skipped",
	},
	{
	        .name = "csapp",
	        .doc = "lackey's lines with a value after them",
	        .holds = REFERENCES | TRC_HAS_SIZE,
	        .as = "csv:separator=any,hex,fields=4,type=1,addr=2,size=3",
	        TRC_LAYOUT("I|L|S|M ADDRESS,SIZE VALUE", .shown = TRC_LAYOUT_BY_SHAPE,
	                   .shape = "a h,9 h|a a,9 h"),
	        .changes = "values are skipped",
	},
	{
	        .name = "op-addr",
	        .doc = "a type in any words, and a hexadecimal address",
	        .holds = REFERENCES,
	        .base = 16,
	        .as = "csv:separator=blank,comment=#://,hex,fields=2,type=1,addr=2,misc=D",
	        TRC_LAYOUT("WORD ADDRESS", .shown = TRC_LAYOUT_BY_SHAPE, .shape = "a h"),
	},
	{
	        .name = "ucsd",
	        .doc = "#, 0 or 1, and an address, of a course",
	        .holds = REFERENCES,
	        .gives = TRC_LAYOUT_READS_AND_WRITES,
	        .as = "csv:separator=blank,hex,fields=4,coded,only=1:#,type=2,read=0,write=1,addr=3",
	        TRC_LAYOUT("# 0|1 ADDRESS INSTRUCTIONS", .shown = TRC_LAYOUT_BY_SHAPE,
	                   .shape = "# 9 h 9"),
	        .changes = "instruction numbers are skipped",
	},
	{
	        .name = "jhu",
	        .doc = "l or s, and an address, of a course",
	        .holds = REFERENCES,
	        .gives = TRC_LAYOUT_READS_AND_WRITES,
	        .base = 16,
	        .unshown = true,
	        .as = "csv:separator=blank,hex,fields=3,coded,type=1,read=l,write=s,addr=2",
	        TRC_LAYOUT("l|s ADDRESS GAP", .shown = TRC_LAYOUT_BY_SHAPE, .shape = "l x n|s x n"),
	        .changes = "instruction numbers are skipped",
	},
	{
	        .name = "psu",
	        .doc = "0 to 9 and an address, of a course",
	        .holds = REFERENCES,
	        .base = 16,
	        .unshown = true,
	        .as = "csv:separator=blank,comment=//,coded,hex,except=1:8:9,type=1,addr=2,read=0,"
	              "write=1,fetch=2,invalidate=3,ignore=4:5:6",
	        TRC_LAYOUT("0|1|2|3|4|5|6|8|9 ADDRESS", .shown = TRC_LAYOUT_BY_SHAPE,
	                   .shape = "n h", .passed = "n|n z"),
	        .changes =
	                "reads and writes of other processors, clearing and printing are skipped",
	},
	{
	        .name = "smpcache",
	        .doc = "traces of SMPCache (.prg)",
	        .ending = ".prg",
	        .holds = REFERENCES,
	        .base = 16,
	        .as = "csv:separator=blank,fields=2,coded,hex,type=1,fetch=0,read=2,write=3,addr=2",
	        TRC_LAYOUT_NAMED("0|2|3 ADDRESS", NULL),
	},
	{
	        .name = "rw-value",
	        .doc = "R or W and an address, and the value that is written",
	        .holds = REFERENCES,
	        .gives = TRC_LAYOUT_READS_AND_WRITES,
	        .unshown = true,
	        .as = "csv:separator=comma,fields=2+,type=1,addr=2",
	        TRC_LAYOUT("R|W,0xADDRESS,VALUE", .shown = TRC_LAYOUT_BY_SHAPE,
	                   .shape = "R,x,&W,x,h"),
	        .changes = "values are skipped",
	},
	{
	        .name = "rw-data",
	        .doc = "R and an address; W, an address and what is written",
	        .holds = REFERENCES,
	        .gives = TRC_LAYOUT_READS_AND_WRITES,
	        .unshown = true,
	        .as = "csv:separator=blank,comment=#,fields=2+,coded,type=1,read=R,write=W,addr=2",
	        TRC_LAYOUT("R|W 0xADDRESS DATA", .shown = TRC_LAYOUT_BY_SHAPE,
	                   .shape = "R x&W x *"),
	        .changes = "the data written is skipped",
	},
	{
	        .name = "lsbc",
	        .doc = "L or S, a pc and an address, of a course",
	        .holds = REFERENCES | TRC_HAS_PC,
	        .gives = TRC_LAYOUT_READS_AND_WRITES,
	        .unshown = true,
	        .as = "csv:separator=blank,fields=3,coded,hex,except=1:B:C,type=1,read=L,write=S,pc=2,"
	              "addr=3",
	        TRC_LAYOUT("L|S|B|C PC VALUE", .shown = TRC_LAYOUT_BY_SHAPE, .shape = "a h h",
	                   .passed = "a h *"),
	        .changes = "branches and computing are skipped",
	},
	{
	        .name = "pc-op-addr",
	        .doc = "a pc, 0 or 1, and an address, of a course",
	        .holds = REFERENCES | TRC_HAS_PC,
	        .gives = TRC_LAYOUT_READS_AND_WRITES,
	        .unshown = true,
	        .as = "csv:separator=comma,fields=3,only=2:0:1,type=2,read=0,write=1,pc=1,addr=3",
	        TRC_LAYOUT("PC,0|1,ADDRESS", .shown = TRC_LAYOUT_BY_SHAPE, .shape = "n,0,n&n,1,n",
	                   .passed = "n,,"),
	        .changes = "instructions without references are skipped",
	},
	{
	        .name = "armie",
	        .doc = "memory traces of Arm's Instruction Emulator",
	        .holds = REFERENCES | TRC_HAS_SIZE | TRC_HAS_PC | TRC_HAS_TASK,
	        .gives = TRC_LAYOUT_READS_AND_WRITES,
	        .as = "csv:separator=comma,fields=7,coded,task=2,type=4,read=0,write=1,size=5,addr=6,"
	              "pc=7",
	        TRC_LAYOUT("NUMBER,THREAD,BUNDLE,0|1,SIZE,0xADDRESS,0xPC",
	                   .shown = TRC_LAYOUT_BY_SHAPE, .shape = "n,n,n,0,n,x,x|n,n,n,1,n,x,x"),
	        .changes = "numbers and parts of gathers and scatters are skipped",
	},
	{
	        .name = "cis501",
	        .doc = "micro-operations, of a course",
	        .holds = REFERENCES | TRC_HAS_PC,
	        .gives = TRC_LAYOUT_READS_AND_WRITES,
	        .unshown = true,
	        .as = "csv:separator=blank,fields=14,coded,hex,except=8:-,type=8,read=L,write=S,pc=2,"
	              "addr=10",
	        TRC_LAYOUT(
	                "NUMBER PC REGISTER REGISTER REGISTER FLAGS T|N|- L|S|- OFFSET ADDRESS ...",
	                .shown = TRC_LAYOUT_BY_SHAPE,
	                .shape = "n h w w w w w L w h h h w w&n h w w w w w S w h h h w w",
	                .passed = "n h w w w w w - w h h h w w"),
	        .changes = "operations without references are skipped",
	},
	{
	        .name = "memsim",
	        .doc = "requests as MemSim reads them",
	        .holds = REFERENCES | TRC_HAS_SIZE,
	        .gives = TRC_LAYOUT_READS_AND_WRITES,
	        .as = "csv:separator=any,fields=2+,coded,hex,except=1:I,type=1,read=R,write=W,addr=2,"
	              "size=3",
	        TRC_LAYOUT("R|W ADDRESS:SIZE", .shown = TRC_LAYOUT_BY_SHAPE, .shape = "a h:n|a a:n",
	                   .passed = "I n"),
	        .changes = "times without references are skipped",
	},
	{
	        .name = "ml-prefetch",
	        .doc = "load traces of the ML prefetching competition",
	        .holds = REFERENCES | TRC_HAS_TIME | TRC_HAS_PC,
	        .gives = UINT32_C(1) << TRC_READ,
	        .as = "csv:separator=comma,fields=5,coded,hex,time=2,type=5,read=0:1,addr=3,pc=4",
	        .unshown = true,
	        TRC_LAYOUT("NUMBER, CYCLE, ADDRESS, PC, 0|1", .shape = "n,n,h,h,0|n,n,h,h,1",
	                   .rising = 1),
	        .changes = "numbers, and what hit the cache, are skipped",
	},
	{ .name = NULL },
};
