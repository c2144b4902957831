/* SPDX-License-Identifier: MIT
 *
 * Tables of requests to object caches and object stores in the form in which they were published:
 *
 *   0,nz:u:eeW511W3dcH3de3d15ec,17,213,4,get,0          twitter
 *   604038471,82131353f9ddc8c6,48,GET,3,87,1,0,36,30    cachelib-kv
 *   1678863569000,12ce23eaa5534a38,1,8388608,...        meta-cdn
 *   1219008 REST.PUT.OBJECT 8d4fcda3d675bac9 1056       ibm-cos
 *   0 833946053 jpeg 20735 1.46e-4                      wiki-cdn, with tabs
 *   1 253 23762                                         webcachesim
 *   20160201164604 085abb02a068... 5 m 12903 1 PHONE 1  tencent-photo
 *   418,1,A,8371                                        object-store
 *   1286536308.7 180 10.0.0.1 TCP_HIT/200 411 GET http://a/... squid
 *   929840891 1190146243.326 http://a/wiki/B -          wikibench
 *   READ usertable user62847818 [ <all fields>]         ycsb
 *   1560000000277398,667,9,4163,0,default,1,102,1,...   rocksdb-blocks
 *
 * twitter: github.com/twitter/cache-trace (Yang, Yue, Rashmi, OSDI 2020): timestamp, anonymized
 * key, key size, value size, client id, operation, TTL. A key becomes an address, its 64-bit XXH3;
 * the size is that of the value, the client the task; times and TTLs are in seconds. A get reads, a
 * delete invalidates; incr, decr, cas, append and prepend modify; all others write.
 *
 * cachelib-kv: Meta's key-value caches, 2022 and 2024 (cachelib.org, "Evaluating SSD hardware for
 * Facebook workloads"; CacheBench reads them with its KVReplayGenerator), by the names in the first
 * line: key, op, op_count, size; op_time and ttl, in seconds, may be missing. A key becomes an
 * address, its XXH3; the size is that of the value, 0 if a GET missed. GET_LEASE reads, SET_LEASE
 * writes, DELETE invalidates. A line is op_count requests, so it is read as that many rows. The
 * client and hits are skipped.
 *
 * meta-cdn: Meta's CDN, 2023 and 2025 (cachelib.org, "Evaluating SSD hardware for Facebook
 * workloads"; fields as in github.com/cacheMon/cache_dataset), by the names in the first line:
 * timestamp, cacheKey, OpType, objectSize. The address is the XXH3 of the key, the size that of the
 * object; OpType 1 reads. Times are multiplied by 1000: milliseconds become microseconds, seconds
 * with decimals milliseconds. The requested range and the TTL are skipped; the TTL is in seconds,
 * so its factor depends on the file: --from with the row below, and ttl=TTL*1000000 if times are
 * milliseconds, or ttl=TTL*1000.
 *
 * ibm-cos: IBM's object store (Eytan, Harnik, Ofer et al., HotStorage 2020; SNIA IOTTA, trace
 * 36305): milliseconds, request, object, size, and the range that was read. Objects, which are
 * hexadecimal, are the addresses. GET reads, PUT writes, DELETE, which may have no size,
 * invalidates. HEAD, COPY and the ranges are skipped.
 *
 * wiki-cdn: Wikimedia's caches, 2019 (wikitech.wikimedia.org, Data Lake/Traffic/Caching), by the
 * names in the first line: relative_unix, hashed_path_query, response_size, for images, or
 * hashed_host_path_query for pages. The address is the XXH3 of the hash in the file.
 *
 * webcachesim: github.com/dasebe/webcachesim, and therefore AdaptSize, LRB (sunnyszy/lrb) and
 * others that read time, id and size separated by blanks; features after them are skipped. It is
 * recognised by its ending, or by a first line "time id size", which its files lack: others need
 * --from.
 *
 * tencent-photo: QQPhoto (Zhou, Sun, Wang et al., ICS 2018; README at SNIA IOTTA, trace 27476):
 * date, as YYYYMMDDHHMMSS, photo, format, resolution, size, hit or miss, terminal, response time.
 * The address is the XXH3 of the photo, the time is the number that is the date. According to its
 * README, formats other than 0 and 5 are errors, so they are skipped.
 *
 * object-store: files that begin with the comment "# timestamp (ms), op type [Put:0, Get:1,
 * Delete:2, Head: 3, Copy: 4], object id, object size (byte)". The address is the XXH3 of the
 * object; a delete may have no size. Head and Copy are skipped.
 *
 * squid: access.log of Squid in its native format (wiki.squid-cache.org, Features/LogFormat): time,
 * duration, client, result, bytes, method, URL, user, server, type. Seconds become milliseconds,
 * the address is the XXH3 of the URL, the size that of the reply. GET reads, PURGE invalidates.
 * Other methods, and results that are not TCP_..., are skipped.
 *
 * wikibench: requests to Wikipedia (wikibench.eu; Urdaneta, Pierre, van Steen, Comput. Netw. 53,
 * 2009): counter, time, URL, and a dash or save, which writes. Seconds, or dates, become
 * milliseconds; the address is the XXH3 of the URL.
 *
 * ycsb: what the basic database of YCSB prints (its BasicDB): operation, table, key, and fields or
 * values. The address is the XXH3 of the key. Tables become address spaces. A SCAN, which has only
 * its first key, is refused; other lines are skipped.
 *
 * rocksdb-blocks: accesses to RocksDB's cache of blocks, as its block_cache_trace_analyzer prints
 * them for -human_readable_trace_file_path (its wiki, "Block cache analysis and simulation tools"):
 * microseconds, block, its type, size, and 17 other fields, which are skipped. The address is the
 * number of the block.
 *
 * Other tables are read as csv with the --from that they need; a row here is no more than that.
 */
