/* SPDX-License-Identifier: MIT
 *
 * XXH3 (64 bits, without a seed) is that of the "xxHash fast digest algorithm" by Y. Collet. Only
 * its form for more than 1024 bytes is here: what is shorter is hashed by the library.
 */
#include "batch/fingerprint_part.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#define XXH_VECTOR 0 /* XXH_SCALAR */
#include <xxhash.h>

#include "base/bytes.h"
#include "batch/flow.h"

enum {
	LANES = 8,
	STRIPE = 8 * LANES,
	BLOCK = 1024,
	SECRET = 192,      /* bytes; a stripe begins 8 further than the one before it */
	SECRET_LAST = 121, /* where that of the last stripe begins, */
	SECRET_MERGE = 11, /* and that of the sums together */
};

/* A column as bytes. Those of a part that does not begin with the trace are in front of a border
 * of blocks, or behind it. */
struct trc_fingerprint_bytes {
	uint64_t n;
	bool whole; /* they begin with the trace: blocks are in `sum` */
	bool raw;   /* they do not, and nobody knows where they begin: all are in `front` */
	uint64_t sum[LANES]; /* of all blocks but the last */
	struct trc_buf sums; /* or what each of them adds, LANES numbers of 8 bytes */
	struct trc_buf front;
	size_t fronts; /* up to a border */
	uint8_t held[BLOCK];
	size_t holds;         /* of the last block: that is mixed in only when more follows */
	uint8_t last[STRIPE]; /* in front of it */
};

/* ---- blocks ---- */

static const uint8_t *
secret(void)
{
	return XXH3_kSecret;
}

static void
add_stripe(uint64_t *sum, const uint8_t *p, const uint8_t *key)
{
	for (size_t i = 0; i < LANES; i++) {
		const uint64_t v = trc_le64(p + 8 * i), k = v ^ trc_le64(key + 8 * i);

		sum[i ^ 1] += v;
		sum[i] += (k & UINT32_MAX) * (k >> 32);
	}
}

static void
add_stripes(uint64_t *sum, const uint8_t *p, size_t stripes)
{
	for (size_t s = 0; s < stripes; s++)
		add_stripe(sum, p + s * STRIPE, secret() + 8 * s);
}

static void
mix(uint64_t *sum)
{
	const uint8_t *key = secret() + SECRET - STRIPE;

	for (size_t i = 0; i < LANES; i++)
		sum[i] = (sum[i] ^ sum[i] >> 47 ^ trc_le64(key + 8 * i)) * UINT64_C(0x9E3779B1);
}

/* A block adds this, and more follows. */
static int
take_sums(struct trc_fingerprint_bytes *c, const uint64_t *adds, struct trc_err *err)
{
	if (c->whole) {
		for (size_t i = 0; i < LANES; i++)
			c->sum[i] += adds[i];
		mix(c->sum);
		return 0;
	}
	if (trc_buf_room(&c->sums, STRIPE, err))
		return -1;
	for (size_t i = 0; i < LANES; i++, c->sums.n += 8)
		trc_put_le64(c->sums.p + c->sums.n, adds[i]);
	return 0;
}

static int
take_block(struct trc_fingerprint_bytes *c, const uint8_t *p, struct trc_err *err)
{
	uint64_t adds[LANES] = { 0 };

	add_stripes(adds, p, BLOCK / STRIPE);
	memcpy(c->last, p + BLOCK - STRIPE, STRIPE);
	return take_sums(c, adds, err);
}

static int
take_held(struct trc_fingerprint_bytes *c, struct trc_err *err)
{
	c->holds = 0;
	return take_block(c, c->held, err);
}

/* Bytes up to a border, or all. */
static size_t
put_front(struct trc_fingerprint_bytes *c, size_t n)
{
	const size_t left = c->fronts - c->front.n;

	return c->raw || left > n ? n : left;
}

