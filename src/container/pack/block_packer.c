/* SPDX-License-Identifier: MIT
 *
 * Packs a block. Its references become a path through a program if that is smaller; every other
 * column is packed separately or, if columns explain each other, jointly.
 */
#include "container/pack/block_packer.h"

#include <stdlib.h>

#include "base/pool.h"
#include "codec/column/column.h"
#include "codec/stream/pack.h"
#include "codec/column/joint_columns.h"
#include "codec/column/requests.h"
#include "batch/fingerprint.h"
#include "container/container.h"
#include "container/events.h"
#include "container/pack/refs_packer.h"
#include "container/sections.h"
#include "container/pack/verify.h"

enum { NO_COLUMN = 255 };

/* The numbers of columns that are packed jointly: clocks, then names. */
struct joint {
	uint8_t column[TRC_JOINT_CLOCKS + TRC_JOINT_NAMES];
	size_t clocks, names;
	uint8_t same; /* column that equals the first clock, or NO_COLUMN */
};

/* The columns of a block, each packed separately; those of references only for comparison. */
struct columns {
	struct trc_buf packed[TRC_COLUMNS];
	uint32_t have; /* columns packed so far */
	uint8_t todo[TRC_COLUMNS];
	struct trc_buf requests; /* addresses and sizes together; empty: not packed */
};

/* Writes row groups of a columnar format. */
struct trc_block_packer {
	struct trc_protected_out *out;
	uint32_t have;
	struct trc_block_packer_settings set;
	const struct trc_batch *rows;
	uint64_t first;
	size_t added;           /* rows of the block that came piece by piece */
	bool kept;              /* in `block`; otherwise `refs` has them */
	struct trc_batch block; /* their columns, or only their number */

	struct trc_refs_packer *refs;
	struct trc_refs_frames made; /* by `refs`, for this block */
	uint32_t beside;             /* columns packed at the same time */
	bool in_vain;                /* in the last block, they were hardly smaller than columns */
	struct trc_buf payload;
	struct trc_fingerprint fingerprint;
	struct columns columns;
	struct trc_verifier *verifier; /* NULL: nothing is read back */
};

/* ---- columns ---- */

/* Copies the first `n` values of a column into 64-bit values. */
static void
widen(const struct trc_batch *b, enum trc_column c, size_t n, uint64_t *v)
{
	const void *at = trc_batch_column(b, c);

	for (size_t i = 0; i < n; i++)
		v[i] = trc_column[c].width == 1 ? ((const uint8_t *)at)[i] :
		       trc_column[c].width == 4 ? ((const uint32_t *)at)[i] :
		                                  ((const uint64_t *)at)[i];
}

/* Returns true if all values are equal; a single one is then stored for all. */
static bool
is_alike(const struct trc_batch *b, enum trc_column c)
{
	const size_t width = trc_column[c].width;
	const uint8_t *at = trc_batch_column(b, c);

	return b->n > 0 && memcmp(at, at + width, (b->n - 1) * width) == 0;
}

static int
pack_column(void *arg, size_t i, struct trc_err *err)
{
	struct trc_block_packer *p = arg;
	const enum trc_column c = (enum trc_column)p->columns.todo[i];
	const bool wide = trc_column[c].width == sizeof(uint64_t);
	const size_t n = is_alike(p->rows, c) ? 1 : p->rows->n;
	uint64_t *v = wide ? NULL : trc_alloc_room(n, sizeof(*v), err);
	int ret;

	if (!wide && !v)
		return -1;
	if (!wide)
		widen(p->rows, c, n, v);
	p->columns.packed[c].n = 0;
	ret = trc_column_write(wide ? trc_batch_column(p->rows, c) : v, n, p->set.level,
	                       &p->columns.packed[c], err);
	free(v);
	return ret;
}

