/* SPDX-License-Identifier: MIT
 * Derives what a trace must lose from the row of a format, and the stages that do it. */
#include "cmd/fit/fit.h"

#include <stdio.h>
#include <string.h>

#include "stage/last_fetch.h"

#define BIT(type) (UINT32_C(1) << (type))
#define BY_ANY(type) (BIT(type) | BIT(type) << TRC_KERNEL)

enum { SIZE = 4 }; /* bytes of a reference of unknown size, as dineroIV assumes for din */

uint32_t
trc_fit_types(const struct trc_format *f, const struct trc_index *index)
{
	uint32_t types = 0;

	if (!index && f && f->gives)
		return f->gives;
	for (uint8_t t = 0; t < TRC_EVENT; t++) {
		const bool any = !index || index->counts.by_type[t];

		if (any && (!f || trc_format_takes(f, NULL, f->holds, t)))
			types |= BIT(t);
		if (any && (!index || index->counts.by_kernel) &&
		    (!f || trc_format_takes(f, NULL, f->holds, t | TRC_KERNEL)))
			types |= BIT(t) << TRC_KERNEL;
	}
	return types;
}

/* Returns false for an argument named after a column that the trace lacks, since it has no
 * effect. */
static bool
concerns(const struct trc_fit *fit, const char *arg)
{
	const uint32_t column = trc_column_bit(arg, strlen(arg));

	return !column || fit->have & column;
}

/* Adds arguments with which the format can hold more, except those already given. */
static void
allow_losses(struct trc_fit *fit, const char *given)
{
	const struct trc_format_args *to = fit->format->to;
	const char *word = fit->format->eases;

	snprintf(fit->args, sizeof(fit->args), "%s", given ? given : "");
	for (size_t len; to && word && *word; word += len + (word[len] == ',')) {
		const size_t n = strlen(fit->args);
		char one[32];

		len = strcspn(word, ",");
		snprintf(one, sizeof(one), "%.*s", (int)len, word);
		if ((given && strstr(given, one)) || !concerns(fit, one))
			continue;
		snprintf(fit->args + n, sizeof(fit->args) - n, "%s%s", n ? "," : "", one);
		fit->eased = true;
	}
}

/* Decides what happens to types that the format cannot hold. */
static void
fit_types(struct trc_fit *fit, uint32_t have, uint32_t types)
{
	const char *args = *fit->args ? fit->args : NULL;
	uint32_t takes = 0;

	for (uint8_t t = 0; t < TRC_EVENT; t++) {
		takes |= trc_format_takes(fit->format, args, have, t) ? BIT(t) : 0;
		takes |= trc_format_takes(fit->format, args, have, t | TRC_KERNEL) ?
		                 BIT(t) << TRC_KERNEL :
		                 0;
	}
	if (types & BY_ANY(TRC_MODIFY) & ~takes && takes & BIT(TRC_READ) &&
	    takes & BIT(TRC_WRITE)) {
		fit->split_modify = true;
		if (types & BIT(TRC_MODIFY) << TRC_KERNEL)
			types |= (BIT(TRC_READ) | BIT(TRC_WRITE)) << TRC_KERNEL;
		types &= ~BY_ANY(TRC_MODIFY);
	}
	for (unsigned t = 0; t < TRC_EVENT; t++) {
		const uint32_t kernel = BIT(t) << TRC_KERNEL;

		if (types & kernel & ~takes && takes & BIT(t))
			fit->types |= TRC_DROP_KERNEL;
		if (types & BY_ANY(t) && !(takes & BIT(t)))
			fit->types |= BIT(t);
	}
}

static struct trc_fill *
add_fill(struct trc_fit *fit, enum trc_column column, uint64_t value)
{
	struct trc_fill *f = &fit->fill[fit->fills++];

	*f = (struct trc_fill){ .column = column, .value = value };
	return f;
}

/* Fills a clock: with the count of references, or one step per record if references are unknown
 * because some are missing. */
static void
fill_clock(struct trc_fit *fit, const struct trc_source *src, enum trc_column column)
{
	struct trc_fill *f = add_fill(fit, column, 1);
	const bool counted = src->have & TRC_HAS_RTIME ||
	                     (trc_guarantee_none(&src->meta.guarantee) && !src->meta_at_end);

	f->how = counted ? TRC_FILL_CLOCK : TRC_FILL_EVERY;
	f->clock = TRC_COL_RTIME;
}

/* Fills the instruction with the last fetch of the task; no other value would be true. */
static void
fill_pc(struct trc_fit *fit, const struct trc_source *src, uint32_t types)
{
	if (trc_last_fetch_shows(src->have) && types & BY_ANY(TRC_FETCH) &&
	    !(src->fetched & TRC_FETCHED_GAPS))
		add_fill(fit, TRC_COL_PC, 0)->how = TRC_FILL_FETCH;
	else
		fit->never = "the instruction that made a reference is unknown";
}

