/* SPDX-License-Identifier: MIT
 *
 * Tables of requests as they were published, which have no names in their first line, or some:
 *
 *   128166372003061629,hm,1,Read,383496192,32768,1331   msr
 *   419,W,8792731648,16384,1577808144360767             alibaba-block
 *   1538323200,12910952,128,0,1063                      tencent-block
 *   0,nz:u:eeW511W3dcH3de3d15ec,17,213,4,get,0          twitter
 *   0,20941264,8192,W,0.551706                          spc
 *
 * msr: block traces of MSR Cambridge (Narayanan, Donnelly, Rowstron, FAST 2008; README at SNIA
 * IOTTA, trace 388): Timestamp, Hostname, DiskNumber, Type, Offset, Size, ResponseTime. Times are
 * Windows filetimes, in 100 ns, offsets and sizes in bytes. Disks become address spaces, whose
 * numbers are not in the file: an XXH3 of 32 bits of host and disk, the same in all files.
 *
 * alibaba-block: github.com/alibaba/block-traces (Li, Wang, Lee et al., IISWC 2020): device_id,
 * opcode, offset, length, timestamp; in bytes and microseconds. Devices become address spaces.
 *
 * tencent-block: Tencent CBS (Zhang et al., USENIX ATC 2020; README at SNIA IOTTA, trace 27917):
 * Timestamp, Offset, Size, IOType, VolumeID; in seconds and sectors of 512 bytes, 0 reads and 1
 * writes. Volumes become address spaces. Five numbers could be anything, so this is recognised by
 * its names in the first line alone.
 *
 * twitter: github.com/twitter/cache-trace (Yang, Yue, Rashmi, OSDI 2020): timestamp, anonymized
 * key, key size, value size, client id, operation, TTL. A key becomes an address, its XXH3 of 64
 * bits; the size is that of the value, the client the task. A get reads, a delete invalidates, what
 * else there is writes.
 *
 * spc: Storage Performance Council, trace file format 1.0.1, which are the Financial and WebSearch
 * traces of the UMass repository: ASU, LBA, Size, Opcode, Timestamp, and fields that are passed
 * over. Blocks are of 512 bytes, sizes in bytes; seconds become microseconds. Units become address
 * spaces. It is recognised by decimals in its times.
 *
 * Others are read as csv with what --from needs: a row here is no more than that.
 */
#include <string.h>
#include <strings.h>

#include "format/csv/csv_names.h"

#define REQUESTS (TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_TIME)
#define READS_AND_WRITES (UINT32_C(1) << TRC_READ | UINT32_C(1) << TRC_WRITE)
#define CACHED (READS_AND_WRITES | UINT32_C(1) << TRC_INVALIDATE)
#define SECOND 1000000 /* microseconds */
#define FILETIME_1970 UINT64_C(116444736000000000)

#define MSR_NAMES "Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime"
#define ALIBABA_NAMES "device_id,opcode,offset,length,timestamp"
#define TENCENT_NAMES "Timestamp,Offset,Size,IOType,VolumeID"
#define SPC_NAMES "ASU,LBA,Size,Opcode,Timestamp"

/* How a layout shows in its lines. */
enum shown {
	BY_NAMES, /* not, but by a first line of its names */
	BY_TIME,  /* its times are in a range that nothing else is likely to have */
	BY_PARTS, /* some times are no whole seconds */
	BY_WORDS, /* its fields are as unlike each other as those of no other table */
};

/* What reading needs of a layout. */
struct layout {
	const char *names, *from; /* its fields, and what they are as --from csv has it */
	uint8_t fields;
	bool more; /* others may follow */
	enum shown shown;
	uint64_t least, most; /* times */
	uint8_t space;        /* the first of two fields that name one; 0: none do */
};

static const struct layout msr = {
	.names = MSR_NAMES,
	.from = "time=1,type=4,addr=5,size=6",
	.fields = 7,
	.shown = BY_TIME,
	.least = FILETIME_1970,
	.most = FILETIME_1970 + UINT64_C(50000000000000000),
	.space = 2,
};

static const struct layout alibaba_block = {
	.names = ALIBABA_NAMES,
	.from = "asid=1,type=2,addr=3,size=4,time=5",
	.fields = 5,
	.shown = BY_TIME,
	.least = UINT64_C(1000000000) * SECOND,
	.most = UINT64_C(5000000000) * SECOND,
};

static const struct layout tencent_block = {
	.names = TENCENT_NAMES,
	.from = "time=1,addr=2*512,size=3*512,type=4,read=0,write=1,asid=5",
	.fields = 5,
	.shown = BY_NAMES,
};

static const struct layout twitter = {
	.names = "timestamp,anonymized key,key size,value size,client id,operation,TTL",
	.from = "time=1,hash,addr=2,size=4,task=5,type=6",
	.fields = 7,
	.shown = BY_WORDS,
};

static const struct layout spc = {
	.names = SPC_NAMES,
	.from = "asid=1,addr=2*512,size=3,type=4,time=5*1e6",
	.fields = 5,
	.more = true,
	.shown = BY_PARTS,
};

