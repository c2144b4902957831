/* SPDX-License-Identifier: MIT
 *
 * The list of formats: finding and opening them.
 */
#ifndef TRC_FORMAT_REGISTRY_H
#define TRC_FORMAT_REGISTRY_H

#include "format/format.h"

/* Iterates over all rows, in the order of the list in meson.build: returns the first for NULL, NULL
 * after the last. */
const struct trc_format *trc_format_next(const struct trc_format *f);

/* Return the row called `name`, "NAME" or "NAME:ARGUMENTS"; or the row whose ending `path` has,
 * after removing that of a packing (".xz"). NULL: none. */
const struct trc_format *trc_format_named(const char *name);
const struct trc_format *trc_format_ending(const char *path);

/* Returns the length of `path` without the endings of a packing and a format; sets *format to that
 * format, NULL if it has none. */
size_t trc_format_stem(const char *path, const struct trc_format **format);

/* Returns the arguments in "NAME:ARGUMENTS"; NULL if there are none, or if `name` is NULL. */
const char *trc_format_arguments(const char *name);

/* Return true if the format can be read, or written. */
bool trc_format_reads(const struct trc_format *f);
bool trc_format_writes(const struct trc_format *f);

/* Returns true if a reference of this type, with or without TRC_KERNEL, can be written in the
 * format with these arguments, NULL for none, somewhere in a trace of the columns `have`. */
bool trc_format_takes(const struct trc_format *f, const char *args, uint32_t have, uint8_t type);

/* The evidence collected while recognising data: a line for each reading that fits, with what
 * speaks for and against it. Initially empty. */
struct trc_evidence {
	char text[2048];
};

/* Recognises the data of `in` by its content; the ending of its name decides between formats that
 * fit. Returns NULL if no row or more than one fits, with proposals in *err. Consumes nothing. A
 * format that needs arguments finds them in in->reading: recognise.c. */
const struct trc_format *trc_format_recognise(struct trc_in *in, struct trc_err *err);
const struct trc_format *trc_format_recognise_with(struct trc_in *in, struct trc_evidence *evidence,
                                                   struct trc_err *err);

/* Returns the simplest text format that holds all columns `have`, with any type, and needs no
 * others; NULL: none. */
const struct trc_format *trc_format_plain(uint32_t have);

/* Fills zeroed `settings`, TRC_FORMAT_SETTINGS bytes, from the arguments for reading. */
int trc_format_settings(const struct trc_format *f, const char *args, void *settings,
                        struct trc_err *err) TRC_MUST_USE;

/* Open a source on `in`, or a sink for columns `have` on `out`, and take it over on success. `args`
 * are the arguments after the colon, NULL for none. A sink is refused if the format cannot hold a
 * column, or needs one that is missing. */
struct trc_source *trc_format_source(const struct trc_format *f, const char *args,
                                     struct trc_in *in, struct trc_err *err) TRC_MUST_USE;
struct trc_sink *trc_format_sink(const struct trc_format *f, const char *args, struct trc_out *out,
                                 uint32_t have, const struct trc_meta *meta,
                                 struct trc_err *err) TRC_MUST_USE;

#endif
