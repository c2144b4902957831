/* SPDX-License-Identifier: MIT
 *
 * Parses which shard is meant: I/N, or the task of a job array.
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

/* Parses "3/16"; "auto", for a job array of Slurm without gaps; "auto/16", for any array whose
 * tasks are numbered 1 to 16. If a plan has `planned` shards (0: no plan), "3" and "auto" stand for
 * 3/planned and auto/planned. Prints the shard that it took to standard error unless `quiet`. */
int trc_shard_number(const char *text, uint64_t planned, bool quiet, struct trc_shard_number *shard,
                     struct trc_err *err) TRC_MUST_USE;

#endif
