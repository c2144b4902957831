/* SPDX-License-Identifier: MIT
 *
 * Work on several cores. A pool processes one list of items at a time and returns when all are
 * done; the results do not depend on the number of threads, and can be consumed in order. A crew
 * runs one function on several threads, and a helper runs functions next to its caller.
 */
#ifndef TRC_BASE_POOL_H
#define TRC_BASE_POOL_H

#include <pthread.h>
#include <stdbool.h>

#include "base/base.h"

/* Starts a thread that receives no signals: the main thread must receive them, because its blocking
 * calls have to be interrupted. Returns 0 or an errno value. */
int trc_thread_start(pthread_t *thread, void *(*run)(void *), void *arg) TRC_MUST_USE;

/* Calls work(arg, i, err) for i from 0 to n - 1 on up to `threads` threads, including the caller;
 * if no thread can be started, the caller does it all. All items are processed even if some fail;
 * returns the error of the first failed item in the order of i. */
int trc_pool_run(int threads, int (*work)(void *arg, size_t i, struct trc_err *err), void *arg,
                 size_t n, struct trc_err *err) TRC_MUST_USE;

enum { TRC_POOL_WINDOW = 256 };

/* Calls work(arg, i) for i from 0 to n - 1 on up to `threads` threads, and done(arg, i) on the
 * calling thread in the order of i, as early as possible. Item i starts only after done(i - window)
 * has returned, so `window` <= TRC_POOL_WINDOW buffers hold everything between the two. After
 * done() returns false, no more items start, and done() is not called again. */
void trc_pool_ordered(int threads, size_t window, void (*work)(void *arg, size_t i),
                      bool (*done)(void *arg, size_t i), void *arg, size_t n);

/* Threads that all run work(arg) at the same time as the caller, until it returns. */
struct trc_crew;

/* Starts up to `threads` threads, possibly none. Returns NULL without memory. */
struct trc_crew *trc_crew_start(int threads, void (*work)(void *arg), void *arg);
void trc_crew_wait(struct trc_crew *crew); /* also releases it */

/* Runs one function at a time next to the caller. */
struct trc_helper {
	pthread_t thread;
	void (*work)(void *arg);
	void *arg;
	bool running, waiting;
};

/* Starts work(arg), after waiting for the previous call. If it should not be `threaded`,
 * or no thread can be started, it runs in trc_helper_wait(). */
void trc_helper_start(struct trc_helper *h, bool threaded, void (*work)(void *arg), void *arg);
void trc_helper_wait(struct trc_helper *h);

/* Waits for a running call, and drops one that has not started. */
void trc_helper_cancel(struct trc_helper *h);

#endif
