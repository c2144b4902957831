/* SPDX-License-Identifier: MIT
 *
 * What can be done to a trace on its way: sources around other sources, and the sink that counts.
 * Each open takes over `from` when it succeeds and leaves it untouched when it fails.
 */
#ifndef TRC_STAGE_STAGE_H
#define TRC_STAGE_STAGE_H

#include "base/opt.h"
#include "batch/annotation.h"
#include "batch/counts.h"
#include "batch/flow.h"

/* A stage with options of its own, which every command has that writes a trace: a row beside the
 * stage, trc_stage_row_NAME, and its file in `optional_stages` of meson.build. */
struct trc_stage_row {
	struct trc_opts opts;

	/* Wraps the stage around `from`, since one of its options was given. */
	struct trc_source *(*wrap)(struct trc_source *from, const void *settings,
	                           struct trc_err *err);
};

/* How the values of a column are found that a trace lacks. */
enum trc_fill_how {
	TRC_FILL_VALUE, /* `value` in all rows */
	TRC_FILL_EVERY, /* 0 in the first row, `value` more in each further one */
	TRC_FILL_CLOCK, /* those of `clock`, TRC_COL_RTIME or _ITIME; counted if there are none */
	TRC_FILL_FETCH, /* of pc alone: what the task fetched last; 0 in front of its first fetch */
	TRC_FILL_PATH,  /* of branch alone: trc_stage_path() does it, not trc_stage_columns() */
};

/* A column that is added. One that is not a constant is of 8 bytes. */
struct trc_fill {
	enum trc_column column;
	uint64_t value;
	enum trc_fill_how how;
	enum trc_column clock;
};

/* Loses the columns `drop`, but for the clocks that others are filled from, then adds or replaces
 * those of `fill`, whose values fit. Events have the times of the row before, and pc 0. How many
 * references have an unknown pc is a caveat of the meta; a trace without fetches is refused. With
 * the column of events go the rows that are events; `types` has a bit for each type of which all
 * records go, but clocks count them; with TRC_DROP_KERNEL, references by the kernel become the
 * user's. What nobody counted, as in a trace that was reduced, is refused, and so is what is no
 * reference and would lose its type. */
enum { TRC_DROP_KERNEL = 1 << TRC_KERNEL };
struct trc_source *trc_stage_columns(struct trc_source *from, uint32_t drop, uint32_t types,
                                     const struct trc_fill *fill, size_t fills,
                                     struct trc_err *err) TRC_MUST_USE;

/* The types whose records --drop leaves out where it has this word, a bit each; 0 where that is a
 * column, or nothing. */
uint32_t trc_type_dropped(const char *word, size_t len);

/* Makes of the lanes of a warp's instruction the segments of `size` bytes, a power of two, that
 * they touch: coalesce.c. A trace without instruction times or tasks, or one that was reduced, is
 * refused. */
struct trc_source *trc_stage_coalesce(struct trc_source *from, unsigned size,
                                      struct trc_err *err) TRC_MUST_USE;

/* Writes each modify as its load and its store. */
struct trc_source *trc_stage_split_modify(struct trc_source *from,
                                          struct trc_err *err) TRC_MUST_USE;

/* Keeps the rows whose time (in cycles) is in [first, last], first <= last, wherever they stand. A
 * trace without times is refused. */
struct trc_source *trc_stage_times(struct trc_source *from, uint64_t first, uint64_t last,
                                   struct trc_err *err) TRC_MUST_USE;

/* Skips the first `skip` rows, or instructions (batch/extent.h), and ends after `limit` more;
 * where no index has how the trace was reduced, but its end may, it is read to its end. The meta of
 * what is left has that, but no totals; the same holds for ranges of times. */
struct trc_source *trc_stage_range(struct trc_source *from, uint64_t skip, uint64_t limit,
                                   struct trc_err *err) TRC_MUST_USE;

/* Whether such a stage skipped all there was: *rows that the trace has, or instructions, 0 if
 * nobody knows. */
bool trc_stage_range_beyond(const struct trc_source *range, uint64_t *rows);

