/* SPDX-License-Identifier: MIT */
#include "cmd/picture/side_by_side.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/report.h"

int
trc_side_by_side_init(struct trc_side_by_side *t, const char *const *path, size_t traces,
                      struct trc_err *err)
{
	*t = (struct trc_side_by_side){ .n = 0 };
	if (traces < 2)
		return 0;
	t->trace = trc_alloc(traces, sizeof(*t->trace), err);
	if (!t->trace)
		return -1;
	trc_short_names(path, traces, t->trace);
	return 0;
}

void
trc_side_by_side_release(struct trc_side_by_side *t)
{
	free(t->curve);
	free(t->trace);
}

int
trc_side_by_side_add(struct trc_side_by_side *t, size_t trace, const char *way, int64_t space,
                     const void *of, size_t at, struct trc_err *err)
{
	const char *name = t->trace ? t->trace[trace] : NULL;
	struct trc_side_by_side_curve *c;
	char in[24] = "";

	if (trc_grow(&t->curve, &t->cap, t->n + 1, sizeof(*t->curve), err))
		return -1;
	c = &t->curve[t->n++];
	*c = (struct trc_side_by_side_curve){ .of = of, .at = at };
	if (space >= 0)
		snprintf(in, sizeof(in), "space 0x%x", (unsigned)space);
	snprintf(c->name, sizeof(c->name), "%s%s%s%s%s", name ? name : "",
	         name && (way || *in) ? ", " : "", way ? way : "", way && *in ? ", " : "", in);
	return 0;
}

static void
put_row(void *of, size_t i, size_t k, struct trc_value *cell)
{
	const struct trc_side_by_side_table *t = of;

	(void)i;
	t->keys(t->of, t->row[k], cell);
	for (size_t c = 0; c < t->curves->n; c++) {
		cell[2 + 2 * c] = cell[3 + 2 * c] = trc_unknown();
		t->cells(t->of, &t->curves->curve[c], t->row[k], &cell[2 + 2 * c]);
	}
}

static int
put_table(struct trc_side_by_side_table *t, struct trc_out *out, struct trc_err *err)
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
	ret = trc_answer_put(&(const struct trc_answer){ .column = column,
	                                                 .columns = 2 + 2 * n,
	                                                 .rows = t->rows,
	                                                 .fits = true,
	                                                 .of = t,
	                                                 .row = put_row },
	                     out, err);
	free(column);
	return ret;
}

static void
put_fact(void *of, size_t i, size_t k, struct trc_value *cell)
{
	struct trc_side_by_side_table *t = of;
	const struct trc_side_by_side_curve *curve = &t->curves->curve[k];
	const char *note = t->facts(curve, cell);

	(void)i;
	snprintf(t->name, sizeof(t->name), " %s%s", curve->name, note);
	cell[3] = trc_word(t->name);
}

static int
put_facts(struct trc_side_by_side_table *t, struct trc_out *out, struct trc_err *err)
{
	const struct trc_column_decl column[] = {
		t->fact[0], t->fact[1], t->fact[2], { .head = "", .width = -1 }
	};

	if (trc_answer_put(&(const struct trc_answer){ .title = t->title,
	                                               TRC_TABLE(column),
	                                               .rows = t->curves->n,
	                                               .of = t,
	                                               .row = put_fact },
	                   out, err) ||
	    trc_report(out, err, "\n"))
		return -1;
	return 0;
}

int
trc_side_by_side_print(struct trc_side_by_side_table *t, struct trc_err *err)
{
	struct trc_out *out = trc_out_open("-", false, err);
	int ret = -1;

	if (out &&
	    (t->curves->n == 0 || (put_facts(t, out, err) == 0 && t->draw(t->of, out, err) == 0 &&
	                           put_table(t, out, err) == 0)))
		ret = trc_out_commit(out, err);
	trc_out_close(out);
	return ret;
}
