/* SPDX-License-Identifier: MIT
 *
 * Recording without a cache: a bus trace from all that a processor reads and writes, as it would
 * stand behind a cache that is large enough for everything. A read is on the bus if it shows a byte
 * that was not seen before or is not what it was; what the processor had written there goes out
 * just before, as a cache gives it up when another master writes.
 */
#ifndef TRC_MACHINE_RECORD_H
#define TRC_MACHINE_RECORD_H

#include "machine/bus.h"
#include "machine/shadow.h"

struct trc_recorder {
	struct trc_bus_writer *bus;   /* the caller's */
	struct trc_shadow here, there; /* memory as the processor has it, and as the bus shows it */
	uint64_t hash, rows;          /* of the trace so far: bus.md, "Hashes" */
};

int trc_recorder_init(struct trc_recorder *r, struct trc_bus_writer *bus,
                      struct trc_err *err) TRC_MUST_USE;
void trc_recorder_release(struct trc_recorder *r);

/* The processor reads, or writes, these bytes; `count` is that of the record. */
int trc_record_read(struct trc_recorder *r, uint64_t count, enum trc_bus_agent agent,
                    uint64_t addr, const uint8_t *data, uint32_t len,
                    struct trc_err *err) TRC_MUST_USE;
int trc_record_write(struct trc_recorder *r, uint64_t addr, const uint8_t *data, uint32_t len,
                     struct trc_err *err) TRC_MUST_USE;

/* A reference of the trace, for its hash. */
void trc_record_row(struct trc_recorder *r, uint64_t addr, bool store);

/* Writes back all that was written, then the E; the registers at the end have been put before. */
int trc_record_end(struct trc_recorder *r, uint64_t count, struct trc_err *err) TRC_MUST_USE;

#endif
