/* SPDX-License-Identifier: MIT
 *
 * Stopping by a signal. The handler only notes the signal; reading and pumping look at the note and
 * fail with TRC_STOPPED, so that the ordinary way out removes temporary files. This note, and when
 * it was made, is the one thing in trc that is global and changes; tables that are made once
 * (base/once.h) only come to be.
 */
#ifndef TRC_BASE_INTERRUPT_H
#define TRC_BASE_INTERRUPT_H

#include <stdbool.h>

#include "base/base.h"

/* From now on SIGINT, SIGTERM and SIGHUP are noted instead of ending the process. */
void trc_interrupt_watch(void);

/* True, with *err set, once a signal was noted. */
bool trc_interrupted(struct trc_err *err);

/* Ends the process the way the noted signal would have. */
void trc_interrupt_die(void);

#endif