/* Packs those of `columns` that are not packed yet. */
static int
pack_columns(struct trc_block_packer *p, uint32_t columns, struct trc_err *err)
{
	size_t n = 0;

	for (unsigned c = 0; c < TRC_COLUMNS; c++)
		if ((columns & ~p->columns.have) >> c & 1)
			p->columns.todo[n++] = (uint8_t)c;
	if (trc_pool_run(trc_threads_for(p->set.threads, p->rows->n), pack_column, p, n, err))
		return -1;
	p->columns.have |= columns;
	return 0;
}

/* Reads a frame back, then writes it. */
static int
write_frame(struct trc_block_packer *p, uint8_t kind, uint64_t number, struct trc_buf *payload,
            struct trc_err *err)
{
	if (p->set.harm)
		p->set.harm(p->set.harm_arg, kind, payload);
	if (p->verifier && trc_verifier_frame(p->verifier, kind, number, payload, err))
		return -1;
	return trc_protected_frame(p->out, kind, number, payload, err);
}

/* ---- the block ---- */

static bool
is_constant(const uint64_t *v, size_t n)
{
	return memcmp(v, v + 1, (n - 1) * sizeof(*v)) == 0;
}

/* Returns true if most rows directly follow each other in time, which shows that none were left
 * out. */
static bool
is_dense(const uint64_t *clock, size_t n)
{
	size_t next = 0;

	for (size_t i = 1; i < n && next <= n / 2; i++)
		next += clock[i] - clock[i - 1] <= 1;
	return next > n / 2;
}

/* Chooses which columns of pages and their times to pack jointly: clocks, names, and one that
 * equals the first clock. If there are addresses as well and no rows were left out, times do not
 * explain pages; packed separately, the columns then take half the bytes and a quarter of the
 * time. */
static size_t
choose_joint(const struct trc_block_packer *p, uint32_t columns, struct joint *r)
{
	const enum trc_column clock[] = { TRC_COL_RTIME, TRC_COL_TIME };
	const enum trc_column name[] = { TRC_COL_TYPE, TRC_COL_ASID, TRC_COL_TASK, TRC_COL_VPN,
		                         TRC_COL_CPN };
	const struct trc_batch *b = p->rows;

	*r = (struct joint){ .same = NO_COLUMN };
	for (size_t i = 0; i < TRC_COUNT(clock) && r->clocks == 0; i++)
		if (columns >> clock[i] & 1)
			r->column[r->clocks++] = (uint8_t)clock[i];
	if (r->clocks == 0 || !(columns & (TRC_HAS_VPN | TRC_HAS_CPN)))
		return 0;
	if (b->addr && is_dense(trc_batch_column(b, (enum trc_column)r->column[0]), b->n))
		return 0;
	if (columns & TRC_HAS_ITIME && !is_constant(b->itime, b->n))
		r->column[r->clocks++] = TRC_COL_ITIME;
	for (size_t i = 0; i < TRC_COUNT(name); i++)
		if (columns >> name[i] & 1)
			r->column[r->clocks + r->names++] = (uint8_t)name[i];
	if (r->column[0] == TRC_COL_RTIME && columns & TRC_HAS_TIME &&
	    memcmp(b->time, b->rtime, b->n * sizeof(*b->time)) == 0)
		r->same = TRC_COL_TIME;
	return r->clocks + r->names;
}

static int
put_joint_head(struct trc_block_packer *p, const struct joint *r, struct trc_err *err)
{
	struct trc_buf *b = &p->payload;

	if (trc_buf_put_byte(b, TRC_SECTION_JOINT, err) ||
	    trc_buf_put_byte(b, (unsigned)r->clocks, err) ||
	    trc_buf_put(b, r->column, r->clocks, err) ||
	    trc_buf_put_byte(b, (unsigned)r->names, err) ||
	    trc_buf_put(b, r->column + r->clocks, r->names, err) ||
	    trc_buf_put_byte(b, r->same, err))
		return -1;
	return 0;
}