static int
put_bytes(struct trc_fingerprint_bytes *c, const uint8_t *p, size_t n, struct trc_err *err)
{
	const size_t front = c->whole ? 0 : put_front(c, n);

	if (n == 0)
		return 0;
	c->n += n;
	if (front > 0 && trc_buf_put(&c->front, p, front, err))
		return -1;
	p += front;
	n -= front;
	while (n > 0) {
		const size_t room = BLOCK - c->holds, more = n < room ? n : room;

		if (room == 0) {
			if (take_held(c, err))
				return -1;
			continue;
		}
		if (room == BLOCK && n > BLOCK) {
			if (take_block(c, p, err))
				return -1;
		} else {
			memcpy(c->held + c->holds, p, more);
			c->holds += more;
		}
		p += more;
		n -= more;
	}
	return 0;
}

/* The sums as one number (the specification calls this merging accumulators). */
static uint64_t
merge(const uint64_t *sum, uint64_t n)
{
	uint64_t h = n * UINT64_C(0x9E3779B185EBCA87);

	for (size_t i = 0; i < LANES; i += 2) {
		const uint8_t *key = secret() + SECRET_MERGE + 8 * i;

		h += XXH3_mul128_fold64(sum[i] ^ trc_le64(key), sum[i + 1] ^ trc_le64(key + 8));
	}
	h = (h ^ h >> 37) * UINT64_C(0x165667919E3779F9);
	return h ^ h >> 32;
}

static uint64_t
hash_of(const struct trc_fingerprint_bytes *c)
{
	uint8_t stripe[STRIPE];
	uint64_t sum[LANES];

	if (c->n <= BLOCK)
		return XXH3_64bits(c->held, c->holds);
	memcpy(sum, c->sum, sizeof(sum));
	add_stripes(sum, c->held, (c->holds - 1) / STRIPE);
	if (c->holds >= STRIPE) {
		memcpy(stripe, c->held + c->holds - STRIPE, STRIPE);
	} else {
		memcpy(stripe, c->last + c->holds, STRIPE - c->holds);
		memcpy(stripe + STRIPE - c->holds, c->held, c->holds);
	}
	add_stripe(sum, stripe, secret() + SECRET_LAST);
	return merge(sum, c->n);
}

/* ---- columns ---- */

/* As before any byte of the trace, or behind `first` rows of it. */
static void
begin(struct trc_fingerprint_bytes *c, enum trc_column column, uint64_t first)
{
	static const uint64_t start[LANES] = {
		UINT64_C(0xC2B2AE3D),         UINT64_C(0x9E3779B185EBCA87),
		UINT64_C(0xC2B2AE3D27D4EB4F), UINT64_C(0x165667B19E3779F9),
		UINT64_C(0x85EBCA77C2B2AE63), UINT64_C(0x85EBCA77),
		UINT64_C(0x27D4EB2F165667C5), UINT64_C(0x9E3779B1),
	};
	const uint64_t at = first % BLOCK * trc_column[column].width;

	c->whole = first == 0;
	c->raw = !c->whole && column == TRC_COL_EVENT;
	c->fronts = (size_t)((0 - at) % BLOCK);
	memcpy(c->sum, start, sizeof(start));
}

int
trc_fingerprint_part_init(struct trc_fingerprint_part *p, uint32_t have, uint64_t first,
                          struct trc_err *err)
{
	*p = (struct trc_fingerprint_part){ .have = have, .first = first };
	for (int c = 0; c < TRC_COLUMNS; c++) {
		if (!(have >> c & 1))
			continue;
		p->column[c] = trc_alloc(1, sizeof(*p->column[c]), err);
		if (!p->column[c]) {
			trc_fingerprint_part_release(p);
			return -1;
		}
		begin(p->column[c], (enum trc_column)c, first);
	}
	return 0;
}

void
trc_fingerprint_part_release(struct trc_fingerprint_part *p)
{
	for (int c = 0; c < TRC_COLUMNS; c++) {
		if (!p->column[c])
			continue;
		trc_buf_release(&p->column[c]->sums);
		trc_buf_release(&p->column[c]->front);
		free(p->column[c]);
	}
	*p = (struct trc_fingerprint_part){ .have = 0 };
}

