/* SPDX-License-Identifier: MIT
 *
 * Work on several cores. A pool runs the items of one list at a time and returns when all are done;
 * what they give does not depend on how many threads there are. A helper runs one function beside
 * its caller.
 */
#ifndef TRC_BASE_POOL_H
#define TRC_BASE_POOL_H

#include <pthread.h>

#include "base/base.h"

/* Calls work(arg, i) for i from 0 to n - 1 on up to `threads` threads, this one among them. Where
 * no thread can be had, this one does it all. */
void trc_pool_run(int threads, void (*work)(void *arg, size_t i), void *arg, size_t n);

/* One function at a time beside the caller. */
struct trc_helper {
	pthread_t thread;
	void (*work)(void *arg);
	void *arg;
	int running;
};

/* Starts work(arg); waits first for what ran before. Without a thread, runs it here and now. */
void trc_helper_start(struct trc_helper *h, void (*work)(void *arg), void *arg);
void trc_helper_wait(struct trc_helper *h);

#endif
