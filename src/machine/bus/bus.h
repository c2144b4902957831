/* SPDX-License-Identifier: MIT
 *
 * Bus traces: what a monitor on the memory bus of a processor with a cache sees, in order (C. Rose,
 * J. K. Flanagan, "Constructing Instruction Traces from Cache-Filtered Address Traces", Computer
 * Architecture News, December 1996, sections 3 and 3.1). bus.md in this folder specifies the file
 * format, which is binary or a text with one record a line.
 */
#ifndef TRC_MACHINE_BUS_BUS_H
#define TRC_MACHINE_BUS_BUS_H

#include "base/buf.h"
#include "base/io/in.h"
#include "base/io/out.h"
#include "batch/flow.h"
#include "machine/bus/bus_record.h"

/* Write and parse the lines of the header. Unknown lines are refused. */
int trc_bus_head_put(const struct trc_bus_head *head, struct trc_buf *text,
                     struct trc_err *err) TRC_MUST_USE;
int trc_bus_head_take(struct trc_bus_head *head, const uint8_t *p, size_t n,
                      struct trc_err *err) TRC_MUST_USE;

/* Returns true if the data begins like a bus trace. */
bool trc_bus_probe(const uint8_t *p, size_t n);

/* Opens a bus trace, binary or text as its first bytes indicate. Takes over `in` on success. */
struct trc_bus *trc_bus_open(struct trc_in *in, struct trc_err *err) TRC_MUST_USE;
const struct trc_bus_head *trc_bus_head(const struct trc_bus *bus);

/* Reads the next record. Returns TRC_FLOW_END after the E record; a file without that is truncated.
 * Counts that decrease are refused. */
enum trc_flow trc_bus_next(struct trc_bus *bus, struct trc_bus_record *r,
                           struct trc_err *err) TRC_MUST_USE;

/* Formats the position of the last record for messages: "FILE:LINE" or "FILE: record N, before byte
 * B". */
void trc_bus_where(const struct trc_bus *bus, char *dst, size_t room);
void trc_bus_close(struct trc_bus *bus);

/* Creates a writer. Takes over `out` on success. */
struct trc_bus_writer *trc_bus_create(struct trc_out *out, const struct trc_bus_head *head,
                                      bool text, struct trc_err *err) TRC_MUST_USE;
int trc_bus_put(struct trc_bus_writer *w, const struct trc_bus_record *r,
                struct trc_err *err) TRC_MUST_USE;

/* Completes the file and gives it its name. */
int trc_bus_commit(struct trc_bus_writer *w, struct trc_err *err) TRC_MUST_USE;
void trc_bus_abandon(struct trc_bus_writer *w);

#endif
