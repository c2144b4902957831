/* SPDX-License-Identifier: MIT
 * trc stat --diff: prints the first record in which two traces differ, and how. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/shown.h"
#include "cmd/job/inputs.h"
#include "cmd/stat/stat.h"

static const struct trc_opts opts =
        TRC_OPTS_FLAG("diff", "print the first record that differs in two traces");

/* The comparison: a sink for the rows of one trace that pulls as many from the other. */
struct comparing {
	struct trc_sink sink;
	struct trc_source *other;
	struct trc_batch b; /* rows of the other; those from `at` on are not compared yet */
	size_t at;
	uint32_t columns; /* in both */
	uint64_t equal;   /* number of equal records */

	/* Where they differ, and the values there. */
	bool parted, ended[2];
	uint32_t differ; /* columns */
	char value[2][TRC_COLUMNS][64];

	/* What is printed: a row for each of these columns, and the columns that only one trace
	 * has. */
	enum trc_form form;
	int row[TRC_COLUMNS];
	size_t rows;
	char only[2 * (4096 + 256)];
};

/* Compares events, whose texts are elsewhere in their batches. */
static size_t
equal_events(const struct trc_batch *a, size_t i, const struct trc_batch *b, size_t j, size_t n)
{
	size_t k = 0;

	while (k < n && strcmp(trc_batch_event(a, i + k), trc_batch_event(b, j + k)) == 0)
		k++;
	return k;
}

/* Returns how many of `n` values of a column are equal, from row i of a and row j of b on. The loop
 * needs no bound, because memcmp() found a difference. */
