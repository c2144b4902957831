/* SPDX-License-Identifier: MIT
 *
 * Compares the lines that a bus trace moves with memory during a replay: level L2 of replay.h.
 */
#ifndef TRC_MACHINE_BUS_REPLAY_LINES_H
#define TRC_MACHINE_BUS_REPLAY_LINES_H

#include "machine/bus/bus.h"
#include "machine/hart/memory.h"

struct trc_replay_lines;

/* Opens the lines of `bus` from count `from` on. `bus` is at its beginning, and stays the caller's.
 * Returns NULL on failure. */
struct trc_replay_lines *trc_replay_lines_open(struct trc_bus *bus, uint64_t from,
                                               struct trc_err *err);
void trc_replay_lines_close(struct trc_replay_lines *l);

/* Compares the lines that are due after `count` of `all` instructions, and adds the numbers of
 * equal lines to *fills and *backs. */
int trc_replay_lines_compare(struct trc_replay_lines *l, const struct trc_memory *mem,
                             uint64_t count, uint64_t all, uint64_t *fills, uint64_t *backs,
                             struct trc_err *err) TRC_MUST_USE;

/* Returns the count at which the next line must be compared; UINT64_MAX if there is none. */
uint64_t trc_replay_lines_due(const struct trc_replay_lines *l, uint64_t count);

#endif
