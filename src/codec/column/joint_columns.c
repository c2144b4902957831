/* SPDX-License-Identifier: MIT
 * Packs rows of clocks and names. */
#include "codec/column/joint_columns.h"

#include <stdlib.h>

#include "base/map_find.h"
#include "codec/entropy/corrupt.h"
#include "codec/column/column.h"
#include "codec/stream/pack.h"

enum {
	ROW = 8,
	FAR = TRC_VISITS_GAP,
	VISITS_MOST = 1 << 19,
};

enum form { FIELDS, TYPED, PLAIN, FORMS };

static void
release_visits(struct trc_visits *v)
{
	free(v->gap);
	free(v->lag);
	free(v->page);
	free(v->kind);
	*v = (struct trc_visits){ 0 };
}

/* Allocates room for `n` rows. */
static int
make_visits(struct trc_visits *v, size_t n, bool lags, bool kinds, struct trc_err *err)
{
	*v = (struct trc_visits){ .n = n, .kinds = 1 };
	v->gap = trc_alloc(n, sizeof(*v->gap), err);
	v->page = v->gap ? trc_alloc(n, sizeof(*v->page), err) : NULL;
	if (!v->page || (lags && !(v->lag = trc_alloc(n, sizeof(*v->lag), err))) ||
	    (kinds && !(v->kind = trc_alloc(n, sizeof(*v->kind), err))))
		return -1;
	return 0;
}

/* ---- names ---- */

/* The combined name columns of a row: an entry of a dictionary. */
struct name {
	uint64_t value[TRC_JOINT_NAMES]; /* 0 after the last */
	uint32_t number;
};

/* A dictionary of names. */
struct names {
	struct trc_map map; /* hash of the values -> number; if taken, the next hash */
	struct name *name;
	size_t n, cap;
};

static bool
is_name(const struct name *name, uint64_t *const *column, size_t names, size_t i)
{
	for (size_t k = 0; k < names; k++)
		if (name->value[k] != column[k][i])
			return false;
	return true;
}

/* Returns the number of row i's name, adding it if necessary; TRC_MAP_NONE if there is no
 * memory. */
static uint32_t
find_name(struct names *s, uint64_t *const *column, size_t names, size_t i, struct trc_err *err)
{
	uint64_t hash = 0;
	uint32_t number;

	for (size_t k = 0; k < names; k++)
		hash = (hash ^ column[k][i]) * UINT64_C(0x9e3779b97f4a7c15) + (hash >> 32);
	for (; (number = trc_map_find(&s->map, 0, hash)->value) != TRC_MAP_NONE; hash++)
		if (is_name(&s->name[number], column, names, i))
			return number;
	if (trc_map_add(&s->map, 0, hash, (uint32_t)s->n, err) ||
	    trc_grow(&s->name, &s->cap, s->n + 1, sizeof(*s->name), err))
		return TRC_MAP_NONE;
	s->name[s->n] = (struct name){ .number = (uint32_t)s->n };
	for (size_t k = 0; k < names; k++)
		s->name[s->n].value[k] = column[k][i];
	return (uint32_t)s->n++;
}

/* Numbers the names in order of first appearance; sets *fits to false if there are too many. */
static int
number_names(struct names *s, uint64_t *const *column, size_t names, struct trc_visits *rows,
             bool *fits, struct trc_err *err)
{
	if (trc_map_init(&s->map, err))
		return -1;
	for (size_t i = 0; i < rows->n; i++) {
		const uint32_t name = find_name(s, column, names, i, err);

		if (name == TRC_MAP_NONE)
			return -1;
		*fits = name < TRC_VISITS_PAGES;
		if (!*fits)
			return 0;
		rows->page[i] = (uint16_t)name;
	}
	rows->pages = (uint32_t)s->n;
	return 0;
}

static int
compare_names(const void *a, const void *b)
{
	const struct name *x = a, *y = b;

	for (size_t k = 0; k < TRC_JOINT_NAMES; k++)
		if (x->value[k] != y->value[k])
			return x->value[k] < y->value[k] ? -1 : 1;
	return 0;
}

