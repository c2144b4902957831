/* SPDX-License-Identifier: MIT
 *
 * Turns of threads: only the thread that has the baton (capture/bus/baton.h) runs, so all
 * instructions have an order.
 *
 * A turn ends where a block does: when another thread waits and enough was done, and with a system
 * call that may wait for another thread (capture/bus/waits.h). What such a call returns is noted in
 * the thread's next turn; its Y, if another thread had a turn meanwhile, has what a0 was. Calls
 * that wait for no thread belong to the turn, so that what they write to memory is there when the
 * next thread looks.
 */
#ifndef TRC_CAPTURE_BUS_TURNS_H
#define TRC_CAPTURE_BUS_TURNS_H

#include <stdbool.h>
#include <stdint.h>

/* Notes that there may be several threads from now on, whose atomics the emulator does in one
 * piece. */
void trc_bus_begin_threads(void);

/* Waits until this thread, which is about to run the block at `pc`, has its turn, and begins it.
 * Afterwards, recording may be off. */
void trc_bus_await_turn(unsigned vcpu, uint64_t pc);

/* Hashes the rows of the turn, and ends it if another thread waits; returns in the next turn, where
 * recording may be off. */
void trc_bus_hand_on(unsigned vcpu, uint64_t pc);

/* Ends the turn with a system call that may wait for another thread, or ends the thread. */
void trc_bus_pause_turn(int64_t number);

/* Begins a turn when that call has returned. Returns true if another thread had a turn in
 * between. */
bool trc_bus_resume_turn(unsigned vcpu);

/* Waits for the turn of this thread, unless it has it, because a signal ends the thread at `pc`. */
void trc_bus_take_turn(uint64_t pc);

/* The callback of the end of a thread. */
void trc_bus_on_thread_end(uint64_t id, unsigned vcpu);

#endif
