/* SPDX-License-Identifier: MIT
 *
 * The baton: of the threads of a recorded program one runs at a time, the one that has it. All
 * others wait, and get it in the order in which they asked for it.
 *
 * The emulator sometimes stops all threads until one of them has done its work alone: when
 * translations are dropped, at a fork, at the end. It waits until the others have left translated
 * code (start_exclusive() in QEMU), which who waits here has not. So in translated
 * code a thread waits for a moment only, leaves (trc_guest_leave()), and comes again.
 */
#ifndef TRC_CAPTURE_BUS_BATON_H
#define TRC_CAPTURE_BUS_BATON_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Who has it: one more than the number of the thread's processor, or 0. */
extern atomic_uint trc_baton_holder;

static inline bool
trc_baton_has(unsigned vcpu)
{
	return atomic_load_explicit(&trc_baton_holder, memory_order_acquire) == vcpu + 1;
}

/* Takes it, or waits for it, with `moment` only for a moment: false if it was not to be had. The
 * ticket is the thread's, 0 at first: its place among all that wait. */
bool trc_baton_take(unsigned vcpu, uint64_t *ticket, bool moment);

/* Hands it on to who has waited longest, if anybody waits. For who has it. */
void trc_baton_give(void);
bool trc_baton_wanted(void);

/* From now on everybody may run: all that wait return as if they had it. */
void trc_baton_drop(void);

#endif
