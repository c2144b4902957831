/* SPDX-License-Identifier: MIT
 *
 * Extraction: makes a package from a bus trace, from which the instruction trace is computed (Rose
 * and Flanagan 1996, 3.1.1 to 3.1.3).
 *
 * The registers written to the state window are the initial state. The first read of a byte that
 * was not written before shows the initial image. If a byte differs from what was last read or
 * written there, another master wrote it: this becomes a DMA event, due just before the instruction
 * that read it. That is the latest moment at which the write can have happened. Cache hits are not
 * seen, so any earlier moment might be too early. Interrupts, inputs and what happens inside the
 * processor become events unchanged.
 */
#ifndef TRC_MACHINE_BUS_EXTRACT_H
#define TRC_MACHINE_BUS_EXTRACT_H

#include "machine/bus/package.h"

/* Statistics of an extraction. */
struct trc_extract_counts {
	uint64_t records, fills, backs;
	uint64_t image;               /* bytes of the initial image */
	uint64_t dma_runs, dma_bytes; /* found by reads that differ */
	uint64_t interrupts, inputs, outputs, csrs, calls, traps, signals, turns;
};

/* Reads `bus` to its end into *p, which the caller releases if it succeeds. `watch` is updated with
 * the records read, and may be NULL. */
int trc_extract(struct trc_bus *bus, struct trc_package *p, struct trc_watch *watch,
                struct trc_extract_counts *counts, struct trc_err *err) TRC_MUST_USE;

#endif
