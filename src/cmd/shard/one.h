/* SPDX-License-Identifier: MIT
 *
 * One shard: computed into its partial, by a plan that was read, or by the same that is in memory.
 */
#ifndef TRC_CMD_SHARD_ONE_H
#define TRC_CMD_SHARD_ONE_H

#include "cmd/shard/asking.h"
#include "cmd/shard/plan_file.h"

/* A shard of a plan. */
struct trc_one {
	struct trc_partial p;  /* what it writes, of which it has what all have in common */
	struct trc_planned at; /* where it is */
	struct trc_slices *s;  /* its files, and those in front of it if it has to count */
	bool uncounted;        /* as of struct trc_plan_file */
};

/* Whether it has to count records in front of it, of all files there, for the question of `a`. */
bool trc_one_counts(const struct trc_one *one, const struct trc_asking *a);

/* Fails where computing it would before a row is read: of a question that has no shards, a column
 * that is not there, a filter that is none. */
int trc_one_try(struct trc_one *one, struct trc_asking *a, struct trc_err *err) TRC_MUST_USE;

/* Reads its rows, and keeps in `p` what they leave. */
int trc_one_compute(struct trc_one *one, struct trc_asking *a, struct trc_err *err) TRC_MUST_USE;

/* Computes it into the file `path`, or with `resume` keeps what is there if it fits. What is no
 * partial is replaced with `force` alone. */
int trc_one_write(struct trc_one *one, struct trc_asking *a, const char *path, bool resume,
                  bool force, struct trc_err *err) TRC_MUST_USE;

/* Closes the source of the question, which sums in `p`, and frees what that has found. */
void trc_one_release(struct trc_one *one, struct trc_asking *a);

#endif
