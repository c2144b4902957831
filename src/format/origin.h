/* SPDX-License-Identifier: MIT
 *
 * What lines before the first record have of how a trace was recorded: entries of a provenance
 * (batch/provenance.h). Formats whose tracer writes such lines know them (struct trc_line_more);
 * of all others but those that begin with names of columns, lines that begin with '#' are comments,
 * and kept as they are but for ours.
 */
#ifndef TRC_FORMAT_ORIGIN_H
#define TRC_FORMAT_ORIGIN_H

#include "format/format.h"

enum { TRC_ORIGIN_HEAD = 1 << 16 }; /* bytes of a text that are looked at */

/* True if the text of format `f` whose whole lines are [p, stop) begins with such a line. */
bool trc_origin_begins(const struct trc_format *f, const uint8_t *p, const uint8_t *stop);

/* Adds what these lines have, up to the first record, to `list`. What is beyond some kilobytes is
 * left out. */
int trc_origin_take(const struct trc_format *f, const uint8_t *p, const uint8_t *stop,
                    struct trc_buf *list, struct trc_err *err) TRC_MUST_USE;

#endif
