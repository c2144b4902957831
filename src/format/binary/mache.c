/* SPDX-License-Identifier: MIT
 *
 * Mache (A. D. Samples, "Mache: No-Loss Trace Compaction", SIGMETRICS 1989), before its Lempel-Ziv
 * stage, which --compress supplies. A record is a label and a difference, or a label, the mark of a
 * miss and the full address. The bits of its first byte:
 *
 *   1-0  label: 0 read, 1 write, 2 fetch
 *   2    0: a difference follows, and bits 7-3 are its bytes, 0 to 7; 1: the full address follows,
 *        4 or 8 bytes, and bits 7-3 are 0
 *
 * The difference is from the last address with the same label, each starting at 0, modulo 2^32 or
 * 2^64, two's complement, little-endian. The byte codes are ours: those of the paper are unknown.
 * The format does not hold times, sizes, spaces, and references by the kernel.
 */
#include "format/member.h"

#include <stdlib.h>

enum { LABELS = 3, MISS = 4, RECORD_MOST = 1 + 8, DIFFERENCE_MOST = 7 };

/* The properties of a record with a given header byte. */
struct shape {
	uint64_t mask; /* 0 if no difference is stored */
	uint64_t keep; /* 0 if the full address is stored, which replaces the last one */
	uint8_t shift; /* of the loaded word */
	uint8_t len;   /* of the record */
	uint8_t label;
	bool bad;
};

/* The state of the reader: a table by header byte, and the last addresses. */
struct decoder {
	struct trc_member_decoder base;
	bool little;
	uint64_t space; /* all ones in the bits of an address */
	uint64_t last[LABELS];
	struct shape shape[256];
};

static struct shape
shape_of(const struct trc_member *m, unsigned header)
{
	const bool miss = header & MISS;
	const unsigned label = header & 3, n = header >> 3, width = miss ? (m->wide ? 8 : 4) : n;

	if (label >= LABELS || (miss ? n != 0 : n > DIFFERENCE_MOST))
		return (struct shape){ .bad = true };
	return (struct shape){
		.mask = width ? UINT64_MAX : 0,
		.keep = miss ? 0 : UINT64_MAX,
		.shift = (uint8_t)((64 - 8 * width) & 63),
		.len = (uint8_t)(1 + width),
		.label = (uint8_t)label,
	};
}

static void
decode_start(void *state, const struct trc_member *m)
{
	struct decoder *d = state;

	d->little = m->little;
	d->space = m->wide ? UINT64_MAX : UINT32_MAX;
	for (unsigned h = 0; h < 256; h++)
		d->shape[h] = shape_of(m, h);
}

static TRC_ALWAYS_INLINE bool
decode_as(struct decoder *d, const uint8_t **at, const uint8_t *end, struct trc_batch *b,
          size_t stop, bool little)
{
	const uint8_t *p = *at;
	bool good = true;
	size_t i;

	for (i = b->n; i < stop && p < end; i++) {
		const struct shape *s = &d->shape[*p];
		uint64_t off;

		if (TRC_UNLIKELY(s->bad)) {
			good = false;
			break;
		}
		if (TRC_UNLIKELY((size_t)(end - p) < s->len))
			break;
		off = (uint64_t)trc_member_load(p + 1, little, s->shift) & s->mask;
		b->addr[i] = d->last[s->label] = ((d->last[s->label] & s->keep) + off) & d->space;
		b->type[i] = s->label;
		p += s->len;
	}
	b->n = i;
	*at = p;
	return good;
}

static bool
decode(void *state, const uint8_t **p, const uint8_t *end, struct trc_batch *b, size_t stop)
{
	struct decoder *d = state;

	return d->little ? decode_as(d, p, end, b, stop, true) :
	                   decode_as(d, p, end, b, stop, false);
}

/* The state of the writer: the last address of each label. */
struct encoder {
	bool wide;
	uint64_t outside; /* bits that no address has */
	uint64_t last[LABELS];
};

static void
encode_start(void *state, const struct trc_member *m)
{
	struct encoder *e = state;

	e->wide = m->wide;
	e->outside = m->wide ? 0 : ~(uint64_t)UINT32_MAX;
}

static TRC_ALWAYS_INLINE size_t
encode_as(struct encoder *e, const struct trc_batch *b, size_t i, size_t n, uint8_t **at, bool wide)
{
	const unsigned full = wide ? 8 : 4;
	uint8_t *dst = *at;

	for (; i < n; i++) {
		const uint64_t addr = b->addr[i];
		const uint8_t type = b->type[i];
		unsigned len;
		int64_t off;

		if (TRC_UNLIKELY((type >= LABELS) | ((addr & e->outside) != 0)))
			break;
		off = trc_member_offset(wide, addr, e->last[type]);
		e->last[type] = addr;
		/* With its sign; a difference of 0 has no bytes. */
		len = off ? trc_member_bits(off) / 8 + 1 : 0;
		dst[0] = (uint8_t)(len < full ? len << 3 | type : MISS | type);
		trc_put_le64(dst + 1, len < full ? (uint64_t)off : addr);
		dst += 1 + (len < full ? len : full);
	}
	*at = dst;
	return i;
}

static size_t
encode(void *state, const struct trc_batch *b, size_t i, size_t n, uint8_t **dst)
{
	struct encoder *e = state;

	return e->wide ? encode_as(e, b, i, n, dst, true) : encode_as(e, b, i, n, dst, false);
}

const struct trc_format trc_family_mache[] = {
	{
	        .name = "mache",
	        .doc = "Mache: label and address difference",
	        .ending = ".mache",
	        .holds = TRC_HAS_TYPE | TRC_HAS_ADDR,
	        .needs = TRC_HAS_TYPE | TRC_HAS_ADDR,
	        .binary = true,
	        .member = TRC_ROW(trc_member_format, .magic = "MACH", .little = true,
	                          .types = 1 << TRC_READ | 1 << TRC_WRITE | 1 << TRC_FETCH,
	                          .most = RECORD_MOST, .decoder = sizeof(struct decoder),
	                          .encoder = sizeof(struct encoder), .decode_start = decode_start,
	                          .decode = decode, .encode_start = encode_start, .encode = encode),
	        .from = &(const struct trc_format_args){ trc_member_from, TRC_MEMBER_FROM_MACHE },
	},
	{ .name = NULL },
};
