/* SPDX-License-Identifier: MIT
 *
 * The baton: a recorded program runs one thread at a time, the one that has the baton. All others
 * wait, and get it in the order in which they asked for it.
 *
 * The emulator sometimes stops all threads until one of them has done its work alone: when
 * translations are dropped, at a fork, at the end. It waits until the others have left translated
 * code (start_exclusive() in QEMU), and a thread that waits here has not. So in translated code a
 * thread waits only for a moment, leaves (trc_guest_leave()), and comes again.
 */
#ifndef TRC_CAPTURE_BUS_BATON_H
#define TRC_CAPTURE_BUS_BATON_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* The thread that has the baton: one more than the number of its processor; 0: none. */
extern atomic_uint trc_baton_holder;

static inline bool
trc_baton_has(unsigned vcpu)
{
	return atomic_load_explicit(&trc_baton_holder, memory_order_acquire) == vcpu + 1;
}

/* Takes the baton, waiting for it if necessary, with `moment` only for a moment; returns false if
 * the time passed. The ticket is the thread's, 0 at first: its place among all that wait. */
bool trc_baton_take(unsigned vcpu, uint64_t *ticket, bool moment);

/* Hands the baton on to the thread that has waited longest, if one waits. The caller has it. */
void trc_baton_give(void);

/* Returns true if a thread waits. */
bool trc_baton_wanted(void);

/* Lets all threads run from now on: those that wait return as if they had the baton. */
void trc_baton_drop(void);

#endif