/* Packs columns jointly; *taken are these columns, possibly none. */
static int
put_joint(struct trc_block_packer *p, uint32_t columns, uint32_t *taken, struct trc_err *err)
{
	const size_t start = p->payload.n, n = p->rows->n;
	uint64_t *column[TRC_JOINT_CLOCKS + TRC_JOINT_NAMES], *wide;
	struct joint r;
	const size_t count = choose_joint(p, columns, &r);
	bool fits = true;
	int ret;

	*taken = 0;
	if (count == 0)
		return 0;
	wide = trc_alloc(count * n, sizeof(*wide), err);
	if (!wide)
		return -1;
	for (size_t i = 0; i < count; i++) {
		column[i] = wide + i * n;
		widen(p->rows, (enum trc_column)r.column[i], n, column[i]);
		*taken |= 1u << r.column[i];
	}
	if (r.same != NO_COLUMN)
		*taken |= 1u << r.same;
	ret = put_joint_head(p, &r, err);
	if (ret == 0)
		ret = trc_joint_write(column, r.clocks, r.names, n, p->set.level, &p->payload,
		                      &fits, err);
	if (ret == 0 && fits)
		ret = trc_section_end(&p->payload, start, err);
	free(wide);
	if (ret == 0 && !fits) {
		p->payload.n = start;
		*taken = 0;
	}
	return ret;
}

/* Writes addresses and sizes as requests if they look like I/O requests; *taken are these columns,
 * possibly none. They are packed only once, even if first for comparison and then for output. */
static int
put_requests(struct trc_block_packer *p, uint32_t columns, uint32_t *taken, struct trc_err *err)
{
	const uint32_t both = TRC_HAS_ADDR | TRC_HAS_SIZE;
	const struct trc_batch *b = p->rows;
	const struct trc_request_rows r = { b->n, b->addr, b->size };
	struct trc_buf *packed = &p->columns.requests;

	*taken = 0;
	if (~columns & both || trc_pack_level(p->set.level) <= TRC_PACK_FAST ||
	    !trc_are_requests(b->size, b->n))
		return 0;
	*taken = both;
	if (packed->n == 0 && trc_requests_write(&r, packed, err))
		return -1;
	if (trc_buf_put_byte(&p->payload, TRC_SECTION_REQUESTS, err) ||
	    trc_buf_put_num(&p->payload, packed->n, err) ||
	    trc_buf_put(&p->payload, packed->p, packed->n, err))
		return -1;
	return 0;
}

static int
put_column(struct trc_block_packer *p, unsigned c, struct trc_err *err)
{
	const struct trc_buf *packed = &p->columns.packed[c];
	struct trc_buf *b = &p->payload;

	if (trc_buf_put_byte(b, TRC_SECTION_COLUMN, err) ||
	    trc_buf_put_num(b, 1 + packed->n, err) || trc_buf_put_byte(b, c, err) ||
	    trc_buf_put(b, packed->p, packed->n, err))
		return -1;
	return 0;
}

static int
put_events(struct trc_block_packer *p, struct trc_err *err)
{
	struct trc_buf *b = &p->payload;
	const size_t start = b->n;

	if (trc_buf_put_byte(b, TRC_SECTION_EVENTS, err) ||
	    trc_events_write(p->rows, p->set.level, b, err) || trc_section_end(b, start, err))
		return -1;
	return 0;
}

static int
put_columns(struct trc_block_packer *p, uint32_t columns, struct trc_err *err)
{
	uint32_t taken, requests, single;

	if (put_joint(p, columns, &taken, err) || put_requests(p, columns & ~taken, &requests, err))
		return -1;
	single = columns & ~(taken | requests | TRC_HAS_EVENT);
	if (pack_columns(p, single, err))
		return -1;
	for (unsigned c = 0; c < TRC_COLUMNS; c++)
		if (single >> c & 1 && put_column(p, c, err))
			return -1;
	return columns & TRC_HAS_EVENT ? put_events(p, err) : 0;
}

