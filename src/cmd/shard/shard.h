/* SPDX-License-Identifier: MIT
 *
 * Answers one question from parts that were computed on any machines. Files carry everything; there
 * is no daemon and no network.
 *
 *   shard      Files in a given order form one trace, a sequence of rows. Shard I/N is the part of
 *              it between two cuts (cmd/job/slices.h). A cut falls between blocks of a container,
 *              between lines or records, or between files; files and N alone determine all cuts.
 *   plan       The cuts and the identity of the files, as a text (plan_file.h). Without a plan file
 *              the same structure exists in memory only.
 *   partial    What one shard, or several adjacent ones, contribute to the answer: a small file of
 *              frames (partial.h) that holds the question with its options, the identity of the
 *              input, the numbers of the shards, and the state of the sink that saw their rows.
 *   query_ops  Opens a sink for a source of rows, and prints what the sink found:
 *
 *              begin   checks the options
 *              open    wraps the source and opens the sink
 *              rows    sink->put(); rows of a warm-up also go to a second sink, whose result is
 *                      subtracted at the end
 *              save    sink->state() writes the state to a partial
 *              join    sink->state() reads the state of the rows that follow those it has seen;
 *                      loading is joining to an empty sink, and every tree of joins gives the same
 *                      result
 *              answer  after sink->finish(): tables, printed beside those of other traces
 *
 * A whole run opens, puts rows, finishes and prints. A shard opens, puts its rows and saves. A
 * merge opens the sink over a source without rows, joins states, and then either saves again, or
 * finishes and prints. All three call the same functions, so a merge prints what the whole run
 * prints. A question whose sink has no state() cannot be answered in shards.
 *
 * A merge trusts none of its inputs: it reads and checks all partials before it prints anything,
 * and names each shard (as I/N) that is missing, given twice, damaged, or made from another trace,
 * question or version.
 */
#ifndef TRC_CMD_SHARD_SHARD_H
#define TRC_CMD_SHARD_SHARD_H

#include "cmd/job/job.h"
#include "cmd/job/traces.h"
#include "cmd/picture/answered.h"
#include "stage/profile/census.h"
#include "stage/simulate/object/footprint.h"

enum {
	TRC_QUERY_SUMS = 2,
	TRC_QUERY_OWNS = 4,
	TRC_SHARDS_MOST = 1 << 20, /* of one trace */
};

/* A query: a question with its options, of one trace. It is the first member of what a question
 * keeps, `q` below. The driver sets it; begin() may change what is marked so. */
struct trc_query {
	const struct trc_settings *settings;
	const struct trc_job_in *in;
	const char *path; /* of the trace's first file */
	size_t files;     /* number of its files, read one after the other; 0: one */
	const char *name; /* of the trace, without folders, for titles */
	size_t nth, way;  /* of several traces, and of several ways to ask each: from 0 */
	bool among;       /* the trace is one of several */
	struct trc_plotting
	        *plotting;            /* the picture to draw; of several traces, the first has it */
	uint64_t sum[TRC_QUERY_SUMS]; /* counted by the question; those of parts are added */
	const char *output;           /* the file that a merge writes; NULL: it prints */
	struct trc_view origins;      /* of a merge that prints: provenance of its inputs, for a
	                                  * container made of them */
	bool quiet;
	bool one_shard;    /* --shards 1: nothing has to be joined */
	uint64_t unit;     /* begin(): bytes of what is counted, for the plan; 0: a page */
	bool single;       /* begin(): each row touches one unit, whatever its size */
	bool objects;      /* begin(): memory depends on the distinct addresses */
	bool unindexed;    /* begin(): no index counts these units; each row may be another one */
	uint64_t numbered; /* begin(): a shard has to know the number of records before it, if that
	                    * is less than this */
	bool twice;        /* begin(): a shard may keep each page twice */
	bool whole;        /* begin(): not to be asked in chunks, although its sink could be */
	uint64_t page_bytes, row_bytes; /* begin(): added to those of the question, for the plan */

	/* begin(): the memory for objects, if they are counted, instead of both. NULL: both. */
	trc_footprint_fn *footprint;
	uint64_t warmup;  /* begin(): leading records that do not count, if there is subtract() */
	bool insns;       /* `warmup` counts instructions, so the question has no shards */
	bool warmup_copy; /* this is the copy that sees the warm-up alone; the trace continues */
	uint64_t before;  /* of a shard: number of records that precede it */
	bool position_unknown; /* `before` is unknown until they are read */
	bool uncounted;        /* of a shard: the trace's index does not count distinct pages */
	bool again;            /* the trace is opened again: notes about it were made */
};

/* How a question is answered, as a row of functions. `q` points to what it keeps, which begins with
 * struct trc_query. Functions return 0, or -1 with *err set. */
struct trc_query_ops {
	size_t size; /* of *q, which is zeroed after struct trc_query */

	/* Checks the options, and `input`, the first file (NULL where a merge prints). query->quiet
	 * and query->warmup are set. NULL: nothing can be wrong. */
	int (*begin)(void *q, const char *input, struct trc_err *err);

	/* Sets *known to true if the answer can be printed without reading the whole trace; it is
	 * false before. NULL: it cannot. */
	int (*know)(void *q, struct trc_job *job, bool *known, struct trc_err *err);

