/* SPDX-License-Identifier: MIT
 *
 * PDATS II (E. E. Johnson, "PDATS II: Improved Compression of Address Traces"). A record is a
 * header and an optional offset, and stands for a reference and the sequential fetches that follow
 * it, each one stride after the previous. The bits of the header of a fetch:
 *
 *   7    1
 *   6-5  code: 0 the offset is the stride; 1, 2, 3 it follows, in strides, in the first, second,
 *        third width: 1/2/4 bytes in 32-bit files, else as the file defines
 *   4-0  fetches that follow
 *
 * And those of data:
 *
 *   7    0
 *   6    a write
 *   5-3  code: the offset is 0, +4, -4, +8, -8 (0 to 4), or follows in the first, second, third
 *        width (5, 6, 7)
 *   2    zone
 *   1-0  fetches that follow
 *
 * The offset of a fetch is from the last fetch; the offset of data is from the last reference to
 * its zone, reads and writes together. All start at 0. Offsets are modulo 2^32 or 2^64, two's
 * complement, big-endian. Fields have the widths of the paper; their positions and codes are ours,
 * and reproduce the record lengths and the bytes that the paper prints in its Table 3.
 *
 * The format does not hold times, sizes, spaces, and references by the kernel.
 */

/* The writer chooses the zones. This one chooses those that make a block of references shortest,
 * while the figure in the paper suggests those that make the next record shortest: an array that is
 * traversed then keeps its zone while other references use the other one. Measured on 10 M
 * references each of three MIPS programs of SPEC, this is 5, 0 and 4 % smaller than choosing the
 * shorter of the two offsets and, if both are long, the zone not used last; with gzip -9, 10, 0 and
 * 60 %. The stride is the largest one that divides all fetch addresses of the block that begins a
 * member. */
#include "format/member.h"

#include <stdlib.h>

enum {
	FETCH = 0x80,
	AFTER_FETCH = 31, /* limit of sequential fetches in a record */
	AFTER_DATA = 3,
	RECORD_MOST = 1 + 8,
	ZONES = 2,
	PC = 2,    /* index of the last fetch, after those of the zones */
	PATHS = 4, /* choices of zones that are compared; 8 save at most 0.4 % more */
};

static const int8_t near_offset[5] = { 0, 4, -4, 8, -8 };

/* The code of an offset from -8 to 8, by (offset + 8) / 4. */
static const uint8_t near_code[5] = { 4, 2, 0, 1, 3 };

/* The properties of a record with a given header byte. */
struct shape {
	int64_t fixed; /* the offset, or 0 if one is stored */
	uint64_t mask; /* all ones if an offset is stored, else 0 */
	uint8_t shift; /* of the loaded word */
	uint8_t scale; /* log2 of its unit */
	uint8_t len;   /* of the record */
	uint8_t base;  /* the base of the offset: a zone, or PC */
	uint8_t type;
	uint8_t follow;
};

/* The state of the reader. */
struct decoder {
	struct trc_member_decoder base;
	bool little;
	uint64_t stride;
	uint64_t space; /* all ones in the bits of an address */
	uint64_t last[ZONES + 1];
	struct shape shape[256];
};

static unsigned
log2_of(unsigned stride)
{
	return (unsigned)trc_ctz64(stride);
}

static struct shape
shape_of(const struct trc_member *m, unsigned header)
{
	const bool fetch = header & FETCH;
	const unsigned code = fetch ? header >> 5 & 3 : header >> 3 & 7;
	const unsigned stored = fetch ? code : code < 5 ? 0 : code - 4;
	const unsigned width = stored ? trc_member_width(m, stored) : 0;

	return (struct shape){
		.fixed = stored ? 0 :
		         fetch  ? 1 :
		                  near_offset[code],
		.mask = stored ? UINT64_MAX : 0,
		.shift = (uint8_t)((64 - 8 * width) & 63),
		.scale = (uint8_t)(fetch ? log2_of(m->stride) : 0),
		.len = (uint8_t)(1 + width),
		.base = (uint8_t)(fetch ? PC : header >> 2 & 1),
		.type = fetch         ? TRC_FETCH :
		        header & 0x40 ? TRC_WRITE :
		                        TRC_READ,
		.follow = (uint8_t)(fetch ? header & AFTER_FETCH : header & AFTER_DATA),
	};
}

