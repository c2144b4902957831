/* SPDX-License-Identifier: MIT
 *
 * Packages: what a whole instruction trace is computed from (Rose and Flanagan 1996, 3.1): the
 * initial state of the processor, the initial image of memory, the timed list of external events;
 * and by what the result is verified. package.md, beside this file, specifies the file.
 *
 * Events are records of the bus (bus.h), due by their count: with `count` instructions executed,
 * before the next. Inputs, CSRs and calls belong to the instruction that comes then.
 */
#ifndef TRC_MACHINE_BUS_PACKAGE_H
#define TRC_MACHINE_BUS_PACKAGE_H

#include "machine/bus/bus.h"
#include "machine/bus/image.h"

/* The value of a register. */
struct trc_register {
	uint32_t reg; /* TRC_REG_ */
	uint64_t value;
};

/* A set of registers, in the order in which they were first set. */
struct trc_registers {
	struct trc_register *r;
	size_t n, cap;
};

int trc_registers_set(struct trc_registers *s, uint32_t reg, uint64_t value,
                      struct trc_err *err) TRC_MUST_USE;

/* Events, as the file has them: types, counts, short fields, values of devices, data. Zeroed memory
 * has none. */
enum {
	TRC_EVENTS_TYPES,
	TRC_EVENTS_COUNTS,
	TRC_EVENTS_FIELDS,
	TRC_EVENTS_VALUES,
	TRC_EVENTS_DATA,
	TRC_EVENTS_STREAMS
};

/* The records that fields are stored as differences to. */
struct trc_events_last {
	struct trc_bus_record of[32]; /* each type, by its letter */
	uint64_t device[64];          /* what was last read or written there, by a part of the
	                               * address: registers that share one only pack worse */
};

/* The events of a package, packed field by field into streams. */
struct trc_events {
	struct trc_buf stream[TRC_EVENTS_STREAMS];
	uint64_t n;
	struct trc_events_last last; /* private */
	uint64_t count;
};

/* Appends an event, whose count is not less than that of the event before. */
int trc_events_put(struct trc_events *e, const struct trc_bus_record *r,
                   struct trc_err *err) TRC_MUST_USE;

/* A place in a list of events, which stays as it is meanwhile. */
struct trc_events_at {
	struct trc_view stream[TRC_EVENTS_STREAMS];
	struct trc_events_last last;
	uint64_t count, left;
	uint8_t value[8]; /* the data of an event of a device */
};

void trc_events_begin(const struct trc_events *e, struct trc_events_at *at);

/* The next event; its data are in the list, or in *at. */
enum trc_flow trc_events_next(struct trc_events_at *at, struct trc_bus_record *r,
                              struct trc_err *err) TRC_MUST_USE;

/* True if one of them is of this type. */
bool trc_events_have(const struct trc_events *e, enum trc_bus_type type);

/* Appends them to `out`, fast if they are long, to compare the sizes of two lists. */
int trc_events_pack_fast(const struct trc_events *e, struct trc_buf *out,
                         struct trc_err *err) TRC_MUST_USE;

/* A hash of 32 bits that the recorder made of the trace after `count` instructions:
 * trc_truth_fold(). */
struct trc_truth {
	uint64_t count;
	uint32_t hash;
};

/* The state after `count` instructions, packed: checkpoint.h. */
struct trc_checkpoint {
	uint64_t count;
	struct trc_buf packed;
	struct trc_events_at events; /* from those on that are due then */
};

/* In order of count; the first is number 1. */
struct trc_checkpoints {
	struct trc_checkpoint *c;
	size_t n, cap;
};

/* A replay package: what replays a run without its devices. */
struct trc_package {
	struct trc_bus_head head;
	uint64_t count;       /* instructions */
	uint64_t digest;      /* of memory at the end; 0: not known */
	bool pruned;          /* what no instruction reads is left out */
	bool truth_registers; /* the truth is of the registers, too, not of the trace alone */
	struct trc_registers first, last; /* at the beginning, and what is known of the end */
	struct trc_image image;           /* sorted */
	struct trc_events events;
	struct trc_truth *truth;
	size_t truths, truths_cap;
	struct trc_checkpoints checkpoints;
};

void trc_package_release(struct trc_package *p);
void trc_checkpoints_release(struct trc_checkpoints *c);

/* Sets in the checkpoints where the events behind them are. */
int trc_checkpoints_place(struct trc_package *p, struct trc_err *err) TRC_MUST_USE;

int trc_package_truth(struct trc_package *p, const struct trc_truth *t,
                      struct trc_err *err) TRC_MUST_USE;

/* Writes all of it, and gives the file its name; reads all of it. `most` is how many bytes the
 * image, the events and the truth may have together. */
int trc_package_write(const struct trc_package *p, struct trc_out *out,
                      struct trc_err *err) TRC_MUST_USE;
int trc_package_read(struct trc_package *p, struct trc_in *in, uint64_t most,
                     struct trc_err *err) TRC_MUST_USE;

/* True if the data begins as a package does. */
bool trc_package_probe(const uint8_t *p, size_t n);

#endif
