/* SPDX-License-Identifier: MIT
 *
 * PDATS, packed differential address and time stamps (E. E. Johnson and J. Ha 1994; E. E. Johnson,
 * "PDATS II: Improved Compression of Address Traces", sections 2 and 4). A record is
 *
 *   header, [repeat count], [address offset], [time offset]
 *
 * The bits of the header are
 *
 *   7    a repeat count follows: the number of further references that the record stands for
 *   6-5  address code: 0 the offset is the stride; 1, 2, 3 it follows in the first, second, third
 *        width: 1/2/4 bytes in 32-bit files, else as the file defines
 *   4-3  time code: 0 the time has not changed; 1, 2, 3 its offset follows in 1, 2, 8 bytes
 *   2-0  0 read, 1 write, 2 fetch; 4, 5, 6 the same in supervisor mode
 *
 * The address offset is from the last reference of the same type, each type starting at 0, modulo
 * 2^32 or 2^64, two's complement, big-endian. The time offset is from the last reference; it is not
 * negative, but with code 3 it is modulo 2^64. The paper does not give bit positions; with these,
 * all lengths of its Table 3 are correct. It leaves time code 3 unused: without it the first stamp
 * of a cycle counter would not fit into any record.
 *
 * The writer uses address code 0 for fetches only, as Table 3 does (its row 19 stores +4 on a
 * write); pdats:stride-all uses it for all types. The format does not hold sizes and address
 * spaces.
 */
#include "format/member.h"

#include <stdlib.h>

enum { REPEAT = 0x80, REPEATS_MOST = 255, TYPES = 8, RECORD_MOST = 1 + 1 + 8 + 8 };

static const uint8_t type_of_code[TYPES] = {
	TRC_READ,
	TRC_WRITE,
	TRC_FETCH,
	0,
	TRC_KERNEL | TRC_READ,
	TRC_KERNEL | TRC_WRITE,
	TRC_KERNEL | TRC_FETCH,
	0,
};

#define NO 0xff
#define USER 0, 1, 2, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO
#define KERNEL 4, 5, 6, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO

static const uint8_t code_of_type[32] = { USER, KERNEL };

static const uint8_t time_bytes[4] = { 0, 1, 2, 8 };

/* The properties of a record with a given header byte. */
struct shape {
	int64_t fixed; /* the offset, or 0 if one is stored */
	uint64_t mask; /* all ones if an offset is stored, else 0 */
	uint8_t shift; /* of the loaded word */
	uint8_t len;   /* of the record without the time offset */
	uint8_t at;    /* position of the address offset */
	uint8_t type, code;
	uint8_t time; /* bytes of the time offset */
	bool bad;
};

/* The state of the reader. */
struct decoder {
	struct trc_member_decoder base;
	bool times, little;
	uint64_t space; /* all ones in the bits of an address */

	/* The record of which `left` references remain. */
	int64_t off;
	uint64_t dt;
	uint8_t code;
	uint64_t time;
	uint64_t last[TYPES];
	struct shape shape[256];
};

static struct shape
shape_of(const struct trc_member *m, unsigned header)
{
	const unsigned code = header >> 5 & 3, time = header >> 3 & 3, type = header & 7;
	const unsigned width = code ? trc_member_width(m, code) : 0;

	return (struct shape){
		.fixed = code ? 0 : m->stride,
		.mask = code ? UINT64_MAX : 0,
		.shift = (uint8_t)((64 - 8 * width) & 63),
		.at = (uint8_t)(header & REPEAT ? 2 : 1),
		.len = (uint8_t)((header & REPEAT ? 2 : 1) + width),
		.type = type_of_code[type],
		.code = (uint8_t)type,
		.time = time_bytes[time],
		.bad = type == 3 || type == 7 || (time != 0 && !m->times),
	};
}

static void
decode_start(void *state, const struct trc_member *m)
{
	struct decoder *d = state;

	d->times = m->times;
	d->little = m->little;
	d->space = m->wide ? UINT64_MAX : UINT32_MAX;
	for (unsigned h = 0; h < 256; h++)
		d->shape[h] = shape_of(m, h);
}

