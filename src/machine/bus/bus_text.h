/* SPDX-License-Identifier: MIT
 *
 * The text form of bus traces: bus.md.
 */
#ifndef TRC_MACHINE_BUS_BUS_TEXT_H
#define TRC_MACHINE_BUS_BUS_TEXT_H

#include "base/buf.h"
#include "machine/bus/bus_record.h"

/* Returns true if the data begins like a bus trace in text form. */
bool trc_bus_text_probe(const uint8_t *p, size_t n);

/* Parses one line of the header, without its newline. */
int trc_bus_text_head(struct trc_bus_head *head, const uint8_t *p, const uint8_t *end,
                      struct trc_err *err) TRC_MUST_USE;

/* Return true if the line holds a record, not a word of the header; and if it holds nothing. */
bool trc_bus_text_record(const uint8_t *p, const uint8_t *end);
bool trc_bus_text_blank(const uint8_t *p, const uint8_t *end);

/* Parses the record of a line. On entry, r->count is the count of the record before. The data goes
 * to `data`. */
int trc_bus_text_take(struct trc_bus_record *r, const uint8_t *p, const uint8_t *end,
                      struct trc_buf *data, struct trc_err *err) TRC_MUST_USE;

/* Appends the line of a record, with its count relative to `before`. */
int trc_bus_text_put(const struct trc_bus_record *r, uint64_t before, struct trc_buf *text,
                     struct trc_err *err) TRC_MUST_USE;

#endif