static size_t
equal_values(const struct trc_batch *a, size_t i, const struct trc_batch *b, size_t j, size_t n,
             int column)
{
	size_t k = 0;

	if (column == TRC_COL_EVENT)
		return equal_events(a, i, b, j, n);
#define COLUMN(NAME, field, type, doc)                                                        \
	if (column == TRC_COL_##NAME && memcmp(a->field + i, b->field + j, n * sizeof(type))) \
		for (; a->field[i + k] == b->field[j + k]; k++)                               \
			;                                                                     \
	else if (column == TRC_COL_##NAME)                                                    \
		return n;
#include "batch/columns.def"
#undef COLUMN
	return k;
}

static void
value_text(const struct trc_batch *b, size_t i, int column, char *dst, size_t room)
{
	const uint32_t hexadecimal = TRC_HAS_ADDR | TRC_HAS_PC | TRC_HAS_VPN | TRC_HAS_CPN |
	                             TRC_HAS_INSN | TRC_HAS_REGS;
	unsigned long long v = 0;

#define COLUMN(NAME, field, type, doc) \
	if (column == TRC_COL_##NAME)  \
		v = b->field[i];
#include "batch/columns.def"
#undef COLUMN
	if (column == TRC_COL_TYPE)
		snprintf(dst, room, "%s%s", v & TRC_KERNEL ? "kernel-" : "",
		         trc_type_name[v & TRC_TYPE_MASK]);
	else if (column == TRC_COL_EVENT)
		snprintf(dst, room, "'%.50s'", trc_batch_event(b, i));
	else if (hexadecimal >> column & 1)
		snprintf(dst, room, "0x%llx", v);
	else
		snprintf(dst, room, "%llu", v);
}

/* Returns how many of `n` rows are equal, from row i of `a` and the current row of the other on.
 * Compares column by column, because equal columns are compared fastest. */
static size_t
equal_rows(const struct comparing *c, const struct trc_batch *a, size_t i, size_t n)
{
	const struct trc_batch *b = &c->b;

	for (int column = 0; column < TRC_COLUMNS; column++)
		if (c->columns >> column & 1)
			n = equal_values(a, i, b, c->at, n, column);
	return n;
}

static void
note_difference(struct comparing *c, const struct trc_batch *a, size_t i)
{
	c->parted = true;
	for (int column = 0; column < TRC_COLUMNS; column++) {
		if (!(c->columns >> column & 1))
			continue;
		if (!equal_values(a, i, &c->b, c->at, 1, column))
			c->differ |= 1u << column;
		value_text(a, i, column, c->value[0][column], sizeof(c->value[0][column]));
		value_text(&c->b, c->at, column, c->value[1][column], sizeof(c->value[1][column]));
	}
}

/* Fetches rows of the other trace to compare with; *n is 0 if it has ended. */
static int
refill(struct comparing *c, size_t *n, struct trc_err *err)
{
	if (c->at == c->b.n && !c->ended[1]) {
		const enum trc_flow flow = trc_source_next(c->other, &c->b, err);

		c->at = 0;
		c->ended[1] = flow == TRC_FLOW_END;
		if (flow == TRC_FLOW_FAILED)
			return -1;
	}
	*n = c->ended[1] ? 0 : c->b.n - c->at;
	return 0;
}

static int
diff_put(struct trc_sink *sink, const struct trc_batch *a, struct trc_err *err)
{
	struct comparing *c = (struct comparing *)sink;

	for (size_t i = 0, n; i < a->n;) {
		size_t same;

		if (refill(c, &n, err))
			return -1;
		n = n < a->n - i ? n : a->n - i;
		same = equal_rows(c, a, i, n);
		c->equal += same;
		i += same;
		c->at += same;
		if (same < n)
			note_difference(c, a, i);
		if (n == 0)
			c->parted = true;
		if (c->parted)
			return trc_fail(err, "first difference at record %llu", (ull)c->equal + 1);
	}
	return 0;
}

static int
diff_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	struct comparing *c = (struct comparing *)sink;
	size_t n;

	(void)meta;
	if (refill(c, &n, err))
		return -1;
	if (n == 0)
		return 0;
	c->parted = c->ended[0] = true;
	return trc_fail(err, "first difference at record %llu", (ull)c->equal + 1);
}

/* Appends a line about the columns that only one trace has. */
static void
add_only(struct comparing *c, const char *path, uint32_t have)
{
	const size_t n = strlen(c->only);
	char names[160];

	if (have)
		snprintf(c->only + n, sizeof(c->only) - n, "only %s has '%s'", path,
		         trc_columns_text(have, names, sizeof(names)));
	trc_shown(c->only + n);
	if (have && strlen(c->only) + 1 < sizeof(c->only))
		strcat(c->only, "\n");
}

static int
describe(void *of, size_t i, struct trc_answer_group *g, struct trc_err *err)
{
	struct comparing *c = of;

	(void)i, (void)err;
	TRC_FACTS(g, { TRC_FACT(equal_records, "", trc_count(c->equal)) },
	          { TRC_FACT(equal, NULL, trc_yes(!c->parted)) });
	g->above = c->only;
	c->rows = 0;
	for (int column = 0; c->parted && column < TRC_COLUMNS; column++)
		if (c->columns >> column & 1)
			c->row[c->rows++] = column;
	if (c->parted && (c->ended[0] || c->ended[1])) {
		c->rows = c->form != TRC_FORM_TEXT;
		snprintf(g->below, sizeof(g->below), "the %s ends there\n",
		         c->ended[0] ? "first" : "second");
	}
	g->rows = c->rows;
	return 0;
}

/* A row for each column of the differing record, or one that names the trace that ends there. */
static void
row(void *of, size_t i, size_t k, struct trc_value *cell)
{
	const struct comparing *c = of;
	const int column = c->row[k];
	const bool ends = c->ended[0] || c->ended[1], differs = c->differ >> column & 1;

	(void)i;
	TRC_VALUES(cell, trc_word(differs ? "*" : " "), trc_count(c->equal + 1),
	           trc_count_if(ends, c->ended[0] ? 1 : 2),
	           trc_word(ends ? NULL : trc_column[column].name),
	           ends ? trc_none() : trc_yes(differs),
	           trc_word(ends ? NULL : c->value[0][column]),
	           trc_word(ends ? NULL : c->value[1][column]));
}

static int
report(struct comparing *c, const struct trc_args *args, const uint32_t *have, enum trc_form form,
       struct trc_err *err)
{
	static const struct trc_column_decl column[] = {
		{ .head = "", .width = 1 },
		{ TRC_NAMED(record) },
		{ TRC_NAMED(ends) },
		{ TRC_COLUMN(column, "", -6) },
		{ TRC_NAMED(differs) },
		{ TRC_COLUMN(first, "", 24) },
		{ TRC_COLUMN(second, "", 24) },
	};

	add_only(c, args->word[0], have[0] & ~have[1]);
	add_only(c, args->word[1], have[1] & ~have[0]);
	c->form = form;
	return trc_answer_print(
	        &(const struct trc_answer){
	                .form = form, TRC_TABLE(column), .of = c, .group = describe, .row = row },
	        err);
}

static int
compare(struct comparing *c, struct trc_job *a, struct trc_job *b, bool quiet, struct trc_err *err)
{
	int ret;

	c->sink = (struct trc_sink){ .put = diff_put, .finish = diff_finish };
	c->other = b->src;
	c->columns = a->src->have & b->src->have;
	if (!c->columns)
		return trc_fail(err, "the traces have no column in common");
	if (trc_batch_init(&c->b, b->src->have, TRC_BATCH_ROWS, err))
		return -1;
	ret = trc_job_pump(a, &c->sink, quiet, err);
	trc_batch_release(&c->b);
	return ret;
}

static int
answer_diff(const struct trc_settings *settings, const struct trc_args *args, struct trc_err *err)
{
	const struct trc_stat s = trc_stat_of(settings);
	struct comparing *c;
	struct trc_job a = { 0 }, b = { 0 };
	uint32_t have[2] = { 0, 0 };
	int ret = -1;

	if (args->n != 2)
		return trc_fail_as(err, TRC_USAGE, "--diff needs two traces");
	if (trc_inputs_open(&a, &args->word[0], 1, s.in, s.quiet, err))
		return -1;
	c = trc_alloc(1, sizeof(*c), err);
	if (c && trc_inputs_open(&b, &args->word[1], 1, s.in, s.quiet, err) == 0) {
		*c = (struct comparing){ 0 };
		have[0] = a.src->have;
		have[1] = b.src->have;
		ret = compare(c, &a, &b, s.quiet, err);
		trc_source_close(b.src);
	}
	trc_source_close(a.src);
	if (c && (ret == 0 || c->parted)) {
		struct trc_err parted = *err;

		if (report(c, args, have, s.form, err))
			ret = -1;
		else if (ret)
			*err = parted;
	}
	free(c);
	return ret;
}

const struct trc_action trc_stat_diff = {
	.name = "--diff",
	.takes = TRC_TAKES(&opts, TRC_STAT_TAKES),
	.run = answer_diff,
	.no_shards = "it stops at the first difference; run it without --shard"
};
