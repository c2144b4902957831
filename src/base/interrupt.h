/* SPDX-License-Identifier: MIT
 *
 * Stopping by a signal. The handler only notes the signal; reading and pumping look at the note and
 * fail with TRC_STOPPED, so that the ordinary way out removes temporary files. Where that takes
 * longer than TRC_INTERRUPT_PATIENCE, since a library or a model is at work, and at a second
 * signal, the handler itself removes them, and ends the process. This note, and what is to be
 * removed (base/io/temporary.c), is all of trc that is global and changes; tables that are made
 * once (base/once.h) only come to be.
 */
#ifndef TRC_BASE_INTERRUPT_H
#define TRC_BASE_INTERRUPT_H

#include <stdbool.h>

#include "base/base.h"

enum { TRC_INTERRUPT_PATIENCE = 1 }; /* seconds from the signal to the end, at most */

/* From now on SIGINT, SIGTERM and SIGHUP are noted instead of ending the process. */
void trc_interrupt_watch(void);

/* What a handler calls before it ends the process; it may call only what a handler may. */
void trc_interrupt_at_end(void (*remove)(void));

/* True, with *err set, once a signal was noted. */
bool trc_interrupted(struct trc_err *err);

/* Ends the process the way the noted signal would have. */
void trc_interrupt_die(void);

#endif
