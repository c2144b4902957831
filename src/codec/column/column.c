/* SPDX-License-Identifier: MIT
 * Columns by themselves: every form is tried on a sample of the column. */
#include "codec/column/column.h"

#include <stdlib.h>

#include "base/map.h"
#include "codec/entropy/corrupt.h"

enum shape { ALIKE, FIELDS1, FIELDS2, FIELDS4, FIELDS8, INDEX1, INDEX2, SHAPES };

enum {
	FORMS = 2 * SHAPES, /* each of values, and of their changes */
	CHANGED = 16,       /* added to a shape */
	SAMPLE = 32768,
	TABLE_MOST = 65536,
	SAMPLE_LEVEL = 2,       /* the least level with symbol ranking */
	EXTREME_FORMS = 3,      /* that are tried on all of a column, if time does not matter */
	EXTREME_MOST = 1 << 18, /* values for which these are tried */
};

static const size_t width_of[SHAPES] = { 0, 1, 2, 4, 8, 1, 2 };

static const enum trc_pack_kind kind_of_width[9] = {
	[1] = TRC_PACK_BYTES,
	[2] = TRC_PACK_WORDS2,
	[4] = TRC_PACK_WORDS4,
	[8] = TRC_PACK_WORDS8,
};

/* Replaces each value but the first by its difference to the one before. */
static void
make_changes(uint64_t *v, size_t n)
{
	for (size_t i = n; i-- > 1;)
		v[i] = trc_zigzag(v[i] - v[i - 1]);
}

static void
sum_changes(uint64_t *v, size_t n)
{
	for (size_t i = 1; i < n; i++)
		v[i] = v[i - 1] + trc_unzigzag(v[i]);
}

static void
put_field(struct trc_buf *b, uint64_t v, size_t width)
{
	switch (width) {
	case 1: b->p[b->n] = (uint8_t)v; break;
	case 2: trc_put_be16(b->p + b->n, (uint16_t)v); break;
	case 4: trc_put_be32(b->p + b->n, (uint32_t)v); break;
	default: trc_put_be64(b->p + b->n, v); break;
	}
	b->n += width;
}

static uint64_t
get_field(const uint8_t *p, size_t width)
{
	switch (width) {
	case 1: return *p;
	case 2: return trc_be16(p);
	case 4: return trc_be32(p);
	default: return trc_be64(p);
	}
}

static int
pack_and_clear(struct trc_buf *raw, enum trc_pack_kind kind, int level, struct trc_buf *out,
               struct trc_err *err)
{
	int ret = trc_pack(raw->p, raw->n, kind, level, out, err);

	raw->n = 0;
	return ret;
}

static int
write_fields(const uint64_t *v, size_t n, size_t width, int level, struct trc_buf *raw,
             struct trc_buf *out, struct trc_err *err)
{
	if (trc_buf_room(raw, n * width, err))
		return -1;
	for (size_t i = 0; i < n; i++)
		put_field(raw, v[i], width);
	return pack_and_clear(raw, kind_of_width[width], level, out, err);
}

/* Sets *fits false if there are more different values than indices. */
static int
write_index(const uint64_t *v, size_t n, size_t width, int level, struct trc_buf *raw,
            struct trc_buf *out, bool *fits, struct trc_err *err)
{
	const size_t most = width == 1 ? 256 : TABLE_MOST;
	struct trc_buf table = { 0 };
	struct trc_map map;
	int ret = -1;

	if (trc_map_init(&map, err))
		return -1;
	if (trc_buf_room(raw, n * width, err))
		goto out;
	for (size_t i = 0; i < n; i++) {
		uint32_t index = trc_map_find(&map, 0, v[i])->value;

		if (index == TRC_MAP_NONE) {
			index = (uint32_t)map.n;
			*fits = index < most;
			if (!*fits)
				break;
			if (trc_map_add(&map, 0, v[i], index, err) || trc_buf_room(&table, 8, err))
				goto out;
			put_field(&table, v[i], 8);
		}
		put_field(raw, index, width);
	}
	ret = *fits ? pack_and_clear(&table, TRC_PACK_WORDS8, level, out, err) : 0;
	if (ret == 0 && *fits)
		ret = pack_and_clear(raw, width == 1 ? TRC_PACK_INDEX1 : TRC_PACK_INDEX2, level,
		                     out, err);
	raw->n = 0;
out:
	trc_buf_release(&table);
	trc_map_release(&map);
	return ret;
}

/* Appends values in one shape, or their changes behind the first of them. *fits is whether they
 * have it. */