#include "format/csv/layout.h"

#define KEYS "hash,addr=key,type=op,size=size,repeat=op_count,read=GET_LEASE,write=SET_LEASE"

const struct trc_format trc_family_object_layouts[] = {
	{
	        .name = "twitter",
	        .doc = "cache requests of Twitter",
	        .objects = true,
	        .second = 1,
	        .holds = TRC_LAYOUT_REQUESTS | TRC_HAS_TASK | TRC_HAS_TTL,
	        .gives = TRC_LAYOUT_CACHED | UINT32_C(1) << TRC_MODIFY,
	        .as = "csv:fields=7,coded,time=1,hash,addr=2,size=4,task=5,type=6,ttl=7,"
	              "read=get:gets,write=set:add:replace,modify=incr:decr:cas:append:prepend,"
	              "invalidate=delete",
	        TRC_LAYOUT(
	                "timestamp,key,keySize,valueSize,client,operation,TTL",
	                .names =
	                        "timestamp,anonymized key,key size,value size,client id,operation,TTL",
	                .shown = TRC_LAYOUT_BY_WORDS),
	        .changes = "addresses are XXH3 of the keys, sizes those of the values",
	},
	{
	        .name = "cachelib-kv",
	        .doc = "requests to caches of Meta, for CacheLib",
	        .objects = true,
	        .second = 1,
	        .holds = TRC_LAYOUT_REQUESTS | TRC_HAS_TTL,
	        .gives = TRC_LAYOUT_CACHED,
	        .as = "csv:time=op_time?,ttl=ttl?," KEYS,
	        TRC_LAYOUT_NAMED("key,op,op_count,size,...", NULL),
	        .changes = "addresses are XXH3 of the keys, sizes those of the values; a line is "
	                   "op_count rows",
	},
	{
	        .name = "meta-cdn",
	        .doc = "requests to Meta's CDN",
	        .objects = true,
	        .holds = TRC_LAYOUT_REQUESTS,
	        .gives = TRC_LAYOUT_CACHED,
	        .as = "csv:time=timestamp*1000,hash,addr=cacheKey,type=OpType,read=1,size=objectSize",
	        TRC_LAYOUT_NAMED("timestamp,cacheKey,OpType,objectSize,...", NULL),
	        .changes = "addresses are XXH3 of the keys, sizes those of the objects; ranges and "
	                   "TTLs are skipped",
	},
	{
	        .name = "ibm-cos",
	        .doc = "requests to IBM's object store",
	        .objects = true,
	        .second = 1000,
	        .holds = TRC_LAYOUT_REQUESTS,
	        .gives = TRC_LAYOUT_CACHED,
	        .as = "csv:separator=blank,coded,fields=4+,time=1,type=2,addr=3,hex,size=4,"
	              "read=REST.GET.OBJECT,write=REST.PUT.OBJECT,"
	              "invalidate=REST.DELETE.OBJECT,ignore=REST.HEAD.OBJECT:REST.COPY.OBJECT",
	        TRC_LAYOUT("time REST.GET|PUT|DELETE.OBJECT object size ...",
	                   .shown = TRC_LAYOUT_BY_WORDS),
	        .changes = "HEAD, COPY and the ranges of GET are skipped",
	},
	{
	        .name = "wiki-cdn",
	        .doc = "requests to Wikimedia's caches",
	        .objects = true,
	        .second = 1,
	        .holds = TRC_LAYOUT_KEYS,
	        .as = "csv:hash,time=relative_unix,size=response_size,"
	              "addr=hashed_path_query?+hashed_host_path_query?",
	        TRC_LAYOUT_NAMED("relative_unix,hashed_path_query,response_size,...", NULL),
	        .changes = "addresses are XXH3 of the hashes",
	},
	{
	        .name = "webcachesim",
	        .doc = "requests as webcachesim, AdaptSize and LRB read them",
	        .objects = true,
	        .ending = ".tr",
	        .holds = TRC_LAYOUT_KEYS,
	        .as = "csv:fields=3+,separator=blank,time=1,addr=2,size=3",
	        .unshown = true,
	        TRC_LAYOUT("time id size ...", .names = "time id size",
	                   .shape = "9 n n|9 n n n|9 n n n *"),
	},
	{
	        .name = "tencent-photo",
	        .doc = "requests to Tencent's photo store",
	        .objects = true,
	        .holds = TRC_LAYOUT_KEYS,
	        .as = "csv:separator=blank,fields=8,time=1,addr=hash(2),size=5,only=3:0:5",
	        TRC_LAYOUT("DATE PHOTO FORMAT RESOLUTION SIZE HIT PC|PHONE RESPONSE",
	                   .shown = TRC_LAYOUT_BY_SHAPE, .shape = "9 h 9 a 9 9 a 9",
	                   .least = UINT64_C(20000101000000), .most = UINT64_C(20991231235959)),
	        .changes = "addresses are XXH3 of the photos, times dates; errors are skipped",
	},
	{
	        .name = "object-store",
	        .doc = "requests to an object store, Put to Copy as 0 to 4",
	        .objects = true,
	        .second = 1000,
	        .holds = TRC_LAYOUT_REQUESTS,
	        .gives = TRC_LAYOUT_CACHED,
	        .as = "csv:comment=#,coded,time=1,type=2,addr=hash(3),size=4,write=0,read=1,invalidate=2,"
	              "ignore=3:4",
	        TRC_LAYOUT_NAMED("time 0|1|2|3|4 object size",
	                         "# timestamp (ms), op type [Put:0, Get:1, Delete:2, Head: 3, "
	                         "Copy: 4], object id, object size (byte)"),
	        .changes = "addresses are XXH3 of the objects; Head and Copy are skipped",
	},
	{
	        .name = "squid",
	        .doc = "access logs of Squid",
	        .objects = true,
	        .second = 1000,
	        .holds = TRC_LAYOUT_REQUESTS,
	        .gives = UINT32_C(1) << TRC_READ | UINT32_C(1) << TRC_INVALIDATE,
	        .as = "csv:separator=blank,fields=10+,coded,only=4:TCP_*,time=1*1e3,type=6,addr=hash(7),"
	              "size=5,read=GET,invalidate=PURGE,ignore=*",
	        TRC_LAYOUT("TIME MS CLIENT TCP_RESULT/CODE BYTES METHOD URL USER SERVER TYPE",
	                   .shown = TRC_LAYOUT_BY_WORDS),
	        .changes =
	                "addresses are XXH3 of the URLs, sizes those of the replies; methods other than "
	                "GET and PURGE are skipped",
	},
	{
	        .name = "wikibench",
	        .doc = "requests to Wikipedia, for WikiBench",
	        .objects = true,
	        .second = 1000,
	        .holds = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_TIME,
	        .gives = TRC_LAYOUT_READS_AND_WRITES,
	        .as = "csv:separator=blank,fields=4,coded,time=2*1e3,addr=hash(3),type=4,read=-,"
	              "write=save",
	        TRC_LAYOUT("COUNTER TIME URL -|save", .names = "", .shown = TRC_LAYOUT_BY_SHAPE,
	                   .shape = "n w a://w -|n w a://w a"),
	        .changes = "addresses are XXH3 of the URLs",
	},
	{
	        .name = "ycsb",
	        .doc = "operations that YCSB prints",
	        .objects = true,
	        .holds = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_ASID,
	        .gives = TRC_LAYOUT_CACHED,
	        .as = "csv:separator=blank,coded,only=1:READ:UPDATE:INSERT:DELETE:SCAN,type=1,space=2,"
	              "addr=hash(3),read=READ,write=UPDATE:INSERT,invalidate=DELETE",
	        TRC_LAYOUT("READ|UPDATE|INSERT|DELETE TABLE KEY ...", .names = "",
	                   .shown = TRC_LAYOUT_BY_SHAPE,
	                   .shape = "READ w w [*|UPDATE w w [*|INSERT w w [*|DELETE w w*"),
	        .changes = "addresses are XXH3 of the keys; other lines are skipped",
	},
	{
	        .name = "rocksdb-blocks",
	        .doc = "accesses to RocksDB's cache of blocks",
	        .objects = true,
	        .second = TRC_LAYOUT_SECOND,
	        .holds = TRC_LAYOUT_KEYS,
	        .as = "csv:fields=21,time=1,addr=2,size=4",
	        TRC_LAYOUT("TIME,BLOCK,TYPE,SIZE,CF,NAME,LEVEL,SST,CALLER,...", .names = "",
	                   .shown = TRC_LAYOUT_BY_SHAPE,
	                   .shape = "n,n,n,n,n,a,n,n,n,n,n,n,n,n,n,n,n,n,n,n,n"),
	        .changes = "addresses are numbers of blocks",
	},
	{ .name = NULL },
};
