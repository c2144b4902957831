/* SPDX-License-Identifier: MIT
 *
 * What work takes, by doing it: in a process of its own, whose memory the system has counted.
 */
#ifndef TRC_CMD_SHARD_MEASURE_H
#define TRC_CMD_SHARD_MEASURE_H

#include <stdint.h>

#include "base/base.h"

/* What came of work, and the most memory that it had at a time, in bytes. */
struct trc_measured {
	uint64_t rows, memory;
};

/* Does work(arg), whose own changes are lost. Fails as that does, or when it was killed. Nothing
 * may be buffered for standard output, and no other thread may run. */
int trc_measure(int (*work)(void *arg, uint64_t *rows, struct trc_err *err), void *arg,
                struct trc_measured *m, struct trc_err *err) TRC_MUST_USE;

#endif
