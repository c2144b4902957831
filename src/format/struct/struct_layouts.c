/* SPDX-License-Identifier: MIT
 *
 * Records with a layout known by name, in the form of --from struct:
 *
 *   vscsi1   requests to virtual disks of VMware, 32 bytes
 *   vscsi2   its second version, 40 bytes
 *   lcs      requests of libCacheSim, after a header
 *
 * vscsi1, vscsi2: traces of CloudPhysics (Waldspurger, Park, Garthwaite, Ahmad, FAST 2015; fields
 * as in libCacheSim's reader): number, bytes, scatter-gather elements, SCSI command, version, first
 * block, microseconds; in the second, command and version come first, and a response time last.
 * Blocks have 512 bytes. They are recognised by the version and the command of each record.
 *
 * lcs: libCacheSim's own format. The header begins and ends with the number 0x123456789abcdef0, and
 * has 8192 bytes, or 1024 in older files; its second number is the version. Version 1 is
 * oracleGeneral: seconds, object, size, next request. Version 2 adds an operation and a tenant;
 * from version 3 on the size has 8 bytes, followed by a time to live. Operation 0, none, is a read,
 * as in libCacheSim. Tenant and features are skipped.
 */
#include "format/struct/struct.h"

#include <stdio.h>
#include <string.h>

#include "base/bytes.h"

#define REQUESTS (TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_TIME)
#define MAGIC UINT64_C(0x123456789abcdef0)

/* ---- vscsi ---- */

#define COMMANDS \
	"read=8:0x28:0xa8:0x88,write=10:0x2a:0xaa:0x8a,ignore=0:0x12:0x1a:0x25:0x35:0x91:0x9e"

static const uint8_t commands[] = { 8,    0x28, 0xa8, 0x88, 10,   0x2a, 0xaa, 0x8a,
	                            0x12, 0x1a, 0x25, 0x35, 0x91, 0x9e, 0 };

/* Recognises records of `size` bytes with a command at `at`, followed by a version. Command 0 and
 * version 1 are also a big-endian 1. */
static unsigned
probe_vscsi(const uint8_t *p, size_t n, size_t size, size_t at, unsigned version)
{
	enum { BITS = 19 }; /* of a command and a version, which other data has by chance */
	const size_t records = n / size;
	size_t sure = 0;

	for (size_t i = 0; i < records; i++) {
		const uint8_t *command = p + size * i + at;

		if (!memchr(commands, *command, sizeof(commands)) || command[1] ||
		    command[3] != version)
			return 0;
		sure += *command > 0;
	}
	return (unsigned)(sure < TRC_BID_ROWS ? sure : TRC_BID_ROWS) * BITS;
}

static unsigned
probe_vscsi1(const uint8_t *p, size_t n, bool whole)
{
	return whole && n % 32 ? 0 : probe_vscsi(p, n, 32, 12, 1);
}

static unsigned
probe_vscsi2(const uint8_t *p, size_t n, bool whole)
{
	return whole && n % 40 ? 0 : probe_vscsi(p, n, 40, 0, 2);
}

/* ---- lcs ---- */

/* Returns the end of the header; 0 if there is none. */
static size_t
header_of(const uint8_t *p, size_t n)
{
	if (n >= 1024 && trc_le64(p) == MAGIC && trc_le64(p + 1016) == MAGIC)
		return 1024;
	return n >= 8192 && trc_le64(p) == MAGIC && trc_le64(p + 8184) == MAGIC ? 8192 : 0;
}

static unsigned
probe_lcs(const uint8_t *p, size_t n, bool whole)
{
	(void)whole;
	return header_of(p, n) ? TRC_BID_MOST : 0;
}

#define OPERATIONS "read=0:1:2:12,write=3:4:6:13:14,modify=5:7:8:10:11,invalidate=9"

static int
begin_lcs(void *state, struct trc_in *in, const void *settings, struct trc_source *src,
          struct trc_err *err)
{
	static const char *const layout[] = {
		"<IQIq,time,addr,size,_",
		"<IQIBBHq,time,addr,size,type,_,_,_," OPERATIONS,
		"<IQqBBHIq,time,addr,size,type,_,_,ttl,_," OPERATIONS,
		"<IQqBBHIq4s,time,addr,size,type,_,_,ttl,_,_," OPERATIONS, /* features */
		"<IQqBBHIq8s,time,addr,size,type,_,_,ttl,_,_," OPERATIONS,
		"<IQqBBHIq16s,time,addr,size,type,_,_,ttl,_,_," OPERATIONS,
		"<IQqBBHIq32s,time,addr,size,type,_,_,ttl,_,_," OPERATIONS,
		"<IQqBBHIq64s,time,addr,size,type,_,_,ttl,_,_," OPERATIONS,
	};
	_Alignas(uint64_t) unsigned char own[TRC_FORMAT_SETTINGS] = { 0 };
	char words[160];
	uint64_t version;
	size_t header;

	(void)settings;
	if (trc_in_fill(in, 8192, err))
		return trc_err_in(err, "%s", in->name);
	header = header_of(in->p, (size_t)(in->end - in->p));
	if (header == 0)
		return trc_fail(err, "%s: has no lcs header (oracle has none)", in->name);
	version = trc_le64(in->p + 8);
	if (version < 1 || version > TRC_COUNT(layout))
		return trc_fail(err, "%s: is lcs version %llu; expected 1 to %zu", in->name,
		                (unsigned long long)version, TRC_COUNT(layout));
	snprintf(words, sizeof(words), "%s,skip=%zu", layout[version - 1], header);
	return trc_struct_parse(words, own, err) ? -1 : trc_struct_begin(state, in, own, src, err);
}

const struct trc_format trc_family_struct_layouts[] = {
	{
	        .name = "vscsi1",
	        .doc = "requests of virtual disks, of CloudPhysics",
	        .blocks = true,
	        .second = 1000000,
	        .holds = REQUESTS,
	        .gives = UINT32_C(1) << TRC_READ | UINT32_C(1) << TRC_WRITE,
	        .binary = true,
	        .as = "struct:<IIIHHQQ,_,size,_,type,_,addr*512,time," COMMANDS,
	        .packet = &trc_struct_packet,
	        .probe = probe_vscsi1,
	},
	{
	        .name = "vscsi2",
	        .doc = "requests of virtual disks, of CloudPhysics",
	        .blocks = true,
	        .second = 1000000,
	        .holds = REQUESTS,
	        .gives = UINT32_C(1) << TRC_READ | UINT32_C(1) << TRC_WRITE,
	        .binary = true,
	        .as = "struct:<HHIIIQQQ,type,_,_,size,_,addr*512,time,_," COMMANDS,
	        .packet = &trc_struct_packet,
	        .probe = probe_vscsi2,
	},
	{
	        .name = "lcs",
	        .doc = "requests of libCacheSim, after a header",
	        .ending = ".lcs",
	        .second = 1,
	        .holds = REQUESTS | TRC_HAS_TTL,
	        .binary = true,
	        .objects = true,
	        .packet = TRC_ROW(trc_packet_format, .longest = 4096, .rows = 1,
	                          .state = TRC_FORMAT_SETTINGS, .begin = begin_lcs,
	                          .parse = trc_struct_records),
	        .probe = probe_lcs,
	},
	{ .name = NULL },
};
