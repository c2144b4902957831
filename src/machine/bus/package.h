/* SPDX-License-Identifier: MIT
 *
 * Packages: the input from which a whole instruction trace is computed (Rose and Flanagan 1996,
 * 3.1): the initial state of the processor, the initial image of memory, and the timed list of
 * external events; also the hashes that verify the result. package.md in this folder specifies the
 * file format.
 *
 * Events are records of the bus (bus.h). An event with a count is due when that many instructions
 * were executed, before the next one. Inputs, CSRs and calls belong to that next instruction.
 */
#ifndef TRC_MACHINE_BUS_PACKAGE_H
#define TRC_MACHINE_BUS_PACKAGE_H

#include "machine/bus/bus.h"
#include "machine/bus/image.h"

/* A register and its value. */
struct trc_register {
	uint32_t reg; /* TRC_REG_ */
	uint64_t value;
};

/* A set of registers, in the order in which they were first set. */
struct trc_register_set {
	struct trc_register *r;
	size_t n, cap;
};

/* Sets a register, which is added if it is not in the set. */
int trc_register_set_put(struct trc_register_set *s, uint32_t reg, uint64_t value,
                         struct trc_err *err) TRC_MUST_USE;

/* Events in the form of the file: separate streams of types, counts, short fields, values of
 * devices, and data. A zeroed list is empty. */
enum {
	TRC_EVENTS_TYPES,
	TRC_EVENTS_COUNTS,
	TRC_EVENTS_FIELDS,
	TRC_EVENTS_VALUES,
	TRC_EVENTS_DATA,
	TRC_EVENTS_STREAMS
};

/* The records to which fields are stored as differences. */
struct trc_events_last {
	struct trc_bus_record of[32]; /* the last record of each type, by its letter */

	/* last values read or written, by a part of the address; registers that collide only
	 * compress less well */
	uint64_t device[64];
};

/* The events of a package, packed field by field into streams. */
struct trc_events {
	struct trc_buf stream[TRC_EVENTS_STREAMS];
	uint64_t n;
	struct trc_events_last last; /* private */
	uint64_t count;
};

/* Appends an event, whose count is at least that of the event before. */
int trc_events_put(struct trc_events *e, const struct trc_bus_record *r,
                   struct trc_err *err) TRC_MUST_USE;

/* A position in a list of events, which must not change meanwhile. */
struct trc_events_at {
	struct trc_view stream[TRC_EVENTS_STREAMS];
	struct trc_events_last last;
	uint64_t count, left;
	uint8_t value[8]; /* the data of a device event */
};

/* Sets *at to the first event of the list, which must outlive it. */
void trc_events_begin(const struct trc_events *e, struct trc_events_at *at);

/* Returns the next event; its data are in the list, or in *at. */
enum trc_flow trc_events_next(struct trc_events_at *at, struct trc_bus_record *r,
                              struct trc_err *err) TRC_MUST_USE;

/* Returns true if the list has an event of this type. */
bool trc_events_have(const struct trc_events *e, enum trc_bus_type type);

/* A 32-bit hash of the trace after `count` instructions, computed by the recorder:
 * trc_truth_fold(). */
struct trc_truth {
	uint64_t count;
	uint32_t hash;
};

/* The packed state after `count` instructions: checkpoint.h. */
struct trc_checkpoint {
	uint64_t count;
	struct trc_buf packed;
	struct trc_events_at events; /* position of the first event that is due then */
};

/* The checkpoints of a package, in order of count; the first is number 1. */
struct trc_checkpoints {
	struct trc_checkpoint *c;
	size_t n, cap;
};

/* The image and the events in packed form. */
struct trc_packed_lists {
	struct trc_buf image, events;
	bool columns; /* the form of the events: package.md */
	bool done;
};

/* A replay package: replays a run without its devices. */
struct trc_package {
	struct trc_bus_head head;
	uint64_t count;       /* instructions */
	uint64_t digest;      /* of memory at the end; 0: unknown */
	bool pruned;          /* what no instruction reads was removed */
	bool truth_registers; /* the hashes also cover the registers, not only the trace */

	/* Registers at the beginning, and those known at the end. */
	struct trc_register_set first, last;
	struct trc_image image; /* sorted */
	struct trc_events events;
	struct trc_truth *truth;
	size_t truths, truths_cap;
	struct trc_checkpoints checkpoints;
	struct trc_packed_lists packed;
};

void trc_package_release(struct trc_package *p);
void trc_checkpoints_release(struct trc_checkpoints *c);

/* Sets the positions of the checkpoints in the list of events. */
int trc_checkpoints_place(struct trc_package *p, struct trc_err *err) TRC_MUST_USE;

int trc_package_truth(struct trc_package *p, const struct trc_truth *t,
                      struct trc_err *err) TRC_MUST_USE;

enum { TRC_PACKAGE_LEVEL = 6 }; /* the default */

/* Packs the large parts in advance, so that trc_package_write() only has to write them, unless the
 * events are packed already. Levels are 0 (fast) to 9 (small). */
int trc_package_pack(struct trc_package *p, int level, struct trc_err *err) TRC_MUST_USE;

/* Appends packed events; sets *columns to their form. */
int trc_events_pack(const struct trc_events *e, int level, struct trc_buf *out, bool *columns,
                    struct trc_err *err) TRC_MUST_USE;

/* The first writes a package, packed in advance or not, and renames the file to its final name. The
 * second reads one; `most` limits the bytes of the image, the events and the hashes together. */
int trc_package_write(struct trc_package *p, int level, struct trc_out *out,
                      struct trc_err *err) TRC_MUST_USE;
int trc_package_read(struct trc_package *p, struct trc_in *in, uint64_t most,
                     struct trc_err *err) TRC_MUST_USE;

/* Returns true if the data begins like a package. */
bool trc_package_probe(const uint8_t *p, size_t n);

#endif