/* Outputs up to `room` of the remaining references of the last record. */
static TRC_ALWAYS_INLINE void
repeat(struct decoder *d, struct trc_batch *b, size_t room, bool times)
{
	const size_t n = d->base.left < room ? d->base.left : room;
	const uint8_t type = type_of_code[d->code];
	uint64_t addr = d->last[d->code];

	for (size_t i = b->n; i < b->n + n; i++) {
		addr = (addr + (uint64_t)d->off) & d->space;
		b->addr[i] = addr;
		b->type[i] = type;
		if (times)
			b->time[i] = d->time += d->dt;
	}
	d->last[d->code] = addr;
	d->base.left -= (unsigned)n;
	b->n += n;
}

static TRC_ALWAYS_INLINE uint64_t
load_time(const uint8_t *p, unsigned len, bool little)
{
	const uint64_t v = little ? trc_le64(p) : trc_be64(p);

	if (len == 8)
		return v;
	return little ? v & ((UINT64_C(1) << 8 * len) - 1) : v >> (64 - 8 * len) % 64;
}

static TRC_ALWAYS_INLINE bool
decode_as(struct decoder *d, const uint8_t **at, const uint8_t *end, struct trc_batch *b,
          size_t stop, bool times, bool little)
{
	const uint8_t *p = *at;
	bool good = true;

	repeat(d, b, stop - b->n, times);
	while (b->n < stop && p < end) {
		const struct shape *s = &d->shape[*p];
		const size_t i = b->n, len = s->len + (times ? s->time : 0u);

		if (TRC_UNLIKELY(s->bad)) {
			good = false;
			break;
		}
		if (TRC_UNLIKELY((size_t)(end - p) < len))
			break;
		d->off = trc_member_load(p + s->at, little, s->shift) & (int64_t)s->mask;
		d->off += s->fixed;
		d->code = s->code;
		b->addr[i] = d->last[s->code] = (d->last[s->code] + (uint64_t)d->off) & d->space;
		b->type[i] = s->type;
		if (times) {
			d->dt = s->time ? load_time(p + s->len, s->time, little) : 0;
			b->time[i] = d->time += d->dt;
		}
		b->n++;
		if (s->at == 2) {
			d->base.left = p[1];
			repeat(d, b, stop - b->n, times);
		}
		p += len;
	}
	*at = p;
	return good;
}

static bool
decode(void *state, const uint8_t **p, const uint8_t *end, struct trc_batch *b, size_t stop)
{
	struct decoder *d = state;

	if (d->times)
		return d->little ? decode_as(d, p, end, b, stop, true, true) :
		                   decode_as(d, p, end, b, stop, true, false);
	return d->little ? decode_as(d, p, end, b, stop, false, true) :
	                   decode_as(d, p, end, b, stop, false, false);
}

/* Returns the most frequent distance of two consecutive fetches; 4 if it is not one of the four. */
static uint8_t
choose_stride(const struct trc_batch *b, size_t from, size_t to)
{
	size_t n[9] = { 0 };
	uint8_t best = 4;
	uint64_t last = 0;

	for (size_t i = from; i < to; i++) {
		if ((b->type[i] & TRC_TYPE_MASK) != TRC_FETCH)
			continue;
		if (b->addr[i] - last <= 8)
			n[b->addr[i] - last]++;
		last = b->addr[i];
	}
	for (uint8_t stride = 8; stride > 0; stride /= 2)
		if (n[stride] > n[best])
			best = stride;
	return best;
}

/* The state of the writer: the last addresses, and the record that may be repeated. */
struct encoder {
	bool wide, times;
	uint64_t outside; /* bits that no address has */

	/* Offset of code 0; 0: code 0 is not used, since offset 0 has code 1. */
	int64_t stride[TYPES];
	uint8_t width[4], code_of_bits[64];
	uint64_t last[TYPES], time;

	/* The open record, which began `back` bytes before the end. */
	size_t back;
	unsigned repeats;
	uint8_t code;
	int64_t off;
	uint64_t dt;
};

static void
encode_start(void *state, const struct trc_member *m)
{
	struct encoder *e = state;

	e->wide = m->wide;
	e->times = m->times;
	e->outside = m->wide ? 0 : ~(uint64_t)UINT32_MAX;
	for (unsigned code = 1; code < 4; code++)
		e->width[code] = (uint8_t)trc_member_width(m, code);
	trc_member_codes(m, e->code_of_bits);
	for (unsigned code = 0; code < TYPES; code++)
		if (m->stride_all || (code & 3) == TRC_FETCH)
			e->stride[code] = m->stride;
	e->code = NO;
	e->repeats = REPEATS_MOST;
}

