/* SPDX-License-Identifier: MIT
 *
 * Tables of requests to disks, blocks and files in the form in which they were published:
 *
 *   128166372003061629,hm,1,Read,383496192,32768,1331   msr
 *   419,W,8792731648,16384,1577808144360767             alibaba-block
 *   1538323200,12910952,128,0,1063                      tencent-block
 *   0,20941264,8192,W,0.551706                          spc
 *   1456135200.013118000,0.000103,R,3,112013230080,4096 systor17
 *   1702511878,12ce-9e05,40,8192,0,42,34,putChunk....   cachelib-block
 *   1.0.0.fa,4096,bigtable,1612137600,WARM,REPLICA...   thesios
 *   89966194260283 4892 syslogd 904265560 8 W 6 0 9f2   fiu
 *   110765 64 0 0                                       arc
 *   13.191135 30 8 5 1                                  disksim
 *   W Hit 4583176 4 663.0 45422.0                       disksim-validate
 *   4851300 1 524288 16 0                               mqsim
 *   /dev/sdb read 129521664 2048                        fio-iolog2
 *   1021 /dev/sdb read 129521664 2048                   fio-iolog3
 *   8,16 1 1 1.427376394 5529 Q WS 274432 + 8 [fio]     blkparse
 *   DiskRead, 1234, sqlservr (2004), 2500, 0xfff...     etw
 *   7 1048576 131072 1570000000.5 2 1 5                 baleen
 *   52312                                               lirs
 *   0.000178 fio 1950 xvda1 W 13092432 4096 0.61        biosnoop
 *   127200712278,supervise,3570,R,4096,0,12131,run     ext4slower
 *
 * msr: block traces of MSR Cambridge (Narayanan, Donnelly, Rowstron, FAST 2008; README at SNIA
 * IOTTA, trace 388): Timestamp, Hostname, DiskNumber, Type, Offset, Size, ResponseTime. Times are
 * Windows filetimes, in 100 ns; offsets and sizes are in bytes. Disks become address spaces. Their
 * numbers are not in the file, but the 32-bit XXH3 of host and disk, the same in all files.
 *
 * alibaba-block: github.com/alibaba/block-traces (Li, Wang, Lee et al., IISWC 2020): device_id,
 * opcode, offset, length, timestamp; in bytes and microseconds. Devices become address spaces.
 *
 * tencent-block: Tencent CBS (Zhang et al., USENIX ATC 2020; README at SNIA IOTTA, trace 27917):
 * Timestamp, Offset, Size, IOType, VolumeID; in seconds and sectors of 512 bytes, 0 reads and 1
 * writes. Volumes become address spaces. Five numbers could be anything, so it is only recognised
 * by its names in the first line.
 *
 * spc: Storage Performance Council, trace file format 1.0.1, used by the Financial and WebSearch
 * traces of the UMass repository: ASU, LBA, Size, Opcode, Timestamp, and further fields, which are
 * skipped. Blocks have 512 bytes, sizes are in bytes; seconds become microseconds. Units become
 * address spaces. It is recognised by decimals in its times.
 *
 * systor17: virtual desktops of Fujitsu (Lee, Kumano, Matsuki et al., SYSTOR 2017; README at SNIA
 * IOTTA, trace 4964): Timestamp, Response, IOType, LUN, Offset, Size, as its first line names them;
 * offsets and sizes are in bytes, seconds become nanoseconds. LUNs become address spaces. Requests
 * without a type, which got no response, and response times are skipped.
 *
 * cachelib-block: chunks of Meta's Tectonic (cachelib.org, "Evaluating SSD hardware for Facebook
 * workloads"; CacheBench reads them with its BlockChunkReplayGenerator), by the names in the first
 * line: op_time, block_id, io_offset, io_size, op_name, rs_shard_id. A chunk has 8 MiB: its address
 * is 41 bits of the XXH3 of its name, followed by the offset. Shards become address spaces. A row
 * is one request, as in CacheBench; op_count, user, namespace and host are skipped.
 *
 * thesios: github.com/google-research-datasets/thesios (Phothilimthana et al., ASPLOS 2024), by the
 * names in the first line: filename, file_offset, op_type, request_io_size_bytes, start_time. The
 * address is 52 bits of the XXH3 of the file, followed by 12 bits of 0, plus the offset; seconds
 * become nanoseconds. The purpose of a request, and how the disk handled it, are skipped.
 *
 * fiu: Florida International University, I/O deduplication (Koller, Rangaswami, FAST 2010; README
 * at SNIA IOTTA, trace 391): ts pid process lba size op major minor, and digests. Times are in
 * nanoseconds, blocks have 512 bytes. Processes become tasks, devices address spaces: major, then
 * 20 bits of minor. Process names and digests are skipped.
 *
 * arc: the .lis files of ARC (Megiddo, Modha, FAST 2003; their README): start count ignore request,
 * in blocks of 512 bytes. A row is one reference to all of its blocks: --page-size 512 counts each.
 *
 * disksim, mqsim: ASCII traces of DiskSim (Bucy, Schindler, Schlosser, Ganger, CMU-PDL-08-101) and
 * MQSim (its README): time, device, first sector, sectors, and 1 for a read, 0 for a write. Sectors
 * have 512 bytes, devices become address spaces. The milliseconds of DiskSim become nanoseconds;
 * the times of MQSim, whose unit is in its configuration, are unchanged.
 *
 * disksim-validate: requests as executed by real disks, with which DiskSim is compared (its
 * "validate" traces): R or W, the result in the buffer of the disk, first sector, sectors,
 * microseconds of the request, and microseconds to the next one.
 *
 * fio-iolog2, fio-iolog3: the output of fio for write_iolog, before version 3.31 and since then
 * (its HOWTO, "Trace file format v2" and "v3"; times, in microseconds, are in v3 only): file,
 * action, offset, length. trim invalidates. Files become address spaces: the 32-bit XXH3 of the
 * name. The lines add, open, close, sync, datasync and wait are skipped, including the time of
 * wait.
 *
 * blkparse: its default output (blkparse.1 of blktrace): device, processor, number, seconds, pid,
 * action, RWBS, sector, +, sectors, [process]. A request is its Q line, where it is queued: its
 * other actions, and flushes without data, are skipped. Sectors have 512 bytes, seconds become
 * nanoseconds; devices become address spaces, the 32-bit XXH3 of "8,16". W, also after F, writes, D
 * invalidates.
 *
 * etw: disks in the output of xperf and tracerpt for Event Tracing for Windows, the form of the
 * traces of Microsoft's servers at SNIA IOTTA: event, TimeStamp, Process Name ( PID), ThreadID,
 * IrpPtr, ByteOffset, IOSize, ElapsedTime, DiskNum. Times are in microseconds; disks become address
 * spaces, threads tasks. Other events are skipped. It is recognised by its first line, BeginHeader.
 *
 * baleen: traces of Meta's Tectonic, 2019 to 2023 (Wong, Wu, Molina et al., "Baleen", FAST 2024;
 * fields as in github.com/wonglkd/Baleen-FAST24): after comments, block_id io_offset io_size
 * op_time op_name, and others. A block has 8 MiB; seconds become nanoseconds. 1, 2 and 5 read; 3, 4
 * and 6 write. op_count, whose position differs between files, is skipped.
 *
 * lirs: traces of LIRS (Jiang, Zhang, SIGMETRICS 2002): one block number per line, read as a page;
 * an asterisk between parts, by which it is recognised.
 *
 * biosnoop: output of the tool of bcc (its biosnoop_example.txt), by its first line. Sectors have
 * 512 bytes, seconds become microseconds; processes become tasks, disks address spaces. A name of a
 * process with blanks is refused.
 *
 * ext4slower: output of that tool of bcc and its kin, with -j (its source), by its first line, in
 * bytes. Files become address spaces, processes tasks; opening and fsync are skipped.
 *
 * arc is recognised by a third field of 0, which no table with sizes there has, and by request
 * numbers, or none, in the fourth. disksim and mqsim are recognised by times that never decrease,
 * with and without decimals, before requests to disks: all programs that write these five fields
 * (also HUST's SSDSim) have 1 for a read. tencent-block, fiu and baleen are recognised by a first
 * line of names, which their files lack, so they need --from. A row here is only the --from csv
 * that the file needs. Most rows of msr, alibaba-block and spc must be whole blocks of 512 bytes,
 * up to 16 MiB, and in the latter two on disks up to 1023; otherwise the fields are in another
 * order, or in other units.
 */