/* Renumbers the names in ascending order. */
static int
sort_names(struct names *s, struct trc_visits *rows, struct trc_err *err)
{
	uint16_t *place = trc_alloc(s->n, sizeof(*place), err);

	if (!place)
		return -1;
	qsort(s->name, s->n, sizeof(*s->name), compare_names);
	for (size_t i = 0; i < s->n; i++)
		place[s->name[i].number] = (uint16_t)i;
	for (size_t i = 0; i < rows->n; i++)
		rows->page[i] = place[rows->page[i]];
	free(place);
	return 0;
}

static int
put_names(const struct names *s, size_t names, int level, struct trc_buf *out, struct trc_err *err)
{
	const int best = trc_pack_level(level) > TRC_PACK_FAST ? 9 : TRC_PACK_FAST + 1;
	uint64_t *v = trc_alloc(s->n, sizeof(*v), err);
	int ret = v ? trc_buf_put_num(out, s->n, err) : -1;

	for (size_t k = 0; k < names && ret == 0; k++) {
		for (size_t i = 0; i < s->n; i++)
			v[i] = s->name[i].value[k];
		ret = trc_column_write(v, s->n, best, out, err);
	}
	free(v);
	return ret;
}

/* ---- writing ---- */

static int
put_clock(uint32_t *to, struct trc_buf *far, uint64_t v, struct trc_err *err)
{
	*to = v < FAR ? (uint32_t)v : FAR;
	if (v < FAR)
		return 0;
	if (trc_buf_room(far, 8, err))
		return -1;
	trc_buf_be64(far, v);
	return 0;
}

static int
make_clocks(uint64_t *const *column, struct trc_visits *rows, struct trc_buf *far,
            struct trc_err *err)
{
	for (size_t i = 0; i < rows->n; i++) {
		const uint64_t a = column[0][i] - (i ? column[0][i - 1] : 0);

		if (put_clock(&rows->gap[i], far, a, err))
			return -1;
		if (rows->lag && put_clock(&rows->lag[i], far,
		                           a - (column[1][i] - (i ? column[1][i - 1] : 0)), err))
			return -1;
	}
	return 0;
}

/* Numbers the kinds in order of first appearance; returns false if there are too many. */
static bool
make_kinds(const uint64_t *column, struct trc_visits *rows, uint64_t kind[TRC_VISITS_KINDS])
{
	rows->kinds = 0;
	for (size_t i = 0; i < rows->n; i++) {
		uint32_t k = 0;

		while (k < rows->kinds && kind[k] != column[i])
			k++;
		if (k == TRC_VISITS_KINDS)
			return false;
		if (k == rows->kinds)
			kind[rows->kinds++] = column[i];
		rows->kind[i] = (uint8_t)k;
	}
	return true;
}

static int
put_fields(const struct trc_visits *rows, int level, struct trc_buf *out, struct trc_err *err)
{
	struct trc_buf b = { 0 };
	int ret = trc_buf_room(&b, rows->n * ROW, err);

	for (size_t i = 0; i < rows->n && ret == 0; i++)
		trc_buf_be64(&b, (uint64_t)rows->gap[i] << 40 |
		                         (uint64_t)(rows->lag ? rows->lag[i] : 0) << 16 |
		                         rows->page[i]);
	if (ret == 0)
		ret = trc_pack(b.p, b.n, TRC_PACK_WORDS8, level, out, err);
	trc_buf_release(&b);
	return ret;
}

static int
put_visits(const struct trc_visits *rows, struct trc_buf *out, struct trc_err *err)
{
	struct trc_buf b = { 0 };
	int ret = trc_visits_write(rows, &b, err);

	if (ret == 0)
		ret = trc_buf_put_num(out, b.n, err);
	if (ret == 0)
		ret = trc_buf_put(out, b.p, b.n, err);
	trc_buf_release(&b);
	return ret;
}

/* The state of writing. */
struct rows_writer {
	struct trc_visits rows;
	struct names names;
	struct trc_buf far;
	uint64_t kind[TRC_VISITS_KINDS];
	enum form form;
};

static int
write_rows(struct rows_writer *w, uint64_t *const *name, size_t names, int level,
           struct trc_buf *out, bool *fits, struct trc_err *err)
{
	const uint8_t form = (uint8_t)w->form;

