/* SPDX-License-Identifier: MIT
 *
 * What has to be done to a trace so that a format can hold it: found from the columns of the trace,
 * the types of records that it may have, and the row of the format; done by the stages that options
 * stand for; and put into words.
 */
#ifndef TRC_CMD_FIT_FIT_H
#define TRC_CMD_FIT_FIT_H

#include "base/buf.h"
#include "batch/index.h"
#include "format/registry.h"
#include "stage/stage.h"

/* What is done, as options have it. */
struct trc_fit {
	const struct trc_format *format;
	char args[96];     /* of --to: "split"; "": none */
	bool eased;        /* more of them than were given */
	uint32_t have;     /* columns of the trace */
	uint32_t drop;     /* columns */
	uint32_t merged;   /* columns that go into others */
	uint32_t types;    /* whose records go, and TRC_DROP_KERNEL */
	bool split_modify; /* a modify becomes a load and a store */
	bool sure;         /* of types, by an index; else some of them may come */
	bool path;         /* branches are found by the path */
	struct trc_fill fill[TRC_COLUMNS];
	size_t fills;
	const char *never; /* why nothing makes the format hold it; NULL: this does */
};

/* The types of records that a trace may have, a bit for each value of the type column: by its
 * index, or by its format; NULL for what is not known. */
uint32_t trc_fit_types(const struct trc_format *f, const struct trc_index *index);

/* Finds what has to be done to the trace that `src` gives, whose records are of `types`, to be
 * written as format `f` with arguments, NULL for none. */
void trc_fit_find(struct trc_fit *fit, const struct trc_source *src, uint32_t types,
                  const struct trc_format *f, const char *args);

/* The same without a column that the format holds, made up anew if it needs one: where its values
 * are such as it cannot hold. False if that cannot be. */
bool trc_fit_without(struct trc_fit *fit, const struct trc_source *src, enum trc_column column);

/* Whether anything is to be done. */
bool trc_fit_any(const struct trc_fit *fit);

/* Does it: replaces *src by stages around it. */
int trc_fit_wrap(const struct trc_fit *fit, struct trc_source **src,
                 struct trc_err *err) TRC_MUST_USE;

/* Appends what is lost, changed and made up, in words: "'size' is lost; ...", "" for nothing. */
int trc_fit_words(const struct trc_fit *fit, struct trc_buf *b, struct trc_err *err) TRC_MUST_USE;

/* Appends the columns and types of --drop, and the values of --fill, as lists; "" for none. */
int trc_fit_drops(const struct trc_fit *fit, struct trc_buf *b, struct trc_err *err) TRC_MUST_USE;
int trc_fit_fills(const struct trc_fit *fit, struct trc_buf *b, struct trc_err *err) TRC_MUST_USE;

/* A program that traces are written for: the row of --for. */
struct trc_preset {
	const char *name, *doc;
	const char *to;    /* the format, with its arguments */
	const char *loses; /* a sentence for users, of any trace */
};

/* All of them: the first for NULL, NULL behind the last; and that of a name, NULL for none. */
const struct trc_preset *trc_preset_next(const struct trc_preset *p);
const struct trc_preset *trc_preset_named(const char *name);

/* Refuses a name that is of none. */
int trc_preset_check(const char *name, struct trc_err *err) TRC_MUST_USE;

#endif
