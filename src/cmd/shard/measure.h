/* SPDX-License-Identifier: MIT
 *
 * Measures the memory that work needs by doing it in a child process, whose peak the system knows.
 */
#ifndef TRC_CMD_SHARD_MEASURE_H
#define TRC_CMD_SHARD_MEASURE_H

#include <stdint.h>

#include "base/base.h"

/* What work() counted, and its peak memory in bytes. */
struct trc_measured {
	uint64_t rows, objects, writes, deletes, memory;
};

/* Calls work(arg), which may set counts of *m, in a child process, so its changes to memory are
 * lost. Fails if it fails or is killed. Standard output must have nothing buffered, and no other
 * thread may run. */
int trc_measure(int (*work)(void *arg, struct trc_measured *m, struct trc_err *err), void *arg,
                struct trc_measured *m, struct trc_err *err) TRC_MUST_USE;

#endif