/* Values in the order of bytes that all machines share. */
static int
put_values(struct trc_fingerprint_bytes *c, const uint8_t *value, size_t n, size_t width,
           struct trc_err *err)
{
	const uint16_t probe = 1;
	uint8_t turned[8];

	if (width == 1 || *(const uint8_t *)&probe == 1)
		return put_bytes(c, value, n * width, err);
	for (size_t i = 0; i < n; i++, value += width) {
		for (size_t k = 0; k < width; k++)
			turned[k] = value[width - 1 - k];
		if (put_bytes(c, turned, width, err))
			return -1;
	}
	return 0;
}

static int
put_events(struct trc_fingerprint_bytes *c, const struct trc_batch *b, uint64_t row,
           struct trc_err *err)
{
	uint8_t ordinal[8];

	for (size_t i = 0; i < b->n; i++) {
		const char *text = trc_batch_event(b, i);

		if (!trc_batch_is_event(b, i))
			continue;
		trc_put_le64(ordinal, row + i);
		if (put_bytes(c, ordinal, sizeof(ordinal), err) ||
		    put_bytes(c, (const uint8_t *)text, strlen(text) + 1, err))
			return -1;
	}
	return 0;
}

int
trc_fingerprint_part_add(struct trc_fingerprint_part *p, const struct trc_batch *b,
                         struct trc_err *err)
{
	for (int c = 0; c < TRC_COLUMNS; c++) {
		struct trc_fingerprint_bytes *to = p->column[c];

		if (to &&
		    (c == TRC_COL_EVENT ? put_events(to, b, p->first + p->rows, err) :
		                          put_values(to, trc_batch_column(b, (enum trc_column)c),
		                                     b->n, trc_column[c].width, err)))
			return -1;
	}
	p->rows += b->n;
	return 0;
}

/* ---- states ---- */

/* Bytes of a column: how many, then by where they begin, sums, or the bytes in front of a border
 * and what blocks add; what is held of the last block, and what is in front of that. */
static int
save_column(const struct trc_fingerprint_bytes *c, struct trc_buf *state, struct trc_err *err)
{
	uint8_t sum[STRIPE];

	for (size_t i = 0; i < LANES; i++)
		trc_put_le64(sum + 8 * i, c->sum[i]);
	return trc_buf_put_num(state, c->n, err) ||
	                       (c->whole && trc_buf_put(state, sum, sizeof(sum), err)) ||
	                       trc_buf_put_num(state, c->front.n, err) ||
	                       trc_buf_put(state, c->front.p, c->front.n, err) ||
	                       trc_buf_put_num(state, c->sums.n / STRIPE, err) ||
	                       trc_buf_put(state, c->sums.p, c->sums.n, err) ||
	                       trc_buf_put_num(state, c->holds, err) ||
	                       trc_buf_put(state, c->held, c->holds, err) ||
	                       trc_buf_put(state, c->last, sizeof(c->last), err) ?
	               -1 :
	               0;
}

int
trc_fingerprint_part_save(const struct trc_fingerprint_part *p, struct trc_buf *state,
                          struct trc_err *err)
{
	if (trc_buf_put_num(state, p->first, err) || trc_buf_put_num(state, p->rows, err))
		return -1;
	for (int c = 0; c < TRC_COLUMNS; c++)
		if (p->column[c] && save_column(p->column[c], state, err))
			return -1;
	return 0;
}

/* Bytes with their number in front; NULL if they are not there. */
static const uint8_t *
read_bytes(struct trc_view *state, uint64_t unit, uint64_t most, size_t *n)
{
	const uint8_t *p;
	uint64_t units;

	if (!trc_view_num(state, &units) || units > most || units > SIZE_MAX / unit ||
	    !(p = trc_view_bytes(state, (size_t)(units * unit))))
		return NULL;
	*n = (size_t)(units * unit);
	return p;
}

/* What blocks add, behind all that is there: the block that is held is whole. */
static int
append_sums(struct trc_fingerprint_bytes *c, const uint8_t *p, size_t n, struct trc_err *err)
{
	uint64_t adds[LANES];

	for (size_t at = 0; at < n; at += STRIPE) {
		for (size_t i = 0; i < LANES; i++)
			adds[i] = trc_le64(p + at + 8 * i);
		if (take_sums(c, adds, err))
			return -1;
		c->n += BLOCK;
	}
	return 0;
}

