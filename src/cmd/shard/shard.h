/* SPDX-License-Identifier: MIT
 *
 * One answer from parts that were computed anywhere: files are the medium, no daemon, no network.
 *
 *   shard      files in order are one trace, a sequence of rows; I/N is a part of it, from one cut
 *              to the next (cmd/job/slices.h): at blocks of containers, at lines or records, at the
 *              ends of files. Where the cuts are follows from the files and N.
 *   plan       cuts, and what the files are, in a text (plan_file.h); where none was made, the same
 *              is in memory
 *   partial    what one shard, or neighbours that were joined, know of the answer: a small file of
 *              frames, there whole or not at all (partial.h): the question and its options, what
 *              identifies the input, which shards, and the state of the sink that saw their rows.
 *   question   opens a sink for a source of rows, and prints what that has found:
 *
 *              begin   looks at the options
 *              open    wraps the source, opens the sink
 *              rows    sink->put(); of a warm-up, to a second sink, too: a difference is counted
 *              save    sink->state() writes: the state, for a partial
 *              join    sink->state() reads: behind what it has, the state of the rows that follow;
 *                      so loading is joining to nothing, and any tree of joins gives the same
 *              answer  after sink->finish(): tables, which are printed with those of other traces
 *
 * The null version: the whole run opens, puts rows, finishes, prints. A shard opens, puts its rows,
 * saves. A merge opens over a source without rows, appends, and either saves again, or finishes and
 * prints: by the same functions, so what it prints is what the whole run prints. A question whose
 * sink has no state() takes no part.
 *
 * A merge trusts nothing: all partials are read and checked before anything is printed, and what is
 * missing, double, of another trace, question or version, or damaged is named as I/N.
 */
#ifndef TRC_CMD_SHARD_SHARD_H
#define TRC_CMD_SHARD_SHARD_H

#include "cmd/job/job.h"
#include "cmd/job/traces.h"
#include "cmd/picture/answered.h"
#include "stage/profile/census.h"

enum {
	TRC_QUESTION_SUMS = 2,
	TRC_QUESTION_OWNS = 4,
	TRC_SHARDS_MOST = 1 << 20, /* of one trace */
};

/* What a question keeps begins with this. */
struct trc_asked {
	const struct trc_settings *all;
	const char *path; /* of the trace: that of its first file */
	size_t files;     /* how many it has, one behind the other; 0: one */
	const char *name; /* of all of it, without folders, for titles */
	size_t nth, way;  /* of several that are compared: the first is 0 */
	bool among;       /* it is one of several traces */
	struct trc_plotting
	        *plotting; /* the picture that is wanted; of several, the first has it */
	uint64_t sum[TRC_QUESTION_SUMS]; /* its own; those of parts add up */
	const char *output;              /* where a merge writes; NULL: it prints */
	struct trc_view origins;         /* of a merge that prints: what its files were, for a
	                                  * container of what they become */
	bool quiet;
	uint64_t unit;     /* bytes of what it counts, a page or a line, for the plan; 0: a page */
	bool single;       /* a row is of one of these, however large */
	bool unindexed;    /* no index counts these: each row may be of another */
	uint64_t numbered; /* set by begin(): a shard has to know how many records are before it,
	                    * if fewer than this, */
	bool twice;        /* and it may keep each page twice */
	bool whole;        /* set by begin(), too: it is asked in no chunks, though its sink can */
	uint64_t page_bytes, row_bytes; /* beside those of the question, for the plan */
	uint64_t warmup; /* set by begin(): records that do not count, where there is subtract() */
	bool insns;      /* records that are counted are instructions: it has no shards */
	bool goes_on;    /* it is asked of the warm-up, and the trace goes on behind that */
	uint64_t before; /* of a shard: how many records of the trace are in front of it, */
	bool somewhere;  /* but for this: nobody knows that before they are read */
	bool uncounted;  /* of a shard: the index of the trace has no numbers of different pages */
};

/* A question that can be asked of shards. */
struct trc_question {
	size_t size; /* of what it keeps, zeroed but for struct trc_asked */

	/* Looks at the options, and `input`, the first of them; NULL: where a merge prints. Of
	 * struct trc_asked, `quiet` and `warmup` are set. NULL: nothing can be wrong. */
	int (*begin)(void *q, const char *input, struct trc_err *err);

	/* Sets *known, which is false, if the whole trace need not be read to print; NULL: it has
	 * to be. */
	int (*know)(void *q, struct trc_job *job, bool *known, struct trc_err *err);

	/* Wraps job->src and opens the sink; NULL: know() knows, always. With asked->goes_on it
	 * only opens another sink, which has what this one found at its place. */
	struct trc_sink *(*open)(void *q, struct trc_job *job, struct trc_err *err);

