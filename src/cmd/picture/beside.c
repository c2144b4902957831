/* SPDX-License-Identifier: MIT */
#include "cmd/picture/beside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "cmd/picture/side_by_side.h"

enum { FACTS = 3, CELLS = 2, FACT_WIDTH = 16 };

/* A row of a group. A key that is a word is sorted last, as UINT64_MAX. */
struct row {
	uint64_t key;
	struct trc_value cell[CELLS];
};

/* A complete group. */
struct group {
	struct trc_value fact[FACTS];
	struct row *row;
	size_t rows;
};

/* All groups, and the columns that they use. */
struct groups {
	const struct trc_answer *a;
	struct group *group;
	struct trc_side_by_side curves; /* one per group */
	struct trc_side_by_side_table table;
	uint64_t *key;
	size_t keys, cap;
	struct trc_value word; /* the key that is a word */
	size_t at, of[CELLS];
};

static void
find_columns(struct groups *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->a->columns; i++) {
		const struct trc_column_decl *d = &s->a->column[i];

		if (d->across)
			s->at = i;
		if (d->beside && n < CELLS)
			s->of[n++] = i;
	}
}

bool
trc_beside_can(const struct trc_answer *a)
{
	for (size_t i = 0; i < a->columns; i++)
		if (a->column[i].beside)
			return true;
	return false;
}

static void
take_facts(struct groups *s, struct group *to, const struct trc_answer_group *g)
{
	size_t n = 0;

	for (size_t i = 0; i < g->facts && n < FACTS; i++)
		if (g->fact[i].beside) {
			s->table.fact[n] = (struct trc_column_decl){ .head = g->fact[i].beside,
				                                     .width = FACT_WIDTH };
			to->fact[n++] = g->fact[i].value;
		}
	for (; n < FACTS; n++)
		s->table.fact[n].off = true;
}

static int
take_rows(struct groups *s, size_t i, struct trc_value *cell, struct trc_err *err)
{
	struct group *g = &s->group[i];

	g->row = trc_alloc(g->rows + 1, sizeof(*g->row), err);
	if (!g->row || trc_grow(&s->key, &s->cap, s->keys + g->rows + 1, sizeof(*s->key), err))
		return -1;
	for (size_t k = 0; k < g->rows; k++) {
		struct row *r = &g->row[k];

		s->a->row(s->a->of, i, k, cell);
		r->key = cell[s->at].kind == TRC_VALUE_WORD ? UINT64_MAX : cell[s->at].n;
		if (r->key == UINT64_MAX)
			s->word = cell[s->at];
		for (size_t c = 0; c < CELLS; c++)
			r->cell[c] = cell[s->of[c]];
		s->key[s->keys++] = r->key;
	}
	return 0;
}

static int
take_group(struct groups *s, size_t i, struct trc_answer_group *g, struct trc_value *cell,
           struct trc_err *err)
{
	struct trc_side_by_side_curve *curve = &s->curves.curve[i];

	memset(g, 0, sizeof(*g));
	if (s->a->group(s->a->of, i, g, err))
		return -1;
	*curve = (struct trc_side_by_side_curve){ .of = &s->group[i] };
	snprintf(curve->name, sizeof(curve->name), "%s", g->name);
	take_facts(s, &s->group[i], g);
	s->group[i].rows = g->rows;
	if (take_rows(s, i, cell, err))
		return -1;
	s->keys = trc_numbers_distinct(s->key, s->keys);
	return 0;
}

static int
take_all(struct groups *s, struct trc_err *err)
{
	const size_t n = s->a->groups;
	struct trc_answer_group *g = trc_alloc(1, sizeof(*g), err);
	struct trc_value *cell = trc_alloc(s->a->columns + 1, sizeof(*cell), err);
	int ret = -1;

	s->group = trc_alloc(n + 1, sizeof(*s->group), err);
	s->curves.curve = trc_alloc(n + 1, sizeof(*s->curves.curve), err);
	s->curves.n = s->curves.curve ? n : 0;
	if (g && cell && s->group && s->curves.curve)
		ret = 0;
	for (size_t i = 0; ret == 0 && i < n; i++)
		ret = take_group(s, i, g, cell, err);
	free(cell);
	free(g);
	return ret;
}

/* ---- the table ---- */

static const char *
facts(const struct trc_side_by_side_curve *curve, struct trc_value fact[FACTS])
{
	memcpy(fact, ((const struct group *)curve->of)->fact, FACTS * sizeof(*fact));
	return "";
}

static int
draw(void *of, struct trc_out *out, struct trc_err *err)
{
	const struct groups *s = of;

	return s->a->draw(s->a, 0, out, err);
}

static void
keys(void *of, uint64_t key, struct trc_value to[2])
{
	const struct groups *s = of;

	to[0] = key == UINT64_MAX ? s->word : trc_count(key);
	to[1] = trc_none();
}

static int
by_key(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = ((const struct row *)b)->key;

	return x < y ? -1 : x > y;
}

static void
cells(void *of, const struct trc_side_by_side_curve *curve, uint64_t key,
      struct trc_value cell[CELLS])
{
	const struct group *g = curve->of;
	const struct row *r = bsearch(&key, g->row, g->rows, sizeof(*g->row), by_key);

	(void)of;
	if (r)
		memcpy(cell, r->cell, sizeof(r->cell));
}

static int
print(struct groups *s, struct trc_err *err)
{
	struct trc_side_by_side_table *t = &s->table;

	t->curves = &s->curves;
	t->title = s->a->title;
	t->row = s->key;
	t->rows = s->keys;
	t->key[0].head = s->a->column[s->at].head;
	t->key[1].off = true;
	for (size_t c = 0; c < CELLS; c++) {
		const struct trc_column_decl *d = &s->a->column[s->of[c]];

		t->cell[c] = (struct trc_column_decl){ .head = d->curve ? d->curve : d->head,
			                               .digits = d->digits,
			                               .percent = d->percent };
	}
	t->facts = facts;
	t->draw = draw;
	t->keys = keys;
	t->cells = cells;
	t->of = s;
	return trc_side_by_side_print(t, err);
}

int
trc_beside_print(const struct trc_answer *a, struct trc_err *err)
{
	struct groups s = { .a = a };
	int ret;

	find_columns(&s);
	ret = take_all(&s, err) || print(&s, err) ? -1 : 0;
	for (size_t i = 0; s.group && i < a->groups; i++)
		free(s.group[i].row);
	free(s.group);
	free(s.key);
	trc_side_by_side_release(&s.curves);
	return ret;
}