/* Takes a column of the trace from its beginning, where nothing is yet. */
static void
load_whole(struct trc_fingerprint_bytes *c, uint64_t n, const uint8_t *sum, const uint8_t *held,
           size_t holds, const uint8_t *last)
{
	for (size_t i = 0; i < LANES; i++)
		c->sum[i] = trc_le64(sum + 8 * i);
	c->n = n;
	memcpy(c->held, held, holds);
	c->holds = holds;
	memcpy(c->last, last, STRIPE);
}

/* Takes a column of rows that follow. */
static int
append_column(struct trc_fingerprint_bytes *c, bool whole, struct trc_view *state,
              struct trc_err *err)
{
	const uint8_t *sum = NULL, *front, *sums, *held, *last;
	size_t fronts, adds, holds;
	uint64_t n;

	if (!trc_view_num(state, &n) || (whole && !(sum = trc_view_bytes(state, STRIPE))) ||
	    !(front = read_bytes(state, 1, SIZE_MAX, &fronts)) ||
	    !(sums = read_bytes(state, STRIPE, SIZE_MAX, &adds)) ||
	    !(held = read_bytes(state, 1, BLOCK, &holds)) ||
	    !(last = trc_view_bytes(state, STRIPE)))
		return trc_sink_damaged(err);
	if (whole && (fronts > 0 || adds > 0 || c->n > 0 || (n > 0 && holds == 0) ||
	              (n - holds) % BLOCK != 0))
		return trc_sink_damaged(err);
	if (whole) {
		load_whole(c, n, sum, held, holds, last);
		return 0;
	}
	if (n != fronts + (uint64_t)(adds / STRIPE) * BLOCK + holds ||
	    put_bytes(c, front, fronts, err))
		return trc_sink_damaged(err);
	if (adds > 0) {
		/* These are blocks of the column: the one in front of them is whole. */
		if ((!c->whole && c->front.n < c->fronts) || c->raw ||
		    (c->holds > 0 && (c->holds < BLOCK || take_held(c, err))))
			return trc_sink_damaged(err);
		if (append_sums(c, sums, adds, err))
			return -1;
		memcpy(c->last, last, STRIPE);
	}
	return put_bytes(c, held, holds, err);
}

/* Nothing is there yet: as before the rows of a state. */
static void
begin_at(struct trc_fingerprint_part *p, uint64_t first)
{
	p->first = first;
	for (int c = 0; c < TRC_COLUMNS; c++)
		if (p->column[c])
			begin(p->column[c], (enum trc_column)c, first);
}

int
trc_fingerprint_part_append(struct trc_fingerprint_part *p, struct trc_view *state,
                            struct trc_err *err)
{
	uint64_t first, rows;

	if (!trc_view_num(state, &first) || !trc_view_num(state, &rows))
		return trc_sink_damaged(err);
	if (p->rows == 0)
		begin_at(p, first);
	if (first != p->first + p->rows)
		return trc_fail(err, "its first record is %llu, but those before it end with %llu",
		                (unsigned long long)first + 1,
		                (unsigned long long)(p->first + p->rows));
	for (int c = 0; c < TRC_COLUMNS; c++)
		if (p->column[c] && append_column(p->column[c], first == 0, state, err))
			return -1;
	p->rows += rows;
	return 0;
}

/* ---- answers ---- */

uint64_t
trc_fingerprint_part_column(const struct trc_fingerprint_part *p, enum trc_column c)
{
	return hash_of(p->column[c]);
}

uint64_t
trc_fingerprint_part_all(const struct trc_fingerprint_part *p)
{
	uint8_t all[TRC_COLUMNS * 8];
	size_t n = 0;

	for (int c = 0; c < TRC_COLUMNS; c++)
		if (p->column[c]) {
			trc_put_le64(all + n, trc_fingerprint_part_column(p, (enum trc_column)c));
			n += 8;
		}
	return XXH3_64bits(all, n);
}
