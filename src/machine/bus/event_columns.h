/* SPDX-License-Identifier: MIT
 *
 * The events of a package as columns, the form that long lists have in a file. It has the numbers
 * of the streams of struct trc_events, sorted by what they are: what, when and where, which repeats
 * wherever a program does the same again, and values, which need not. Lists that repeat have a
 * table of their different events and a column of indices into it, which
 * codec/column/column.h packs by symbol ranking: in a tenth of the time that LZMA needs for
 * the streams, and into half the bytes. package.md, "Columns of events", specifies the format.
 */
#ifndef TRC_MACHINE_BUS_EVENT_COLUMNS_H
#define TRC_MACHINE_BUS_EVENT_COLUMNS_H

#include "machine/bus/package.h"

/* Appends the events, without their data, to `out`, packed at a level of codec/stream/pack.h. */
int trc_event_columns_pack(const struct trc_events *e, int level, struct trc_buf *out,
                           struct trc_err *err) TRC_MUST_USE;

/* Reads e->n events from `v` into the streams of *e, except for their data. Fails if they need more
 * than `most` bytes there. Checks no more than that types exist. */
int trc_event_columns_unpack(struct trc_events *e, struct trc_view *v, uint64_t most,
                             struct trc_err *err) TRC_MUST_USE;

#endif
