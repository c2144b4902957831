/* SPDX-License-Identifier: MIT
 * Groups as they were, one behind the other. */
#include "container/frame/repair.h"

#include <stdlib.h>

#include "base/io/patched.h"
#include "base/reed_solomon.h"
#include "container/frame/kinds.h"
#include "container/frame/end.h"
#include "container/frame/repair_scan.h"

enum {
	FRAME_MOST = 1 << 30,   /* bytes of a payload; a longer one is not looked through */
	SUSPECT_MOST = 1 << 10, /* lost sectors beside which others are suspected */
};

static const uint64_t work_most = 1ull << 36; /* products, in all: a minute or two */

/* A repair: from a file as it is to one as it was. Bytes that are of no group are kept, so that
 * nothing is passed over: they may be what remains of a whole container. */
struct repair {
	struct trc_stream *file;
	struct trc_patched *whole;
	struct trc_repaired *repaired;
	uint64_t at;        /* up to where the file is in the whole */
	uint64_t container; /* where the one begins that the next group is of, in the whole */
	bool within;        /* the last group was not the last of its container */
	uint64_t work;      /* that may still be done for sectors that are suspected */
};

/* What is done for one group. */
struct sectors {
	const struct trc_group *g;
	uint64_t *at;   /* of each sector of data in the file, TRC_NOWHERE if it is lost */
	uint32_t *lost; /* numbers of those, and of as many parity frames */
	uint32_t *by;
	size_t n;         /* lost */
	uint8_t **row;    /* of parity, less what the sectors that are whole add to it */
	uint8_t **sector; /* that are computed anew, behind them */
	size_t rows;
	uint8_t *room; /* of a sector */
	struct trc_buf frame;
};

static void
note(struct repair *r, uint64_t at)
{
	if (r->repaired->sectors++ == 0 || at < r->repaired->first)
		r->repaired->first = at;
}

/* ---- which sectors are whole ---- */

static bool
is_whole(const struct repair *r, struct sectors *s, size_t i, uint64_t at)
{
	const struct trc_parity_shape *shape = &s->g->shape;
	const size_t n = trc_parity_sector_bytes(shape, i);

	return at <= r->file->size && r->file->read_at(r->file, at, s->room, n) &&
	       trc_parity_sum(s->room, n) == trc_le16(shape->sums + TRC_PARITY_SUM * i);
}

/* Where a group should begin. If it begins elsewhere by its end, bytes of it are missing, or were
 * added; as many as that may be, or there is something else in between. */
static uint64_t
start_of(const struct repair *r, const struct trc_group *g)
{
	const uint64_t start = g->end - g->shape.bytes, bytes = start - r->at;
	const uint64_t shift = bytes >> 63 ? 0 - bytes : bytes;

	return shift < g->shape.bytes && shift <= (uint64_t)g->shape.parity * g->shape.sector ?
	               r->at :
	               start;
}

/* Where bytes are missing, or are too many, sectors have moved: those before are where they are by
 * the beginning of the group, those behind by its end, which its own parity shows. */
static void
find_sectors(const struct repair *r, struct sectors *s)
{
	const struct trc_group *g = s->g;
	uint64_t here = g->end - g->shape.bytes, other = start_of(r, g);

	for (size_t i = 0; i < g->shape.sectors; i++) {
		const uint64_t in = trc_parity_sector_at(&g->shape, i);

		s->at[i] = here + in;
		if (is_whole(r, s, i, s->at[i]))
			continue;
		s->at[i] = other + in;
		if (other != here && is_whole(r, s, i, s->at[i])) {
			other = here;
			here = s->at[i] - in;
			continue;
		}
		s->at[i] = TRC_NOWHERE;
		s->lost[s->n++] = (uint32_t)i;
	}
}

/* ---- from parity ---- */

/* Reads as many rows of parity as there are lost sectors, and two more where they are there: for a
 * sector that is damaged though its sum is right, and to see that it is that one. */
static int
read_parity(const struct repair *r, struct sectors *s, struct trc_err *err)
{
	const struct trc_group *g = s->g;

	for (size_t j = 0; j < g->shape.parity && s->rows < s->n + 2; j++) {
		const struct trc_parity_place *place = &g->place[j];

		if (place->frame.at == TRC_NOWHERE)
			continue;
		s->row[s->rows] = trc_alloc_room(g->shape.sector, 2, err);
		if (!s->row[s->rows])
			return -1;
		s->sector[s->rows] = s->row[s->rows] + g->shape.sector;
		if (!r->file->read_at(r->file, place->parity, s->row[s->rows], g->shape.sector))
			return trc_fail_as(err, TRC_SYSTEM, "cannot be read a second time");
		s->by[s->rows++] = (uint32_t)j;
	}
	return 0;
}

