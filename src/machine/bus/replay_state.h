/* SPDX-License-Identifier: MIT
 *
 * The state of a replay, shared by replay.c, which drives the hart and compares, and
 * replay_events.c, which answers it from the list of events.
 */
#ifndef TRC_MACHINE_BUS_REPLAY_STATE_H
#define TRC_MACHINE_BUS_REPLAY_STATE_H

#include "machine/bus/replay.h"
#include "machine/bus/replay_lines.h"
#include "machine/bus/tasks.h"

/* The state of a replay. */
struct trc_replay {
	struct trc_driver driver;
	struct trc_port port; /* of the hart */
	const struct trc_package *p;
	struct trc_replay_how how;
	struct trc_replay_report *report;
	struct trc_hart *h;
	struct trc_memory mem;
	struct trc_tasks tasks;

	struct trc_events_at at;
	struct trc_bus_record event; /* the next event of the package */
	bool events_left;
	bool moved, stale; /* set by S records: pc was set, and cached translations may be stale */
	struct trc_replay_lines *lines; /* of the bus trace; NULL: nothing to compare with */

	uint64_t stop;     /* number of instructions to execute */
	size_t truth;      /* index of the next hash to compare */
	size_t checkpoint; /* index of the next checkpoint, from 0 */
	struct trc_trace_so_far so_far;
};

/* The functions by which the hart asks for inputs and reports outputs; `port` of a trc_replay. */
extern const struct trc_port trc_replay_port;

/* Returns what an event of this type is called, with its article. */
const char *trc_replay_event_name(unsigned type);

/* Reads the next event of the package; there may be none. */
int trc_replay_next_event(struct trc_replay *s, struct trc_err *err) TRC_MUST_USE;

/* Returns true if the next event is due before the next instruction. */
bool trc_replay_is_due(const struct trc_replay *s);

/* Applies the events that are due before the next instruction. */
int trc_replay_take_due(struct trc_replay *s, struct trc_err *err) TRC_MUST_USE;

/* Handles a run that ended with something that the list of events must answer. */
int trc_replay_answer(struct trc_replay *s, enum trc_run_end why, struct trc_err *err) TRC_MUST_USE;

#endif