	/* Wraps job->src and opens the sink. With query->warmup_copy, the source is wrapped
	 * already, and only another sink is opened, for this q. NULL: know() always knows. */
	struct trc_sink *(*open)(void *q, struct trc_job *job, struct trc_err *err);

	/* Instead of open(), owns and subtract(), for a question that only counts: reference() is
	 * called with each reference, row `i` of `b`, and counts it in the array of `n` counters at
	 * offset `at` of *q. seam(q) is called where two parts of a trace meet, for keys that
	 * depend on the row before. */
	int (*reference)(void *q, const struct trc_batch *b, size_t i, uint8_t type,
	                 struct trc_err *err);
	struct {
		size_t at, n;
	} counters;
	trc_census_seam_fn *seam;

	/* Columns that the trace has to have. */
	uint32_t needs;

	/* Parts of *q to be released. The first is the result, which each open() initialises. */
	struct trc_owned {
		size_t at; /* offset in *q */
		void (*release)(void *p);
	} owns[TRC_QUERY_OWNS];

	/* Subtracts the result of the warm-up from that of all rows. NULL: --warmup is not taken,
	 * or the question applies it by itself. */
	int (*subtract)(void *found, void *warmup, struct trc_err *err);

	/* Fills *to with tables of the result, which is complete. They are printed later, alone or
	 * with those of other traces, when the job is closed; so they may refer to *q only.
	 * to->answer.of is q, and its form is set. */
	int (*answer)(void *q, const struct trc_job *job, struct trc_answered *to,
	              struct trc_err *err);

	/* Instead of answer(): prints the result. NULL: settle() and compare() do. */
	int (*print)(void *q, const struct trc_job *job, struct trc_err *err);

	/* A merge passes the provenance of its inputs on: query->origins. */
	bool origins;

	/* It draws by options of its own, not by --plot. */
	bool draws;

	/* It measures time, so traces are asked one at a time. */
	bool alone;

	/* A row costs enough to be worth several threads. Each of them then gets a copy of *q as
	 * begin() left it, and opens a sink for that. */
	bool cores;

	/* Instead of answer(): settle() takes what it needs from the job before that is closed, and
	 * compare() prints all `n` traces, each asked in `ways` ways. Without answer() or these,
	 * several inputs are refused. */
	int (*settle)(void *q, const struct trc_job *job, struct trc_err *err);
	int (*compare)(void *const *q, size_t n, size_t ways, struct trc_err *err);

	/* Instead of all of the above: answers for several traces together. */
	int (*several)(const struct trc_settings *settings, const struct trc_traces *traces,
	               struct trc_err *err);

	/* In how many ways each trace is query. NULL: one. */
	size_t (*ways)(const struct trc_settings *settings);

	/* Bytes of memory it may need for each distinct page, and for each row, for the plan. */
	uint64_t page_bytes, row_bytes;
};

#define TRC_QUERY(...) (&(const struct trc_query_ops){ __VA_ARGS__ })

/* Option rows: --shards, --shard and --resume, which questions take; --merge and --partial of the
 * commands that have questions; --plan, which stands instead of a question and its inputs. An
 * action that takes trc_shard_opts_merge first takes the rows for how answers are printed, which
 * partials do not record. */
extern const struct trc_opts trc_shard_opts, trc_shard_opts_merge, trc_shard_opts_partial,
        trc_shard_opts_plan;

/* --warmup, for questions that count: query->warmup. */
extern const struct trc_opts trc_shard_opts_warmup;
extern const struct trc_opts *const trc_shard_owners[]; /* all of the above, then NULL */

/* Return the paths of --partial and --plan; NULL if not given. */
const char *trc_shard_partial(const struct trc_settings *settings);
const char *trc_shard_plan(const struct trc_settings *settings);

/* Appends the question as partials record it: "stat", "--mrc", ..., each ended by a NUL. */
int trc_shard_words(const struct trc_settings *settings, struct trc_buf *words,
                    struct trc_err *err) TRC_MUST_USE;

/* Returns true if any of --shards, --shard, --measure, --resume and --partial was given. */
bool trc_shard_wanted(const struct trc_settings *settings);

/* Returns true if --force was given. */
bool trc_shard_force(const struct trc_settings *settings);

/* Returns true for --shards 1: the plan of the whole, which every question has. */
bool trc_shard_whole(const struct trc_settings *settings);

/* Asks the question of the chosen action, by its options: answers for all inputs, computes one
 * shard, or prints the plan. It can be the `run` of an action. */
int trc_shard_answer(const struct trc_settings *settings, const struct trc_args *args,
                     struct trc_err *err) TRC_MUST_USE;

/* Sets *shard to the word of --shard (NULL: the plan is to be printed) and *resume; refuses options
 * that contradict --plan. */
int trc_shard_of_plan(const struct trc_settings *settings, const char **shard, bool *resume,
                      struct trc_err *err) TRC_MUST_USE;

/* Prints a plan, or computes one shard of it. */
int trc_shard_planned(const struct trc_settings *settings, const struct trc_args *args,
                      struct trc_err *err) TRC_MUST_USE;

/* Merges partials and prints the answer, or writes a larger partial. */
int trc_shard_merge(const struct trc_settings *settings, const struct trc_args *args,
                    struct trc_err *err) TRC_MUST_USE;

/* The same for a command whose answer is a file: the last word, unless --partial is given. */
int trc_shard_merge_to(const struct trc_settings *settings, const struct trc_args *args,
                       struct trc_err *err) TRC_MUST_USE;

#endif
