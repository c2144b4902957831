/* SPDX-License-Identifier: MIT
 *
 * The questions that `trc stat` answers: a file and a row each. stat.c has the options, in one
 * struct that all of them read, and the rows.
 */
#ifndef TRC_CMD_STAT_STAT_H
#define TRC_CMD_STAT_STAT_H

#include "cmd/job.h"

enum { TRC_STAT_PAGE_SIZE = 4096 }; /* bytes, where nothing else is said */

struct trc_stat {
	struct trc_job_in in;
	uint64_t page_size; /* bytes; 0: not given */
	struct trc_opt_list cache;
	bool blocks, count;
	bool formats, mrc, certify, ws, shared;
	uint64_t line_size; /* instead of pages; 0: not given */
	uint64_t sad;       /* of --certify; 0: as the reduced trace says */
	struct trc_opt_list sizes;
	bool by_space, all_sizes, no_first;
	const char *plot;
	unsigned clock; /* of --ws: 1 references, 2 instructions, 3 cycles; 0: not given */
	uint64_t jobs;  /* files at a time; 0: as many as there are cores */
	bool check, tap, strict, nul;
	bool json, csv, force, quiet;
};

/* What --mrc and --ws count: pages, or lines. */
struct trc_stat_unit {
	const char *name; /* "page" or "line" */
	unsigned bits;    /* log2 of its bytes, if they are known */
	bool known;       /* false: a trace of pages may tell its own at its end, or never */
};

/* The unit that is asked for, if the trace has it; the spaces of --by-space, too. */
int trc_stat_unit(const struct trc_stat *s, const struct trc_source *src,
                  struct trc_stat_unit *unit, struct trc_err *err) TRC_MUST_USE;

/* Answers about the inputs named by `args`, on standard output. */
typedef int (*trc_stat_fn)(const struct trc_stat *s, const struct trc_args *args,
                           struct trc_err *err);

/* What is in the trace: the question if no other is asked. */
int trc_stat_counts(const struct trc_stat *s, const struct trc_args *args,
                    struct trc_err *err) TRC_MUST_USE;

/* Writes the trace in every lossless format, plain and with xz, into a directory that is removed
 * again, reads it back, and prints how large and how fast each was, or why the format cannot hold
 * the trace. */
int trc_stat_formats(const struct trc_stat *s, const struct trc_args *args,
                     struct trc_err *err) TRC_MUST_USE;

/* How large working sets are, and what is not in them. */
int trc_stat_ws(const struct trc_stat *s, const struct trc_args *args,
                struct trc_err *err) TRC_MUST_USE;

/* How many pages several processes touch, and how often. */
int trc_stat_shared(const struct trc_stat *s, const struct trc_args *args,
                    struct trc_err *err) TRC_MUST_USE;

/* What stands where in a container. */
int trc_stat_blocks(const struct trc_stat *s, const struct trc_args *args,
                    struct trc_err *err) TRC_MUST_USE;

/* Whether files, and all files of directories, are the traces that they say they are. */
int trc_stat_check(const struct trc_stat *s, const struct trc_args *args,
                   struct trc_err *err) TRC_MUST_USE;

/* What the caches of --cache would do. */
int trc_stat_cache(const struct trc_stat *s, const struct trc_args *args,
                   struct trc_err *err) TRC_MUST_USE;

/* What LRU memories of all sizes would do. */
int trc_stat_mrc(const struct trc_stat *s, const struct trc_args *args,
                 struct trc_err *err) TRC_MUST_USE;

/* Whether a reduced trace does in LRU memories what its original does. */
int trc_stat_certify(const struct trc_stat *s, const struct trc_args *args,
                     struct trc_err *err) TRC_MUST_USE;

#endif
