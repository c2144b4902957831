/* SPDX-License-Identifier: MIT
 *
 * Determines how a trace must change so that a format can hold it, from the columns of the trace,
 * the types that its records may have, and the row of the format. The changes are made by the
 * stages of the corresponding options, and can be described in words.
 */
#ifndef TRC_CMD_FIT_FIT_H
#define TRC_CMD_FIT_FIT_H

#include "base/buf.h"
#include "batch/index.h"
#include "format/registry.h"
#include "stage/stage.h"

/* The changes, in terms of options. */
struct trc_fit {
	const struct trc_format *format;
	char args[96];     /* arguments for --to: "split"; "": none */
	bool eased;        /* has more arguments than were given */
	uint32_t have;     /* of the trace */
	uint32_t drop;     /* columns to drop */
	uint32_t merged;   /* columns that become part of others */
	uint32_t types;    /* types whose records are dropped, and TRC_DROP_KERNEL */
	bool split_modify; /* a modify becomes a load and a store */
	bool sure;         /* `types` are known from an index; else some may not occur */
	bool path;         /* branches are inferred from the path */
	struct trc_fill fill[TRC_COLUMNS];
	size_t fills;
	const char *never; /* why no change makes the format hold it; NULL: this does */
};

/* Returns the types of records that a trace may have, one bit per value of the type column, by its
 * index or its format; NULL if unknown. */
uint32_t trc_fit_types(const struct trc_format *f, const struct trc_index *index);

/* Finds the changes for writing the trace of `src`, with records of `types`, as format `f` with
 * arguments (NULL: none). */
void trc_fit_find(struct trc_fit *fit, const struct trc_source *src, uint32_t types,
                  const struct trc_format *f, const char *args);

/* Drops one more column that the format could hold, because it cannot hold its values; a column
 * that the format needs is replaced by made-up values. Returns false if that is impossible. */
bool trc_fit_without(struct trc_fit *fit, const struct trc_source *src, enum trc_column column);

/* Returns true if there are any changes. */
bool trc_fit_any(const struct trc_fit *fit);

/* Makes the changes: replaces *src by stages around it. */
int trc_fit_wrap(const struct trc_fit *fit, struct trc_source **src,
                 struct trc_err *err) TRC_MUST_USE;

/* Appends a description of what is lost, changed and made up: "'size' is lost; ...", or nothing. */
int trc_fit_words(const struct trc_fit *fit, struct trc_buf *b, struct trc_err *err) TRC_MUST_USE;

/* Append the columns and types for --drop, and the values for --fill, as lists, which may be
 * empty. */
int trc_fit_drops(const struct trc_fit *fit, struct trc_buf *b, struct trc_err *err) TRC_MUST_USE;
int trc_fit_fills(const struct trc_fit *fit, struct trc_buf *b, struct trc_err *err) TRC_MUST_USE;

/* A program for which traces are written: a row of --for. */
struct trc_preset {
	const char *name, *doc;
	const char *to;    /* the format with its arguments */
	const char *loses; /* for users; true for any trace */
};

/* Return the next program (the first for NULL, NULL after the last), and the program with a name
 * (NULL: none). */
const struct trc_preset *trc_preset_next(const struct trc_preset *p);
const struct trc_preset *trc_preset_named(const char *name);

/* Refuses an unknown name. */
int trc_preset_check(const char *name, struct trc_err *err) TRC_MUST_USE;

#endif
