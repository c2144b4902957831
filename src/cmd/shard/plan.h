/* SPDX-License-Identifier: MIT
 *
 * Prints the plan of --shards N with the memory that each shard needs, which a batch system has to
 * know before it runs a job.
 */
#ifndef TRC_CMD_SHARD_PLAN_H
#define TRC_CMD_SHARD_PLAN_H

#include "cmd/answer/answer.h"
#include "cmd/shard/measure.h"
#include "cmd/shard/plan_file.h"
#include "stage/simulate/object/footprint.h"

/* A plan to be printed, and the memory that the question needs. */
struct trc_plan {
	struct trc_plan_file file;   /* its contents; it has file.head.of shards */
	const char *path;            /* the file to write; NULL: the plan is printed as a table */
	uint64_t row_bytes;          /* memory for each row */
	uint64_t page_bytes;         /* memory for each distinct page or line */
	trc_footprint_fn *footprint; /* memory for objects that are counted; NULL: the above */
	bool saved;                  /* shards are saved for a merge */
	uint64_t unit;               /* size of a page or line in bytes; 0: that of the index */
	bool single;                 /* a row touches one page, whatever its size */
	bool unindexed;              /* indices of containers do not count these pages */
	bool objects; /* a page is an address; they are counted by reading the trace */
	enum trc_form form;
	bool quiet;

	/* Measures shard `i` by computing it. NULL: an upper bound is computed instead. */
	int (*measure)(void *arg, uint64_t i, struct trc_measured *m, struct trc_err *err);
	void *arg;
};

/* Prints a line for each shard; or, with plan->path, writes the plan to standard output, which is
 * directed to that file. The bound on memory allows for the sizes of the first rows. */
int trc_plan_print(struct trc_slices *s, struct trc_plan *plan, struct trc_err *err) TRC_MUST_USE;

/* Prints the same lines for a plan file that is open, and checks all of it. */
int trc_plan_print_file(struct trc_plan_file *file, enum trc_form form,
                        struct trc_err *err) TRC_MUST_USE;

#endif
