/* SPDX-License-Identifier: MIT
 *
 * A query while it runs: one question, of one trace, by its rows or by partials.
 */
#ifndef TRC_CMD_SHARD_QUERY_H
#define TRC_CMD_SHARD_QUERY_H

#include "cmd/job/traces.h"
#include "cmd/shard/partial.h"
#include "stage/profile/warmup.h"

/* The question, what it keeps, its source and its sink. */
struct trc_query_run {
	const struct trc_query_ops *ops;
	struct trc_query *query;
	struct trc_job job;
	struct trc_sink *sink;
	char name[TRC_TRACES_NAME];
	struct trc_plotting plotting;
	struct trc_answered answered;
	struct trc_warmup warmup;
	struct trc_query *first; /* a copy that sees the warm-up only; NULL: no warm-up */
	struct trc_found found;  /* totals of what was appended; the states went to the sink */
	bool one_thread;         /* rows must not be read in chunks */
	bool chunks_failed;      /* they were, and it has to be done again on one thread */
};

/* Initialises *a and calls ops->begin(). What it keeps starts as a copy of *query, with
 * the name that follows from its path. trc_query_end() has to be called even if this fails. */
int trc_query_begin(struct trc_query_run *a, const struct trc_query_ops *q,
                    const struct trc_query *query, const char *input,
                    struct trc_err *err) TRC_MUST_USE;
void trc_query_end(struct trc_query_run *a);

/* Opens the sink for the rows of a->job, which is open. `kept`: its state will be saved. */
int trc_query_open(struct trc_query_run *a, bool kept, struct trc_err *err) TRC_MUST_USE;

/* Opens the trace and reads all its rows, on all cores if the sink has a state that can be joined.
 * If that fails because the question needs the whole trace, or because of an error in it,
 * everything is repeated on one thread, which finds the answer, or the place of the error. */
int trc_query_answer(struct trc_query_run *a, const struct trc_trace *trace,
                     const struct trc_job_in *in, struct trc_err *err) TRC_MUST_USE;

/* Reads the rows of a->job as one part of the trace, and sets *f to what they contribute.
 * `watched`: the progress line shows them. */
int trc_query_part(struct trc_query_run *a, bool watched, struct trc_found *f,
                   struct trc_err *err) TRC_MUST_USE;

/* Joins *f, the contribution of the rows that follow, to the sink. `have`: columns of the trace. */
int trc_query_append(struct trc_query_run *a, const struct trc_found *f, uint32_t have,
                     struct trc_err *err) TRC_MUST_USE;

/* Finishes the sink after everything was appended. `rows`: what the source knows of the trace. */
int trc_query_finish(struct trc_query_run *a, const struct trc_meta *rows,
                     struct trc_err *err) TRC_MUST_USE;

/* After the sink finished: makes the answer, which does not need the job any more; print() prints
 * it, too. */
int trc_query_keep(struct trc_query_run *a, struct trc_err *err) TRC_MUST_USE;
int trc_query_print(struct trc_query_run *a, struct trc_err *err) TRC_MUST_USE;

/* Writes a partial to a new file; `force`: it may replace one. */
int trc_query_write(const struct trc_partial *p, const char *path, bool force,
                    struct trc_err *err) TRC_MUST_USE;

#endif