/* Adds what sector `i` adds to the rows, which takes it off if it is in them. */
static int
add_sector(const struct repair *r, struct sectors *s, size_t i, struct trc_err *err)
{
	const struct trc_parity_shape *shape = &s->g->shape;
	const size_t n = trc_parity_sector_bytes(shape, i);

	if (!r->file->read_at(r->file, s->at[i], s->room, n))
		return trc_fail_as(err, TRC_SYSTEM, "cannot be read a second time");
	memset(s->room + n, 0, shape->sector - n);
	for (size_t k = 0; k < s->rows; k++)
		trc_rs_add(s->row[k], s->room, shape->sector, trc_rs_factor(s->by[k], i));
	return 0;
}

static bool
is_sum_right(const struct sectors *s, size_t k)
{
	const struct trc_parity_shape *shape = &s->g->shape;
	const size_t i = s->lost[k];

	return trc_parity_sum(s->sector[k], trc_parity_sector_bytes(shape, i)) ==
	       trc_le16(shape->sums + TRC_PARITY_SUM * i);
}

/* True if row `k`, which was not needed to compute lost sectors, is theirs. */
static bool
is_row_right(const struct sectors *s, size_t k)
{
	const size_t bytes = s->g->shape.sector;
	uint8_t *left = memcpy(s->sector[k], s->row[k], bytes);

	for (size_t l = 0; l < s->n; l++)
		trc_rs_add(left, s->sector[l], bytes, trc_rs_factor(s->by[k], s->lost[l]));
	for (size_t i = 0; i < bytes; i++)
		if (left[i])
			return false;
	return true;
}

/* Computes what is lost; *whole false if it is not what it was. */
static int
solve(struct sectors *s, bool *whole, struct trc_err *err)
{
	const size_t bytes = s->g->shape.sector;

	for (size_t k = 0; k < s->n; k++)
		memcpy(s->sector[k], s->row[k], bytes);
	if (trc_rs_solve(s->sector, bytes, s->by, s->lost, s->n, err))
		return -1;
	*whole = true;
	for (size_t k = 0; *whole && k < s->n; k++)
		*whole = is_sum_right(s, k);
	for (size_t k = s->n; *whole && k < s->rows; k++)
		*whole = is_row_right(s, k);
	return 0;
}

/* Counts sector `i` as lost, too. */
static void
lose(struct sectors *s, size_t i)
{
	size_t k = s->n++;

	for (; k > 0 && s->lost[k - 1] > i; k--)
		s->lost[k] = s->lost[k - 1];
	s->lost[k] = (uint32_t)i;
}

static void
find_again(struct sectors *s, size_t i)
{
	size_t k = 0;

	while (s->lost[k] != i)
		k++;
	s->n--;
	memmove(s->lost + k, s->lost + k + 1, (s->n - k) * sizeof(*s->lost));
}

/* True if one more lost sector would show by a second sum or a row to spare, without too much work:
 * of what no writer wrote that may be without end. */
static bool
may_suspect(const struct repair *r, const struct sectors *s)
{
	const uint64_t n = s->n + 1, bytes = s->g->shape.sector + n;

	return s->rows >= n && s->rows > 1 && n < SUSPECT_MOST &&
	       n * n * bytes <= r->work / s->g->shape.sectors;
}

/* A sum of 16 bits is right by chance, too: counts each other sector as lost in turn. */
static int
suspect_each(struct repair *r, struct sectors *s, bool *whole, struct trc_err *err)
{
	const uint64_t n = s->n + 1;

	if (!may_suspect(r, s))
		return 0;
	for (size_t i = 0; i < s->g->shape.sectors; i++) {
		if (s->at[i] == TRC_NOWHERE)
			continue;
		lose(s, i);
		r->work -= n * n * (s->g->shape.sector + n);
		if (add_sector(r, s, i, err) || solve(s, whole, err))
			return -1;
		if (*whole) {
			s->at[i] = TRC_NOWHERE;
			return 0;
		}
		find_again(s, i);
		if (add_sector(r, s, i, err))
			return -1;
	}
	return 0;
}