#include "format/csv/layout.h"

#define FILETIME_1970 UINT64_C(116444736000000000)

#define DISK_MOST 1023

#define FIU_NAMES "ts pid process lba size op major minor"

#define SECTORS "separator=blank,coded,asid=2,addr=3*512,size=4*512,type=5,write=0,read=1,"

#define ACTIONS \
	"coded,read=read,write=write,invalidate=trim,ignore=add:open:close:sync:datasync:wait"

const struct trc_format trc_family_block_layouts[] = {
	{
	        .name = "msr",
	        .doc = "block traces of MSR Cambridge",
	        .blocks = true,
	        .second = 10 * TRC_LAYOUT_SECOND,
	        .holds = TRC_LAYOUT_REQUESTS | TRC_HAS_ASID,
	        .gives = TRC_LAYOUT_READS_AND_WRITES,
	        .as = "csv:space=2+3,fields=7,coded,time=1,type=4,read=read,write=write,addr=5,size=6",
	        TRC_LAYOUT("Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime",
	                   .shown = TRC_LAYOUT_BY_TIME, .least = FILETIME_1970,
	                   .most = FILETIME_1970 + UINT64_C(50000000000000000), .disk = UINT32_MAX),
	        .changes = "spaces are the 32-bit XXH3 of host and disk",
	},
	{
	        .name = "alibaba-block",
	        .doc = "block traces of Alibaba",
	        .blocks = true,
	        .second = TRC_LAYOUT_SECOND,
	        .holds = TRC_LAYOUT_REQUESTS | TRC_HAS_ASID,
	        .gives = TRC_LAYOUT_READS_AND_WRITES,
	        .as = "csv:fields=5,coded,asid=1,type=2,read=r,write=w,addr=3,size=4,time=5",
	        TRC_LAYOUT("device_id,opcode,offset,length,timestamp", .shown = TRC_LAYOUT_BY_TIME,
	                   .least = UINT64_C(1000000000) * TRC_LAYOUT_SECOND,
	                   .most = UINT64_C(5000000000) * TRC_LAYOUT_SECOND, .disk = DISK_MOST),
	},
	{
	        .name = "tencent-block",
	        .doc = "block traces of Tencent, in sectors",
	        .blocks = true,
	        .second = 1,
	        .holds = TRC_LAYOUT_REQUESTS | TRC_HAS_ASID,
	        .gives = TRC_LAYOUT_READS_AND_WRITES,
	        .as = "csv:fields=5,coded,time=1,addr=2*512,size=3*512,type=4,read=0,write=1,asid=5",
	        TRC_LAYOUT_NAMED("Timestamp,Offset,Size,IOType,VolumeID", NULL),
	},
	{
	        .name = "spc",
	        .doc = "block traces of the SPC, as UMass has them",
	        .blocks = true,
	        .second = TRC_LAYOUT_SECOND,
	        .holds = TRC_LAYOUT_REQUESTS | TRC_HAS_ASID,
	        .gives = TRC_LAYOUT_READS_AND_WRITES,
	        .as = "csv:fields=5+,coded,asid=1,addr=2*512,size=3,type=4,read=r,write=w,time=5*1e6",
	        TRC_LAYOUT("ASU,LBA,Size,Opcode,Timestamp", .shown = TRC_LAYOUT_BY_PARTS,
	                   .disk = DISK_MOST),
	        .doubt = "assuming blocks of 512 bytes and times in seconds; if not: --from "
	                 "csv:asid=1,addr=2,size=3,type=4,time=5 with factors",
	},
	{
	        .name = "systor17",
	        .doc = "block traces of SYSTOR 2017",
	        .blocks = true,
	        .second = 1000 * TRC_LAYOUT_SECOND,
	        .holds = TRC_LAYOUT_REQUESTS | TRC_HAS_ASID,
	        .gives = TRC_LAYOUT_READS_AND_WRITES,
	        .as = "csv:fields=6,time=1*1e9,type=3,asid=4,addr=5,size=6,ignore=:",
	        TRC_LAYOUT_NAMED("Timestamp,Response,IOType,LUN,Offset,Size", NULL),
	        .changes = "requests without a type, which got no response, are skipped",
	},
	{
	        .name = "cachelib-block",
	        .doc = "block traces of Meta, for CacheLib",
	        .blocks = true,
	        .second = 1,
	        .holds = TRC_LAYOUT_REQUESTS | TRC_HAS_ASID,
	        .gives = TRC_LAYOUT_READS_AND_WRITES,
	        .as = "csv:time=op_time,hash,addr=block_id*8M+io_offset,size=io_size,type=op_name,"
	              "asid=rs_shard_id,"
	              "read=getChunkData.NotInitialized:getChunkData.Permanent,"
	              "write=putChunk.NotInitialized:putChunk.Permanent",
	        TRC_LAYOUT_NAMED("op_time,block_id,io_offset,io_size,op_name,rs_shard_id,...",
	                         NULL),
	        .changes = "addresses are 41 bits of XXH3 and the offset; op_count is skipped",
	},
	{
	        .name = "thesios",
	        .doc = "requests to storage servers of Google",
	        .blocks = true,
	        .second = 1000 * TRC_LAYOUT_SECOND,
	        .holds = TRC_LAYOUT_REQUESTS,
	        .gives = TRC_LAYOUT_READS_AND_WRITES,
	        .as = "csv:time=start_time*1e9,hash,addr=filename*4K+file_offset,type=op_type,"
	              "size=request_io_size_bytes",
	        TRC_LAYOUT_NAMED(
	                "filename,file_offset,op_type,request_io_size_bytes,start_time,...", NULL),
	        .changes = "addresses are XXH3 of the file, in pages of 4 KiB, and the offset",
	},
	{
	        .name = "fiu",
	        .doc = "block traces of FIU",
	        .blocks = true,
	        .second = 1000 * TRC_LAYOUT_SECOND,
	        .holds = TRC_LAYOUT_REQUESTS | TRC_HAS_ASID | TRC_HAS_TASK,
	        .gives = TRC_LAYOUT_READS_AND_WRITES,
	        .as = "csv:separator=blank,fields=8+,time=1,task=2,addr=4*512,size=5*512,type=6,"
	              "asid=7*1048576+8",
	        TRC_LAYOUT_NAMED(FIU_NAMES " ...", FIU_NAMES " md5"),
	},
	{
	        .name = "arc",
	        .doc = "block traces of ARC (.lis)",
	        .blocks = true,
	        .ending = ".lis",
	        .holds = TRC_HAS_ADDR | TRC_HAS_SIZE,
	        .unshown = true,
	        .as = "csv:fields=4,separator=blank,addr=1*512,size=2*512",
	        TRC_LAYOUT("start count ignore request", .shown = TRC_LAYOUT_BY_SHAPE,
	                   .shape = "n n 0 n", .rising = 4),
	        .changes = "a row is one reference to all its blocks of 512 bytes",
	},
	{
	        .name = "disksim",
	        .doc = "ASCII traces of DiskSim",
	        .blocks = true,
	        .second = 1000 * TRC_LAYOUT_SECOND,
	        .holds = TRC_LAYOUT_REQUESTS | TRC_HAS_ASID,
	        .gives = TRC_LAYOUT_READS_AND_WRITES,
	        .unshown = true,
	        .as = "csv:fields=5," SECTORS "time=1*1e6",
	        TRC_LAYOUT("time device block count 0|1", .names = "time device block count flags",
	                   .shown = TRC_LAYOUT_BY_SHAPE, .disk = DISK_MOST,
	                   .shape = "n.n n n n 0|n.n n n n 1", .rising = 1),
	},
	{
	        .name = "disksim-validate",
	        .doc = "requests that DiskSim was validated by",
	        .blocks = true,
	        .holds = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE,
	        .gives = TRC_LAYOUT_READS_AND_WRITES,
	        .unshown = true,
	        .as = "csv:fields=6,separator=blank,coded,type=1,read=R,write=W,addr=3*512,size=4*512",
	        TRC_LAYOUT("R|W Hit|Miss|Doub|Trip BLOCK COUNT TIME TIME",
	                   .shown = TRC_LAYOUT_BY_SHAPE,
	                   .shape = "R a n n n.n n.n&W a n n n.n n.n"),
	        .changes = "hits and misses of the disk, and its times, are skipped",
	},
	{
	        .name = "mqsim",
	        .doc = "ASCII traces of MQSim",
	        .blocks = true,
	        .holds = TRC_LAYOUT_REQUESTS | TRC_HAS_ASID,
	        .gives = TRC_LAYOUT_READS_AND_WRITES,
	        .unshown = true,
	        .as = "csv:fields=5," SECTORS "time=1",
	        TRC_LAYOUT("time device sector count 0|1", .names = "time device sector count type",
	                   .shown = TRC_LAYOUT_BY_SHAPE, .disk = DISK_MOST,
	                   .shape = "n n n n 0|n n n n 1", .rising = 1),
	},
	{
	        .name = "fio-iolog2",
	        .doc = "what fio writes for write_iolog, version 2",
	        .blocks = true,
	        .holds = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_ASID,
	        .gives = TRC_LAYOUT_CACHED,
	        .as = "csv:space=1,fields=4,separator=blank,type=2,addr=3,size=4," ACTIONS,
	        TRC_LAYOUT_NAMED("file action offset length", "fio version 2 iolog"),
	        .changes = "spaces are the 32-bit XXH3 of the file; open, sync and the like are "
	                   "skipped",
	},
	{
	        .name = "fio-iolog3",
	        .doc = "what fio writes for write_iolog, version 3",
	        .blocks = true,
	        .holds = TRC_LAYOUT_REQUESTS | TRC_HAS_ASID,
	        .gives = TRC_LAYOUT_CACHED,
	        .as = "csv:space=2,fields=5,separator=blank,time=1,type=3,addr=4,size=5," ACTIONS,
	        TRC_LAYOUT_NAMED("time file action offset length", "fio version 3 iolog"),
	        .changes = "spaces are the 32-bit XXH3 of the file; open, sync and the like are "
	                   "skipped",
	},
	{
	        .name = "blkparse",
	        .doc = "what blkparse prints",
	        .blocks = true,
	        .second = 1000 * TRC_LAYOUT_SECOND,
	        .holds = TRC_LAYOUT_REQUESTS | TRC_HAS_ASID | TRC_HAS_TASK,
	        .gives = TRC_LAYOUT_CACHED,
	        .as = "csv:separator=blank,only=6:Q,except=8:[*,space=1,time=4*1e9,task=5,type=7,"
	              "addr=8*512,size=10*512,read=R*,write=W*:FW*,invalidate=D*:FD*,ignore=*",
	        TRC_LAYOUT("DEVICE CPU NUMBER TIME PID ACTION RWBS SECTOR + SECTORS ...",
	                   .shown = TRC_LAYOUT_BY_SHAPE, .shape = "9,9 9 9 9 9 Q a 9 + 9*"),
	        .changes = "requests are Q lines; spaces are the 32-bit XXH3 of the device",
	},
	{
	        .name = "etw",
	        .doc = "disks in Event Tracing for Windows",
	        .blocks = true,
	        .second = TRC_LAYOUT_SECOND,
	        .holds = TRC_LAYOUT_REQUESTS | TRC_HAS_ASID | TRC_HAS_TASK,
	        .gives = TRC_LAYOUT_READS_AND_WRITES,
	        .as = "csv:separator=comma,only=1:DiskRead:DiskWrite,except=2:TimeStamp,type=1,"
	              "read=DiskRead,write=DiskWrite,time=2,task=4,addr=6,size=7,asid=9",
	        TRC_LAYOUT_NAMED(
	                "DiskRead|DiskWrite,TimeStamp,Process,ThreadID,IrpPtr,ByteOffset,IOSize,...",
	                "BeginHeader"),
	        .changes = "events other than DiskRead and DiskWrite are skipped",
	},
	{
	        .name = "baleen",
	        .doc = "block traces of Meta, for Baleen",
	        .blocks = true,
	        .second = 1000 * TRC_LAYOUT_SECOND,
	        .holds = TRC_LAYOUT_REQUESTS,
	        .gives = TRC_LAYOUT_READS_AND_WRITES,
	        .as = "csv:separator=blank,coded,comment=#,fields=5+,addr=1*8M+2,size=3,time=4*1e9,type=5,"
	              "read=1:2:5,write=3:4:6",
	        TRC_LAYOUT_NAMED(
	                "block_id io_offset io_size op_time op_name ...",
	                "block_id io_offset io_size op_time op_name user_namespace user_name"),
	        .changes = "a row is one request; op_count is skipped",
	},
	{
	        .name = "lirs",
	        .doc = "traces of LIRS, blocks as pages",
	        .holds = TRC_HAS_VPN,
	        .as = "csv:comment=*,fields=1,vpn=1",
	        TRC_LAYOUT("BLOCK", .names = "", .shown = TRC_LAYOUT_BY_COMMENTS),
	},
	{
	        .name = "biosnoop",
	        .doc = "what biosnoop prints",
	        .blocks = true,
	        .second = TRC_LAYOUT_SECOND,
	        .holds = TRC_LAYOUT_REQUESTS | TRC_HAS_ASID | TRC_HAS_TASK,
	        .gives = TRC_LAYOUT_CACHED,
	        .as = "csv:separator=blank,fields=8+,time=1*1e6,task=3,space=4,type=5,addr=6*512,size=7,"
	              "coded,read=R*,write=W*:FW*,invalidate=D*,ignore=*",
	        TRC_LAYOUT_NAMED("TIME(s) COMM PID DISK T SECTOR BYTES ...", NULL),
	        .changes = "spaces are the 32-bit XXH3 of the disk",
	},
	{
	        .name = "ext4slower",
	        .doc = "slow requests to files, of bcc",
	        .blocks = true,
	        .second = TRC_LAYOUT_SECOND,
	        .holds = TRC_LAYOUT_REQUESTS | TRC_HAS_ASID | TRC_HAS_TASK,
	        .gives = TRC_LAYOUT_READS_AND_WRITES,
	        .as = "csv:time=ENDTIME_us,task=PID,coded,type=TYPE,read=R,write=W,ignore=O:S,size=BYTES,"
	              "addr=OFFSET_b,space=FILE",
	        TRC_LAYOUT_NAMED("ENDTIME_us,TASK,PID,TYPE,BYTES,OFFSET_b,LATENCY_us,FILE", NULL),
	        .changes = "opening and fsync are skipped",
	},
	{ .name = NULL },
};
