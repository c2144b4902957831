/* SPDX-License-Identifier: MIT
 * Packs single columns: every form is tried on a sample of the column. */
#include "codec/column/column.h"

#include "base/map_find.h"
#include "codec/entropy/corrupt.h"

enum shape { ALIKE, FIELDS1, FIELDS2, FIELDS4, FIELDS8, INDEX1, INDEX2, SHAPES };

enum {
	FORMS = 2 * SHAPES, /* each of them for values and for their changes */
	CHANGED = 16,       /* added to a shape: changes */
	SAMPLE = 32768,
	SAMPLE_FAST = 4096, /* at fast levels */
	TABLE_MOST = 65536,
	SAMPLE_LEVEL = 2,       /* the lowest level with symbol ranking */
	EXTREME_FORMS = 3,      /* tried on the whole column if time does not matter */
	EXTREME_MOST = 1 << 18, /* values up to which these are tried */
};

static const size_t width_of[SHAPES] = { 0, 1, 2, 4, 8, 1, 2 };

static const enum trc_pack_kind kind_of_width[9] = {
	[1] = TRC_PACK_BYTES,
	[2] = TRC_PACK_WORDS2,
	[4] = TRC_PACK_WORDS4,
	[8] = TRC_PACK_WORDS8,
};

/* The values to write: those at `v`, or their changes, each of which is the difference to the value
 * before. */
struct values {
	const uint64_t *v;
	size_t n; /* for changes, one less than the number of values */
	bool changed;
};

static TRC_ALWAYS_INLINE uint64_t
value_at(const uint64_t *v, size_t i, bool changed)
{
	return changed ? trc_zigzag(v[i + 1] - v[i]) : v[i];
}

static void
sum_changes(uint64_t *v, size_t n)
{
	for (size_t i = 1; i < n; i++)
		v[i] = v[i - 1] + trc_unzigzag(v[i]);
}

static TRC_ALWAYS_INLINE void
put_field(uint8_t *p, uint64_t v, size_t width)
{
	switch (width) {
	case 1: *p = (uint8_t)v; break;
	case 2: trc_put_be16(p, (uint16_t)v); break;
	case 4: trc_put_be32(p, (uint32_t)v); break;
	default: trc_put_be64(p, v); break;
	}
}

static TRC_ALWAYS_INLINE void
put_fields(uint8_t *p, const uint64_t *v, size_t n, size_t width, bool changed)
{
	for (size_t i = 0; i < n; i++)
		put_field(p + i * width, value_at(v, i, changed), width);
}

