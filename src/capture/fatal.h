/* SPDX-License-Identifier: MIT
 *
 * The end of a program by a signal that it does not handle: the emulator ends itself by the same
 * signal, for the status that its parent sees, and no plugin hears of it.
 */
#ifndef TRC_CAPTURE_FATAL_H
#define TRC_CAPTURE_FATAL_H

/* Has `fn` called before that, in the thread that the signal ends, with all registers of the guest
 * in memory. In an emulator that is linked otherwise than its builds are, nothing calls it. */
void trc_fatal_watch(void (*fn)(int number));

#endif