	if (number_names(&w->names, name, names, &w->rows, fits, err))
		return -1;
	if (!*fits)
		return 0;
	if ((w->form != FIELDS && sort_names(&w->names, &w->rows, err)) ||
	    trc_buf_put(out, &form, 1, err))
		return -1;
	if (w->form == TYPED && (trc_buf_put_num(out, w->rows.kinds, err) ||
	                         trc_column_write(w->kind, w->rows.kinds, level, out, err)))
		return -1;
	if (put_names(&w->names, names, level, out, err) ||
	    trc_pack(w->far.p, w->far.n, TRC_PACK_WORDS8, level, out, err))
		return -1;
	return w->form == FIELDS ? put_fields(&w->rows, level, out, err) :
	                           put_visits(&w->rows, out, err);
}

/* Returns true if rows are worth coding as visits, which takes 4 us each: those of a reduced trace
 * and, at levels for size, all rows. A reduction does not leave this many rows, nor rows most of
 * which directly follow each other. */
static bool
are_visits(const struct trc_visits *rows, int level)
{
	size_t next = 0;

	if (trc_pack_level(level) <= TRC_PACK_FAST)
		return false;
	if (trc_pack_level(level) >= TRC_PACK_SMALL)
		return true;
	for (size_t i = 0; i < rows->n; i++)
		next += rows->gap[i] == 1;
	return rows->n <= VISITS_MOST && next <= rows->n / 2;
}

int
trc_joint_write(uint64_t *const *column, size_t clocks, size_t names, size_t n, int level,
                struct trc_buf *out, bool *fits, struct trc_err *err)
{
	struct rows_writer w = { .form = FIELDS };
	int ret = make_visits(&w.rows, n, clocks > 1, names > 1, err);

	*fits = true;
	if (ret == 0)
		ret = make_clocks(column, &w.rows, &w.far, err);
	if (ret == 0 && are_visits(&w.rows, level))
		w.form = TYPED;
	if (w.form == TYPED && (names < 2 || !make_kinds(column[clocks], &w.rows, w.kind))) {
		w.form = PLAIN;
		w.rows.kinds = 1;
	}
	if (ret == 0)
		ret = write_rows(&w, column + clocks + (w.form == TYPED), names - (w.form == TYPED),
		                 level, out, fits, err);
	release_visits(&w.rows);
	trc_map_release(&w.names.map);
	free(w.names.name);
	trc_buf_release(&w.far);
	return ret;
}

/* ---- reading ---- */

static int
damaged(struct trc_err *err)
{
	return trc_corrupt(err, "rows of a block are damaged");
}

static int
read_kinds(struct trc_joint_unpacked *r, struct trc_view *in, struct trc_err *err)
{
	uint64_t kinds;

	if (!trc_view_num(in, &kinds) || kinds < 1 || kinds > TRC_VISITS_KINDS)
		return damaged(err);
	r->visits.kinds = (uint32_t)kinds;
	return trc_column_read(in, r->kind, (size_t)kinds, err);
}

static int
read_names(struct trc_joint_unpacked *r, struct trc_view *in, struct trc_err *err)
{
	const size_t first = r->typed;
	uint64_t count, *value;

	if (!trc_view_num(in, &count) || count == 0 || count > r->visits.n ||
	    count > TRC_VISITS_PAGES)
		return damaged(err);
	value = trc_alloc((r->names - first) * (size_t)count, sizeof(*value), err);
	if (!value)
		return -1;
	for (size_t k = first; k < r->names; k++)
		r->name[k] = value + (k - first) * (size_t)count;
	for (size_t k = first; k < r->names; k++)
		if (trc_column_read(in, r->name[k], (size_t)count, err))
			return -1;
	r->visits.pages = (uint32_t)count;
	return 0;
}

