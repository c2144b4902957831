/* SPDX-License-Identifier: MIT
 *
 * The questions of `trc stat`: each is a file that exports an action of the command, with its own
 * option rows. stat.c lists them; unit.c has the options that several of them take.
 */
#ifndef TRC_CMD_STAT_STAT_H
#define TRC_CMD_STAT_STAT_H

#include "cmd/answer/answer.h"
#include "cmd/shard/shard.h"
#include "cmd/conventions.h"
#include "cmd/job/traces.h"
#include "stage/simulate/object/object_cache.h"
#include "stage/simulate/object/popularity.h"

enum { TRC_STAT_PAGE_SIZE = 4096 }; /* default, in bytes */

/* The options that several questions take. */
struct trc_stat {
	const struct trc_job_in *in;
	uint64_t page_size; /* in bytes; 0: not given */
	uint64_t line_size; /* used instead of pages; 0: not given */
	bool objects;       /* used instead of pages: a reference is to one object of any size */
	enum trc_form form;
	bool by_space, quiet;
};

extern const struct trc_opts trc_stat_opts_curves, trc_stat_opts_page_size, trc_stat_opts_line_size,
        trc_stat_opts_by_space, trc_stat_opts_objects, trc_stat_opts_over_time, trc_stat_opts_quiet,
        trc_stat_opts_finding; /* the output of --check */

/* How to show curves, from trc_stat_opts_curves. */
struct trc_stat_curves {
	bool all_sizes, no_first;
	struct trc_opt_list sizes;
};

/* --mrc, and --policy, which other questions also take. trc_stat_policy() returns its words, NULL
 * if it is not given. */
extern const struct trc_opts trc_stat_opts_mrc, trc_stat_opts_policy;
extern const struct trc_opts trc_stat_opts_sample; /* a uint64_t: one in this many */
const char *trc_stat_policy(const struct trc_settings *settings);

/* Returns true if --policy names one that caches of whole objects have, and memories have not. */
bool trc_stat_policy_of_objects(const struct trc_settings *settings);

/* --writes, the handling of writes in the caches of --mrc; and --count read, which counts only
 * reads: GETs, if SETs fill the cache. */
extern const struct trc_opts trc_stat_opts_writes, trc_stat_opts_count;
enum trc_object_writes trc_stat_writes(const struct trc_settings *settings);

/* Returns the word of --writes; NULL for the default, back. */
const char *trc_stat_writes_name(enum trc_object_writes writes);

/* Sets *reads for --count read; refuses --count without a word, which other questions have. */
int trc_stat_count_reads(const struct trc_settings *settings, bool *reads,
                         struct trc_err *err) TRC_MUST_USE;

/* The options that break the misses of caches and TLBs down. trc_stat_by() returns the word of
 * --by, NULL if it is not given. */
extern const struct trc_opts trc_stat_opts_levels;
const char *trc_stat_by(const struct trc_settings *settings);

/* Taken by all questions. */
#define TRC_STAT_TAKES \
	&trc_answer_opts, &trc_job_opts_in, &trc_conventions_opts_answer, &trc_stat_opts_quiet

/* Also taken by questions that count pages, lines or objects. */
#define TRC_STAT_UNITS &trc_stat_opts_page_size, &trc_stat_opts_line_size, &trc_stat_opts_objects

/* Also taken by questions that can be run for shards. */
#define TRC_STAT_SHARDS \
	&trc_traces_opts, &trc_shard_opts, &trc_shard_opts_partial, &trc_conventions_opts_force

struct trc_stat trc_stat_of(const struct trc_settings *settings);

/* The unit that --mrc and --ws count: pages, or lines. */
struct trc_stat_unit {
	const char *name; /* "page", "line" or "object" */
	unsigned bits;    /* log2 of its bytes, if known */
	bool known; /* false: the size of the pages of a trace may be known at its end, or never */
};

/* Determines the unit from the options and the trace, and checks --by-space. */
int trc_stat_unit(const struct trc_stat *s, const struct trc_source *src,
                  struct trc_stat_unit *unit, struct trc_err *err) TRC_MUST_USE;

/* Sets the options that several questions take, and passes on those that the driver needs. */
void trc_stat_begin(struct trc_stat *s, struct trc_query *query);

/* With --objects, drops the sizes, before the unit is determined. */
int trc_stat_objects(const struct trc_stat *s, struct trc_job *job,
                     struct trc_err *err) TRC_MUST_USE;

/* Returns the format whose rows are requests for objects or blocks: the trace's own, or the one
 * that its container was made from; NULL: it holds references. */
const struct trc_format *trc_stat_requests(const struct trc_job *job);

/* What --popularity finds, for the counts of such a trace: the sink, which also counts all rows
 * (TRC_COUNTS_NO_PAGES: not their pages), and the facts after its requests and times. */
struct trc_sink *trc_stat_popularity_counts(struct trc_popularity *found, const struct trc_job *job,
                                            unsigned page_bits, struct trc_err *err) TRC_MUST_USE;
void trc_stat_popularity_facts(const struct trc_popularity *p, struct trc_answer_group *g);

/* Notes that pages are counted of a trace whose rows are requests for objects, or for `blocks`, and
 * what counts objects. */
void trc_stat_note_requests(const struct trc_stat *s, const struct trc_job *job, bool blocks,
                            const char *instead);

/* The questions. Each prints its answer on standard output. */
extern const struct trc_action trc_stat_counts, /* the contents of the trace: the default */
        trc_stat_blocks,                        /* the blocks of a container */
        trc_stat_cache,                         /* caches */
        trc_stat_tlb,                           /* TLBs */
        trc_stat_windows,                       /* counts by window */
        trc_stat_mrc,                           /* miss curves of memories */
        trc_stat_bytes,                         /* miss curves of caches of whole objects */
        trc_stat_popularity,                    /* requests, and the most popular objects */
        trc_stat_diff,                          /* the differences of two traces */
        trc_stat_top,                           /* the most referenced pages, lines, ... */
        trc_stat_strides,                       /* distances between references of an instruction */
        trc_stat_bbv,                           /* how often basic blocks are executed */
        trc_stat_map,                           /* a map of accesses by time */
        trc_stat_reuse,                         /* distances between touches of a page */
        trc_stat_ws,                            /* working sets, and misses outside them */
        trc_stat_certify,     /* whether a reduced trace behaves like its original */
        trc_stat_check,       /* whether files are the traces that they claim to be */
        trc_stat_formats,     /* size and speed of the trace in each format */
        trc_stat_fingerprint, /* a fingerprint of each column */
        trc_stat_shared,      /* pages touched by several processes */
        trc_stat_manifest;    /* the files of a trace */

#endif
