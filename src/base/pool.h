/* SPDX-License-Identifier: MIT
 *
 * Work on several cores. A pool runs the items of one list at a time and returns when all are done;
 * what they give does not depend on how many threads there are, and may be taken in order. A helper
 * runs one function beside its caller.
 */
#ifndef TRC_BASE_POOL_H
#define TRC_BASE_POOL_H

#include <pthread.h>
#include <stdbool.h>

#include "base/base.h"

/* Starts a thread that no signal interrupts: signals are the main thread's business, whose waiting
 * calls must be the ones to wake. Returns 0, or why there is none, as errno has it. */
int trc_thread_start(pthread_t *thread, void *(*run)(void *), void *arg) TRC_MUST_USE;

/* Calls work(arg, i, err) for i from 0 to n - 1 on up to `threads` threads, this one among them.
 * Where no thread can be had, this one does it all. Every item is worked on, whatever became of
 * others; fails as the first that failed does, in the order of i. */
int trc_pool_run(int threads, int (*work)(void *arg, size_t i, struct trc_err *err), void *arg,
                 size_t n, struct trc_err *err) TRC_MUST_USE;

enum { TRC_POOL_WINDOW = 256 };

/* Calls work(arg, i) for i from 0 to n - 1 on up to `threads` threads, and done(arg, i) in the
 * order of i on this one, as soon as it can be. Work i begins when done(i - window) has returned,
 * so that `window` <= TRC_POOL_WINDOW places hold all that is between the two. When done() returns
 * false no more work begins, and done() is not called again. */
void trc_pool_ordered(int threads, size_t window, void (*work)(void *arg, size_t i),
                      bool (*done)(void *arg, size_t i), void *arg, size_t n);

/* Threads that all run work(arg) beside the caller, until it returns. */
struct trc_crew;

/* As many of `threads` as can be had, maybe none. NULL without memory. */
struct trc_crew *trc_crew_start(int threads, void (*work)(void *arg), void *arg);
void trc_crew_wait(struct trc_crew *crew); /* and releases it */

/* One function at a time beside the caller. */
struct trc_helper {
	pthread_t thread;
	void (*work)(void *arg);
	void *arg;
	bool running, waiting;
};

/* Starts work(arg); waits first for what ran before. If it is not to run beside the caller, or no
 * thread can be had, it runs when it is waited for. */
void trc_helper_start(struct trc_helper *h, bool beside, void (*work)(void *arg), void *arg);
void trc_helper_wait(struct trc_helper *h);

/* Waits for what runs, and leaves out what does not run yet. */
void trc_helper_cancel(struct trc_helper *h);

#endif
