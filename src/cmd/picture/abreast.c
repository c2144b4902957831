/* SPDX-License-Identifier: MIT */
#include "cmd/picture/abreast.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/report.h"

int
trc_abreast_init(struct trc_abreast *t, const char *const *path, size_t traces, struct trc_err *err)
{
	*t = (struct trc_abreast){ .n = 0 };
	if (traces < 2)
		return 0;
	t->trace = trc_alloc(traces, sizeof(*t->trace), err);
	if (!t->trace)
		return -1;
	trc_names_apart(path, traces, t->trace);
	return 0;
}

void
trc_abreast_release(struct trc_abreast *t)
{
	free(t->curve);
	free(t->trace);
}

int
trc_abreast_add(struct trc_abreast *t, size_t trace, const char *way, int64_t space, const void *of,
                size_t at, struct trc_err *err)
{
	const char *name = t->trace ? t->trace[trace] : NULL;
	struct trc_abreast_curve *c;
	char in[24] = "";

	if (trc_grow(&t->curve, &t->cap, t->n + 1, sizeof(*t->curve), err))
		return -1;
	c = &t->curve[t->n++];
	*c = (struct trc_abreast_curve){ .of = of, .at = at };
	if (space >= 0)
		snprintf(in, sizeof(in), "space 0x%x", (unsigned)space);
	snprintf(c->name, sizeof(c->name), "%s%s%s%s%s", name ? name : "",
	         name && (way || *in) ? ", " : "", way ? way : "", way && *in ? ", " : "", in);
	return 0;
}

static int
by_value(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

size_t
trc_abreast_rows(uint64_t *row, size_t n)
{
	size_t left = 0;

	qsort(row, n, sizeof(*row), by_value);
	for (size_t i = 0; i < n; i++)
		if (left == 0 || row[i] != row[left - 1])
			row[left++] = row[i];
	return left;
}

static void
put_row(void *of, size_t i, size_t k, struct trc_value *cell)
{
	const struct trc_abreast_table *t = of;

	(void)i;
	t->keys(t->of, t->row[k], cell);
	for (size_t c = 0; c < t->curves->n; c++) {
		cell[2 + 2 * c] = cell[3 + 2 * c] = trc_unknown();
		t->cells(t->of, &t->curves->curve[c], t->row[k], &cell[2 + 2 * c]);
	}
}

int
trc_abreast_text(struct trc_abreast_table *t, struct trc_out *out, struct trc_err *err)
{
	const size_t n = t->curves->n;
	struct trc_column_decl *column = trc_alloc(2 + 2 * n, sizeof(*column), err);
	int ret;

	if (!column)
		return -1;
	for (size_t i = 0; i < 2 + 2 * n; i++) {
		column[i] = i < 2 ? t->key[i] : t->cell[i % 2];
		column[i].key = i < 2;
		column[i].over = i < 2 ? NULL : t->curves->curve[i / 2 - 1].name;
	}
	ret = trc_answer_put(&(const struct trc_answer){ .form = TRC_FORM_TEXT,
	                                                 .column = column,
	                                                 .columns = 2 + 2 * n,
	                                                 .rows = t->rows,
	                                                 .fits = true,
	                                                 .of = t,
	                                                 .row = put_row },
	                     out, err);
	free(column);
	return ret;
}

/* What trc_abreast_facts() prints. */
struct facts {
	const struct trc_abreast *t;
	trc_abreast_facts_fn *facts;
	char name[TRC_ABREAST_NAME + 32]; /* at hand */
};

static void
put_facts(void *of, size_t i, size_t k, struct trc_value *cell)
{
	struct facts *f = of;
	const char *note = f->facts(&f->t->curve[k], cell);

	(void)i;
	snprintf(f->name, sizeof(f->name), " %s%s", f->t->curve[k].name, note);
	cell[3] = trc_word(f->name);
}

int
trc_abreast_facts(const struct trc_abreast *t, const struct trc_column_decl fact[3],
                  trc_abreast_facts_fn *facts, struct trc_out *out, struct trc_err *err)
{
	struct facts f = { .t = t, .facts = facts };
	const struct trc_column_decl column[] = {
		fact[0], fact[1], fact[2], { .head = "", .width = -1 }
	};

	return trc_answer_put(&(const struct trc_answer){ .form = TRC_FORM_TEXT,
	                                                  TRC_TABLE(column),
	                                                  .rows = t->n,
	                                                  .of = &f,
	                                                  .row = put_facts },
	                      out, err) ||
	                       trc_report(out, err, "\n") ?
	               -1 :
	               0;
}