/* Whether the line is the names of a layout, in any letters, with or without blanks beside. */
static bool
is_named(const struct layout *k, const uint8_t *p, const uint8_t *e)
{
	const uint8_t *want = (const uint8_t *)k->names, *end = want + strlen(k->names);

	e = trc_csv_end(p, e, ',');
	while (p <= e || want <= end) {
		const struct trc_field a = trc_csv_unquote(trc_csv_next(&p, e, ','));
		const struct trc_field b = trc_csv_next(&want, end, ',');

		if (!a.p || !b.p || a.len != b.len ||
		    strncasecmp((const char *)a.p, (const char *)b.p, a.len) != 0)
			return false;
	}
	return true;
}

static bool
first(const struct layout *k, struct trc_csv_fields *s, const uint8_t *p, const uint8_t *e,
      uint32_t *have)
{
	struct trc_csv_from from = { .separator = 1 };
	struct trc_err none;

	if (trc_opt_parse_words(trc_csv_args.opt, trc_csv_args.opts, "csv", k->from, &from, &none))
		return false;
	s->headed = from.header = is_named(k, p, e);
	if (!trc_csv_map(s, &from, p, e, have))
		return false;
	if (k->space) {
		s->field[k->space - 1] = s->field[k->space] = 1 + TRC_COL_ASID;
		s->hashed |= UINT64_C(3) << (k->space - 1);
		*have |= TRC_HAS_ASID;
	}
	s->n = k->fields;
	s->named = !k->more;
	return true;
}

static bool
likely(const struct layout *k, const struct trc_lines *l, const struct trc_batch *b)
{
	const struct trc_csv_fields *s = l->state;
	size_t parts = 0;

	if (s->headed)
		return true;
	for (size_t i = 0; i < b->n; i++) {
		if (k->shown == BY_TIME && (b->time[i] < k->least || b->time[i] > k->most))
			return false;
		parts += b->time[i] % SECOND != 0;
	}
	return k->shown != BY_NAMES && (k->shown != BY_PARTS || parts > b->n / 2);
}

#define DRIVER_CALLS(layout, grammar)                                                     \
	static bool first_##layout(void *state, const void *settings, const uint8_t *p,   \
	                           const uint8_t *e, uint32_t *have)                      \
	{                                                                                 \
		(void)settings;                                                           \
		return first(&(layout), state, p, e, have);                               \
	}                                                                                 \
                                                                                          \
	static bool likely_##layout(const struct trc_lines *l, const struct trc_batch *b) \
	{                                                                                 \
		return likely(&(layout), l, b);                                           \
	}                                                                                 \
                                                                                          \
	static const struct trc_line_format line_##layout = { grammar, trc_csv_parse, 0,  \
		                                              first_##layout };           \
                                                                                          \
	static const struct trc_line_more more_##layout = { .likely = likely_##layout,    \
		                                            .explain = trc_csv_explain };

DRIVER_CALLS(msr, MSR_NAMES)
DRIVER_CALLS(alibaba_block, ALIBABA_NAMES)
DRIVER_CALLS(tencent_block, TENCENT_NAMES)
DRIVER_CALLS(twitter, "timestamp,key,keySize,valueSize,client,operation,TTL")
DRIVER_CALLS(spc, SPC_NAMES)

const struct trc_format trc_family_layouts[] = {
	{
	        .name = "msr",
	        .doc = "block traces of MSR Cambridge",
	        .holds = REQUESTS | TRC_HAS_ASID,
	        .gives = READS_AND_WRITES,
	        .line = &line_msr,
	        .more = &more_msr,
	        .changes = "spaces are XXH3 of host and disk, of 32 bits",
	},
	{
	        .name = "alibaba-block",
	        .doc = "block traces of Alibaba",
	        .holds = REQUESTS | TRC_HAS_ASID,
	        .gives = READS_AND_WRITES,
	        .line = &line_alibaba_block,
	        .more = &more_alibaba_block,
	},
	{
	        .name = "tencent-block",
	        .doc = "block traces of Tencent, in sectors",
	        .holds = REQUESTS | TRC_HAS_ASID,
	        .gives = READS_AND_WRITES,
	        .line = &line_tencent_block,
	        .more = &more_tencent_block,
	},
	{
	        .name = "twitter",
	        .doc = "cache requests of Twitter",
	        .holds = REQUESTS | TRC_HAS_TASK,
	        .gives = CACHED,
	        .line = &line_twitter,
	        .more = &more_twitter,
	        .changes = "addresses are XXH3 of the keys, sizes those of the values",
	},
	{
	        .name = "spc",
	        .doc = "block traces of the SPC, as UMass has them",
	        .holds = REQUESTS | TRC_HAS_ASID,
	        .gives = READS_AND_WRITES,
	        .line = &line_spc,
	        .more = &more_spc,
	        .doubt =
	                "blocks are taken as of 512 bytes, times as seconds; if they are not: --from "
	                "csv:asid=1,addr=2,size=3,type=4,time=5 with factors",
	},
	{ .name = NULL },
};