static int
write_form(const uint64_t *v, size_t n, uint8_t form, int level, struct trc_buf *raw,
           struct trc_buf *out, bool *fits, struct trc_err *err)
{
	const enum shape shape = (enum shape)(form % CHANGED);
	const size_t width = width_of[shape];
	uint64_t all = 0;

	*fits = true;
	if (trc_buf_put(out, &form, 1, err))
		return -1;
	if (form >= CHANGED) {
		if (trc_buf_put_num(out, v[0], err) || --n == 0)
			return n == 0 ? 0 : -1;
		v++;
	}
	for (size_t i = 0; i < n; i++)
		all |= shape == ALIKE ? v[i] ^ v[0] : v[i];
	if (shape == ALIKE) {
		*fits = all == 0;
		return *fits ? trc_buf_put_num(out, v[0], err) : 0;
	}
	if (shape == INDEX1 || shape == INDEX2)
		return write_index(v, n, width, level, raw, out, fits, err);
	*fits = width == 8 || all >> 8 * width == 0;
	return *fits ? write_fields(v, n, width, level, raw, out, err) : 0;
}

/* Buffers for trying forms. */
struct scratch {
	uint64_t *v;
	struct trc_buf raw, out;
};

/* Tries every form on a sample, the middle of the column; the order of forms by size goes to
 * `form`. */
static int
rank_forms(const uint64_t *v, size_t n, struct scratch *s, uint8_t form[FORMS], size_t *forms,
           struct trc_err *err)
{
	const size_t sample = n < SAMPLE ? n : SAMPLE;
	bool narrow = false, fits; /* indices of one byte; the shape */
	size_t size[FORMS], at;

	*forms = 0;
	memcpy(s->v, v + (n - sample) / 2, sample * sizeof(*v));
	for (unsigned k = 0; k < FORMS; k++) {
		const uint8_t shape = (uint8_t)(k % SHAPES);
		const uint8_t to = (uint8_t)(shape + (k < SHAPES ? 0 : CHANGED));

		if (k == SHAPES)
			make_changes(s->v, sample);
		/* Wider indices are ranked as those are, and as many bytes. */
		fits = shape == INDEX2 && narrow;
		s->out.n = fits ? s->out.n : 0;
		if (!fits &&
		    write_form(s->v, sample, to, SAMPLE_LEVEL, &s->raw, &s->out, &fits, err))
			return -1;
		narrow = shape == INDEX1 && fits;
		if (!fits)
			continue;
		for (at = (*forms)++; at > 0 && size[at - 1] > s->out.n; at--) {
			size[at] = size[at - 1];
			form[at] = form[at - 1];
		}
		size[at] = s->out.n;
		form[at] = to;
	}
	return 0;
}

/* True if all values are the same, for which shape 0 is the shortest. */
static bool
are_alike(const uint64_t *v, size_t n)
{
	return n > 0 && memcmp(v, v + 1, (n - 1) * sizeof(*v)) == 0;
}

static int
write_best(const uint64_t *v, size_t n, int level, struct scratch *s, struct trc_buf *out,
           struct trc_err *err)
{
	const size_t start = out->n;
	unsigned tries = level < TRC_PACK_EXTREME || n > EXTREME_MOST ? 1 : EXTREME_FORMS;
	uint8_t form[FORMS];
	size_t forms, best = 0;
	bool fits;

	if (are_alike(v, n))
		return write_form(v, n, ALIKE, level, &s->raw, out, &fits, err);
	if (rank_forms(v, n, s, form, &forms, err))
		return -1;
	/* What fits the sample may not fit the column; plain fields of 8 bytes fit always. */
	for (size_t i = 0; i < forms && tries > 0; i++) {
		const size_t at = out->n;

		memcpy(s->v, v, n * sizeof(*v));
		if (form[i] >= CHANGED)
			make_changes(s->v, n);
		if (write_form(s->v, n, form[i], level, &s->raw, out, &fits, err))
			return -1;
		if (fits && (best == 0 || out->n - at < best)) {
			best = out->n - at;
			memmove(out->p + start, out->p + at, best);
		}
		tries -= fits;
		out->n = start + best;
	}
	if (best)
		return 0;
	return trc_fail(err, "a column that has no form");
}

int
trc_column_write(const uint64_t *v, size_t n, int level, struct trc_buf *out, struct trc_err *err)
{
	struct scratch s = { .v = trc_alloc(n, sizeof(*v), err) };
	int ret = s.v ? write_best(v, n, level, &s, out, err) : -1;

	free(s.v);
	trc_buf_release(&s.raw);
	trc_buf_release(&s.out);
	return ret;
}

