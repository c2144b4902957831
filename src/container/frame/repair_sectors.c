/* SPDX-License-Identifier: MIT
 * Repairs a group protected by sectors of parity (trc up to 1.1). */
#include <stdlib.h>

#include "container/frame/reed_solomon.h"
#include "container/frame/repair_group.h"

enum { SUSPECT_MOST = 1 << 10 }; /* with this many lost sectors, no others are suspected */

/* The state of repairing one group. */
struct sectors {
	const struct trc_parity_group *g;
	uint64_t *at;   /* offset of each data sector in the file, TRC_NOWHERE if it is lost */
	uint32_t *lost; /* numbers of the lost sectors, and of as many parity frames */
	uint32_t *by;
	size_t n;         /* number of lost sectors */
	uint8_t **row;    /* parity, minus the contributions of the intact sectors */
	uint8_t **sector; /* recomputed sectors, in the same allocations */
	size_t rows;
	uint8_t *room; /* scratch space for a sector */
	struct trc_buf frame;
};

/* ---- finding intact sectors ---- */

static bool
is_whole(const struct trc_repair *r, struct sectors *s, size_t i, uint64_t at)
{
	const struct trc_parity_shape *shape = &s->g->shape;
	const size_t n = trc_parity_sector_bytes(shape, i);

	return at <= r->file->size && r->file->read_at(r->file, at, s->room, n) &&
	       trc_parity_sum(s->room, n) == trc_le16(shape->sums + TRC_PARITY_SUM * i);
}

/* Finds the intact sectors. If bytes were lost or inserted, sectors have moved: those before that
 * point are found from the beginning of the group, those after it from its end, which its own
 * parity shows. */
static void
find_sectors(const struct trc_repair *r, struct sectors *s)
{
	const struct trc_parity_group *g = s->g;
	uint64_t here = g->end - g->shape.bytes, other = trc_repair_start(r, g);

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

/* ---- recomputing from parity ---- */

/* Reads as many rows of parity as there are lost sectors and, if available, two more: one for a
 * sector that is damaged although its checksum is right, and one to verify that it is that
 * sector. */
static int
read_parity(const struct trc_repair *r, struct sectors *s, struct trc_err *err)
{
	const struct trc_parity_group *g = s->g;

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

/* Adds the contribution of sector `i` to the rows, or removes it if it is included already. */
static int
add_sector(const struct trc_repair *r, struct sectors *s, size_t i, struct trc_err *err)
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

/* Returns true if row `k`, which was not needed to compute the lost sectors, agrees with them. */
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

/* Recomputes the lost sectors; sets *whole to false if they turn out to be wrong. */
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

/* Adds sector `i` to the lost ones. */
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

/* Returns true if one more lost sector could be verified, by a second checksum or a spare row,
 * without too much work. The work must be bounded because a crafted file could require any
 * amount. */
static bool
may_suspect(const struct trc_repair *r, const struct sectors *s)
{
	const uint64_t n = s->n + 1, bytes = s->g->shape.sector + n;

	return s->rows >= n && s->rows > 1 && n < SUSPECT_MOST &&
	       n * n * bytes <= r->work / s->g->shape.sectors;
}

/* Assumes that each other sector is lost, one at a time, because a checksum of 16 bits may be right
 * by chance. */
static int
suspect_each(struct trc_repair *r, struct sectors *s, bool *whole, struct trc_err *err)
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

/* Recomputes the lost sectors; sets *whole to false if that is impossible. */
static int
compute_lost(struct trc_repair *r, struct sectors *s, bool *whole, struct trc_err *err)
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

/* ---- writing a group ---- */

static int
add_data(struct trc_repair *r, const struct sectors *s, struct trc_err *err)
{
	const struct trc_parity_shape *shape = &s->g->shape;
	size_t k = 0;

	for (size_t i = 0; i < shape->sectors; i++) {
		const size_t n = trc_parity_sector_bytes(shape, i);

		if (s->at[i] == TRC_NOWHERE)
			trc_repair_note(r,
			                s->g->end - shape->bytes + trc_parity_sector_at(shape, i));
		if (s->at[i] == TRC_NOWHERE ?
		            trc_patched_add_bytes(r->whole, s->sector[k++], n, err) :
		            trc_patched_add_range(r->whole, s->at[i], n, err))
			return -1;
	}
	return 0;
}

/* Computes parity frame `j` of the group that begins at `data` of the repaired file. */
static int
compute_parity(struct trc_repair *r, struct sectors *s, size_t j, uint64_t data,
               struct trc_err *err)
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
add_parity(struct trc_repair *r, struct sectors *s, uint64_t data, struct trc_err *err)
{
	const struct trc_parity_group *g = s->g;

	for (size_t j = 0; j < g->shape.parity; j++) {
		const struct trc_span *f = &g->place[j].frame;

		if (f->at != TRC_NOWHERE) {
			if (trc_patched_add_range(r->whole, f->at, f->n, err))
				return -1;
			continue;
		}
		trc_repair_note(r, g->end);
		if (compute_parity(r, s, j, data, err) ||
		    trc_patched_add_bytes(r->whole, s->frame.p, s->frame.n, err))
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
sectors_init(struct sectors *s, const struct trc_parity_group *g, struct trc_err *err)
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

/* Returns where the first sector begins, or should begin. */
static uint64_t
begin_of(const struct sectors *s)
{
	return s->at[0] != TRC_NOWHERE ? s->at[0] : s->g->end - s->g->bytes;
}

static int
repair_sectors(struct trc_repair *r, struct sectors *s, enum trc_repair_done *done,
               struct trc_err *err)
{
	const struct trc_parity_group *g = s->g;
	bool whole;
	uint64_t data;

	find_sectors(r, s);
	whole = s->n <= g->places && !trc_repair_is_torn(r, g, s->at[0] == TRC_NOWHERE);
	if (whole && compute_lost(r, s, &whole, err))
		return -1;
	if (!whole)
		return 0;
	if (trc_repair_before(r, g, begin_of(s), err))
		return -1;
	data = trc_patched_size(r->whole);
	if (add_data(r, s, err) || add_parity(r, s, data, err))
		return -1;
	/* Assume that parity frames that were not found occupy their full size. */
	r->at = g->end + (trc_patched_size(r->whole) - data - g->bytes);
	*done = TRC_REPAIR_WHOLE;
	return 0;
}

int
trc_repair_sectors(struct trc_repair *r, const struct trc_parity_group *g,
                   enum trc_repair_done *done, struct trc_err *err)
{
	struct sectors s;
	int ret = sectors_init(&s, g, err);

	if (ret == 0)
		ret = repair_sectors(r, &s, done, err);
	sectors_release(&s);
	return ret;
}