static void
decode_start(void *state, const struct trc_member *m)
{
	struct decoder *d = state;

	d->little = m->little;
	d->stride = m->stride;
	d->space = m->wide ? UINT64_MAX : UINT32_MAX;
	for (unsigned h = 0; h < 256; h++)
		d->shape[h] = shape_of(m, h);
}

/* Outputs up to `room` of the remaining fetches of the last record. */
static void
follow(struct decoder *d, struct trc_batch *b, size_t room)
{
	const size_t n = d->base.left < room ? d->base.left : room;

	for (size_t i = b->n; i < b->n + n; i++) {
		d->last[PC] = (d->last[PC] + d->stride) & d->space;
		b->addr[i] = d->last[PC];
		b->type[i] = TRC_FETCH;
	}
	d->base.left -= (unsigned)n;
	b->n += n;
}

static TRC_ALWAYS_INLINE bool
decode_as(struct decoder *d, const uint8_t **at, const uint8_t *end, struct trc_batch *b,
          size_t stop, bool little)
{
	const uint64_t stride = d->stride, space = d->space;
	const uint8_t *p = *at;

	follow(d, b, stop - b->n);
	while (b->n < stop && p < end) {
		const struct shape *s = &d->shape[*p];
		uint64_t *addr = b->addr + b->n;
		uint8_t *type = b->type + b->n;
		int64_t off;
		uint64_t pc;

		if (TRC_UNLIKELY((size_t)(end - p) < s->len))
			break;
		off = (trc_member_load(p + 1, little, s->shift) & (int64_t)s->mask) + s->fixed;
		p += s->len;
		addr[0] = d->last[s->base] = (d->last[s->base] + ((uint64_t)off << s->scale)) &
		                             space;
		type[0] = s->type;
		b->n++;
		if (TRC_UNLIKELY(stop - b->n < AFTER_FETCH)) {
			d->base.left = s->follow;
			follow(d, b, stop - b->n);
			continue;
		}
		/* Three fetches are always written; the next record overwrites those that do not
		 * exist. */
		pc = d->last[PC];
		for (unsigned k = 1; k <= AFTER_DATA; k++) {
			addr[k] = (pc + k * stride) & space;
			type[k] = TRC_FETCH;
		}
		for (unsigned k = AFTER_DATA + 1; k <= s->follow; k++) {
			addr[k] = (pc + k * stride) & space;
			type[k] = TRC_FETCH;
		}
		d->last[PC] = (pc + s->follow * stride) & space;
		b->n += s->follow;
	}
	*at = p;
	return true; /* every header byte is valid */
}

static bool
decode(void *state, const uint8_t **p, const uint8_t *end, struct trc_batch *b, size_t stop)
{
	struct decoder *d = state;

	return d->little ? decode_as(d, p, end, b, stop, true) :
	                   decode_as(d, p, end, b, stop, false);
}

/* Returns the largest stride that divides all fetch addresses. */
static uint8_t
choose_stride(const struct trc_batch *b, size_t i, size_t n)
{
	uint64_t all = 8;

	for (; i < n; i++)
		if (b->type[i] == TRC_FETCH)
			all |= b->addr[i];
	return (uint8_t)(1 << trc_ctz64(all));
}

/* The state of the writer: a dynamic program over a block finds the zones of its references. */
struct encoder {
	bool wide;
	uint64_t outside, outside_fetch; /* bits that no address, and no address of a fetch, has */
	uint64_t stride, space;
	unsigned scale;
	uint8_t width[8], code_of_bits[64]; /* for codes 5 to 7 */
	uint8_t width_of_bits[64];
	uint64_t pc, zone[ZONES];
	unsigned recent; /* the zone used last */
	bool turned;     /* both zones were used */

	/* For a block: the rows of its data references; for each of these, from 1, the previous
	 * turn of a path that turned to the other zone there; and whether the best path turned at a
	 * row. */
	uint16_t data[TRC_MEMBER_BLOCK];
	uint32_t before[TRC_MEMBER_BLOCK + 1];
	bool turns[TRC_MEMBER_BLOCK];