/* Writes the block frame; the columns `refs` were written in frames before it. */
static int
write_block(struct trc_block_packer *p, uint32_t refs, struct trc_err *err)
{
	uint8_t fingerprint[8];

	if (p->added == 0) {
		trc_fingerprint_reset(&p->fingerprint);
		trc_fingerprint_update(&p->fingerprint, p->rows, 0, p->rows->n);
	}
	trc_put_le64(fingerprint, trc_fingerprint_all(&p->fingerprint));
	p->payload.n = 0;
	if (trc_buf_put_num(&p->payload, p->have, err) ||
	    trc_buf_put(&p->payload, fingerprint, sizeof(fingerprint), err) ||
	    put_columns(p, p->have & ~refs, err) ||
	    (refs && trc_refs_packer_section(p->refs, &p->payload, err)))
		return -1;
	return write_frame(p, TRC_KIND_BLOCK, p->first << TRC_ROW_BITS | p->rows->n, &p->payload,
	                   err);
}

/* Sets *smaller if the frames of references are smaller than their columns, and p->in_vain unless
 * by much. The columns are packed for comparison only if there is doubt. */
static int
compare_columns(struct trc_block_packer *p, const struct trc_refs_frames *m, bool *smaller,
                struct trc_err *err)
{
	enum { LITTLE = 64 }; /* by much is more than one part in this many */

	*smaller = true;
	if (m->sure)
		return 0;
	p->payload.n = 0;
	if (put_columns(p, p->have & m->columns, err))
		return -1;
	*smaller = m->bytes < p->payload.n;
	p->in_vain = m->bytes > p->payload.n - p->payload.n / LITTLE;
	return 0;
}

/* Chooses the columns that ops explain in fewer bytes than they take when packed separately; the
 * latter is tried only if there is doubt. */
static int
choose_by_op(struct trc_block_packer *p, const struct trc_refs_frames *m, uint32_t *by_op,
             struct trc_err *err)
{
	enum { FEW = 64 }; /* rows per byte of exceptions */

	*by_op = 0;
	for (unsigned c = 0; c < TRC_COLUMNS; c++) {
		bool better = m->by_op >> c & 1;

		if (better && m->exceptions[c] > p->rows->n / FEW) {
			if (pack_columns(p, 1u << c, err))
				return -1;
			better = m->exceptions[c] < p->columns.packed[c].n;
		}
		*by_op |= (uint32_t)better << c;
	}
	return 0;
}

/* ---- piece by piece ---- */

/* Makes room for `n` rows in all; blocks that were short take little memory. */
static int
make_room(struct trc_block_packer *p, size_t n, struct trc_err *err)
{
	enum { FIRST = 1 << 16, GROWTH = 16 };
	const size_t most = p->set.block_rows;
	size_t cap = p->block.cap > FIRST ? p->block.cap : FIRST;

	while (cap < n)
		cap *= GROWTH;
	return n <= p->block.cap ? 0 : trc_batch_grow(&p->block, cap < most ? cap : most, err);
}

/* Restores rows that are not a program after all. */
static int
take_back(struct trc_block_packer *p, struct trc_err *err)
{
	if (p->added == 0 || p->kept)
		return 0;
	p->block.n = 0;
	if (make_room(p, p->added, err))
		return -1;
	trc_refs_packer_return(p->refs, &p->block);
	p->kept = true;
	return 0;
}

int
trc_block_packer_add(struct trc_block_packer *p, const struct trc_batch *rows, size_t at, size_t n,
                     struct trc_err *err)
{
	if (p->added == 0) {
		p->kept = p->in_vain || !trc_refs_packer_takes(p->refs, rows, at, n);
		p->block.n = 0;
		trc_fingerprint_reset(&p->fingerprint);
	}
	trc_fingerprint_update(&p->fingerprint, rows, at, n);
	p->added += n;
	if (!p->kept)
		return trc_refs_packer_add(p->refs, rows, at, n, err);
	if (make_room(p, p->added, err))
		return -1;
	trc_batch_append(&p->block, rows, at, n);
	return 0;
}

int
trc_block_packer_end(struct trc_block_packer *p, uint64_t first, bool noise, bool *fresh,
                     struct trc_err *err)
{
	int ret;

