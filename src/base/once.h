/* SPDX-License-Identifier: MIT
 *
 * Shared constant tables, made when they are first needed.
 */
#ifndef TRC_BASE_ONCE_H
#define TRC_BASE_ONCE_H

#include <pthread.h>

/* Whether something was done; initially TRC_ONCE. */
struct trc_once {
	pthread_once_t begun;
};

#define TRC_ONCE                  \
	{                         \
		PTHREAD_ONCE_INIT \
	}

/* Calls make() unless it was called before; returns after make() has returned, on any thread. */
void trc_once(struct trc_once *o, void (*make)(void));

#endif
