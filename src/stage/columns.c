/* SPDX-License-Identifier: MIT
 * Losing columns that a format cannot hold, and supplying ones that it needs. */
#include "stage/stage.h"

#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "stage/wrap.h"

/* The stage. */
struct columns {
	struct trc_wrap wrap;
	bool drop_kernel;
	bool drop_events; /* rows and all */
	struct trc_fill fill[TRC_COLUMNS];
	size_t fills;
};

static void
fill_column(const struct trc_batch *b, enum trc_column c, uint64_t value)
{
	void *at = trc_batch_column(b, c);

	for (size_t i = 0; i < b->n; i++)
		switch (trc_column[c].width) {
		case 1: ((uint8_t *)at)[i] = (uint8_t)value; break;
		case 4: ((uint32_t *)at)[i] = (uint32_t)value; break;
		default: ((uint64_t *)at)[i] = value; break;
		}
}

/* Moves what waits into `b`, in columns that both have. */
static void
move_common(struct columns *s, struct trc_batch *b)
{
	const struct trc_batch *in = &s->wrap.in;
	const uint32_t have = b->have & in->have;
	size_t *at = &s->wrap.at, n;

	while (*at < in->n && b->n < b->cap) {
		if (s->drop_events && trc_batch_is_event(in, *at)) {
			++*at;
			continue;
		}
		n = in->n - *at < b->cap - b->n ? in->n - *at : b->cap - b->n;
		for (size_t i = 1; s->drop_events && i < n; i++)
			if (trc_batch_is_event(in, *at + i))
				n = i;
		trc_batch_copy(b, in, have, *at, n);
		b->n += n;
		*at += n;
	}
}

static enum trc_flow
columns_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct columns *s = (struct columns *)src;
	struct trc_wrap *w = &s->wrap;

	while (b->n == 0) {
		enum trc_flow flow = trc_wrap_pull(w, err);

		if (flow != TRC_FLOW_ROWS)
			return flow;
		move_common(s, b);
	}
	for (size_t i = 0; i < s->fills; i++)
		fill_column(b, s->fill[i].column, s->fill[i].value);
	if (s->drop_kernel && b->type)
		for (size_t i = 0; i < b->n; i++)
			b->type[i] &= (uint8_t)~TRC_KERNEL;
	return TRC_FLOW_ROWS;
}

struct trc_source *
trc_stage_columns(struct trc_source *from, uint32_t drop, bool drop_kernel,
                  const struct trc_fill *fill, size_t fills, struct trc_err *err)
{
	uint32_t have = from->have & ~drop;
	struct columns *s;

	for (size_t i = 0; i < fills; i++)
		have |= UINT32_C(1) << fill[i].column;
	s = trc_wrap_open(sizeof(*s), from, have, columns_next, err);
	if (!s)
		return NULL;
	s->drop_kernel = drop_kernel;
	s->drop_events = drop & TRC_HAS_EVENT;
	if (fills > 0)
		memcpy(s->fill, fill, fills * sizeof(*fill));
	s->fills = fills;
	return &s->wrap.src;
}

/* ---- --drop and --fill ---- */

#define FORMATS_LIST "; 'trc help formats' has the list"

/* The settings of --drop and --fill. */
struct settings {
	struct trc_opt_list drop, fill;
};

/* The column that the first `len` characters of `word` name. */
static int
find_column(const char *word, size_t len, uint32_t *bit, struct trc_err *err)
{
	char name[64];
	struct trc_suggest suggest = { .word = name };

	*bit = trc_column_bit(word, len);
	if (*bit)
		return 0;
	snprintf(name, sizeof(name), "%.*s", (int)(len < 60 ? len : 60), word);
	for (int c = 0; c < TRC_COLUMNS; c++)
		trc_suggest_offer(&suggest, trc_column[c].name);
	return trc_suggest_fail(&suggest, "", FORMATS_LIST, err, "no column '%s'", name);
}

