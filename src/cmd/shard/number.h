/* SPDX-License-Identifier: MIT
 *
 * Which shard of how many: I/N, or by the task of a job array.
 */
#ifndef TRC_CMD_SHARD_NUMBER_H
#define TRC_CMD_SHARD_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"

/* Shard i of `of`, from 1. */
struct trc_shard_number {
	uint64_t i, of;
};

/* "3/16"; "auto", by a job array of Slurm that has no gaps; "auto/16", by any array whose tasks are
 * numbered from 1 to 16. Where a plan has `planned` shards, not 0, "3" is 3/16, and "auto"
 * auto/16. What it took is noted on standard error unless `quiet`. */
int trc_shard_number(const char *text, uint64_t planned, bool quiet, struct trc_shard_number *shard,
                     struct trc_err *err) TRC_MUST_USE;

#endif