	/* Instead of open(), owns and subtract(): it counts. Each reference, row `i` of a type, is
	 * given to reference(), which counts it in `n` counters, an array at `at` in what it keeps.
	 * seam(q) is called where two parts of a trace meet, for keys of the last counter. */
	int (*reference)(void *q, const struct trc_batch *b, size_t i, uint8_t type,
	                 struct trc_err *err);
	struct {
		size_t at, n;
	} counters;
	trc_census_seam_fn *seam;

	/* Columns that the trace has to have. */
	uint32_t needs;

	/* What it keeps that is to be released: first what it finds, which open() sets anew. */
	struct trc_owned {
		size_t at; /* in what it keeps */
		void (*release)(void *p);
	} owns[TRC_QUESTION_OWNS];

	/* Takes from what was found what was found in the warm-up. NULL: there is none, or the
	 * question sees to it. */
	int (*subtract)(void *found, void *warmup, struct trc_err *err);

	/* Answers with what the sink had found when it finished, by what *q keeps: the job is
	 * closed when that is printed, alone or together with other traces. to->answer.of is q,
	 * and its form is set. */
	int (*answer)(void *q, const struct trc_job *job, struct trc_answered *to,
	              struct trc_err *err);

	/* Or prints that itself; NULL: settle() and compare() do. */
	int (*print)(void *q, const struct trc_job *job, struct trc_err *err);

	/* A merge of it writes what the files were: asked->origins. */
	bool origins;

	/* It draws by options of its own, not as --plot has it. */
	bool draws;

	/* It measures time: one trace at a time. */
	bool alone;

	/* What a row takes is worth several threads: then what it keeps is copied, before any is
	 * opened, for each of them to open. */
	bool cores;

	/* Instead of answer(): takes what is needed of the job, which is closed then, and prints
	 * all `n` traces, in as many `ways` each. Without either several inputs are refused. */
	int (*settle)(void *q, const struct trc_job *job, struct trc_err *err);
	int (*compare)(void *const *q, size_t n, size_t ways, struct trc_err *err);

	/* Instead of all of these: answers for several traces in a way of its own. */
	int (*several)(const struct trc_settings *all, const struct trc_traces *traces,
	               struct trc_err *err);

	/* In how many ways each trace is asked; NULL: one. */
	size_t (*ways)(const struct trc_settings *all);

	/* Bytes that it may take for each different page, and for each row, for the plan. */
	uint64_t page_bytes, row_bytes;
};

/* --shards, --shard, --partial and --resume, which questions take; --plan, instead of a question
 * and INPUTs; and --merge: the action of a command that takes it first takes what is about how
 * answers are printed, which no partial has. */
extern const struct trc_opts trc_shard_opts, trc_shard_opts_merge, trc_shard_opts_partial,
        trc_shard_opts_plan;

/* --warmup, which questions take that count: asked->warmup. */
extern const struct trc_opts trc_shard_opts_warmup;
extern const struct trc_opts *const trc_shard_owners[]; /* of all of these; NULL behind the last */

/* The paths of --partial and --plan; NULL: not given. */
const char *trc_shard_partial(const struct trc_settings *all);
const char *trc_shard_plan(const struct trc_settings *all);

/* Appends the question as partials have it: "stat", "--mrc", ..., each with its NUL. */
int trc_shard_words(const struct trc_settings *all, struct trc_buf *words,
                    struct trc_err *err) TRC_MUST_USE;

/* Whether shards are asked of, or for: any of --shards, --shard, --measure, --resume, --partial. */
bool trc_shard_wanted(const struct trc_settings *all);

/* Whether --force was given. */
bool trc_shard_force(const struct trc_settings *all);

/* Whether only the plan of the whole is asked for, --shards 1, which any question has. */
bool trc_shard_one(const struct trc_settings *all);

/* Asks the question of the action that was chosen: answers for all inputs, for a shard, or prints
 * the plan, as the options of `all` have it. An action may be that and nothing else. */
int trc_shard_answer(const struct trc_settings *all, const struct trc_args *args,
                     struct trc_err *err) TRC_MUST_USE;

/* Which shard of a plan is asked for, NULL: it is printed; refuses what does not go with it. */
int trc_shard_of_plan(const struct trc_settings *all, const char **shard, bool *resume,
                      struct trc_err *err) TRC_MUST_USE;

/* Prints a plan, or computes a shard of it. */
int trc_shard_planned(const struct trc_settings *all, const struct trc_args *args,
                      struct trc_err *err) TRC_MUST_USE;

/* Merges partials, and prints as the options of `all` have it. */
int trc_shard_merge(const struct trc_settings *all, const struct trc_args *args,
                    struct trc_err *err) TRC_MUST_USE;

/* The same where the answer is a file, the last word unless there is --partial. */
int trc_shard_merge_to(const struct trc_settings *all, const struct trc_args *args,
                       struct trc_err *err) TRC_MUST_USE;

#endif
