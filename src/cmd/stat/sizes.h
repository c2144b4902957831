/* SPDX-License-Identifier: MIT
 *
 * The sizes of --sizes, for memories and for caches of objects.
 */
#ifndef TRC_CMD_STAT_SIZES_H
#define TRC_CMD_STAT_SIZES_H

#include "cmd/job/job.h"

enum { TRC_SIZES_MOST = 64 };

/* A given size: a number or bytes, or a share of everything that the trace touches. That total is
 * known at the end of the trace. If it is needed earlier, the trace is read once more to determine
 * it. */
struct trc_size {
	struct trc_opt_pages pages;
	uint64_t share; /* in billionths; 0: not a share */
};

/* Parses the words into at most TRC_SIZES_MOST sizes; sets *n to their number, and *shares if one
 * is a share. */
int trc_sizes_parse(const struct trc_opt_list *list, struct trc_size *size, size_t *n, bool *shares,
                    struct trc_err *err) TRC_MUST_USE;

/* Returns true if one of the words is in bytes, such as "1G". */
bool trc_sizes_of_bytes(const struct trc_opt_list *list);

/* Returns a share of `all`, rounded down, at least 1. */
uint64_t trc_size_share(uint64_t all, uint64_t share);

/* Returns the number that a size stands for, given the total `all`. */
uint64_t trc_size_of(const struct trc_size *size, uint64_t all);

/* Opens the inputs of a job once more, to count its `what`, such as "pages", first. */
int trc_stat_open_again(const struct trc_settings *settings, const struct trc_job *job,
                        struct trc_job *again, const char *what, struct trc_err *err) TRC_MUST_USE;

#endif
