/* SPDX-License-Identifier: MIT
 *
 * The board: our own machine run live, to record bus traces of whole systems. Its devices are at
 * the same addresses as those of QEMU's `virt` board, so the same images boot there:
 *
 *   0x100000    test finisher: 0x5555 ends the run
 *   0x2000000   CLINT: software interrupt, timer of 10 MHz
 *   0xc000000   PLIC
 *   0x10000000  16550, source 10
 *   0x10001000  virtio disk, source 1; 7 empty slots follow
 *   0x80000000  RAM
 *
 * Between the processor and RAM is a write-back cache, and on its bus the monitor of Rose and
 * Flanagan; what that sees becomes the bus trace. Time is virtual, so that each run is the same: an
 * instruction takes a 20th of a microsecond, waiting lasts until the next event, and devices have
 * delays that are drawn from a seed.
 */
#ifndef TRC_MACHINE_BOARD_BOARD_H
#define TRC_MACHINE_BOARD_BOARD_H

#include "machine/board/boot.h"
#include "machine/bus/bus_cache.h"
#include "machine/board/device.h"
#include "machine/hart/hart.h"

/* The settings of a run. */
struct trc_board_how {
	uint64_t ram;   /* bytes */
	uint64_t cache; /* bytes; it has `ways` ways and lines of `line` bytes */
	uint32_t ways, line;
	uint64_t seed;
	uint64_t limit; /* instructions; 0: unlimited */
	struct trc_boot boot;
	struct trc_view typed;   /* what is typed on the serial line */
	struct trc_buf *disk;    /* whole sectors, which the run may write; NULL: no disk */
	struct trc_watch *count; /* updated with the instructions executed; NULL: none */
};

/* The outcome of a run. */
struct trc_board_report {
	uint64_t count, fills, backs, interrupts;
	bool finished;         /* by the finisher, not by the limit */
	uint32_t code;         /* the code given to the finisher */
	struct trc_buf output; /* of the serial line; the caller releases it */
};

/* Runs to the end, and writes the bus trace to `out`, which it takes over. */
int trc_board_record(const struct trc_board_how *how, struct trc_out *out, bool text,
                     struct trc_board_report *report, struct trc_err *err) TRC_MUST_USE;

#endif
