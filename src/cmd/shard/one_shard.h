/* SPDX-License-Identifier: MIT
 *
 * Computes one shard into a partial, by a plan that was read or one that was just made.
 */
#ifndef TRC_CMD_SHARD_ONE_SHARD_H
#define TRC_CMD_SHARD_ONE_SHARD_H

#include "cmd/shard/query.h"
#include "cmd/shard/plan_file.h"

/* A shard of a plan. */
struct trc_one_shard {
	struct trc_partial p;  /* to be written; has what all partials of the plan share */
	struct trc_planned at; /* where the shard is */
	struct trc_slices *s;  /* its files, and those before it if trc_one_shard_counts() */
	bool uncounted;        /* see struct trc_plan_file */
};

/* Returns true if the question needs the number of records before the shard, which has to be
 * counted by reading them. */
bool trc_one_shard_counts(const struct trc_one_shard *one, const struct trc_query_run *a);

/* Fails if computing the shard would fail before a row is read: the question has no shards, a
 * column is missing, a filter is invalid. */
int trc_one_shard_try(struct trc_one_shard *one, struct trc_query_run *a,
                      struct trc_err *err) TRC_MUST_USE;

/* Reads the rows of the shard, and stores what they contribute in one->p. */
int trc_one_shard_compute(struct trc_one_shard *one, struct trc_query_run *a,
                          struct trc_err *err) TRC_MUST_USE;

/* Computes the shard into the file `path`. `resume` keeps a partial that is there already if it is
 * of the same bytes and question, and replaces it if not; only `force` replaces any other file. */
int trc_one_shard_write(struct trc_one_shard *one, struct trc_query_run *a, const char *path,
                        bool resume, bool force, struct trc_err *err) TRC_MUST_USE;

/* Closes the source of *a, and frees what one->p found, so that both serve for another shard. */
void trc_one_shard_release(struct trc_one_shard *one, struct trc_query_run *a);

#endif
