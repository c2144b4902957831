/* SPDX-License-Identifier: MIT
 *
 * Parses the text of a kernel event ("Laplace: Raw Trace Formats"; the fields are those of the
 * published examples and of the emitter of the author's later kernel): a tag and fields, which are
 * hexadecimal numbers, then possibly a file name, which may contain blanks.
 *
 *   M 100 1a2b3c4d 9000 8efa5567 35 5 1029384756afbecd foobar.so
 *
 * Unknown tags are opaque, and so is anything after the known fields.
 */
#ifndef TRC_BATCH_EVENT_H
#define TRC_BATCH_EVENT_H

#include <stdint.h>

#include "base/base.h"

enum { TRC_EVENT_FIELDS = 8 };

/* A tag: its meaning, and the fields that follow the time, in order. */
struct trc_event_tag {
	char tag;
	const char *what;
	const char *field[TRC_EVENT_FIELDS]; /* their names; ends with NULL */
};

/* All tags in no particular order; ends with tag 0. */
extern const struct trc_event_tag trc_event_tag[];

/* Returns the row of a tag; NULL: unknown. */
const struct trc_event_tag *trc_event_tag_named(char tag);

/* A parsed kernel event. */
struct trc_event {
	char tag;
	const struct trc_event_tag *row; /* NULL: the tag is unknown, and nothing below is set */
	uint64_t field[TRC_EVENT_FIELDS];
	const char *rest; /* what follows the fields: a file name, or "" */
};

/* Parses `text`. Fails, naming the field, if one is missing, is not a number, is too large, or is
 * part of a range that ends past the last address. */
int trc_event_parse(struct trc_event *e, const char *text, struct trc_err *err) TRC_MUST_USE;

/* Returns the index of the field called `name` (a pid, a space) in `e`, or -1 if it has none. */
int trc_event_field(const struct trc_event *e, const char *name);

#endif
