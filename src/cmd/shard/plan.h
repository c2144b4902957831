/* SPDX-License-Identifier: MIT
 *
 * The plan of --shards N, and the memory that a shard needs: what a batch system wants
 * to know before a job runs.
 */
#ifndef TRC_CMD_SHARD_PLAN_H
#define TRC_CMD_SHARD_PLAN_H

#include "cmd/answer/answer.h"
#include "cmd/shard/measure.h"
#include "cmd/shard/plan_file.h"

/* What a question needs, and how its plan is printed. */
struct trc_plan {
	struct trc_plan_file file; /* what it has, of `file.head.of` shards */
	const char *path;          /* where it is written; NULL: it is printed */
	uint64_t row_bytes;        /* for each row, and */
	uint64_t page_bytes;       /* for each different page, or line, */
	uint64_t unit;             /* of so many bytes; 0: a page of an index */
	bool single;               /* a row is of one, however large */
	bool unindexed;            /* indices of containers do not count them */
	enum trc_form form;
	bool quiet;

	/* What shard `i` takes, by computing it; NULL: what it can take at most is to do. */
	int (*measure)(void *arg, uint64_t i, struct trc_measured *m, struct trc_err *err);
	void *arg;
};

/* Prints a line for each shard, or writes the plan to standard output, which goes to its path.
 * Where rows have sizes, it looks at how large the first ones are. */
int trc_plan_print(struct trc_slices *s, struct trc_plan *plan, struct trc_err *err) TRC_MUST_USE;

/* Prints the same lines of a plan that is open, all of which it checks. */
int trc_plan_print_file(struct trc_plan_file *file, enum trc_form form,
                        struct trc_err *err) TRC_MUST_USE;

#endif
