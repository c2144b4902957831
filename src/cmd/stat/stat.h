/* SPDX-License-Identifier: MIT
 *
 * The questions that `trc stat` answers: a file each, which exports an action of the command, with
 * option rows of its own. stat.c has their list, unit.c what several of them take.
 */
#ifndef TRC_CMD_STAT_STAT_H
#define TRC_CMD_STAT_STAT_H

#include "cmd/answer/answer.h"
#include "cmd/shard/shard.h"
#include "cmd/habits.h"
#include "cmd/job/traces.h"
#include "stage/simulate/object/object_cache.h"

enum { TRC_STAT_PAGE_SIZE = 4096 }; /* bytes, by default */

/* What several questions take, each if it takes the owner. */
struct trc_stat {
	const struct trc_job_in *in;
	uint64_t page_size; /* bytes; 0: not given */
	uint64_t line_size; /* instead of pages; 0: not given */
	bool objects;       /* instead of pages: a reference is to one, however large */
	enum trc_form form;
	bool by_space, quiet;
};

extern const struct trc_opts trc_stat_opts_curves, trc_stat_opts_page_size, trc_stat_opts_line_size,
        trc_stat_opts_by_space, trc_stat_opts_objects, trc_stat_opts_over_time, trc_stat_opts_quiet,
        trc_stat_opts_finding; /* how --check prints what it finds */

/* How curves are shown, of trc_stat_opts_curves. */
struct trc_stat_curves {
	bool all_sizes, no_first;
	struct trc_opt_list sizes;
};

/* --mrc, and --policy, which other questions take, too; the words of that, NULL if not given. */
extern const struct trc_opts trc_stat_opts_mrc, trc_stat_opts_policy;
extern const struct trc_opts trc_stat_opts_sample; /* a uint64_t: one in so many */
const char *trc_stat_policy(const struct trc_settings *all);

/* --writes, what caches of --mrc do with writes, and --count read, which counts reads alone: GETs,
 * where SETs fill. */
extern const struct trc_opts trc_stat_opts_writes, trc_stat_opts_count;
enum trc_object_writes trc_stat_writes(const struct trc_settings *all);

/* The word of that; NULL for the default, back. */
const char *trc_stat_writes_name(enum trc_object_writes writes);

/* Refuses --count without a word, which is of other questions. */
int trc_stat_count_reads(const struct trc_settings *all, bool *reads,
                         struct trc_err *err) TRC_MUST_USE;

/* What breaks misses of caches and TLBs down, and its word of --by; NULL without it. */
extern const struct trc_opts trc_stat_opts_levels;
const char *trc_stat_by(const struct trc_settings *all);

/* What all questions take. */
#define TRC_STAT_TAKES \
	&trc_answer_opts, &trc_job_opts_in, &trc_habits_opts_answer, &trc_stat_opts_quiet

/* What those take besides that count pages, lines or objects. */
#define TRC_STAT_UNITS &trc_stat_opts_page_size, &trc_stat_opts_line_size, &trc_stat_opts_objects

/* What those take besides that can be asked of shards. */
#define TRC_STAT_SHARDS \
	&trc_traces_opts, &trc_shard_opts, &trc_shard_opts_partial, &trc_habits_opts_force

struct trc_stat trc_stat_of(const struct trc_settings *all);

/* What --mrc and --ws count: pages, or lines. */
struct trc_stat_unit {
	const char *name; /* "page", "line" or "object" */
	unsigned bits;    /* log2 of its bytes, if they are known */
	bool known;       /* false: that of a trace of pages may be known at its end, or never */
};

/* The unit that is chosen, if the trace has it; the spaces of --by-space, too. */
int trc_stat_unit(const struct trc_stat *s, const struct trc_source *src,
                  struct trc_stat_unit *unit, struct trc_err *err) TRC_MUST_USE;

/* What a question begins with: what several take, and what the driver has to know of it. */
void trc_stat_begin(struct trc_stat *s, struct trc_asked *asked);

/* Where objects are counted, leaves their sizes out, before the unit is chosen. */
int trc_stat_objects(const struct trc_stat *s, struct trc_job *job,
                     struct trc_err *err) TRC_MUST_USE;

/* The questions. Each answers on standard output. */
extern const struct trc_action trc_stat_counts, /* what is in the trace: the default */
        trc_stat_blocks,                        /* what stands where in a container */
        trc_stat_cache,                         /* what the caches of --cache would do */
        trc_stat_tlb,                           /* what TLBs would do */
        trc_stat_windows,                       /* what is in windows of it */
        trc_stat_mrc,                           /* what LRU memories of all sizes would do */
        trc_stat_bytes,                         /* the same of caches of whole objects */
        trc_stat_popularity,                    /* requests, and who has most of them */
        trc_stat_diff,                          /* where two traces part */
        trc_stat_top,                           /* what is referred to most */
        trc_stat_strides,                       /* how far apart those of an instruction are */
        trc_stat_bbv,                           /* how often its basic blocks are executed */
        trc_stat_map,                           /* where it touches memory, and when */
        trc_stat_reuse,                         /* how far apart touches of a page are */
        trc_stat_ws,      /* how large working sets are, and what is not in them */
        trc_stat_certify, /* whether a reduced trace does in memories what its original does */
        trc_stat_check,   /* whether files are the traces that they claim to be */
        trc_stat_formats, /* how large and how fast the trace is in each format that can hold it */
        trc_stat_fingerprint, /* of each column */
        trc_stat_shared,      /* how many pages several processes touch, and how often */
        trc_stat_manifest;    /* which files a trace is of */

#endif
