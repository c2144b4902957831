/* SPDX-License-Identifier: MIT
 *
 * The list of formats: finding, opening.
 */
#ifndef TRC_FORMAT_REGISTRY_H
#define TRC_FORMAT_REGISTRY_H

#include "format/format.h"

/* All rows, in the order of the list in meson.build: the first for NULL, NULL after the last. */
const struct trc_format *trc_format_next(const struct trc_format *f);

/* The row called `name`, "NAME" or "NAME:ARGUMENTS", or the one whose ending `path` has, the
 * ending of a packing (".xz") taken off; NULL for none. */
const struct trc_format *trc_format_named(const char *name);
const struct trc_format *trc_format_ending(const char *path);

/* How long `path` is without the endings of a packing and a format, which it returns, too: NULL if
 * it has none. */
size_t trc_format_stem(const char *path, const struct trc_format **format);

/* The arguments in "NAME:ARGUMENTS"; NULL for none, or if `name` is NULL. */
const char *trc_format_arguments(const char *name);

/* True if there is a way to read or write the format. */
bool trc_format_reads(const struct trc_format *f);
bool trc_format_writes(const struct trc_format *f);

/* Whether a reference of this type, TRC_KERNEL among its bits or not, can be written as the format
 * with these arguments, NULL for none, somewhere in a trace of the columns `have`. */
bool trc_format_takes(const struct trc_format *f, const char *args, uint32_t have, uint8_t type);

/* What was counted to recognise some data: a line for each reading that it fits, what speaks for it
 * and what against it. Begins empty. */
struct trc_evidence {
	char text[2048];
};

/* Recognises the data of `in` by its content; the ending of its name decides between what fits.
 * NULL if no row or more than one does, with what would read it. Nothing is consumed. A format that
 * needs words finds them in in->reading: recognise.c. */
const struct trc_format *trc_format_recognise(struct trc_in *in, struct trc_err *err);
const struct trc_format *trc_format_recognise_with(struct trc_in *in, struct trc_evidence *evidence,
                                                   struct trc_err *err);

/* The plainest text format that holds all of `have`, of any type, and misses nothing; NULL for
 * none. */
const struct trc_format *trc_format_plain(uint32_t have);

/* Fills in zeroed `settings`, TRC_FORMAT_SETTINGS bytes, for reading with these arguments. */
int trc_format_settings(const struct trc_format *f, const char *args, void *settings,
                        struct trc_err *err) TRC_MUST_USE;

/* Opens a source on `in`, or a sink for columns `have` on `out`, and takes it over on success.
 * `args` are the words after the colon, NULL for none. The sink is refused if the format cannot
 * hold a column or misses one. */
struct trc_source *trc_format_source(const struct trc_format *f, const char *args,
                                     struct trc_in *in, struct trc_err *err) TRC_MUST_USE;
struct trc_sink *trc_format_sink(const struct trc_format *f, const char *args, struct trc_out *out,
                                 uint32_t have, const struct trc_meta *meta,
                                 struct trc_err *err) TRC_MUST_USE;

#endif
