/* SPDX-License-Identifier: MIT */
#ifndef TRC_BASE_CORES_H
#define TRC_BASE_CORES_H

#include <stdint.h>

/* The number of processors that are there for this process, at least 1. */
int trc_cores(void);

/* How many threads to use where `asked` were asked for, 0 being as many as there are processors: 64
 * at most. */
int trc_threads(uint64_t asked);

#endif