static TRC_ALWAYS_INLINE uint8_t *
put_time(uint8_t *dst, uint64_t dt, uint8_t *header)
{
	const unsigned code = dt == 0 ? 0 : dt <= UINT8_MAX ? 1 : dt <= UINT16_MAX ? 2 : 3;

	*header |= (uint8_t)(code << 3);
	trc_member_store(dst, false, (int64_t)dt, time_bytes[code]);
	return dst + time_bytes[code];
}

/* Adds one more reference to the open record; returns the end. */
static TRC_ALWAYS_INLINE uint8_t *
add_repeat(struct encoder *e, uint8_t *dst)
{
	uint8_t *h = dst - e->back;

	if (e->repeats++ > 0) {
		h[1]++;
		return dst;
	}
	/* Insert the count between the header and the rest, which has at most 16 bytes. */
	const uint64_t low = trc_le64(h + 1), high = trc_le64(h + 9);

	trc_put_le64(h + 2, low);
	trc_put_le64(h + 10, high);
	h[0] |= REPEAT;
	h[1] = 1;
	e->back++;
	return dst + 1;
}

static TRC_ALWAYS_INLINE size_t
encode_as(struct encoder *e, const struct trc_batch *b, size_t i, size_t n, uint8_t **at, bool wide,
          bool times)
{
	uint8_t *dst = *at;

	for (; i < n; i++) {
		const uint64_t addr = b->addr[i];
		const uint8_t code = code_of_type[b->type[i] % sizeof(code_of_type)];
		uint64_t dt = 0;
		int64_t off;

		if (TRC_UNLIKELY((code == NO) | ((addr & e->outside) != 0)))
			break;
		off = trc_member_offset(wide, addr, e->last[code]);
		e->last[code] = addr;
		if (times) {
			dt = b->time[i] - e->time;
			e->time = b->time[i];
		}
		if (code == e->code && off == e->off && dt == e->dt && e->repeats < REPEATS_MOST) {
			dst = add_repeat(e, dst);
			continue;
		}

		uint8_t *h = dst++;
		const unsigned form = off == e->stride[code] && off != 0 ?
		                              0 :
		                              e->code_of_bits[trc_member_bits(off)];

		*h = (uint8_t)(form << 5 | code);
		trc_member_store(dst, false, off, e->width[form]);
		dst += e->width[form];
		if (times)
			dst = put_time(dst, dt, h);
		e->code = code;
		e->off = off;
		e->dt = dt;
		e->repeats = 0;
		e->back = (size_t)(dst - h);
	}
	*at = dst;
	return i;
}

static size_t
encode(void *state, const struct trc_batch *b, size_t i, size_t n, uint8_t **dst)
{
	struct encoder *e = state;

	if (e->times)
		return e->wide ? encode_as(e, b, i, n, dst, true, true) :
		                 encode_as(e, b, i, n, dst, false, true);
	return e->wide ? encode_as(e, b, i, n, dst, true, false) :
	                 encode_as(e, b, i, n, dst, false, false);
}

#define USER_TYPES (UINT32_C(1) << TRC_READ | UINT32_C(1) << TRC_WRITE | UINT32_C(1) << TRC_FETCH)

const struct trc_format trc_family_pdats[] = {
	{
	        .name = "pdats",
	        .doc = "PDATS: address and time differences, with repeats",
	        .ending = ".pdats",
	        .holds = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_TIME,
	        .needs = TRC_HAS_TYPE | TRC_HAS_ADDR,
	        .binary = true,
	        .member = TRC_ROW(trc_member_format, .magic = "PDT1", .times = true,
	                          .strides = true, .types = USER_TYPES | USER_TYPES << TRC_KERNEL,
	                          .most = RECORD_MOST, .decoder = sizeof(struct decoder),
	                          .encoder = sizeof(struct encoder), .decode_start = decode_start,
	                          .decode = decode, .stride = choose_stride,
	                          .encode_start = encode_start, .encode = encode),
	        .from = &(const struct trc_format_args){ trc_member_from, TRC_MEMBER_FROM_PDATS },
	        .to = TRC_ROW(trc_format_args,
	                      &(const struct trc_opt){
	                              0, "stride-all", NULL, "use short strides for all types",
	                              TRC_OPT_FLAG, TRC_WORDS_NONE,
	                              offsetof(struct trc_member_settings, stride_all) },
	                      1),
	},
	{ .name = NULL },
};