static int
damaged(struct trc_err *err)
{
	return trc_corrupt(err, "a column of a block is damaged");
}

/* What is read of `n` values. */
struct wanted {
	uint64_t *v;
	size_t n, from, to;
};

static int
unpack_fields(struct trc_view *in, const struct wanted *w, size_t width, struct trc_buf *raw,
              struct trc_err *err)
{
	if (trc_unpack_part(in, w->n * width, w->from * width, w->to * width, raw, err))
		return -1;
	return raw->n == w->n * width ? 0 : damaged(err);
}

static int
read_fields(struct trc_view *in, const struct wanted *w, size_t width, struct trc_buf *raw,
            struct trc_err *err)
{
	if (unpack_fields(in, w, width, raw, err))
		return -1;
	for (size_t i = w->from; i < w->to; i++)
		w->v[i] = get_field(raw->p + i * width, width);
	return 0;
}

static uint8_t
greatest_byte(const uint8_t *v, size_t n)
{
	uint8_t most = 0; /* so narrow that many are compared at once */

	for (size_t i = 0; i < n; i++)
		most = v[i] > most ? v[i] : most;
	return most;
}

static int
read_index1(const struct wanted *w, const struct trc_buf *raw, const struct trc_buf *table,
            struct trc_err *err)
{
	const uint8_t *index = raw->p;
	uint64_t value[256] = { 0 };

	if (greatest_byte(index + w->from, w->to - w->from) >= table->n / 8)
		return damaged(err);
	for (size_t k = 0; k < table->n / 8; k++)
		value[k] = trc_be64(table->p + 8 * k);
	for (size_t i = w->from; i < w->to; i++)
		w->v[i] = value[index[i]];
	return 0;
}

static int
read_index2(const struct wanted *w, const struct trc_buf *raw, const struct trc_buf *table,
            struct trc_err *err)
{
	for (size_t i = w->from; i < w->to; i++) {
		const size_t index = trc_be16(raw->p + 2 * i);

		if (index >= table->n / 8)
			return damaged(err);
		w->v[i] = trc_be64(table->p + 8 * index);
	}
	return 0;
}

static int
read_index(struct trc_view *in, const struct wanted *w, size_t width, struct trc_buf *raw,
           struct trc_buf *table, struct trc_err *err)
{
	if (trc_unpack(in, (width == 1 ? 256 : TABLE_MOST) * 8, table, err) ||
	    unpack_fields(in, w, width, raw, err))
		return -1;
	return width == 1 ? read_index1(w, raw, table, err) : read_index2(w, raw, table, err);
}

static int
read_shape(struct trc_view *in, const struct wanted *w, enum shape shape, struct trc_buf *a,
           struct trc_buf *b, struct trc_err *err)
{
	uint64_t same;

	switch (shape) {
	case ALIKE:
		if (!trc_view_num(in, &same))
			return damaged(err);
		for (size_t i = w->from; i < w->to; i++)
			w->v[i] = same;
		return 0;
	case INDEX1:
	case INDEX2: return read_index(in, w, width_of[shape], a, b, err);
	default: return read_fields(in, w, width_of[shape], a, err);
	}
}

int
trc_column_read(struct trc_view *in, uint64_t *v, size_t n, struct trc_err *err)
{
	return trc_column_read_part(in, v, n, 0, n, err);
}

int
trc_column_read_part(struct trc_view *in, uint64_t *v, size_t n, size_t from, size_t to,
                     struct trc_err *err)
{
	const uint8_t *form = trc_view_bytes(in, 1);
	const bool changed = form && *form >= CHANGED;
	struct trc_buf a = { 0 }, b = { 0 };
	uint64_t head;
	int ret = 0;

	if (!form || *form >= 2 * CHANGED || *form % CHANGED >= SHAPES)
		return damaged(err);
	if (changed && !trc_view_num(in, &head))
		return damaged(err);
	/* Sums need all that is before. */
	from = changed ? 0 : from;
	if (changed && to > 0)
		v[0] = head;
	if (n > changed) {
		const struct wanted w = { v + changed, n - changed, from,
			                  to > changed ? to - changed : 0 };

		ret = read_shape(in, &w, (enum shape)(*form % CHANGED), &a, &b, err);
	}
	if (ret == 0 && changed)
		sum_changes(v, to);
	trc_buf_release(&a);
	trc_buf_release(&b);
	return ret;
}
