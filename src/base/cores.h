/* SPDX-License-Identifier: MIT
 *
 * How many threads there are to share work.
 */
#ifndef TRC_BASE_CORES_H
#define TRC_BASE_CORES_H

#include <stdint.h>

enum { TRC_THREADS_MOST = 64 }; /* more gain nothing, and each takes memory */

/* The number of processors that this process may run on, 1 to TRC_THREADS_MOST. */
int trc_cores(void);

/* How many threads to use if the user gave `given`, where 0 is one for each of these processors:
 * TRC_THREADS_MOST at most. */
int trc_threads(uint64_t given);

#endif
