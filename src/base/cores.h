/* SPDX-License-Identifier: MIT
 *
 * The number of threads that share work.
 */
#ifndef TRC_BASE_CORES_H
#define TRC_BASE_CORES_H

#include <stdint.h>

enum { TRC_THREADS_MOST = 64 }; /* more threads gain nothing, and each uses memory */

/* Returns the number of processors that this process may run on, from 1 to TRC_THREADS_MOST. */
int trc_cores(void);

/* Returns how many threads to use if the user gave `given`; 0 means one per processor. At most
 * TRC_THREADS_MOST. */
int trc_threads(uint64_t given);

#endif
