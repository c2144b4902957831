/* SPDX-License-Identifier: MIT
 *
 * A question that is being asked, of rows or of partials.
 */
#ifndef TRC_CMD_SHARD_ASKING_H
#define TRC_CMD_SHARD_ASKING_H

#include "cmd/job/traces.h"
#include "cmd/shard/partial.h"
#include "stage/profile/warmup.h"

/* A question, what it keeps, its source and its sink. */
struct trc_asking {
	const struct trc_question *q;
	struct trc_asked *asked;
	struct trc_job job;
	struct trc_sink *sink;
	char name[TRC_TRACES_NAME];
	struct trc_plotting plotting;
	struct trc_answered answered;
	struct trc_warmup warmup;
	struct trc_asked *first; /* the same question, of the warm-up; NULL: there is none */
	struct trc_found found;  /* what was appended, but for the state */
	bool one_thread;         /* the whole is not to be asked in chunks */
	bool chunks_failed;
};

/* What it keeps begins with *asked, but for the name, which follows from its path, and is in *a. To
 * be ended in any case. */
int trc_asking_begin(struct trc_asking *a, const struct trc_question *q,
                     const struct trc_asked *asked, const char *input,
                     struct trc_err *err) TRC_MUST_USE;
void trc_asking_end(struct trc_asking *a);

/* Opens the sink behind a->job, which is open; `kept`: to be saved. */
int trc_asking_open(struct trc_asking *a, bool kept, struct trc_err *err) TRC_MUST_USE;

/* Opens a trace, and asks: on all cores where the sink can be asked of shards. What
 * can be had only from the whole, and where in it something is wrong, one thread finds, in a second
 * try. */
int trc_asking_answer(struct trc_asking *a, const struct trc_trace *trace,
                      const struct trc_job_in *in, struct trc_err *err) TRC_MUST_USE;

/* Reads the rows of a->job as one part of the trace, `watched` by the progress line: what they
 * leave. */
int trc_asking_part(struct trc_asking *a, bool watched, struct trc_found *f,
                    struct trc_err *err) TRC_MUST_USE;

/* Appends what the rows behind left to the sink, of a trace with the columns `have`. */
int trc_asking_append(struct trc_asking *a, const struct trc_found *f, uint32_t have,
                      struct trc_err *err) TRC_MUST_USE;

/* When all was appended: `rows` is what is known of the trace by its source. */
int trc_asking_finish(struct trc_asking *a, const struct trc_meta *rows,
                      struct trc_err *err) TRC_MUST_USE;

/* When the sink has finished: keeps the answer, for which the job is not needed any more; or prints
 * it, too. */
int trc_asking_keep(struct trc_asking *a, struct trc_err *err) TRC_MUST_USE;
int trc_asking_print(struct trc_asking *a, struct trc_err *err) TRC_MUST_USE;

/* Writes a partial. */
int trc_asking_write(const struct trc_partial *p, const char *path, bool force,
                     struct trc_err *err) TRC_MUST_USE;

#endif
