/* SPDX-License-Identifier: MIT
 *
 * The kernel events of a block of the container: the column that is text.
 */
#ifndef TRC_CONTAINER_EVENTS_H
#define TRC_CONTAINER_EVENTS_H

#include "base/buf.h"
#include "batch/batch.h"

/* No block has more bytes of texts than this, the NUL of each counted. */
enum { TRC_EVENTS_BYTES = 16 << 20 };

/* How many of the rows [from, from + n) of `b` fit behind the texts of `block`. */
size_t trc_events_fit(const struct trc_batch *block, const struct trc_batch *b, size_t from,
                      size_t n);

/* Appends the packed column `event` of `b` to `out`. */
int trc_events_write(const struct trc_batch *b, int level, struct trc_buf *out,
                     struct trc_err *err) TRC_MUST_USE;

/* Takes the column of `rows` rows from `in` into `b`, in place of all texts that were there. */
int trc_events_read(struct trc_view *in, struct trc_batch *b, size_t rows,
                    struct trc_err *err) TRC_MUST_USE;

/* Fails if a row from `from` on that is not of type TRC_EVENT, or is by the kernel, has a text: no
 * other form of a trace holds such a row. */
int trc_events_check(const struct trc_batch *b, size_t from, struct trc_err *err) TRC_MUST_USE;

#endif