/* Expands the loop for each case. */
static void
put_values(uint8_t *p, const struct values *s, size_t width)
{
	switch (width + s->changed * 16) {
	case 1: put_fields(p, s->v, s->n, 1, false); break;
	case 2: put_fields(p, s->v, s->n, 2, false); break;
	case 4: put_fields(p, s->v, s->n, 4, false); break;
	case 8: put_fields(p, s->v, s->n, 8, false); break;
	case 16 + 1: put_fields(p, s->v, s->n, 1, true); break;
	case 16 + 2: put_fields(p, s->v, s->n, 2, true); break;
	case 16 + 4: put_fields(p, s->v, s->n, 4, true); break;
	default: put_fields(p, s->v, s->n, 8, true); break;
	}
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
write_fields(const struct values *s, size_t width, int level, struct trc_buf *raw,
             struct trc_buf *out, struct trc_err *err)
{
	if (trc_buf_room(raw, s->n * width, err))
		return -1;
	put_values(raw->p, s, width);
	raw->n = s->n * width;
	return pack_and_clear(raw, kind_of_width[width], level, out, err);
}

enum { RECENT = 256 };

/* Numbers distinct values in order of first appearance; recent ones are cached. */
struct numbering {
	struct trc_map map;
	struct trc_buf table; /* the values, as fields of 8 bytes */
	size_t most;
	bool fits; /* false: there are more than `most` */
	struct recent {
		uint64_t value;
		uint32_t index;
	} recent[RECENT];
};

/* Looks up or adds a value that is not cached. */
static int
find_index(struct numbering *t, uint64_t v, struct trc_err *err)
{
	uint32_t index = trc_map_find(&t->map, 0, v)->value;

	if (index == TRC_MAP_NONE) {
		index = (uint32_t)t->map.n;
		t->fits = index < t->most;
		if (!t->fits)
			return 0;
		if (trc_map_add(&t->map, 0, v, index, err) || trc_buf_room(&t->table, 8, err))
			return -1;
		put_field(t->table.p + t->table.n, v, 8);
		t->table.n += 8;
	}
	t->recent[v % RECENT].value = v;
	t->recent[v % RECENT].index = index;
	return 0;
}

/* Writes the indices of values, up to the first value without one. */
static TRC_ALWAYS_INLINE int
put_numbers(struct numbering *t, const uint64_t *v, size_t n, bool changed, size_t width,
            uint8_t *p, struct trc_err *err)
{
	for (size_t i = 0; i < n; i++) {
		const uint64_t at = value_at(v, i, changed);
		const struct recent *recent = &t->recent[at % RECENT];

		if (TRC_UNLIKELY(recent->value != at) && find_index(t, at, err))
			return -1;
		if (TRC_UNLIKELY(!t->fits))
			return 0;
		put_field(p + i * width, recent->index, width);
	}
	return 0;
}

static int
put_indices(struct numbering *t, const struct values *s, size_t width, uint8_t *p,
            struct trc_err *err)
{
	for (size_t i = 0; i < RECENT; i++)
		t->recent[i].value = i + 1; /* a value that belongs into another entry */
	if (s->changed)
		return width == 1 ? put_numbers(t, s->v, s->n, true, 1, p, err) :
		                    put_numbers(t, s->v, s->n, true, 2, p, err);
	return width == 1 ? put_numbers(t, s->v, s->n, false, 1, p, err) :
	                    put_numbers(t, s->v, s->n, false, 2, p, err);
}

/* Sets *fits to false if there are more distinct values than indices. */
static int
write_index(const struct values *s, size_t width, int level, struct trc_buf *raw,
            struct trc_buf *out, bool *fits, struct trc_err *err)
{
	struct numbering t = { .most = width == 1 ? 256 : TABLE_MOST, .fits = true };
	int ret = -1;

	if (trc_map_init(&t.map, err))
		return -1;
	if (trc_buf_room(raw, s->n * width, err) == 0)
		ret = put_indices(&t, s, width, raw->p, err);
	*fits = t.fits;
	if (ret == 0 && t.fits) {
		raw->n = s->n * width;
		ret = pack_and_clear(&t.table, TRC_PACK_WORDS8, level, out, err);
		if (ret == 0)
			ret = pack_and_clear(raw, width == 1 ? TRC_PACK_INDEX1 : TRC_PACK_INDEX2,
			                     level, out, err);
	}
	raw->n = 0;
	trc_buf_release(&t.table);
	trc_map_release(&t.map);
	return ret;
}

/* Returns the OR of all values. */
static uint64_t
bits_of(const struct values *s)
{
	uint64_t all = 0;

	for (size_t i = 0; i < s->n && s->changed; i++)
		all |= value_at(s->v, i, true);
	for (size_t i = 0; i < s->n && !s->changed; i++)
		all |= value_at(s->v, i, false);
	return all;
}

static bool
are_alike(const struct values *s)
{
	const uint64_t first = value_at(s->v, 0, s->changed);
	enum { SOME = 1024 };
	uint64_t other = 0;

	for (size_t i = 0, end; i < s->n && other == 0; i = end)
		for (end = s->n - i < SOME ? s->n : i + SOME; i < end; i++)
			other |= value_at(s->v, i, s->changed) ^ first;
	return other == 0;
}

/* Appends values in one shape, or the first value and the changes in this shape. Sets *fits to
 * false if they do not fit the shape. */
static int
write_form(const uint64_t *v, size_t n, uint8_t form, int level, struct trc_buf *raw,
           struct trc_buf *out, bool *fits, struct trc_err *err)
{
	const enum shape shape = (enum shape)(form % CHANGED);
	const size_t width = width_of[shape];
	const struct values s = { v, n - (form >= CHANGED), form >= CHANGED };

	*fits = true;
	if (trc_buf_put(out, &form, 1, err))
		return -1;
	if (s.changed && (trc_buf_put_num(out, v[0], err) || s.n == 0))
		return s.n == 0 ? 0 : -1;
	if (shape == ALIKE) {
		*fits = are_alike(&s);
		return *fits ? trc_buf_put_num(out, value_at(v, 0, s.changed), err) : 0;
	}
	if (shape == INDEX1 || shape == INDEX2)
		return write_index(&s, width, level, raw, out, fits, err);
	*fits = width == 8 || bits_of(&s) >> 8 * width == 0;
	return *fits ? write_fields(&s, width, level, raw, out, err) : 0;
}

/* Buffers for trying forms. */
struct scratch {
	struct trc_buf raw, out;
	bool narrow; /* try the narrowest fields only */
};

/* Returns the narrowest fields that can hold all these bits. */
static enum shape
narrowest_of(uint64_t all)
{
	enum shape shape = FIELDS1;

	while (shape < FIELDS8 && all >> 8 * width_of[shape] != 0)
		shape++;
	return shape;
}

/* Finds the narrowest fields for the values and for their changes. */
static void
find_narrowest(const uint64_t *v, size_t n, enum shape narrowest[2])
{
	uint64_t values = v[0], changes = 0;

	for (size_t i = 1; i < n; i++) {
		values |= v[i];
		changes |= trc_zigzag(v[i] - v[i - 1]);
	}
	narrowest[0] = narrowest_of(values);
	narrowest[1] = narrowest_of(changes);
}

/* Tries every form on a sample from the middle of the column, and sorts the forms by size into
 * `form`. At fast levels, only one width of fields is tried, as with s->narrow. */
static int
rank_forms(const uint64_t *v, size_t n, int level, struct scratch *s, uint8_t form[FORMS],
           size_t *forms, struct trc_err *err)
{
	const bool fast = trc_pack_level(level) <= TRC_PACK_FAST, one = fast || s->narrow;
	const size_t most = fast ? SAMPLE_FAST : SAMPLE, sample = n < most ? n : most;
	enum shape narrowest[2] = { SHAPES, SHAPES }; /* for values, for changes */
	bool narrow = false, fits;                    /* indices of one byte fit; the shape fits */
	size_t size[FORMS], at;

	*forms = 0;
	if (one)
		find_narrowest(v, n, narrowest);
	for (unsigned k = 0; k < FORMS; k++) {
		const uint8_t shape = (uint8_t)(k % SHAPES);
		const uint8_t to = (uint8_t)(shape + (k < SHAPES ? 0 : CHANGED));

		if (one && shape >= FIELDS1 && shape <= FIELDS8 && shape != narrowest[k / SHAPES])
			continue;
		/* Wider indices rank like those of one byte: the same size. */
		fits = shape == INDEX2 && narrow;
		s->out.n = fits ? s->out.n : 0;
		if (!fits && write_form(v + (n - sample) / 2, sample, to, SAMPLE_LEVEL, &s->raw,
		                        &s->out, &fits, err))
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

static int
write_best(const uint64_t *v, size_t n, int level, struct scratch *s, struct trc_buf *out,
           struct trc_err *err)
{
	enum { FEW = 16 }; /* the values may be shorter than their changes up to this number */
	const size_t start = out->n;
	unsigned tries = level < TRC_PACK_EXTREME || n > EXTREME_MOST ? 1 : EXTREME_FORMS;
	uint8_t form[FORMS];
	size_t forms, best = 0;
	bool fits;

	if (n > 0 && are_alike(&(struct values){ v, n, false }))
		return write_form(v, n, ALIKE, level, &s->raw, out, &fits, err);
	if (n > FEW && are_alike(&(struct values){ v, n - 1, true }))
		return write_form(v, n, CHANGED + ALIKE, level, &s->raw, out, &fits, err);
	if (rank_forms(v, n, level, s, form, &forms, err))
		return -1;
	/* A form that fits the sample may not fit the column; fields of 8 bytes always fit. */
	for (size_t i = 0; i < forms && tries > 0; i++) {
		const size_t at = out->n;

		if (write_form(v, n, form[i], level, &s->raw, out, &fits, err))
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

static int
write_column(const uint64_t *v, size_t n, int level, bool narrow, struct trc_buf *out,
             struct trc_err *err)
{
	struct scratch s = { .narrow = narrow };
	int ret = write_best(v, n, level, &s, out, err);

	trc_buf_release(&s.raw);
	trc_buf_release(&s.out);
	return ret;
}

int
trc_column_write(const uint64_t *v, size_t n, int level, struct trc_buf *out, struct trc_err *err)
{
	return write_column(v, n, level, false, out, err);
}

int
trc_column_write_narrow(const uint64_t *v, size_t n, int level, struct trc_buf *out,
                        struct trc_err *err)
{
	return write_column(v, n, level, true, out, err);
}

static int
damaged(struct trc_err *err)
{
	return trc_corrupt(err, "a column of a block is damaged");
}

/* The part to read of `n` values. */
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
	uint8_t most = 0; /* narrow, so that many are compared at once */

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
	/* Sums need all values before. */
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
