/* SPDX-License-Identifier: MIT
 * Drops columns that a format cannot hold, and fills in columns that it needs. */
#include "stage/stage.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/suggest.h"
#include "batch/type.h"
#include "stage/fill.h"
#include "stage/wrap.h"

/* The stage. */
struct columns {
	struct trc_wrap wrap;
	uint32_t types;         /* types whose rows are dropped, and TRC_DROP_KERNEL */
	bool drop_events;       /* together with their rows */
	bool untyped;           /* drops the type column, which marks non-references */
	uint64_t gone, deletes; /* number of rows dropped by type; of these, invalidates */
	struct trc_fills fills;
};

/* Returns true if row `i` is dropped. */
static bool
is_dropped(const struct columns *s, const struct trc_batch *in, size_t i)
{
	if (trc_batch_is_event(in, i))
		return s->drop_events;
	return in->type && s->types >> (in->type[i] & TRC_TYPE_MASK) & 1;
}

/* Moves waiting rows into `b`, with the columns that both have. */
static int
move_common(struct columns *s, struct trc_batch *b, struct trc_err *err)
{
	const bool choose = s->drop_events || s->types & ~(uint32_t)TRC_DROP_KERNEL;
	const struct trc_batch *in = &s->wrap.in;
	const uint32_t have = b->have & in->have;
	size_t *at = &s->wrap.at, n;

	while (*at < in->n && b->n < b->cap) {
		if (choose && is_dropped(s, in, *at)) {
			const bool event = trc_batch_is_event(in, *at);

			s->gone += !event;
			s->deletes += !event && (in->type[*at] & TRC_TYPE_MASK) == TRC_INVALIDATE;
			if (trc_fills_pass(&s->fills, in, (*at)++, 1, err))
				return -1;
			continue;
		}
		n = in->n - *at < b->cap - b->n ? in->n - *at : b->cap - b->n;
		for (size_t i = 1; choose && i < n; i++)
			if (is_dropped(s, in, *at + i))
				n = i;
		trc_batch_copy(b, in, have, *at, n);
		if (trc_fills_put(&s->fills, in, *at, b, n, err))
			return -1;
		b->n += n;
		*at += n;
	}
	return 0;
}

/* Fails if the trace was reduced and its deletes were dropped: it is not exact without them. */
static int
check_deletes(const struct columns *s, struct trc_err *err)
{
	if (s->deletes == 0 || trc_guarantee_none(&s->wrap.src.meta.guarantee))
		return 0;
	return trc_fail(err,
	                "the trace was reduced with its deletes (%llu records of type invalidate) "
	                "and is not exact without them; drop them from the original, then reduce",
	                (ull)s->deletes);
}

/* Fails if a row is not a reference: without its type it would become one. */
static int
check_untyped(const struct columns *s, struct trc_err *err)
{
	const struct trc_batch *in = &s->wrap.in;

	for (size_t i = s->wrap.at; i < in->n; i++)
		if (trc_type_refs(in->type[i]) == 0 && !is_dropped(s, in, i) &&
		    !trc_batch_is_event(in, i))
			return trc_fail(
			        err,
			        "it has a record of type %s, which without its type would be a "
			        "reference; --drop type,%s drops such records",
			        trc_type_name[in->type[i] & TRC_TYPE_MASK],
			        trc_type_name[in->type[i] & TRC_TYPE_MASK]);
	return 0;
}

static void
add_caveat(struct columns *s)
{
	const struct trc_caveat unknown = {
		.text = "records before the first fetch of their task, with pc 0",
		.rows = s->fills.unknown,
		.columns = TRC_HAS_PC
	};

	trc_caveat_add(s->wrap.src.meta.caveat, &unknown);
}

static enum trc_flow
columns_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct columns *s = (struct columns *)src;
	struct trc_wrap *w = &s->wrap;

	while (b->n == 0) {
		enum trc_flow flow = trc_wrap_pull(w, err);

		if (flow == TRC_FLOW_END && trc_fills_check(&s->fills, w->from, true, err))
			return TRC_FLOW_FAILED;
		if (flow == TRC_FLOW_END && check_deletes(s, err))
			return TRC_FLOW_FAILED;
		if (flow != TRC_FLOW_ROWS) {
			if (s->gone)
				trc_meta_filtered(&w->src.meta);
			if (flow == TRC_FLOW_END)
				add_caveat(s);
			return flow;
		}
		if ((s->untyped && check_untyped(s, err)) || move_common(s, b, err))
			return TRC_FLOW_FAILED;
	}
	if (s->types & TRC_DROP_KERNEL && b->type)
		for (size_t i = 0; i < b->n; i++)
			b->type[i] &= (uint8_t)~TRC_KERNEL;
	return TRC_FLOW_ROWS;
}

static void
columns_close(struct trc_source *src)
{
	trc_last_fetch_release(&((struct columns *)src)->fills.last);
	trc_wrap_close(src);
}

