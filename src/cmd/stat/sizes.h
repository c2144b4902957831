/* SPDX-License-Identifier: MIT
 * The sizes of --sizes: of memories, and of caches of objects. */
#ifndef TRC_CMD_STAT_SIZES_H
#define TRC_CMD_STAT_SIZES_H

#include "cmd/job/job.h"

enum { TRC_SIZES_MOST = 64 };

/* A size that was given: a number or bytes, or a share of all that the trace touches, which is
 * known at its end; what is run at sizes before that takes a pass of its own for them. */
struct trc_size {
	struct trc_opt_pages pages;
	uint64_t share; /* billionths; 0: none */
};

/* Sets `size`, TRC_SIZES_MOST of them, and *n to those of the words; *shares if one is a share. */
int trc_sizes_parse(const struct trc_opt_list *list, struct trc_size *size, size_t *n, bool *shares,
                    struct trc_err *err) TRC_MUST_USE;

/* Whether one of the words is of bytes, "1G". */
bool trc_sizes_of_bytes(const struct trc_opt_list *list);

/* A share of so many: rounded down, at least 1. */
uint64_t trc_size_share(uint64_t all, uint64_t share);

/* The number that a size is, of which `all` are the whole. */
uint64_t trc_size_of(const struct trc_size *size, uint64_t all);

/* Opens the inputs of a job once more, to count its `what`, "pages", first. */
int trc_stat_open_again(const struct trc_settings *all, const struct trc_job *job,
                        struct trc_job *again, const char *what, struct trc_err *err) TRC_MUST_USE;

#endif