/* Turns references to addresses into references to pages of 2^page_bits bytes: reads and writes (a
 * fetch reads), with reference and instruction time. A reference that crosses into another page is
 * one to each; both have its times. A modify is a read and a write. Events stay, with the times of
 * the reference before them, and so do deletes (invalidate), a row for each page; other rows that
 * are no references (copy-back, prefetch) are left out. A trace of pages keeps its pages and its
 * times, and gets those it lacks; its page_bits may be 0, not known. References are counted into
 * *refs, which must outlive the stage. */
struct trc_source *trc_stage_page(struct trc_source *from, unsigned page_bits, uint64_t *refs,
                                  struct trc_err *err) TRC_MUST_USE;

/* What was counted of a trace that became one of pages. */
struct trc_page_totals {
	uint64_t refs, insns, last_time;
	uint64_t touches; /* of pages, by all references */
};

/* What such a stage counted so far. */
struct trc_page_totals trc_page_counted(const struct trc_source *pages);

/* Makes *meta that of such a trace, when all rows came: those totals of the original trace that
 * were known stand, and so does its page size, which a trace of pages may have only at its end.
 * `totals` may be NULL. */
int trc_meta_pages(struct trc_meta *meta, unsigned page_bits, const struct trc_page_totals *totals,
                   struct trc_err *err) TRC_MUST_USE;

/* The same, with one row for all pages that a reference touches, the lowest first, and their number
 * in column size; 0 for a delete of all pages. Without sizes there is no such column. */
struct trc_source *trc_stage_page_ranges(struct trc_source *from, unsigned page_bits,
                                         uint64_t *refs, struct trc_err *err) TRC_MUST_USE;

/* How many of the `most` rows from `from` on are to a page each, or events. */
size_t trc_page_rows(const struct trc_batch *b, size_t from, size_t most);

/* Merges neighbouring references to the same page of the same space and task into one, with the
 * stamps of the first; a write if one of them is. A trace that was reduced for windows loses that,
 * and is refused at its end if it was reduced for nothing else. */
struct trc_source *trc_stage_block(struct trc_source *from, struct trc_err *err) TRC_MUST_USE;

/* True if these rows, neighbours, may be merged: events and deletes are merged with nothing. */
bool trc_same_page(const struct trc_batch *a, size_t i, const struct trc_batch *b, size_t k);

/* Makes *meta that of a trace of which neighbours were merged: they may be far apart in time, so
 * working sets are lost. */
int trc_meta_merged(struct trc_meta *meta, struct trc_err *err) TRC_MUST_USE;

/* Which pages are the same, and which share a memory. */
struct trc_scope {
	bool canonical; /* a page is the one of column cpn, whatever its space */
	bool by_space;  /* each space has a memory of its own */
	uint64_t sets;  /* as many memories, a power of two: page mod sets; 0: one */
};

/* Finds the outcomes of conditional branches, where column branch has TRC_BRANCH_UNKNOWN, by what
 * their task fetches next: the target, which `of` finds in the instruction word; NULL: anything but
 * what stands behind the branch. Those stay unknown that a task ends with, those behind which the
 * kernel went elsewhere or 2^16 rows are other tasks', and all where fetches are left out
 * (TRC_FETCHED_GAPS); their number is a caveat of the meta. A trace without branches or fetches
 * stays as it is. */
struct trc_source *trc_stage_outcomes(struct trc_source *from, trc_annotate_fn *of,
                                      struct trc_err *err) TRC_MUST_USE;

/* Adds or replaces column branch by the path alone, where sizes of fetches are known: what goes
 * elsewhere than behind itself is a branch from then on (branch/path.h). Where the path is not
 * known, as above, a branch has TRC_BRANCH_UNKNOWN. How often that is, and how often a branch was
 * passed before it was known to be one, are caveats of the meta, as are the numbers of branches
 * whose kind it shows and of the others. Where `of`, unless it is NULL, finds an instruction in the
 * word of a fetch, its column branch is there already, and only outcomes are found, as above. A
 * trace that lacks rows is refused. */
struct trc_source *trc_stage_path(struct trc_source *from, trc_annotate_fn *of,
                                  struct trc_err *err) TRC_MUST_USE;

/* Computes the columns branch and regs of a trace from its instruction words, which need the
 * columns `needs` besides. Conditional branches have the outcomes of column branch if the trace has
 * it; if not, these are found as above. Of fetches without a word that is an instruction of their
 * size, registers are unknown, and column branch is the trace's own, or by the path. The numbers of
 * these, of branches by the source of their kind, and of instructions with too many registers are
 * caveats. */
