/* SPDX-License-Identifier: MIT
 * Rows of clocks and names. */
#include "codec/rows.h"

#include <stdlib.h>

#include "base/map.h"
#include "codec/flat.h"

enum { ROW = 8, NAMES_MOST = 65536, FAR = 0xffffff };

static void
put24(uint8_t *p, uint64_t v)
{
	p[0] = (uint8_t)(v >> 16);
	trc_put_be16(p + 1, (uint16_t)v);
}

static uint64_t
get24(const uint8_t *p)
{
	return (uint64_t)p[0] << 16 | trc_be16(p + 1);
}

/* ---- writing ---- */

struct names {
	struct trc_map map; /* hash of the values to number; where two hash alike, the next hash */
	uint64_t *value[TRC_ROWS_NAMES];
	size_t n, cap[TRC_ROWS_NAMES];
};

static void
release_names(struct names *s)
{
	trc_map_release(&s->map);
	for (size_t k = 0; k < TRC_ROWS_NAMES; k++)
		free(s->value[k]);
}

static bool
is_name(const struct names *s, size_t number, uint64_t *const *column, size_t names, size_t i)
{
	for (size_t k = 0; k < names; k++)
		if (s->value[k][number] != column[k][i])
			return false;
	return true;
}

/* The number of row i's name, new if it has to be; TRC_MAP_NONE without memory. */
static uint32_t
find_name(struct names *s, uint64_t *const *column, size_t names, size_t i, struct trc_err *err)
{
	uint64_t hash = 0;
	uint32_t number;

	for (size_t k = 0; k < names; k++)
		hash = (hash ^ column[k][i]) * UINT64_C(0x9e3779b97f4a7c15) + (hash >> 32);
	for (; (number = trc_map_find(&s->map, 0, hash)->value) != TRC_MAP_NONE; hash++)
		if (is_name(s, number, column, names, i))
			return number;
	if (trc_map_add(&s->map, 0, hash, (uint32_t)s->n, err))
		return TRC_MAP_NONE;
	for (size_t k = 0; k < names; k++) {
		if (trc_grow(&s->value[k], &s->cap[k], s->n + 1, sizeof(uint64_t), err))
			return TRC_MAP_NONE;
		s->value[k][s->n] = column[k][i];
	}
	return (uint32_t)s->n++;
}

static int
put_clock(struct trc_buf *row, struct trc_buf *far, uint64_t v, struct trc_err *err)
{
	put24(row->p + row->n, v < FAR ? v : FAR);
	row->n += 3;
	if (v < FAR)
		return 0;
	if (trc_buf_room(far, 8, err))
		return -1;
	trc_put_be64(far->p + far->n, v);
	far->n += 8;
	return 0;
}

/* Fills in rows and far values; *fits false if there are too many names. */
static int
make_rows(uint64_t *const *column, size_t clocks, size_t names, size_t n, struct names *s,
          struct trc_buf *row, struct trc_buf *far, bool *fits, struct trc_err *err)
{
	if (trc_buf_room(row, n * ROW, err))
		return -1;
	for (size_t i = 0; i < n; i++) {
		const uint64_t a = column[0][i] - (i ? column[0][i - 1] : 0);
		const uint64_t b = clocks > 1 ? column[1][i] - (i ? column[1][i - 1] : 0) : a;
		const uint32_t name = find_name(s, column + clocks, names, i, err);

		if (name == TRC_MAP_NONE)
			return -1;
		*fits = name < NAMES_MOST;
		if (!*fits)
			return 0;
		if (put_clock(row, far, a, err) || put_clock(row, far, a - b, err))
			return -1;
		trc_put_be16(row->p + row->n, (uint16_t)name);
		row->n += 2;
	}
	return 0;
}

int
trc_rows_write(uint64_t *const *column, size_t clocks, size_t names, size_t n, int level,
               struct trc_buf *out, bool *fits, struct trc_err *err)
{
	struct trc_buf row = { 0 }, far = { 0 };
	struct names s = { 0 };
	int ret = trc_map_init(&s.map, err);