struct trc_source *
trc_stage_columns(struct trc_source *from, uint32_t drop, uint32_t types,
                  const struct trc_fill *fill, size_t fills, struct trc_err *err)
{
	uint32_t have = from->have & ~drop;
	struct trc_fills all = { .n = fills };
	uint32_t filled = 0;
	struct columns *s;

	for (size_t i = 0; i < fills; i++) {
		all.fill[i] = fill[i];
		filled |= UINT32_C(1) << fill[i].column;
		all.follows |= fill[i].how == TRC_FILL_FETCH;
	}
	if (trc_fills_check(&all, from, false, err))
		return NULL;
	have |= filled;
	s = all.follows && trc_last_fetch_init(&all.last, err) ?
	            NULL :
	            trc_wrap_open(sizeof(*s), from, have, columns_next, err);
	if (!s) {
		trc_last_fetch_release(&all.last);
		return NULL;
	}
	s->wrap.src.close = columns_close;
	s->wrap.src.spare &= ~filled;
	s->types = types;
	if (types & ~(uint32_t)TRC_DROP_KERNEL)
		trc_meta_filtered(&s->wrap.src.meta);
	s->drop_events = drop & TRC_HAS_EVENT;
	s->untyped = from->have & drop & TRC_HAS_TYPE;
	s->fills = all;
	return &s->wrap.src;
}

/* ---- --drop and --fill ---- */

#define FORMATS_LIST "; 'trc help formats' lists them"

static const char every_word[] = "every:";

/* The settings of --drop and --fill. */
struct settings {
	struct trc_opt_list drop, fill;
};

/* Finds the column named by the first `len` characters of `word`. */
static int
find_column(const char *word, size_t len, uint32_t *bit, struct trc_err *err)
{
	/* Common names of columns in other tools. */
	static const char *const same[][2] = {
		{ "thread", "task" },    { "tid", "task" },     { "cpu", "task" },
		{ "pid", "asid" },       { "process", "asid" }, { "space", "asid" },
		{ "ip", "pc" },          { "op", "type" },      { "rw", "type" },
		{ "vaddr", "addr" },     { "va", "addr" },      { "cycle", "time" },
		{ "timestamp", "time" }, { "ts", "time" },      { "len", "size" },
		{ "length", "size" },    { "opcode", "insn" },
	};
	char name[64];
	struct trc_suggest suggest = { .word = name };

	*bit = trc_column_bit(word, len);
	if (*bit)
		return 0;
	snprintf(name, sizeof(name), "%.*s", (int)(len < 60 ? len : 60), word);
	for (size_t i = 0; i < TRC_COUNT(same); i++)
		if (strcasecmp(same[i][0], name) == 0)
			suggest = (struct trc_suggest){ name, same[i][1], 0 };
	for (int c = 0; c < TRC_COLUMNS && !suggest.best; c++)
		trc_suggest_offer(&suggest, trc_column[c].name);
	return trc_suggest_fail(&suggest, "", FORMATS_LIST, err, "unknown column '%s'", name);
}

uint32_t
trc_type_dropped(const char *word, size_t len)
{
	return trc_column_bit(word, len) ? 0 : trc_type_bits(word, len);
}

/* Parses --drop. Each word of the list consists of columns and types, separated by commas; "event"
 * means the column. */
static int
parse_drop(const struct trc_opt_list *list, uint32_t *drop, uint32_t *types, struct trc_err *err)
{
	for (size_t i = 0; i < list->n; i++)
		for (const char *p = list->word[i]; *p;) {
			const size_t len = strcspn(p, ",");
			const uint32_t type = trc_type_dropped(p, len);
			uint32_t bit = 0;

			if (len == strlen("kernel") && memcmp(p, "kernel", len) == 0)
				*types |= TRC_DROP_KERNEL;
			else if (!type && find_column(p, len, &bit, err))
				return -1;
			*types |= type;
			*drop |= bit;
			p += len + (p[len] == ',');
		}
	return 0;
}

/* Parses the value of a clock: "every:60", "rtime" or "itime". */
static bool
parse_clock(const char *value, struct trc_fill *fill)
{
	const size_t every = strlen(every_word);

	if (strncmp(value, every_word, every) == 0) {
		fill->how = TRC_FILL_EVERY;
		return trc_opt_number(value + every, false, &fill->value) && fill->value > 0;
	}
	fill->how = TRC_FILL_CLOCK;
	fill->clock = strcmp(value, "itime") == 0 ? TRC_COL_ITIME : TRC_COL_RTIME;
	return fill->clock == TRC_COL_ITIME || strcmp(value, "rtime") == 0;
}

static bool
is_clock(enum trc_column c)
{
	return c == TRC_COL_TIME || c == TRC_COL_ITIME || c == TRC_COL_RTIME;
}

static bool
parse_value(const char *value, struct trc_fill *fill)
{
	const uint32_t bytes = TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_PC;
	const size_t width = trc_column[fill->column].width;

	fill->how = fill->column == TRC_COL_PC && strcmp(value, "fetch") == 0    ? TRC_FILL_FETCH :
	            fill->column == TRC_COL_BRANCH && strcmp(value, "path") == 0 ? TRC_FILL_PATH :
	                                                                           TRC_FILL_VALUE;
	if (fill->how != TRC_FILL_VALUE)
		return true;
	if (!trc_opt_number(value, bytes >> fill->column & 1, &fill->value))
		return is_clock(fill->column) && parse_clock(value, fill);
	if (fill->column == TRC_COL_EVENT || (width < 8 && fill->value >> 8 * width))
		return false;
	return fill->column != TRC_COL_TYPE ||
	       (trc_type_known(fill->value) && (fill->value & TRC_TYPE_MASK) != TRC_EVENT);
}