struct trc_source *trc_stage_annotate(struct trc_source *from, trc_annotate_fn *annotate,
                                      uint32_t needs, struct trc_err *err) TRC_MUST_USE;

/* What a reduction is to be exact for. */
struct trc_reduction {
	uint64_t r;      /* LRU memories of this many pages and more; 0: none */
	uint64_t window; /* working sets, and VMIN, with windows of this and more; 0: none, */
	uint64_t clock;  /* by column TRC_COL_RTIME, TRC_COL_ITIME or TRC_COL_TIME */
	bool lru_only;   /* not for OPT */
	bool part;       /* the trace goes on from one that is not here: keep what that may need */
	struct trc_scope scope;
};

/* SAD reduction (Kaplan, Smaragdakis, Wilson, SIGMETRICS 1999) of a trace of pages: drops the
 * middle of three references to a page where that changes nothing for the memories and windows of
 * `how`: r or window or both. A trace may be reduced in parts, all but the first with how->part:
 * what is left of them, one behind the other, reduced again, is what is left of the whole. */
struct trc_source *trc_stage_drop(struct trc_source *from, const struct trc_reduction *how,
                                  struct trc_err *err) TRC_MUST_USE;

/* The pages of a trace, as trc_stage_page() and, with `block`, trc_stage_block() make them, less
 * what trc_stage_drop() drops, to the last stamp, on `threads` threads. Not for windows, nor for a
 * trace that knows only at its end how it was reduced: see trc_drop_has_chunks(). */
struct trc_source *trc_stage_drop_chunks(struct trc_source *from, unsigned page_bits, bool block,
                                         const struct trc_reduction *how, int threads,
                                         uint64_t *refs, struct trc_err *err) TRC_MUST_USE;
bool trc_drop_has_chunks(const struct trc_source *from, const struct trc_reduction *how);

/* OLR-S reduction of a trace of pages: the shortest subsequence that is exact for LRU memories of
 * how->r pages and more, not for OPT. The memory that it needs is for the records of up to r + 1
 * faults, some r for each. */
struct trc_source *trc_stage_olr(struct trc_source *from, const struct trc_reduction *how,
                                 struct trc_err *err) TRC_MUST_USE;

/* What became of a sample, known at its end. */
struct trc_sampled {
	uint64_t pages; /* times one_in, an estimate of all */
	double error;   /* its relative standard error */
};

/* Keeps all references to one page in `one_in`, by a hash of its name; of a trace of pages. What
 * comes of it is an estimate, and the meta records that. *sampled must outlive the stage. */
struct trc_source *trc_stage_sample(struct trc_source *from, uint64_t one_in, bool canonical,
                                    struct trc_sampled *sampled, struct trc_err *err) TRC_MUST_USE;

/* A trace to be merged with others. */
struct trc_merging {
	struct trc_source *src;
	const char *name; /* for messages; must outlive the stage */
	size_t rows;      /* of the batches that are pulled */
};

/* Several traces as one, in order of the column `clock`, time or rtime. By time, events come before
 * references of the same time, then by the reference time if there is one, then by the order of
 * `from`. Traces of events alone have zeros where references have other columns; otherwise all have
 * the same columns, but for events. By reference time they are parts of one trace: no two have the
 * same reference. What is known of them together is in the meta; traces that were reduced each by
 * itself are refused, at the end if it is known only there. Takes over all `n` sources. */
struct trc_source *trc_stage_merge(const struct trc_merging *from, size_t n, enum trc_column clock,
                                   struct trc_err *err) TRC_MUST_USE;

/* Gives each reference its task, its page (of 2^page_bits bytes) and its canonical page, and its
 * reference time if it has none, following the kernel events in the trace through `spaces`, which
 * must outlive the stage. References by the kernel are of task 0. */
struct trc_spaces;
struct trc_source *trc_stage_canonical(struct trc_source *from, unsigned page_bits,
                                       struct trc_spaces *spaces, struct trc_err *err) TRC_MUST_USE;

/* A sink that counts, and at its end fills in *counts, which must outlive it; pages are of
 * 2^page_bits bytes. */
struct trc_sink *trc_counts_sink(struct trc_counts *counts, unsigned page_bits,
                                 struct trc_err *err) TRC_MUST_USE;

#endif
