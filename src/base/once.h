/* SPDX-License-Identifier: MIT
 *
 * Tables that are the same for all who need them, made by the first who does.
 */
#ifndef TRC_BASE_ONCE_H
#define TRC_BASE_ONCE_H

#include <pthread.h>

/* Whether something was done once; TRC_ONCE at first. */
struct trc_once {
	pthread_once_t begun;
};

#define TRC_ONCE                  \
	{                         \
		PTHREAD_ONCE_INIT \
	}

/* Calls make() if nobody has yet; returns when it has returned, on whichever thread. */
void trc_once(struct trc_once *o, void (*make)(void));

#endif