	if (ret == 0)
		ret = make_rows(column, clocks, names, n, &s, &row, &far, fits, err);
	if (ret == 0 && *fits) {
		ret = trc_buf_put_num(out, s.n, err);
		for (size_t k = 0; k < names && ret == 0; k++)
			ret = trc_flat_write(s.value[k], s.n, level > 1 ? 9 : level, out, err);
		if (ret == 0)
			ret = trc_pack(far.p, far.n, TRC_PACK_WORDS8, level, out, err);
		if (ret == 0)
			ret = trc_pack(row.p, row.n, TRC_PACK_ROWS, level, out, err);
	}
	release_names(&s);
	trc_buf_release(&row);
	trc_buf_release(&far);
	return ret;
}

/* ---- reading ---- */

static int
damaged(struct trc_err *err)
{
	return trc_fail(err, "rows of a block are damaged");
}

/* Every name must be known, and every far value used. */
static int
check_rows(const struct trc_rows_unpacked *r, size_t names, struct trc_err *err)
{
	size_t far = 0;

	for (size_t i = 0; i < r->n; i++) {
		const uint8_t *p = r->row.p + ROW * i;

		if (trc_be16(p + 6) >= names)
			return damaged(err);
		far += (get24(p) == FAR) + (get24(p + 3) == FAR);
	}
	return far * 8 == r->far.n ? 0 : damaged(err);
}

int
trc_rows_read(struct trc_rows_unpacked *r, struct trc_view *in, size_t clocks, size_t names,
              size_t n, struct trc_err *err)
{
	uint64_t count;
	uint64_t *value;

	if (clocks < 1 || clocks > TRC_ROWS_CLOCKS || names < 1 || names > TRC_ROWS_NAMES ||
	    !trc_view_num(in, &count) || count == 0 || count > n || count > NAMES_MOST)
		return damaged(err);
	free(r->name[0]);
	r->name[0] = value = trc_alloc(names * (size_t)count, sizeof(*value), err);
	if (!value)
		return -1;
	for (size_t k = 0; k < names; k++) {
		r->name[k] = value + k * (size_t)count;
		if (trc_flat_read(in, r->name[k], (size_t)count, err))
			return -1;
	}
	r->n = n;
	r->clocks = clocks;
	if (trc_unpack(in, 16 * n, &r->far, err) || trc_unpack(in, ROW * n, &r->row, err))
		return -1;
	return r->row.n == ROW * n ? check_rows(r, (size_t)count, err) : damaged(err);
}

void
trc_rows_release(struct trc_rows_unpacked *r)
{
	trc_buf_release(&r->row);
	trc_buf_release(&r->far);
	free(r->name[0]);
	*r = (struct trc_rows_unpacked){ 0 };
}

static void
clock_column(const struct trc_rows_unpacked *r, size_t clock, uint64_t *v)
{
	const uint8_t *far = r->far.p;
	uint64_t sum = 0;

	for (size_t i = 0; i < r->n; i++) {
		const uint8_t *p = r->row.p + ROW * i;
		uint64_t value[TRC_ROWS_CLOCKS];

		for (size_t k = 0; k < TRC_ROWS_CLOCKS; k++) {
			value[k] = get24(p + 3 * k);
			if (value[k] == FAR) {
				value[k] = trc_be64(far);
				far += 8;
			}
		}
		sum += clock == 0 ? value[0] : value[0] - value[1];
		v[i] = sum;
	}
}

void
trc_rows_column(const struct trc_rows_unpacked *r, size_t column, uint64_t *v)
{
	if (column < r->clocks) {
		clock_column(r, column, v);
		return;
	}
	for (size_t i = 0; i < r->n; i++)
		v[i] = r->name[column - r->clocks][trc_be16(r->row.p + ROW * i + 6)];
}