/* Fills a column, or sets the reason why it cannot be filled. */
static void
supply(struct trc_fit *fit, const struct trc_source *src, uint32_t types, enum trc_column column)
{
	switch (column) {
	case TRC_COL_ADDR:
		fit->never = "addresses cannot be made from the columns of the trace";
		break;
	case TRC_COL_VPN:
		fit->never =
		        "trc reduce makes pages from addresses, for example trc reduce --sad 64 "
		        "INPUT X.sad";
		break;
	case TRC_COL_CPN:
		fit->never = "trc split --kernel EVENTS INPUT FOLDER numbers canonical pages";
		break;
	case TRC_COL_EVENT: fit->never = "kernel events are recorded, not made up"; break;
	case TRC_COL_PC: fill_pc(fit, src, types); break;
	case TRC_COL_SIZE: add_fill(fit, column, SIZE); break;
	case TRC_COL_TIME:
	case TRC_COL_ITIME:
	case TRC_COL_RTIME: fill_clock(fit, src, column); break;
	default: add_fill(fit, column, 0); break;
	}
}

/* Infers branches from the path, unless the path is incomplete. */
static void
want_branches(struct trc_fit *fit, const struct trc_source *src, uint32_t types)
{
	const uint32_t needs = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE;

	fit->path = fit->format->wants & TRC_HAS_BRANCH & ~fit->have && !(needs & ~fit->have) &&
	            types & BY_ANY(TRC_FETCH) &&
	            !(src->fetched & (TRC_FETCHED_GAPS | TRC_FETCHED_MIXED)) && !src->meta_at_end &&
	            trc_guarantee_none(&src->meta.guarantee);
}

void
trc_fit_find(struct trc_fit *fit, const struct trc_source *src, uint32_t types,
             const struct trc_format *f, const char *args)
{
	const uint32_t have = src->have & ~(src->spare & ~(f->wants | f->needs));
	const uint32_t missing = f->needs & ~have;

	*fit = (struct trc_fit){ .format = f,
		                 .have = have,
		                 .drop = have & ~(f->holds | f->takes),
		                 .merged = have & f->takes & ~f->holds };
	allow_losses(fit, args);
	/* Without the type column, a record that is not a reference would look like one. */
	for (uint8_t t = 0; fit->drop & TRC_HAS_TYPE && t < TRC_EVENT; t++)
		fit->types |= types & BY_ANY(t) && trc_type_refs(t) == 0 ? BIT(t) : 0;
	if (have & f->holds & TRC_HAS_TYPE)
		fit_types(fit, (have & ~fit->drop) | f->needs, types);
	for (int c = 0; c < TRC_COLUMNS && !fit->never; c++)
		if (missing >> c & 1)
			supply(fit, src, types, (enum trc_column)c);
	want_branches(fit, src, types);
}

bool
trc_fit_without(struct trc_fit *fit, const struct trc_source *src, enum trc_column column)
{
	const struct trc_format *f = fit->format;
	const uint32_t bit = UINT32_C(1) << column;

	if (!(src->have & (f->holds | f->takes) & bit) || column == TRC_COL_TYPE ||
	    column == TRC_COL_EVENT)
		return false;
	if (f->needs & bit)
		supply(fit, src, 0, column);
	if (fit->never)
		return false;
	fit->drop |= bit;
	fit->merged &= ~bit;
	return true;
}

bool
trc_fit_any(const struct trc_fit *fit)
{
	return fit->drop || fit->types || fit->fills || fit->path || fit->split_modify ||
	       fit->eased;
}

int
trc_fit_wrap(const struct trc_fit *fit, struct trc_source **src, struct trc_err *err)
{
	struct trc_source *s = *src;

	/* First, while the columns that it needs are present. */
	if (fit->path)
		s = trc_stage_path(s, NULL, err);
	if (!s)
		return -1;
	*src = s;
	if (fit->split_modify)
		s = trc_stage_split_modify(s, err);
	if (!s)
		return -1;
	*src = s;
	if (fit->drop || fit->types || fit->fills)
		s = trc_stage_columns(s, fit->drop, fit->types, fit->fill, fit->fills, err);
	if (!s)
		return -1;
	*src = s;
	return 0;
}

/* ---- in words ---- */

static int
put(struct trc_buf *b, const char *text, struct trc_err *err)
{
	return trc_buf_put(b, text, strlen(text), err);
}

/* Appends the names of types separated by commas; `comma` is the first separator, "" if the list
 * was empty. */
static int
put_types(struct trc_buf *b, uint32_t types, const char *comma, struct trc_err *err)
{
	for (unsigned t = 0; t < TRC_EVENT; t++) {
		if (!(types >> t & 1))
			continue;
		if (put(b, comma, err) || put(b, trc_type_name[t], err))
			return -1;
		comma = ",";
	}
	return 0;
}

