/* SPDX-License-Identifier: MIT
 *
 * The two traces that are recorded, and what all processes share to write them: NAME.shared has the
 * clock, a lock, and the lines that are not written yet. A reference or event is one tick of the
 * clock, so both files are in order of time. A plugin is loaded once for a process, so this is
 * state of the process.
 */
#ifndef TRC_CAPTURE_LOG_H
#define TRC_CAPTURE_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"

enum { TRC_LOG_NAME = 4000 }; /* bytes of the name of a file that an event has room for */

/* Ends the process with a sentence. */
_Noreturn void trc_log_die(const char *what);

/* Where references go: to a file NAME.laplace; to a named pipe of that name, which is there; or to
 * that with the events among them, as batch/recorded.h has it. */
enum trc_log_to { TRC_LOG_FILES, TRC_LOG_PIPE, TRC_LOG_STREAM };

/* Makes NAME.laplace and NAME.laplace-kernel, or what `to` is, which take `limit` references, or
 * with `join` goes on with those of the process that this one was. */
void trc_log_open(const char *name, uint64_t limit, bool join, enum trc_log_to to);

/* Another thread or process is about to begin: from now on there may be several. */
void trc_log_share(void);

/* A process enters, or leaves. On leaving it writes its lines that wait; the last one removes
 * NAME.shared. */
void trc_log_enter(void);
void trc_log_leave(void);

/* Writes the lines that wait, for a process that may not come back. */
void trc_log_flush(void);

/* For several events that are to follow each other, and for new numbers. */
void trc_log_lock(void);
void trc_log_unlock(void);

/* An event: its tag, the time, and the rest, which begins with a blank. */
void trc_log_event(char tag, const char *fmt, ...) TRC_PRINTF(2, 3);
void trc_log_event_locked(char tag, const char *fmt, ...) TRC_PRINTF(2, 3);

/* A reference of a task; a switch to it comes before it if another was the last. */
void trc_log_reference(char type, unsigned size, uint32_t task, uint32_t space, uint64_t addr);

/* The first 8 bytes of an instruction, for a stream: it is executed there from now on. */
void trc_log_code(uint32_t space, uint64_t addr, uint64_t bytes);

/* With the lock: notes that the start of task `who`, or its end, was logged. */
void trc_log_begin(uint32_t who);
void trc_log_end(uint32_t who);

/* The start of task `who` was logged, and not its end. */
bool trc_log_lives(uint32_t who);

/* With the lock: numbers of a space, and of memory that is shared without a segment. */
uint32_t trc_log_new_space(void);
uint32_t trc_log_new_segment(void);

#endif
