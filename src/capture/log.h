/* SPDX-License-Identifier: MIT
 *
 * The two traces that are recorded, and the data that all processes share to write them:
 * NAME.shared has the clock, a lock, and the lines that are not written yet. Each reference or
 * event is one tick of the clock, so both files are in order of time. A plugin is loaded once per
 * process, so this is state of the process.
 */
#ifndef TRC_CAPTURE_LOG_H
#define TRC_CAPTURE_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"

enum { TRC_LOG_NAME = 4000 }; /* bytes of a file name for which an event has room */

/* Ends the process with a message. */
_Noreturn void trc_log_die(const char *what);

/* Where references go: to a file NAME.laplace; to an existing named pipe of that name; or, together
 * with the events, to that pipe in the form of batch/recorded.h. */
enum trc_log_to { TRC_LOG_FILES, TRC_LOG_PIPE, TRC_LOG_STREAM };

/* At most how many references or, with `insns`, instructions, the last one with its loads and
 * stores. */
struct trc_log_limit {
	uint64_t most;
	bool insns;
};

/* Creates NAME.laplace and NAME.laplace-kernel, or what `to` specifies, up to
 * `limit`. With `join`, continues those of the process that this one was before. */
void trc_log_open(const char *name, struct trc_log_limit limit, bool join, enum trc_log_to to);

/* Call it before another thread or process begins. */
void trc_log_share(void);

/* Call these when a process begins and ends. At the end it writes its pending lines; the last
 * process removes NAME.shared. */
void trc_log_enter(void);
void trc_log_leave(void);

/* Writes the pending lines, for a process that may not return. */
void trc_log_flush(void);

/* Lock for several consecutive events, and for new numbers. */
void trc_log_lock(void);
void trc_log_unlock(void);

/* Logs an event: its tag, the time, and the rest, which begins with a blank. */
void trc_log_event(char tag, const char *fmt, ...) TRC_PRINTF(2, 3);
void trc_log_event_locked(char tag, const char *fmt, ...) TRC_PRINTF(2, 3);

/* Logs a reference of a task, after a task switch if another task was the last. */
void trc_log_reference(char type, unsigned size, uint32_t task, uint32_t space, uint64_t addr);

/* The first 8 bytes of an instruction, for a stream: it is executed there from now on. */
void trc_log_code(uint32_t space, uint64_t addr, uint64_t bytes);

/* With the lock: notes that the start of task `who`, or its end, was logged. */
void trc_log_begin(uint32_t who);
void trc_log_end(uint32_t who);

/* Returns true if the start of task `who` was logged, but not its end. */
bool trc_log_lives(uint32_t who);

/* With the lock: return a new number for a space, and for shared memory without a segment. */
uint32_t trc_log_new_space(void);
uint32_t trc_log_new_segment(void);

#endif