static int
read_fields(struct trc_visits *v, struct trc_view *in, struct trc_err *err)
{
	struct trc_buf row = { 0 };
	int ret = trc_unpack(in, ROW * v->n, &row, err);

	if (ret == 0 && row.n != ROW * v->n)
		ret = damaged(err);
	for (size_t i = 0; i < v->n && ret == 0; i++) {
		const uint64_t f = trc_be64(row.p + ROW * i);

		v->gap[i] = (uint32_t)(f >> 40);
		if (v->lag)
			v->lag[i] = (uint32_t)(f >> 16) & 0xffffff;
		v->page[i] = (uint16_t)f;
		if (v->page[i] >= v->pages || (!v->lag && f >> 16 & 0xffffff))
			ret = damaged(err);
	}
	trc_buf_release(&row);
	return ret;
}

static int
read_visits(struct trc_visits *v, struct trc_view *in, size_t first, struct trc_err *err)
{
	const uint8_t *p = NULL;
	uint64_t len;

	if (trc_view_num(in, &len) && len <= SIZE_MAX / 2)
		p = trc_view_bytes(in, (size_t)len);
	return p ? trc_visits_read(v, p, (size_t)len, first, err) : damaged(err);
}

/* Fails unless the far values suffice and, if all rows were read, every one was used. */
static int
check_far(const struct trc_joint_unpacked *r, bool all, struct trc_err *err)
{
	size_t far = 0;

	for (size_t i = 0; i < r->visits.n; i++)
		far += (r->visits.gap[i] == FAR) + (r->visits.lag && r->visits.lag[i] == FAR);
	return far * 8 == r->far.n || (!all && far * 8 < r->far.n) ? 0 : damaged(err);
}

int
trc_joint_read(struct trc_joint_unpacked *r, struct trc_view *in, size_t clocks, size_t names,
               size_t n, size_t first, struct trc_err *err)
{
	const uint8_t *form = trc_view_bytes(in, 1);

	if (clocks < 1 || clocks > TRC_JOINT_CLOCKS || names < 1 || names > TRC_JOINT_NAMES ||
	    n == 0 || !form || *form >= FORMS || (*form == TYPED && names < 2))
		return damaged(err);
	trc_joint_release(r);
	r->clocks = clocks;
	r->names = names;
	r->typed = *form == TYPED;
	if (make_visits(&r->visits, n, clocks > 1, r->typed, err) ||
	    (r->typed && read_kinds(r, in, err)) || read_names(r, in, err) ||
	    trc_unpack(in, 16 * n, &r->far, err))
		return -1;
	if (*form == FIELDS ? read_fields(&r->visits, in, err) :
	                      read_visits(&r->visits, in, first, err))
		return -1;
	return check_far(r, first == n, err);
}

void
trc_joint_release(struct trc_joint_unpacked *r)
{
	release_visits(&r->visits);
	trc_buf_release(&r->far);
	free(r->name[r->typed]);
	*r = (struct trc_joint_unpacked){ 0 };
}

size_t
trc_joint_memory(size_t n)
{
	/* The gap, lag, page, kind and far values of each row; the names in all columns. */
	const size_t rows = n * (4 + 4 + 2 + 1 + 16);
	const size_t names = (size_t)8 * TRC_JOINT_NAMES * TRC_VISITS_PAGES;

	return rows + names + trc_visits_memory(n);
}

static void
clock_column(const struct trc_joint_unpacked *r, size_t clock, uint64_t *v)
{
	const struct trc_visits *rows = &r->visits;
	const uint8_t *far = r->far.p;
	uint64_t sum = 0;

	for (size_t i = 0; i < rows->n; i++) {
		uint64_t gap = rows->gap[i], lag = rows->lag ? rows->lag[i] : 0;

		if (gap == FAR) {
			gap = trc_be64(far);
			far += 8;
		}
		if (rows->lag && lag == FAR) {
			lag = trc_be64(far);
			far += 8;
		}
		sum += clock == 0 ? gap : gap - lag;
		v[i] = sum;
	}
}

void
trc_joint_column(const struct trc_joint_unpacked *r, size_t column, uint64_t *v)
{
	const struct trc_visits *rows = &r->visits;

	if (column < r->clocks) {
		clock_column(r, column, v);
		return;
	}
	column -= r->clocks;
	for (size_t i = 0; i < rows->n; i++)
		v[i] = r->typed && column == 0 ? r->kind[rows->kind[i]] :
		                                 r->name[column][rows->page[i]];
}