/* Each word of the list is columns with commas between them. */
static int
parse_drop(const struct trc_opt_list *list, uint32_t *drop, bool *kernel, struct trc_err *err)
{
	for (size_t i = 0; i < list->n; i++)
		for (const char *p = list->word[i]; *p;) {
			size_t len = strcspn(p, ",");
			uint32_t bit = 0;

			if (len == strlen("kernel") && memcmp(p, "kernel", len) == 0)
				*kernel = true;
			else if (find_column(p, len, &bit, err))
				return -1;
			*drop |= bit;
			p += len + (p[len] == ',');
		}
	return 0;
}

static int
parse_fill(const char *word, struct trc_fill *fill, struct trc_err *err)
{
	const char *equals = strchr(word, '=');
	uint32_t bit;

	if (!equals)
		return trc_fail_as(err, TRC_USAGE, "--fill: '%s' is no COLUMN=VALUE", word);
	if (find_column(word, (size_t)(equals - word), &bit, err))
		return -1;
	for (fill->column = 0; bit >>= 1; fill->column++)
		;
	if (!trc_opt_number(equals + 1, true, &fill->value) ||
	    (trc_column[fill->column].width < 8 &&
	     fill->value >> 8 * trc_column[fill->column].width) ||
	    (fill->column == TRC_COL_TYPE &&
	     (!trc_type_known(fill->value) || (fill->value & TRC_TYPE_MASK) == TRC_EVENT)) ||
	    fill->column == TRC_COL_EVENT)
		return trc_fail_as(err, TRC_USAGE, "--fill: '%s' is no value for %s", equals + 1,
		                   trc_column[fill->column].name);
	return 0;
}

/* The values of --fill, for a trace that has the columns `have`: these stay as they are. */
static int
parse_fills(const struct trc_opt_list *list, uint32_t have, struct trc_fill *fill,
            struct trc_err *err)
{
	uint32_t given = 0;

	if (list->n > TRC_COLUMNS)
		return trc_fail_as(err, TRC_USAGE, "--fill: more values than columns");
	for (size_t i = 0; i < list->n; i++) {
		const char *name;
		uint32_t bit;

		if (parse_fill(list->word[i], &fill[i], err))
			return -1;
		name = trc_column[fill[i].column].name;
		bit = UINT32_C(1) << fill[i].column;
		if (given & bit)
			return trc_fail_as(err, TRC_USAGE, "--fill: two values for %s", name);
		if (have & bit)
			return trc_fail(err,
			                "--fill: the trace has '%s'; --drop %s agrees to lose "
			                "what it says",
			                name, name);
		given |= bit;
	}
	return 0;
}

static struct trc_source *
wrap(struct trc_source *from, const void *settings, struct trc_err *err)
{
	const struct settings *s = settings;
	struct trc_fill fill[TRC_OPT_LIST_MOST];
	bool kernel = false;
	uint32_t drop = 0;

	if (parse_drop(&s->drop, &drop, &kernel, err) ||
	    parse_fills(&s->fill, from->have & ~drop, fill, err))
		return NULL;
	if (!drop && !kernel && s->fill.n == 0)
		return from;
	return trc_stage_columns(from, drop, kernel, fill, s->fill.n, err);
}

static const struct trc_opt opts[] = {
	{ 0, "drop", "COLUMN,...", "agree to lose columns, or 'kernel'", TRC_OPT_LIST,
	  TRC_WORDS_COLUMN, offsetof(struct settings, drop) },
	{ 0, "fill", "COLUMN=VALUE", "supply a column that is missing", TRC_OPT_LIST,
	  TRC_WORDS_COLUMN, offsetof(struct settings, fill) },
};

const struct trc_stage_row trc_stage_row_columns = {
	.opts = { opts, TRC_COUNT(opts), sizeof(struct settings), NULL },
	.wrap = wrap,
};
