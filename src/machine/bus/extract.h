/* SPDX-License-Identifier: MIT
 *
 * Extraction: from a bus trace the package that its instruction trace is computed from (Rose and
 * Flanagan 1996, 3.1.1 to 3.1.3).
 *
 * What was written to the state window is the initial state. The first read of a byte that was not
 * written before shows the initial image. A byte read that is not what was last read or written
 * there was written by another master: a DMA event, due just before the instruction that read it,
 * the latest moment at which it can have happened; since hits are not seen, any earlier one might
 * be too early. Interrupts, inputs and what happens inside the processor are events as they stand.
 */
#ifndef TRC_MACHINE_BUS_EXTRACT_H
#define TRC_MACHINE_BUS_EXTRACT_H

#include "machine/bus/package.h"

/* What was extracted, in numbers. */
struct trc_extract_counts {
	uint64_t records, fills, backs;
	uint64_t image;               /* bytes */
	uint64_t dma_runs, dma_bytes; /* found by inconsistent reads */
	uint64_t interrupts, inputs, outputs, csrs, calls, traps, signals, turns;
};

/* Reads `bus` to its end into *p, which is to be released if it succeeds. `watch` gets the records
 * as they are read, and may be NULL. */
int trc_extract(struct trc_bus *bus, struct trc_package *p, struct trc_watch *watch,
                struct trc_extract_counts *counts, struct trc_err *err) TRC_MUST_USE;

#endif