	/* The open record, which began `back` bytes before the end and has room for `more`
	 * fetches. */
	size_t back;
	unsigned more;
};

static void
encode_start(void *state, const struct trc_member *m)
{
	struct encoder *e = state;

	e->wide = m->wide;
	e->space = m->wide ? UINT64_MAX : UINT32_MAX;
	e->outside = ~e->space;
	e->outside_fetch = e->outside | (m->stride - 1u);
	e->stride = m->stride;
	e->scale = log2_of(m->stride);
	trc_member_codes(m, e->code_of_bits);
	for (unsigned code = 5; code < 8; code++)
		e->width[code] = (uint8_t)trc_member_width(m, code - 4);
	for (unsigned bits = 0; bits < 64; bits++) {
		e->code_of_bits[bits] += 4;
		e->width_of_bits[bits] = e->width[e->code_of_bits[bits]];
	}
}

static TRC_ALWAYS_INLINE unsigned
data_code(const struct encoder *e, int64_t off)
{
	const uint64_t near = (uint64_t)off + 8;

	if (near <= 16 && near % 4 == 0)
		return near_code[near / 4];
	return e->code_of_bits[trc_member_bits(off)];
}

/* Returns the bytes of the offset, without a branch, which would be predicted badly. */
static TRC_ALWAYS_INLINE unsigned
data_width(const struct encoder *e, int64_t off)
{
	const uint64_t near = (uint64_t)off + 8;
	const unsigned stored = (near > 16) | (near % 4 != 0);

	return e->width_of_bits[trc_member_bits(off)] & -stored;
}

/* Opens a record for fetch `addr`, which is a multiple of the stride. */
static TRC_ALWAYS_INLINE uint8_t *
put_fetch(struct encoder *e, uint8_t *dst, uint64_t addr, bool wide)
{
	const int64_t off = trc_member_offset(wide, addr, e->pc) >> e->scale;
	const unsigned code = off == 1 ? 4 : e->code_of_bits[trc_member_bits(off)];

	*dst = (uint8_t)(FETCH | (code - 4) << 5);
	trc_member_store(dst + 1, false, off, e->width[code]);
	e->more = AFTER_FETCH;
	e->back = 1 + e->width[code];
	return dst + e->back;
}

/* Choices of zones up to some reference. In each, the most recently used zone holds that reference,
 * so paths differ in the position of the other zone. Paths are compared by key: the bytes of
 * offsets that they need beyond NONE_MORE, and in the low bits the data reference, from 1, where
 * the path last turned from one zone to the other, 0 for none. So the older of equal paths has the
 * lower key. */
struct paths {
	uint64_t other[PATHS], key[PATHS];
};

enum { BYTES = 32 }; /* shift of the bytes in a key */

#define NONE_MORE (UINT64_C(1) << 61)
#define NO_PATH (UINT64_C(1) << 62)

/* Extends all paths by a reference to `addr`, data reference `t` of the block from 1. Staying in
 * the zone takes `stay` bytes of offset; all paths that stay need them, so the keys do not count
 * them. All paths that turn leave the other zone at the same position, `last`: only the shortest of
 * them is kept, in place of the longest path. */
static TRC_ALWAYS_INLINE void
extend_paths(struct encoder *e, struct paths *p, uint64_t t, uint64_t last, uint64_t addr,
             unsigned stay, bool wide)
{
	uint64_t turn = UINT64_MAX, longest = 0;
	size_t at = 0;

	for (size_t k = 0; k < PATHS; k++) {
		const int64_t off = trc_member_offset(wide, addr, p->other[k]);
		const uint64_t key = p->key[k] + ((uint64_t)data_width(e, off) << BYTES);

		turn = key < turn ? key : turn;
		at = p->key[k] > longest ? k : at;
		longest = p->key[k] > longest ? p->key[k] : longest;
	}
	e->before[t] = (uint32_t)turn;
	turn = (turn >> BYTES << BYTES | t) - ((uint64_t)stay << BYTES);
	if (turn < longest) {
		p->key[at] = turn;
		p->other[at] = last;
	}
}

/* Chooses the zones of rows [from, n): sets turns[i - from] if the zone is not the most recently
 * used one. */
