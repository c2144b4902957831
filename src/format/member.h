/* SPDX-License-Identifier: MIT
 *
 * The driver of the difference codings PDATS, PDATS II and Mache: streams of records of varying
 * length after a header. The papers define no file header; ours has 24 bytes, with numbers
 * little-endian:
 *
 *   0   magic, 4 bytes
 *   4   version, 1
 *   5   flags: bit 0 64-bit addresses, bit 1 time stamps, bit 2 little-endian offsets
 *   6   default stride of instructions in bytes: 8, 4, 2 or 1     (0 in Mache)
 *   7   offset widths: 0x24 1/2/4 bytes, 0x28 1/2/8, 0x48 1/4/8   (0 in Mache)
 *   8   number of references, 8 bytes   } all ones if unknown: then the records extend to the end
 *   16  bytes of records, 8 bytes       } of the file
 *
 * A file is a sequence of such members, each of which is decoded from a fresh state. So the writer
 * works in one pass, also to a pipe: it holds back 64 Ki references at a time, chooses width and
 * stride of a member by the first of them, and begins the next member if a later one does not fit.
 * Also, all counts are known, and a truncated file is never taken for a complete one.
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
	bool stride_all; /* for the writer: not only fetches use the short form of the stride */
};

/* The beginning of a decoder's state. */
struct trc_member_decoder {
	unsigned left; /* references of the last record that did not fit into the batch */
};

/* How to read and write the records of members; member.c is the driver. */
struct trc_member_format {
	char magic[5];
	bool times;              /* it can store times */
	bool strides;            /* it has a stride and a choice of widths */
	bool little;             /* byte order of its offsets */
	uint32_t types;          /* a bit for each value of the type column that it can store */
	size_t most;             /* of the longest record, in bytes */
	size_t decoder, encoder; /* bytes of their states, which are zeroed at first */

	void (*decode_start)(void *state, const struct trc_member *m);

	/* Converts records from *p on to rows of `b` up to row `stop`. Leaves *p at a record that
	 * `end` truncates; returns false for an invalid one. May read TRC_IN_SLACK bytes past
	 * `end`. */
	bool (*decode)(void *state, const uint8_t **p, const uint8_t *end, struct trc_batch *b,
	               size_t stop);

	/* Chooses the stride for a member that begins with rows [i, n) of `b`. NULL without
	 * strides. */
	uint8_t (*stride)(const struct trc_batch *b, size_t i, size_t n);

	void (*encode_start)(void *state, const struct trc_member *m);

	/* Writes rows [i, n) of `b`, at most TRC_MEMBER_BLOCK, at *dst, at most `most` bytes each;
	 * TRC_MEMBER_SLACK more may be overwritten. The last `most` bytes before *dst are still
	 * there from the previous call, and may be changed. Returns the first row that the member
	 * cannot hold, `n` if it holds all. */
	size_t (*encode)(void *state, const struct trc_batch *b, size_t i, size_t n, uint8_t **dst);
};

enum { TRC_MEMBER_SLACK = 32, TRC_MEMBER_BLOCK = 64 << 10 };

/* The arguments of --from for records without a header, ordered by how many formats use them, and
 * those of --to. */
struct trc_member_settings {
	bool raw, times, stride_all;
	unsigned endian, bits, stride, widths; /* choices */
	uint64_t skip;
};

enum { TRC_MEMBER_FROM_MACHE = 4, TRC_MEMBER_FROM_PDATS2 = 6, TRC_MEMBER_FROM_PDATS = 7 };

extern const struct trc_opt trc_member_from[TRC_MEMBER_FROM_PDATS];

/* The functions of a format with a header and members: struct trc_format describes them. */
struct trc_source *trc_member_source(const struct trc_format *f, struct trc_in *in,
                                     const void *settings, struct trc_err *err);
struct trc_sink *trc_member_sink(const struct trc_format *f, struct trc_out *out, uint32_t have,
                                 const void *settings, struct trc_err *err);
unsigned trc_member_probe(const struct trc_format *f, const uint8_t *p, size_t n);

/* Shared by the decoders and encoders. */

/* Returns the bytes of an offset with code 1, 2 or 3. */
static inline unsigned
trc_member_width(const struct trc_member *m, unsigned code)
{
	return code == 1 ? 1 : code == 2 ? m->widths >> 4 : m->widths & 15;
}

/* Sets code[bits] to the code 1, 2 or 3 for offsets of `bits` bits without the sign. */
static inline void
trc_member_codes(const struct trc_member *m, uint8_t code[64])
{
	for (unsigned bits = 0; bits < 64; bits++) {
		code[bits] = 1;
		while (code[bits] < 3 && bits >= 8 * trc_member_width(m, code[bits]))
			code[bits]++;
	}
}

/* Returns the number of bits of `d` without its sign. */
static inline unsigned
trc_member_bits(int64_t d)
{
	return 64 - (unsigned)trc_clz64((uint64_t)(d ^ d >> 63));
}

/* Returns the difference of two addresses, in the shorter direction modulo 2^32 or 2^64. */
static inline int64_t
trc_member_offset(bool wide, uint64_t to, uint64_t from)
{
	return wide ? (int64_t)(to - from) : (int32_t)(uint32_t)(to - from);
}

/* Stores an offset of `len` bytes; 8 bytes at `dst` may be overwritten. */
static inline void
trc_member_store(uint8_t *dst, bool little, int64_t d, unsigned len)
{
	if (little)
		trc_put_le64(dst, (uint64_t)d);
	else
		trc_put_be64(dst, (uint64_t)d << (64 - 8 * len) % 64);
}

/* Loads an offset: `shift` is 64 - 8 * len, at most 63. Reads 8 bytes. */
static inline int64_t
trc_member_load(const uint8_t *p, bool little, unsigned shift)
{
	return little ? (int64_t)(trc_le64(p) << shift) >> shift : (int64_t)trc_be64(p) >> shift;
}

#endif