/* Computes what is lost; *whole false if that cannot be. */
static int
compute_lost(struct repair *r, struct sectors *s, bool *whole, struct trc_err *err)
{
	if (read_parity(r, s, err))
		return -1;
	for (size_t i = 0; i < s->g->shape.sectors; i++)
		if (s->at[i] != TRC_NOWHERE && add_sector(r, s, i, err))
			return -1;
	if (solve(s, whole, err))
		return -1;
	return *whole ? 0 : suspect_each(r, s, whole, err);
}

/* ---- putting a group together ---- */

static int
add_data(struct repair *r, const struct sectors *s, struct trc_err *err)
{
	const struct trc_parity_shape *shape = &s->g->shape;
	size_t k = 0;

	for (size_t i = 0; i < shape->sectors; i++) {
		const size_t n = trc_parity_sector_bytes(shape, i);

		if (s->at[i] == TRC_NOWHERE)
			note(r, s->g->end - shape->bytes + trc_parity_sector_at(shape, i));
		if (s->at[i] == TRC_NOWHERE ?
		            trc_patched_add_bytes(r->whole, s->sector[k++], n, err) :
		            trc_patched_add_range(r->whole, s->at[i], n, err))
			return -1;
	}
	return 0;
}

/* Parity frame `j` of the group that begins at `data` of the whole. */
static int
compute_parity(struct repair *r, struct sectors *s, size_t j, uint64_t data, struct trc_err *err)
{
	const struct trc_parity_shape *shape = &s->g->shape;
	uint8_t *parity = trc_alloc(shape->sector, 1, err);
	int ret = parity ? 0 : -1;

	for (size_t i = 0; ret == 0 && i < shape->sectors; i++) {
		const size_t n = trc_parity_sector_bytes(shape, i);

		memset(s->room + n, 0, shape->sector - n);
		if (trc_patched_read_at(r->whole, data + trc_parity_sector_at(shape, i), s->room,
		                        n))
			trc_rs_add(parity, s->room, shape->sector, trc_rs_factor(j, i));
		else
			ret = trc_fail_as(err, TRC_SYSTEM, "cannot be read a second time");
	}
	s->frame.n = 0;
	if (ret == 0)
		ret = trc_parity_frame_write(&s->frame, shape, j, trc_patched_size(r->whole) - data,
		                             parity, err);
	free(parity);
	return ret;
}

static int
add_parity(struct repair *r, struct sectors *s, uint64_t data, struct trc_err *err)
{
	const struct trc_group *g = s->g;

	for (size_t j = 0; j < g->shape.parity; j++) {
		const struct trc_extent *f = &g->place[j].frame;

		if (f->at != TRC_NOWHERE) {
			if (trc_patched_add_range(r->whole, f->at, f->n, err))
				return -1;
			continue;
		}
		note(r, g->end);
		if (compute_parity(r, s, j, data, err) ||
		    trc_patched_add_bytes(r->whole, s->frame.p, s->frame.n, err))
			return -1;
	}
	return 0;
}

/* Goes from the frame at `at` of the whole to the next; false behind the last. */
static bool
step(const struct repair *r, uint64_t at, struct trc_frame *f)
{
	const uint64_t left = trc_patched_size(r->whole) - at;
	uint8_t head[TRC_FRAME_HEAD_MOST];
	const size_t n = left < sizeof(head) ? (size_t)left : sizeof(head);

	f->offset = at;
	return n > 0 && trc_patched_read_at(r->whole, at, head, n) && trc_frame_head(head, n, f);
}

/* The end of a container follows from its frames. */
static int
compute_end(const struct repair *r, struct trc_buf *frame, struct trc_err *err)
{
	const uint64_t here = trc_patched_size(r->whole);
	struct trc_end end = { .start = here - r->container };
	uint8_t head[TRC_FRAME_HEAD_MOST];
	struct trc_buf payload = { 0 };
	struct trc_frame f;
	int ret;

	for (uint64_t at = r->container; step(r, at, &f); at += trc_frame_bytes(&f)) {
		if (f.kind == TRC_KIND_BLOCK)
			end.rows += trc_frame_rows(&f);
		if (f.kind == TRC_KIND_INDEX)
			end.index = here - at;
	}
	ret = trc_end_write(&payload, &end, err);
	frame->n = 0;
	if (ret == 0 &&
	    (trc_buf_put(frame, head,
	                 trc_frame_put_head(head, TRC_KIND_END, end.rows, payload.p, payload.n),
	                 err) ||
	     trc_buf_put(frame, payload.p, payload.n, err)))
		ret = -1;
	trc_buf_release(&payload);
	return ret;
}

/* True if the frame that was found is the one that was computed, and not that of a container behind
 * it. */
