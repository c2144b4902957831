/* SPDX-License-Identifier: MIT
 *
 * Packs the events of a package as columns, the file format for long lists. The columns have the
 * same numbers as the streams of struct trc_events, but they are separated into places (type,
 * count, key, address), which repeat when a program repeats its actions, and values, which may not.
 * If events repeat, there is a table of distinct places and a column of indices, which
 * codec/column/column.h codes by symbol ranking: in a tenth of the time that LZMA takes for the
 * streams, and in half the size. package.md, "Columns of events", specifies the format.
 */
#ifndef TRC_MACHINE_BUS_EVENT_COLUMNS_H
#define TRC_MACHINE_BUS_EVENT_COLUMNS_H

#include "machine/bus/package.h"

/* Appends the events, without their data, to `out`; `level` is that of codec/stream/pack.h. */
int trc_event_columns_pack(const struct trc_events *e, int level, struct trc_buf *out,
                           struct trc_err *err) TRC_MUST_USE;

/* Reads e->n events from `v` into the streams of *e, without their data. Fails if they need more
 * than `most` bytes. Only checks that the types exist. */
int trc_event_columns_unpack(struct trc_events *e, struct trc_view *v, uint64_t most,
                             struct trc_err *err) TRC_MUST_USE;

#endif
