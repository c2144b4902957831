/* SPDX-License-Identifier: MIT
 *
 * Work on several cores. A pool runs the items of one list at a time and returns when all are done;
 * what they give does not depend on how many threads there are. A helper runs one function beside
 * its caller.
 */
#ifndef TRC_BASE_POOL_H
#define TRC_BASE_POOL_H

#include <pthread.h>
#include <stdbool.h>

#include "base/base.h"

/* Calls work(arg, i) for i from 0 to n - 1 on up to `threads` threads, this one among them. Where
 * no thread can be had, this one does it all. */
void trc_pool_run(int threads, void (*work)(void *arg, size_t i), void *arg, size_t n);

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
