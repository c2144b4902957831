/* SPDX-License-Identifier: MIT
 *
 * The lines of bus traces: bus.md.
 */
#ifndef TRC_MACHINE_BUS_BUS_TEXT_H
#define TRC_MACHINE_BUS_BUS_TEXT_H

#include "base/buf.h"
#include "machine/bus/bus_record.h"

/* True if the data begins as a bus trace in text does. */
bool trc_bus_text_probe(const uint8_t *p, size_t n);

/* One line, without its newline, of the head. */
int trc_bus_text_head(struct trc_bus_head *head, const uint8_t *p, const uint8_t *end,
                      struct trc_err *err) TRC_MUST_USE;

/* True if the line has a record, as opposed to a word of the head; and that it has nothing. */
bool trc_bus_text_record(const uint8_t *p, const uint8_t *end);
bool trc_bus_text_blank(const uint8_t *p, const uint8_t *end);

/* The record of the line; r->count is that of the record before, on the way in. Data go to
 * `data`. */
int trc_bus_text_take(struct trc_bus_record *r, const uint8_t *p, const uint8_t *end,
                      struct trc_buf *data, struct trc_err *err) TRC_MUST_USE;

/* Appends the line of a record, its count less `before`. */
int trc_bus_text_put(const struct trc_bus_record *r, uint64_t before, struct trc_buf *text,
                     struct trc_err *err) TRC_MUST_USE;

#endif
