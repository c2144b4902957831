/* SPDX-License-Identifier: MIT
 *
 * The lines before the first record of a trace that describe how it was recorded: entries of a
 * provenance (batch/provenance.h). Formats whose tracers write such lines parse them (struct
 * trc_line_more). In all other formats, except those that begin with names of columns, lines that
 * begin with '#' are comments, and are kept unchanged unless trc wrote them.
 */
#ifndef TRC_FORMAT_ORIGIN_H
#define TRC_FORMAT_ORIGIN_H

#include "format/format.h"

enum { TRC_ORIGIN_HEAD = 1 << 16 }; /* bytes of a text that are examined */

/* Returns true if the text of format `f` with the complete lines [p, stop) begins with such a
 * line. */
bool trc_origin_begins(const struct trc_format *f, const uint8_t *p, const uint8_t *stop);

/* Adds the entries of these lines, up to the first record, to `list`. Entries beyond some kilobytes
 * are dropped. */
int trc_origin_take(const struct trc_format *f, const uint8_t *p, const uint8_t *stop,
                    struct trc_buf *list, struct trc_err *err) TRC_MUST_USE;

#endif