static bool
is_end(const struct repair *r, const struct trc_extent *close, const struct trc_buf *frame)
{
	uint8_t found[TRC_FRAME_HEAD_MOST + TRC_END_MOST];

	return close->at != TRC_NOWHERE && close->n == frame->n && frame->n <= sizeof(found) &&
	       r->file->read_at(r->file, close->at, found, close->n) &&
	       memcmp(found, frame->p, frame->n) == 0;
}

/* Where the end that was found is to be taken from: with what stands before it, which may be what
 * remains of another container, unless that is so little that it was added to the parity. */
static uint64_t
end_from(const struct repair *r, const struct trc_group *g)
{
	const uint64_t added = g->close.at - r->at;
	const uint64_t most = (uint64_t)g->shape.parity * g->shape.sector;

	return g->close.at < r->at || added <= most ? g->close.at : r->at;
}

/* The end of a container, if the group is its last. It is made anew only where nothing but its own
 * bytes stand before group `next`, or before the end of the file, where some may be missing. */
static int
add_end(struct repair *r, struct sectors *s, const struct trc_group *next, struct trc_err *err)
{
	const struct trc_extent *close = &s->g->close;
	uint64_t there;

	r->within = !s->g->shape.last;
	if (r->within)
		return 0;
	if (compute_end(r, &s->frame, err))
		return -1;
	there = (next ? next->end - next->shape.bytes : r->file->size) - r->at;
	if (is_end(r, close, &s->frame)) {
		const uint64_t from = end_from(r, s->g);

		if (trc_patched_add_range(r->whole, from, close->at + close->n - from, err))
			return -1;
		r->at = close->at + close->n;
	} else if (there == s->frame.n || (!next && there < s->frame.n)) {
		note(r, r->at);
		r->repaired->cut |= there < s->frame.n;
		r->at += there;
		if (trc_patched_add_bytes(r->whole, s->frame.p, s->frame.n, err))
			return -1;
	}
	return 0;
}

/* ---- a group ---- */

static void
sectors_release(struct sectors *s)
{
	for (size_t k = 0; k < s->rows; k++)
		free(s->row[k]);
	free(s->row);
	free(s->sector);
	free(s->at);
	free(s->lost);
	free(s->by);
	free(s->room);
	trc_buf_release(&s->frame);
}

static int
sectors_init(struct sectors *s, const struct trc_group *g, struct trc_err *err)
{
	const size_t n = g->shape.sectors;

	*s = (struct sectors){ .g = g };
	s->at = trc_alloc(n, sizeof(*s->at), err);
	s->lost = s->at ? trc_alloc(n + 1, sizeof(*s->lost), err) : NULL;
	s->by = s->lost ? trc_alloc(n + 2, sizeof(*s->by), err) : NULL;
	s->row = s->by ? trc_alloc(n + 2, sizeof(*s->row), err) : NULL;
	s->sector = s->row ? trc_alloc(n + 2, sizeof(*s->sector), err) : NULL;
	s->room = s->sector ? trc_alloc(g->shape.sector, 1, err) : NULL;
	return s->room ? 0 : -1;
}

/* True if a group can have as many bytes as it claims: a claim is looked at only then, so that the
 * time is linear in the bytes of the file, whatever frames have in them. */
static bool
is_possible(const struct repair *r, const struct trc_group *g)
{
	const uint64_t there = g->end > r->at ? g->end - r->at : 0;

	return g->shape.bytes <= there + (uint64_t)g->places * g->shape.sector;
}

/* Where the beginning is lost, and bytes are missing, so may be what stood before it: at the start
 * of the file that is noted, elsewhere it is for a salvage to find out. */
static bool
is_torn(struct repair *r, const struct sectors *s)
{
	const bool torn = s->at[0] == TRC_NOWHERE && s->g->end < r->at + s->g->shape.bytes;

	r->repaired->cut |= torn && r->at == 0;
	return torn && r->at > 0;
}

/* Puts what stands before a group, and where that begins. */
static int
add_before(struct repair *r, const struct sectors *s, struct trc_err *err)
{
	const uint64_t end = s->g->end - s->g->shape.bytes;
	const uint64_t start = s->at[0] != TRC_NOWHERE ? s->at[0] : end;

	if (start > r->at && end <= s->g->end &&
	    trc_patched_add_range(r->whole, r->at, start - r->at, err))
		return -1;
	if (!r->within)
		r->container = trc_patched_size(r->whole);
	return 0;
}

