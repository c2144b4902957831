/* SPDX-License-Identifier: MIT
 *
 * The driver of the difference codings, PDATS, PDATS II and Mache: streams of records of varying
 * length behind a header. The papers give no file header; ours is 24 bytes, numbers little-endian:
 *
 *   0   magic, 4 bytes
 *   4   version, 1
 *   5   flags: bit 0 64-bit addresses, bit 1 time stamps, bit 2 little-endian offsets
 *   6   default stride of instructions in bytes: 8, 4, 2 or 1     (0 in Mache)
 *   7   offset widths: 0x24 1/2/4 bytes, 0x28 1/2/8, 0x48 1/4/8   (0 in Mache)
 *   8   number of references, 8 bytes   } all ones when not known: the records then go on to the
 *   16  bytes of records, 8 bytes       } end of the file
 *
 * A file is one such member or several, one after the other, each of them decoded from fresh state.
 * That makes the writer come out right in one pass, to a pipe too: it holds back 64 Ki references
 * at a time, chooses width and stride of a member by the first of them, and where a later one does
 * not fit, it begins the next member. Also, all counts are known, and a file that is cut short is
 * never taken for a whole one.
 */
#ifndef TRC_FORMAT_MEMBER_H
#define TRC_FORMAT_MEMBER_H

#include "base/bytes.h"
#include "format/format.h"

#define TRC_MEMBER_UNKNOWN UINT64_MAX

/* The header of a member. */
struct trc_member {
	bool wide, times, little;
	uint8_t stride, widths;
	uint64_t refs, bytes;
	bool stride_all; /* the writer's: the short form of the stride is not for fetches alone */
};

/* What decoders' state begins with. */
struct trc_member_decoder {
	unsigned left; /* references of the last record that did not fit into the batch */
};

/* How the records of members are read and written; member.c drives it. */
struct trc_member_format {
	char magic[5];
	bool times;              /* can hold them */
	bool strides;            /* has a stride and a choice of widths */
	bool little;             /* order of its offsets */
	uint32_t types;          /* that it holds: a bit for each value of the type column */
	size_t most;             /* bytes of the longest record */
	size_t decoder, encoder; /* bytes of their state, which is zeroed at first */

	void (*decode_start)(void *state, const struct trc_member *m);

	/* Turns records from *p on into rows of `b` up to row `stop`. Leaves *p at the record that
	 * `end` cuts, and false is for one that is none. May read TRC_IN_SLACK bytes past `end`. */
	bool (*decode)(void *state, const uint8_t **p, const uint8_t *end, struct trc_batch *b,
	               size_t stop);

	/* Chooses the stride for a member that begins with rows [i, n) of `b`. NULL without
	 * strides. */
	uint8_t (*stride)(const struct trc_batch *b, size_t i, size_t n);

	void (*encode_start)(void *state, const struct trc_member *m);

	/* Writes rows [i, n) of `b`, TRC_MEMBER_BLOCK at most, at *dst, `most` bytes each;
	 * TRC_MEMBER_SLACK more may be overwritten. The last `most` bytes before *dst are still
	 * there from the last call, and may change. Returns the first row that the member cannot
	 * hold, `n` if it holds all. */
	size_t (*encode)(void *state, const struct trc_batch *b, size_t i, size_t n, uint8_t **dst);
};

enum { TRC_MEMBER_SLACK = 32, TRC_MEMBER_BLOCK = 64 << 10 };

/* Arguments: what --from takes to read records without a header, in the order of how common they
 * are to the formats, and what --to takes. */
struct trc_member_settings {
	bool raw, times, stride_all;
	unsigned endian, bits, stride, widths; /* choices */
	uint64_t skip;
};

enum { TRC_MEMBER_FROM_MACHE = 4, TRC_MEMBER_FROM_PDATS2 = 6, TRC_MEMBER_FROM_PDATS = 7 };

extern const struct trc_opt trc_member_from[TRC_MEMBER_FROM_PDATS];

struct trc_source *trc_member_source(const struct trc_format *f, struct trc_in *in,
                                     const void *settings, struct trc_err *err);
struct trc_sink *trc_member_sink(const struct trc_format *f, struct trc_out *out, uint32_t have,
                                 const void *settings, struct trc_err *err);
unsigned trc_member_probe(const struct trc_format *f, const uint8_t *p, size_t n);

/* What the kernels share. */

/* Bytes that the codes 1, 2 and 3 stand for. */
static inline unsigned
trc_member_width(const struct trc_member *m, unsigned code)
{
	return code == 1 ? 1 : code == 2 ? m->widths >> 4 : m->widths & 15;
}

/* Fills code[bits], the code 1, 2 or 3 for offsets of so many bits without the sign. */
static inline void
trc_member_codes(const struct trc_member *m, uint8_t code[64])
{
	for (unsigned bits = 0; bits < 64; bits++) {
		code[bits] = 1;
		while (code[bits] < 3 && bits >= 8 * trc_member_width(m, code[bits]))
			code[bits]++;
	}
}

/* The bits of `d` without its sign. */
static inline unsigned
trc_member_bits(int64_t d)
{
	return 64 - (unsigned)trc_clz64((uint64_t)(d ^ d >> 63));
}

/* The difference of two addresses, the shorter way round the 2^32 or 2^64 bytes. */
static inline int64_t
trc_member_offset(bool wide, uint64_t to, uint64_t from)
{
	return wide ? (int64_t)(to - from) : (int32_t)(uint32_t)(to - from);
}

/* Stores an offset in its `len` bytes; 8 bytes at `dst` may be overwritten. */
static inline void
trc_member_store(uint8_t *dst, bool little, int64_t d, unsigned len)
{
	if (little)
		trc_put_le64(dst, (uint64_t)d);
	else
		trc_put_be64(dst, (uint64_t)d << (64 - 8 * len) % 64);
}

/* Loads one: `shift` is 64 - 8 * len, at most 63. Reads 8 bytes. */
static inline int64_t
trc_member_load(const uint8_t *p, bool little, unsigned shift)
{
	return little ? (int64_t)(trc_le64(p) << shift) >> shift : (int64_t)trc_be64(p) >> shift;
}

#endif