/* Returns the values that a column accepts besides a number, for a message. */
static const char *
values_of(enum trc_column c)
{
	return is_clock(c)         ? ": a number, every:N, rtime or itime" :
	       c == TRC_COL_PC     ? ": a number, or fetch" :
	       c == TRC_COL_BRANCH ? ": a number, or path" :
	                             "";
}

/* Parses the first `len` characters of `word`. */
static int
parse_fill(const char *word, size_t len, struct trc_fill *fill, struct trc_err *err)
{
	const char *equals = memchr(word, '=', len);
	char value[64];
	uint32_t bit;

	*fill = (struct trc_fill){ 0 };
	if (!equals)
		return trc_fail_as(err, TRC_USAGE, "--fill: '%.*s' is not COLUMN=VALUE",
		                   (int)(len < 60 ? len : 60), word);
	if (find_column(word, (size_t)(equals - word), &bit, err))
		return -1;
	for (fill->column = 0; bit >>= 1; fill->column++)
		;
	len -= (size_t)(equals + 1 - word);
	snprintf(value, sizeof(value), "%.*s", (int)(len < 60 ? len : 60), equals + 1);
	if (len >= sizeof(value) || !parse_value(value, fill))
		return trc_fail_as(err, TRC_USAGE, "--fill: '%s' is not a value for %s%s", value,
		                   trc_column[fill->column].name, values_of(fill->column));
	return 0;
}

/* Parses --fill for a trace with the columns `have`, which are not changed. Each word of the list
 * consists of assignments, separated by commas. */
static int
parse_fills(const struct trc_opt_list *list, uint32_t have, struct trc_fill *fill, size_t *fills,
            struct trc_err *err)
{
	uint32_t given = 0;

	*fills = 0;
	for (size_t i = 0; i < list->n; i++)
		for (const char *p = list->word[i], *comma; p; p = comma ? comma + 1 : NULL) {
			struct trc_fill f;
			const char *name;
			uint32_t bit;

			comma = strchr(p, ',');
			if (parse_fill(p, comma ? (size_t)(comma - p) : strlen(p), &f, err))
				return -1;
			name = trc_column[f.column].name;
			bit = UINT32_C(1) << f.column;
			if (given & bit)
				return trc_fail_as(err, TRC_USAGE, "--fill: two values for %s",
				                   name);
			if (have & bit)
				return trc_fail(err,
				                "--fill: the trace already has '%s'; --drop %s "
				                "agrees to lose it",
				                name, name);
			given |= bit;
			fill[(*fills)++] = f;
		}
	return 0;
}

/* Removes TRC_FILL_PATH from the fills; returns true if there was one. */
static bool
take_path(struct trc_fill *fill, size_t *fills)
{
	size_t n = 0;
	bool path = false;

	for (size_t i = 0; i < *fills; i++)
		if (fill[i].how == TRC_FILL_PATH)
			path = true;
		else
			fill[n++] = fill[i];
	*fills = n;
	return path;
}

/* Fills in branches from the path, then the other columns, which the path may depend on. */
static struct trc_source *
wrap_path(struct trc_source *from, uint32_t drop, uint32_t types, const struct trc_fill *fill,
          size_t fills, struct trc_err *err)
{
	struct trc_source *path = trc_stage_path(from, NULL, err), *src;

	if (!path)
		return NULL;
	drop &= ~(from->have & TRC_HAS_BRANCH);
	src = trc_stage_columns(path, drop, types, fill, fills, err);
	return src ? src : trc_wrap_fail(path);
}

static struct trc_source *
wrap(struct trc_source *from, const void *settings, struct trc_err *err)
{
	const struct settings *s = settings;
	struct trc_fill fill[TRC_COLUMNS];
	uint32_t drop = 0, types = 0;
	size_t fills;

	if (parse_drop(&s->drop, &drop, &types, err) ||
	    parse_fills(&s->fill, from->have & ~from->spare & ~drop, fill, &fills, err))
		return NULL;
	if (!drop && !types && fills == 0)
		return from;
	if (take_path(fill, &fills))
		return wrap_path(from, drop, types, fill, fills, err);
	return trc_stage_columns(from, drop, types, fill, fills, err);
}

const struct trc_stage_row trc_stage_row_columns = {
	.opts = TRC_OPTS(struct settings,
	                 { 0, "drop", "WHAT,...", "drop columns, types of records, or 'kernel'",
	                   TRC_OPT_LIST, TRC_WORDS_DROP, offsetof(struct settings, drop) },
	                 { 0, "fill", "COLUMN=VALUE,...", "fill in missing columns", TRC_OPT_LIST,
	                   TRC_WORDS_FILL, offsetof(struct settings, fill) }),
	.wrap = wrap,
};