static int
repair_group(struct repair *r, struct sectors *s, const struct trc_group *next, struct trc_err *err)
{
	const struct trc_group *g = s->g;
	bool whole = is_possible(r, g);
	uint64_t data;

	if (whole)
		find_sectors(r, s);
	whole = whole && s->n <= g->places && !is_torn(r, s);
	if (whole && compute_lost(r, s, &whole, err))
		return -1;
	if (!whole) {
		const uint64_t from = r->at;

		r->at = g->tail;
		return trc_patched_add_range(r->whole, from, g->tail - from, err);
	}
	if (add_before(r, s, err))
		return -1;
	data = trc_patched_size(r->whole);
	if (add_data(r, s, err) || add_parity(r, s, data, err))
		return -1;
	/* Parity frames that were not found take as many bytes as they should. */
	r->at = g->end + (trc_patched_size(r->whole) - data - g->shape.bytes);
	r->at = r->at < r->file->size ? r->at : r->file->size;
	return add_end(r, s, next, err);
}

/* ---- the whole ---- */

static int
add_group(struct repair *r, const struct trc_group *g, const struct trc_group *next,
          struct trc_err *err)
{
	struct sectors s;
	int ret = sectors_init(&s, g, err);

	if (ret == 0)
		ret = repair_group(r, &s, next, err);
	sectors_release(&s);
	return ret;
}

static int
repair(struct repair *r, struct trc_err *err)
{
	struct trc_groups groups = { 0 };
	int ret = trc_groups_find(&groups, r->file, err);

	for (size_t i = 0; ret == 0 && i < groups.n; i++)
		ret = add_group(r, &groups.group[i], i + 1 < groups.n ? &groups.group[i + 1] : NULL,
		                err);
	if (ret == 0)
		ret = trc_patched_add_range(r->whole, r->at, r->file->size - r->at, err);
	/* There may have been too many bytes. */
	if (ret == 0 && r->repaired->sectors == 0 && trc_patched_size(r->whole) != r->file->size)
		note(r, 0);
	trc_groups_release(&groups);
	return ret;
}

/* True if frame `f`, behind one of kind `before`, is where it should be. */
static bool
is_in_place(const struct trc_frame *f, unsigned before, struct trc_view payload, uint64_t container,
            uint64_t index)
{
	const bool begins = before == 0 || before == TRC_KIND_END;
	struct trc_end end;

	if (begins != (f->kind == TRC_KIND_TRACE))
		return false;
	return f->kind != TRC_KIND_END || (trc_end_read(payload, f->number, &end) &&
	                                   end.start - end.index == index - container);
}

/* *sound true if the file is frames whose sums are right, and containers whose ends fit them but
 * for what stands behind the index, as for who reads them. What is to be repaired then was never
 * else: parity that is none, though its own sums are right. */
static int
look_through(struct trc_in *in, bool *sound, struct trc_err *err)
{
	const uint64_t size = trc_in_size(in);
	uint64_t container = 0, index = 0;
	struct trc_buf payload = { 0 };
	struct trc_frame f = { 0 };
	unsigned before = 0;
	int ret = 0;

	*sound = true;
	for (uint64_t at = 0; ret == 0 && *sound && at < size; at += trc_frame_bytes(&f)) {
		ret = trc_frame_read_at(in, at, FRAME_MOST, &payload, &f, sound, err);
		if (ret || !*sound)
			break;
		container = f.kind == TRC_KIND_TRACE ? at : container;
		index = f.kind == TRC_KIND_INDEX ? at : index;
		*sound = is_in_place(&f, before, trc_buf_view(&payload), container, index);
		before = f.kind;
	}
	*sound = *sound && before == TRC_KIND_END;
	trc_buf_release(&payload);
	return ret;
}

int
trc_repair(struct trc_in *in, uint64_t at, struct trc_repaired *repaired, struct trc_err *err)
{
	struct repair r = { .file = trc_in_inner(in), .repaired = repaired, .work = work_most };
	int ret;

	*repaired = (struct trc_repaired){ 0 };
	if (trc_in_size(in) == 0)
		return 0;
	if (look_through(in, &repaired->sound, err))
		return -1;
	if (repaired->sound)
		return 0;
	r.whole = trc_patched_open(r.file, err);
	if (!r.whole)
		return -1;
	ret = repair(&r, err);
	if (ret || repaired->sectors == 0)
		trc_patched_close(r.whole);
	else
		trc_in_replace(in, trc_patched_stream(r.whole, at, true), at);
	return ret;
}
