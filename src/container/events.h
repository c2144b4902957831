/* SPDX-License-Identifier: MIT
 *
 * The kernel events of a block of the container: the column event, which is text.
 */
#ifndef TRC_CONTAINER_EVENTS_H
#define TRC_CONTAINER_EVENTS_H

#include "base/buf.h"
#include "batch/batch.h"

/* The most bytes of texts in a block, including the NUL of each. */
enum { TRC_EVENTS_BYTES = 16 << 20 };

/* Returns how many of the rows [from, from + n) of `b` can be added to `block` without exceeding
 * TRC_EVENTS_BYTES. */
size_t trc_events_fit(const struct trc_batch *block, const struct trc_batch *b, size_t from,
                      size_t n);

/* Appends the packed column `event` of `b` to `out`. */
int trc_events_write(const struct trc_batch *b, int level, struct trc_buf *out,
                     struct trc_err *err) TRC_MUST_USE;

/* Reads the column of `rows` rows from `in` into `b`, replacing all texts of `b`. */
int trc_events_read(struct trc_view *in, struct trc_batch *b, size_t rows,
                    struct trc_err *err) TRC_MUST_USE;

/* Fails if a row from `from` on has a text but is not of type TRC_EVENT without TRC_KERNEL: no
 * other form of a trace can hold such a row. */
int trc_events_check(const struct trc_batch *b, size_t from, struct trc_err *err) TRC_MUST_USE;

#endif
