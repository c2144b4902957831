/* SPDX-License-Identifier: MIT
 *
 * Tables of requests to caches and stores of objects as they were published:
 *
 *   0,nz:u:eeW511W3dcH3de3d15ec,17,213,4,get,0          twitter
 *   604038471,82131353f9ddc8c6,48,GET,3,87,1,0,36,30    cachelib-kv
 *   1678863569000,12ce23eaa5534a38,1,8388608,...        meta-cdn
 *   1219008 REST.PUT.OBJECT 8d4fcda3d675bac9 1056       ibm-cos
 *   0 833946053 jpeg 20735 1.46e-4                      wiki-cdn, with tabs
 *   1 253 23762                                         webcachesim
 *
 * twitter: github.com/twitter/cache-trace (Yang, Yue, Rashmi, OSDI 2020): timestamp, anonymized
 * key, key size, value size, client id, operation, TTL. A key becomes an address, its XXH3 of 64
 * bits; the size is that of the value, the client the task. A get reads, a delete invalidates;
 * incr, decr, cas, append and prepend modify; what else there is writes.
 *
 * cachelib-kv: Meta's cache of keys and values, 2022 and 2024 (cachelib.org, "Evaluating SSD
 * hardware for Facebook workloads"; CacheBench reads them with its KVReplayGenerator), by the names
 * in the first line: op_time, which may be missing, key, op, op_count, size. A key becomes an
 * address, its XXH3; the size is that of the value, 0 where a GET missed. GET_LEASE reads,
 * SET_LEASE writes, DELETE invalidates. A line is op_count requests, and so as many rows. Left out
 * is who asked, TTL, and what hit.
 *
 * meta-cdn: Meta's CDN, 2023 and 2025 (cachelib.org, "Evaluating SSD hardware for Facebook
 * workloads"; fields as in github.com/cacheMon/cache_dataset), by the names in the first line:
 * timestamp, cacheKey, OpType, objectSize. The address is the XXH3 of the key, the size that of the
 * object; OpType 1 reads. Times are multiplied by 1000: milliseconds become microseconds, seconds
 * with decimals milliseconds. Which range was asked for is left out, and so is TTL.
 *
 * ibm-cos: IBM's object store (Eytan, Harnik, Ofer et al., HotStorage 2020; SNIA IOTTA, trace
 * 36305): milliseconds, request, object, size, and the range that was read. Objects are addresses
 * as they stand, in hexadecimal. GET reads, PUT writes, DELETE, which may have no size,
 * invalidates. HEAD, COPY and the ranges are left out.
 *
 * wiki-cdn: Wikimedia's caches, 2019 (wikitech.wikimedia.org, Data Lake/Traffic/Caching), by the
 * names in the first line: relative_unix, hashed_path_query, response_size, of images, or
 * hashed_host_path_query of pages. The address is the XXH3 of the hash as it stands.
 *
 * webcachesim: github.com/dasebe/webcachesim, and so AdaptSize, LRB (sunnyszy/lrb) and what else
 * reads time, id and size with blanks between; features behind them are left out. It is recognised
 * by a first line "time id size", which its files lack: they need --from.
 *
 * Others are read as csv with what --from needs: a row here is no more than that.
 */
#include "format/csv/layout.h"

#define KEYS "hash,addr=key,type=op,size=size,repeat=op_count,read=GET_LEASE,write=SET_LEASE"

const struct trc_format trc_family_object_layouts[] = {
	{
	        .name = "twitter",
	        .doc = "cache requests of Twitter",
	        .holds = TRC_LAYOUT_REQUESTS | TRC_HAS_TASK,
	        .gives = TRC_LAYOUT_CACHED | UINT32_C(1) << TRC_MODIFY,
	        .as = "csv:fields=7,time=1,hash,addr=2,size=4,task=5,type=6",
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
	        .holds = TRC_LAYOUT_REQUESTS,
	        .gives = TRC_LAYOUT_CACHED,
	        .as = "csv:time=op_time?," KEYS,
	        TRC_LAYOUT("key,op,op_count,size,...", .shown = TRC_LAYOUT_BY_NAMES),
	        .changes = "addresses are XXH3 of the keys, sizes those of the values; a line is "
	                   "op_count rows",
	},
	{
	        .name = "meta-cdn",
	        .doc = "requests to Meta's CDN",
	        .holds = TRC_LAYOUT_REQUESTS,
	        .gives = TRC_LAYOUT_CACHED,
	        .as = "csv:time=timestamp*1000,hash,addr=cacheKey,type=OpType,read=1,size=objectSize",
	        TRC_LAYOUT("timestamp,cacheKey,OpType,objectSize,...",
	                   .shown = TRC_LAYOUT_BY_NAMES),
	        .changes =
	                "addresses are XXH3 of the keys, sizes those of the objects; ranges are left out",
	},
	{
	        .name = "ibm-cos",
	        .doc = "requests to IBM's object store",
	        .holds = TRC_LAYOUT_REQUESTS,
	        .gives = TRC_LAYOUT_CACHED,
	        .as = "csv:separator=blank,fields=4+,time=1,type=2,addr=3,hex,size=4,"
	              "read=REST.GET.OBJECT,write=REST.PUT.OBJECT,"
	              "invalidate=REST.DELETE.OBJECT,ignore=REST.HEAD.OBJECT:REST.COPY.OBJECT",
	        TRC_LAYOUT("time REST.GET|PUT|DELETE.OBJECT object size ...",
	                   .shown = TRC_LAYOUT_BY_CODES),
	        .changes = "HEAD, COPY and the ranges of GET are left out",
	},
	{
	        .name = "wiki-cdn",
	        .doc = "requests to Wikimedia's caches",
	        .holds = TRC_LAYOUT_KEYS,
	        .as = "csv:hash,time=relative_unix,size=response_size,"
	              "addr=hashed_path_query?+hashed_host_path_query?",
	        TRC_LAYOUT("relative_unix,hashed_path_query,response_size,...",
	                   .shown = TRC_LAYOUT_BY_NAMES),
	        .changes = "addresses are XXH3 of the hashes",
	},
	{
	        .name = "webcachesim",
	        .doc = "requests as webcachesim, AdaptSize and LRB read them",
	        .holds = TRC_LAYOUT_KEYS,
	        .as = "csv:fields=3+,separator=blank,time=1,addr=2,size=3",
	        TRC_LAYOUT("time id size ...", .names = "time id size",
	                   .shown = TRC_LAYOUT_BY_NAMES),
	},
	{ .name = NULL },
};
