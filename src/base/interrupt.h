/* SPDX-License-Identifier: MIT
 *
 * Stopping by a signal. The handler only records the signal; reading and pumping check for it and
 * fail with TRC_STOPPED, so the normal cleanup removes temporary files. If that takes longer than
 * TRC_INTERRUPT_PATIENCE, because a library or a model is busy, if there is a second signal, or if
 * it is SIGPIPE, the handler itself removes them and ends the process. The recorded signal, the
 * list of temporary files (base/io/temporary.c) and the name of standard output (base/io/out.c) are
 * the only mutable globals of trc, except for tables that are made once (base/once.h).
 */
#ifndef TRC_BASE_INTERRUPT_H
#define TRC_BASE_INTERRUPT_H

#include <stdbool.h>

#include "base/base.h"

enum { TRC_INTERRUPT_PATIENCE = 1 }; /* maximum seconds from the signal to the end */

/* Records signals that would end the process from now on, such as SIGINT and SIGTERM. */
void trc_interrupt_watch(void);

/* Sets the function that the signal handler calls before it ends the process; it must be
 * async-signal-safe. */
void trc_interrupt_at_end(void (*remove)(void));

/* Returns true, with *err set, after a signal was recorded. */
bool trc_interrupted(struct trc_err *err);

/* Ends the process as the recorded signal would have. */
void trc_interrupt_die(void);

#endif
