/* SPDX-License-Identifier: MIT
 *
 * The fields of a kernel event, parsed from its text ("Laplace: Raw Trace Formats"; the fields are
 * those of the published examples and of the emitter of the author's later kernel): a tag and
 * fields, numbers hexadecimal, the name of a file last, with blanks and all.
 *
 *   M 100 1a2b3c4d 9000 8efa5567 35 5 1029384756afbecd foobar.so
 *
 * Tags that are not known are opaque, and so is what follows the fields that are.
 */
#ifndef TRC_BATCH_EVENT_H
#define TRC_BATCH_EVENT_H

#include <stdint.h>

#include "base/base.h"

enum { TRC_EVENT_FIELDS = 8 };

/* A tag: what it is, and the fields it has behind the time, in order. */
struct trc_event_tag {
	char tag;
	const char *what;
	const char *field[TRC_EVENT_FIELDS]; /* names; NULL after the last */
};

/* All tags, in no order; `tag` 0 after the last. */
extern const struct trc_event_tag trc_event_tag[];

/* The row of a tag, NULL if it is not known. */
const struct trc_event_tag *trc_event_tag_named(char tag);

/* A kernel event, parsed. */
struct trc_event {
	char tag;
	const struct trc_event_tag *row; /* NULL: the tag is not known, and nothing below is set */
	uint64_t field[TRC_EVENT_FIELDS];
	const char *rest; /* what follows them: the name of a file, or nothing */
};

/* Parses `text`. It is an error, which names the field, if one is missing, is no number, is too
 * large, or makes a range that ends past the last address. */
int trc_event_parse(struct trc_event *e, const char *text, struct trc_err *err) TRC_MUST_USE;

/* The place of the field called `name` (a pid, a space) in `e`, -1 if it has none. */
int trc_event_field(const struct trc_event *e, const char *name);

#endif