static TRC_ALWAYS_INLINE void
choose_zones(struct encoder *e, const struct trc_batch *b, size_t from, size_t n, bool wide)
{
	struct paths p = { { e->zone[1 - e->recent] }, { NONE_MORE } };
	uint64_t last = e->zone[e->recent], best;
	size_t refs = 0;

	memset(e->turns, 0, n - from);
	for (size_t i = from; i < n; i++) {
		e->data[refs] = (uint16_t)(i - from);
		refs += b->type[i] != TRC_FETCH;
	}
	for (size_t k = 1; k < PATHS; k++)
		p.key[k] = NO_PATH;
	for (size_t t = 0; t < refs; t++) {
		const uint64_t addr = b->addr[from + e->data[t]];
		const unsigned stay = data_width(e, trc_member_offset(wide, addr, last));

		/* Two zones at nearly the same position are useless. */
		if (stay > 1)
			extend_paths(e, &p, t + 1, last, addr, stay, wide);
		last = addr;
	}
	/* Choose the oldest of equal paths, since compressors prefer repetition; but leave no zone
	 * unused. */
	best = p.key[0];
	for (size_t k = 1; k < PATHS; k++)
		if (e->turned ? p.key[k] < best : p.key[k] >> BYTES <= best >> BYTES)
			best = p.key[k];
	e->turned |= (uint32_t)best != 0;
	for (uint32_t t = (uint32_t)best; t > 0; t = e->before[t])
		e->turns[e->data[t - 1]] = true;
}

static TRC_ALWAYS_INLINE uint8_t *
put_data(struct encoder *e, uint8_t *dst, uint64_t addr, unsigned write, bool turn, bool wide)
{
	const unsigned zone = e->recent ^ turn;
	const int64_t off = trc_member_offset(wide, addr, e->zone[zone]);
	const unsigned code = data_code(e, off);

	e->zone[zone] = addr;
	e->recent = zone;
	*dst = (uint8_t)(write << 6 | code << 3 | zone << 2);
	trc_member_store(dst + 1, false, off, e->width[code]);
	e->more = AFTER_DATA;
	e->back = 1 + e->width[code];
	return dst + e->back;
}

static TRC_ALWAYS_INLINE size_t
encode_as(struct encoder *e, const struct trc_batch *b, size_t from, size_t n, uint8_t **at,
          bool wide)
{
	uint8_t *dst = *at;
	size_t i;

	choose_zones(e, b, from, n, wide);
	for (i = from; i < n; i++) {
		const uint64_t addr = b->addr[i];
		const uint8_t type = b->type[i];

		if (type == TRC_FETCH) {
			if (addr == ((e->pc + e->stride) & e->space) && e->more > 0) {
				dst[-(ptrdiff_t)e->back]++;
				e->more--;
			} else {
				if (TRC_UNLIKELY((addr & e->outside_fetch) != 0))
					break;
				dst = put_fetch(e, dst, addr, wide);
			}
			e->pc = addr;
		} else {
			if (TRC_UNLIKELY((type > TRC_WRITE) | ((addr & e->outside) != 0)))
				break;
			dst = put_data(e, dst, addr, type, e->turns[i - from], wide);
		}
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

const struct trc_format trc_family_pdats2[] = {
	{
	        .name = "pdats2",
	        .doc = "PDATS II: jumps and data references with their fetches",
	        .ending = ".pdats2",
	        .holds = TRC_HAS_TYPE | TRC_HAS_ADDR,
	        .needs = TRC_HAS_TYPE | TRC_HAS_ADDR,
	        .binary = true,
	        .member = TRC_ROW(trc_member_format, .magic = "PDT2", .strides = true,
	                          .types = 1 << TRC_READ | 1 << TRC_WRITE | 1 << TRC_FETCH,
	                          .most = RECORD_MOST, .decoder = sizeof(struct decoder),
	                          .encoder = sizeof(struct encoder), .decode_start = decode_start,
	                          .decode = decode, .stride = choose_stride,
	                          .encode_start = encode_start, .encode = encode),
	        .from = &(const struct trc_format_args){ trc_member_from, TRC_MEMBER_FROM_PDATS2 },
	},
	{ .name = NULL },
};