	if (!trc_refs_packer_fits(p->refs) && take_back(p, err))
		return -1;
	p->block.n = p->added;
	ret = trc_block_packer_pack(p, &p->block, first, noise, fresh, err);
	p->added = 0;
	return ret;
}

/* ---- references ---- */

/* Writes the frames of references if that is better; *columns are the columns in them. Sets *fresh
 * to true if they depend on no earlier block. */
static int
write_refs(struct trc_block_packer *p, uint32_t *columns, bool *fresh, struct trc_err *err)
{
	struct trc_refs_frames m = p->made;
	uint32_t by_op;
	bool good;

	if (choose_by_op(p, &m, &by_op, err) || trc_refs_packer_finish(p->refs, by_op, &m, err))
		return -1;
	good = m.n > 0;
	p->in_vain = !good;
	if (good ? compare_columns(p, &m, &good, err) : take_back(p, err))
		return -1;
	*columns = good ? m.columns : 0;
	*fresh = !good || m.fresh;
	for (size_t i = 0; good && i < m.n; i++)
		if (write_frame(p, m.frame[i].kind, m.frame[i].number, &m.frame[i].payload, err))
			return -1;
	trc_refs_packer_end(p->refs, good);
	return 0;
}

/* Makes the frames of references, or packs columns that will not be in them. */
static int
pack_some(void *arg, size_t i, struct trc_err *err)
{
	struct trc_block_packer *p = arg;

	return i == 0 ? trc_refs_packer_pack(p->refs, p->rows, p->first, &p->made, err) :
	                pack_columns(p, p->beside, err);
}

/* Does both at the same time. */
static int
pack_all(struct trc_block_packer *p, struct trc_err *err)
{
	struct joint r;

	p->beside = p->have & ~(TRC_GATHERED_COLUMNS | TRC_BY_OP_COLUMNS | TRC_HAS_EVENT);
	if (choose_joint(p, p->beside, &r) > 0)
		p->beside = 0;
	return trc_pool_run(trc_threads_for(p->set.threads, p->rows->n), pack_some, p,
	                    p->beside ? 2 : 1, err);
}

int
trc_block_packer_pack(struct trc_block_packer *p, const struct trc_batch *rows, uint64_t first,
                      bool noise, bool *fresh, struct trc_err *err)
{
	uint32_t refs = 0;

	p->rows = rows;
	p->first = first;
	p->columns.have = 0;
	p->columns.requests.n = 0;
	*fresh = true;
	if (!(noise && p->in_vain) && (pack_all(p, err) || write_refs(p, &refs, fresh, err)))
		return -1;
	return write_block(p, refs, err);
}

struct trc_block_packer *
trc_block_packer_open(struct trc_protected_out *out, uint32_t have,
                      const struct trc_block_packer_settings *settings, struct trc_err *err)
{
	struct trc_block_packer *p = trc_alloc(1, sizeof(*p), err);

	if (!p)
		return NULL;
	p->out = out;
	p->have = p->block.have = have;
	p->set = *settings;
	if (settings->verify)
		p->verifier = trc_verifier_open(have, settings->block_rows, settings->threads, err);
	p->refs = trc_refs_packer_open(have, settings->level, settings->threads, err);
	if ((settings->verify && !p->verifier) || !p->refs ||
	    trc_fingerprint_init(&p->fingerprint, have, err)) {
		trc_block_packer_close(p);
		return NULL;
	}
	return p;
}

void
trc_block_packer_close(struct trc_block_packer *p)
{
	if (!p)
		return;
	trc_refs_packer_close(p->refs);
	trc_batch_release(&p->block);
	trc_buf_release(&p->payload);
	trc_fingerprint_release(&p->fingerprint);
	for (size_t i = 0; i < TRC_COUNT(p->columns.packed); i++)
		trc_buf_release(&p->columns.packed[i]);
	trc_buf_release(&p->columns.requests);
	trc_verifier_close(p->verifier);
	free(p);
}
