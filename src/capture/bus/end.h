/* SPDX-License-Identifier: MIT
 *
 * The end of a trace: the program ends by itself, by a signal that it does not handle, by SIGKILL,
 * or becomes another program.
 */
#ifndef TRC_CAPTURE_BUS_END_H
#define TRC_CAPTURE_BUS_END_H

#include <stdint.h>

/* Ends the trace where the program is now: between two blocks or in a system call, where registers
 * are in memory. Recording is off afterwards. */
void trc_bus_finish(void);

/* Does the same, and records that a signal ends the program. */
void trc_bus_finish_by(int number);

/* The callback of the end of the emulator. */
void trc_bus_on_end(uint64_t id, void *user);

/* Called in the thread that a signal ends, which ends the program (trc_host_watch_end()): it came
 * between two blocks, or an instruction of the last block trapped. */
void trc_bus_on_fatal(int number);

/* Called in the process that outlives this one, which was killed at any place (trc_host_outlive()):
 * the trace ends with the last access that was noted, as registers are not known. */
void trc_bus_on_outlived(void);

#endif