int
trc_fit_drops(const struct trc_fit *fit, struct trc_buf *b, struct trc_err *err)
{
	const uint32_t types = fit->types & ~(uint32_t)TRC_DROP_KERNEL;
	char names[128] = "";

	if (fit->drop && put(b, trc_columns_text(fit->drop, names, sizeof(names)), err))
		return -1;
	if (put_types(b, types, fit->drop ? "," : "", err))
		return -1;
	if (!(fit->types & TRC_DROP_KERNEL))
		return 0;
	return put(b, fit->drop || types ? ",kernel" : "kernel", err);
}

int
trc_fit_fills(const struct trc_fit *fit, struct trc_buf *b, struct trc_err *err)
{
	for (size_t i = 0; i < fit->fills; i++) {
		const struct trc_fill *f = &fit->fill[i];
		char text[64];

		if (f->how == TRC_FILL_CLOCK)
			snprintf(text, sizeof(text), "%s%s=%s", i ? "," : "",
			         trc_column[f->column].name, trc_column[f->clock].name);
		else if (f->how == TRC_FILL_FETCH)
			snprintf(text, sizeof(text), "%spc=fetch", i ? "," : "");
		else
			snprintf(text, sizeof(text), "%s%s=%s%llu", i ? "," : "",
			         trc_column[f->column].name,
			         f->how == TRC_FILL_EVERY ? "every:" : "", (ull)f->value);
		if (put(b, text, err))
			return -1;
	}
	return fit->path ? put(b, fit->fills ? ",branch=path" : "branch=path", err) : 0;
}

/* Begins another part of the sentence. */
static int
put_part(struct trc_buf *b, size_t start, const char *text, struct trc_err *err)
{
	return (b->n > start && put(b, "; ", err)) || put(b, text, err) ? -1 : 0;
}

/* Appends what is filled in. */
static int
put_supplied(const struct trc_fit *fit, struct trc_buf *b, struct trc_err *err)
{
	for (size_t i = 0; i < fit->fills; i++) {
		const struct trc_fill *f = &fit->fill[i];
		char text[96];

		if (f->how == TRC_FILL_CLOCK)
			snprintf(text, sizeof(text), "%s%s (the references so far)", i ? ", " : "",
			         trc_column[f->column].name);
		else if (f->how == TRC_FILL_FETCH)
			snprintf(text, sizeof(text), "%spc (what the task fetched last)",
			         i ? ", " : "");
		else if (f->how == TRC_FILL_EVERY)
			snprintf(text, sizeof(text), "%s%s (%llu more each record)", i ? ", " : "",
			         trc_column[f->column].name, (ull)f->value);
		else
			snprintf(text, sizeof(text), "%s%s (%llu each)", i ? ", " : "",
			         trc_column[f->column].name, (ull)f->value);
		if (put(b, text, err))
			return -1;
	}
	if (!fit->path)
		return 0;
	return put(b, fit->fills ? ", branch (from the path)" : "branch (from the path)", err);
}

/* Appends what the added arguments do, from their rows. */
static int
put_eases(const struct trc_fit *fit, struct trc_buf *b, size_t start, struct trc_err *err)
{
	const struct trc_format_args *to = fit->format->to;
	const char *eases = fit->format->eases;

	for (size_t i = 0; to && eases && i < to->opts; i++)
		if (strstr(eases, to->opt[i].name) && strstr(fit->args, to->opt[i].name) &&
		    concerns(fit, to->opt[i].name) && put_part(b, start, to->opt[i].doc, err))
			return -1;
	return 0;
}

/* Appends what happens to records by type. */
static int
put_changes(const struct trc_fit *fit, struct trc_buf *b, size_t start, struct trc_err *err)
{
	const uint32_t types = fit->types & ~(uint32_t)TRC_DROP_KERNEL;
	const char *maybe = fit->sure ? "" : ", if there are any";

	if (types && (put_part(b, start, "left out: ", err) || put_types(b, types, "", err) ||
	              put(b, maybe, err)))
		return -1;
	if (fit->types & TRC_DROP_KERNEL &&
	    (put_part(b, start, "a reference by the kernel becomes the user's", err) ||
	     put(b, maybe, err)))
		return -1;
	if (fit->split_modify &&
	    (put_part(b, start, "a modify becomes a load and a store", err) || put(b, maybe, err)))
		return -1;
	return 0;
}

int
trc_fit_words(const struct trc_fit *fit, struct trc_buf *b, struct trc_err *err)
{
	const size_t start = b->n;
	char names[128];

	if (fit->drop && (put_part(b, start, "lost: ", err) ||
	                  put(b, trc_columns_text(fit->drop, names, sizeof(names)), err)))
		return -1;
	if (fit->merged && (put_part(b, start, "held by other columns: ", err) ||
	                    put(b, trc_columns_text(fit->merged, names, sizeof(names)), err)))
		return -1;
	if (put_changes(fit, b, start, err) ||
	    ((fit->fills || fit->path) &&
	     (put_part(b, start, "made up: ", err) || put_supplied(fit, b, err))))
		return -1;
	return put_eases(fit, b, start, err);
}
