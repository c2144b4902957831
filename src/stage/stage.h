/* SPDX-License-Identifier: MIT
 *
 * Stages transform a trace on its way from reader to writer: each is a source around another
 * source. A function that opens one takes ownership of `from` if it succeeds, and leaves it
 * untouched if it fails (returns NULL with *err set).
 */
#ifndef TRC_STAGE_STAGE_H
#define TRC_STAGE_STAGE_H

#include "base/opt.h"
#include "batch/annotation.h"
#include "batch/counts.h"
#include "batch/flow.h"

/* A stage with options of its own, which every command that writes a trace takes. Its file defines
 * trc_stage_row_NAME and is listed in `optional_stages` of src/meson.build. */
struct trc_stage_row {
	struct trc_opts opts;

	/* Wraps the stage around `from`. Called if one of its options was given. */
	struct trc_source *(*wrap)(struct trc_source *from, const void *settings,
	                           struct trc_err *err);
};

/* Where the values of an added column come from. */
enum trc_fill_how {
	TRC_FILL_VALUE, /* `value` in all rows */
	TRC_FILL_EVERY, /* 0 in the first row, then `value` more in each row */
	TRC_FILL_CLOCK, /* column `clock` (rtime or itime), counted if the trace lacks it */
	TRC_FILL_FETCH, /* only for pc: the last fetch of the task; 0 before its first one */
	TRC_FILL_PATH,  /* only for branch: done by trc_stage_path(), not trc_stage_columns() */
};

/* A column to add. Only constants may be narrower than 8 bytes. */
struct trc_fill {
	enum trc_column column;
	uint64_t value;
	enum trc_fill_how how;
	enum trc_column clock;
};

/* Drops the columns `drop`, then adds or replaces those of `fill`, whose values must fit. A dropped
 * clock still serves to fill another column. Events get the times of the row before them, and pc 0.
 *
 * Dropping the column of events drops the rows that are events. `types` has a bit for each type
 * whose records are dropped; clocks still count these. With TRC_DROP_KERNEL set, references by the
 * kernel become references by the user.
 *
 * Refuses to count in a trace that lacks references because it was reduced; to fill pc in one
 * without fetches; and to drop the types of rows that are not references. The number of references
 * whose pc is unknown becomes a caveat of the meta. */
enum { TRC_DROP_KERNEL = 1 << TRC_KERNEL };
struct trc_source *trc_stage_columns(struct trc_source *from, uint32_t drop, uint32_t types,
                                     const struct trc_fill *fill, size_t fills,
                                     struct trc_err *err) TRC_MUST_USE;

/* Returns the types, a bit each, whose records --drop leaves out for this word; 0 if it names no
 * type. */
uint32_t trc_type_dropped(const char *word, size_t len);

/* Replaces the lanes of each warp instruction by the segments of `size` bytes, a power of two, that
 * they touch (coalesce.c). Refuses a trace without instruction times or tasks, and a reduced
 * one. */
struct trc_source *trc_stage_coalesce(struct trc_source *from, unsigned size,
                                      struct trc_err *err) TRC_MUST_USE;

/* Splits each modify into a read and a write. */
struct trc_source *trc_stage_split_modify(struct trc_source *from,
                                          struct trc_err *err) TRC_MUST_USE;

/* Keeps the rows whose time in cycles is in [first, last], first <= last, in any order of rows.
 * Refuses a trace without times. */
struct trc_source *trc_stage_times(struct trc_source *from, uint64_t first, uint64_t last,
                                   struct trc_err *err) TRC_MUST_USE;

/* Skips the first `skip` rows or instructions (batch/extent.h), and ends after `limit` more. Reads
 * on to the end of the trace if only that states how it was reduced. As for trc_stage_times(), the
 * meta of the result has this, but no totals. */
struct trc_source *trc_stage_range(struct trc_source *from, uint64_t skip, uint64_t limit,
                                   struct trc_err *err) TRC_MUST_USE;

/* Returns true if such a stage skipped the whole trace, and sets *rows to its length in rows or
 * instructions; 0: unknown. */
bool trc_stage_range_beyond(const struct trc_source *range, uint64_t *rows);

/* Turns references to addresses into reads and writes of pages of 2^page_bits bytes, with reference
 * and instruction times. A fetch becomes a read, a modify a read and a write. A reference that
 * spans two pages becomes one to each, with the same times. Events stay, with the times of the
 * reference before them. So do deletes (invalidate), as one row a page. Other rows that are not
 * references (copy-back, prefetch) are left out. A trace of pages keeps its pages and times, and
 * gets the times that it lacks; its page_bits may be 0, unknown. Counts references in *refs, which
 * must outlive the stage. */
struct trc_source *trc_stage_page(struct trc_source *from, unsigned page_bits, uint64_t *refs,
                                  struct trc_err *err) TRC_MUST_USE;

/* The same before trc_stage_block(): neighbours that it would merge may be merged already. */
struct trc_source *trc_stage_page_merged(struct trc_source *from, unsigned page_bits,
                                         uint64_t *refs, struct trc_err *err) TRC_MUST_USE;

/* Totals of a trace that trc_stage_page() counts. */
struct trc_page_totals {
	uint64_t refs, insns, last_time;
	uint64_t touches; /* references to pages: one that spans two counts twice */
};

/* Returns what such a stage has counted so far. */
struct trc_page_totals trc_page_counted(const struct trc_source *pages);

/* Turns *meta into that of such a trace, after its last row. Totals of the original trace that
 * *meta has already stay, and so does its page size, which a trace of pages may state only at its
 * end. `totals` may be NULL. */
int trc_meta_pages(struct trc_meta *meta, unsigned page_bits, const struct trc_page_totals *totals,
                   struct trc_err *err) TRC_MUST_USE;

/* Like trc_stage_page(), but with one row for all pages that a reference touches: the lowest, with
 * their number in column size; 0 for a delete of all pages. A trace without sizes gets no such
 * column. */
struct trc_source *trc_stage_page_ranges(struct trc_source *from, unsigned page_bits,
                                         uint64_t *refs, struct trc_err *err) TRC_MUST_USE;

/* The same of a trace of addresses and sizes, with the bytes that a row has in its first page in
 * column addr, and above bit 32 those in its last. */
struct trc_source *trc_stage_page_requests(struct trc_source *from, unsigned page_bits,
                                           uint64_t *refs, struct trc_err *err) TRC_MUST_USE;

/* Returns how many of the next `most` rows from `from` on are events, or touch a single page. */
size_t trc_page_rows(const struct trc_batch *b, size_t from, size_t most);

/* Merges consecutive references to the same page of the same space and task into one, which has the
 * times of the first, and is a write if any of them is. A trace that was reduced for windows loses
 * that guarantee; one with no other guarantee is refused, if need be at its end. */
struct trc_source *trc_stage_block(struct trc_source *from, struct trc_err *err) TRC_MUST_USE;

/* Returns true if two consecutive rows may be merged so. Events and deletes never are. */
bool trc_same_page(const struct trc_batch *a, size_t i, const struct trc_batch *b, size_t k);

/* Turns *meta into that of a trace with merged references. These may have been far apart in time,
 * so it is not exact for working sets any more. */
int trc_meta_merged(struct trc_meta *meta, struct trc_err *err) TRC_MUST_USE;

/* Which pages are the same page, and which compete for one memory. */
struct trc_scope {
	bool canonical; /* column cpn names pages, in whatever space they are */
	bool by_space;  /* each space has a memory of its own */
	uint64_t sets;  /* number of memories, a power of two, chosen by page mod sets; 0: one */
};

/* Finds the outcome of each conditional branch with TRC_BRANCH_UNKNOWN from what its task fetches
 * next. It is taken if that is its target, which `of` decodes from the instruction word; with `of`
 * NULL, if that is anything but the next instruction. The outcome stays unknown for the last branch
 * of a task, for one after which the kernel went elsewhere or 2^16 rows of other tasks follow, and
 * for all where fetches were left out (TRC_FETCHED_GAPS). The number of these is a caveat of the
 * meta. A trace without branches or fetches is returned as it is. */
struct trc_source *trc_stage_outcomes(struct trc_source *from, trc_annotate_fn *of,
                                      struct trc_err *err) TRC_MUST_USE;

/* Adds or replaces column branch from the path alone, for which sizes of fetches have to be known:
 * an instruction after which its task once continued elsewhere is a branch from then on
 * (branch/path.h). Where the path is not known (see above), a branch has TRC_BRANCH_UNKNOWN.
 * Caveats of the meta count these; branches passed before they were recognised; and branches whose
 * kind is known and unknown. If `of` is not NULL and decodes the word of a fetch, that instruction
 * keeps its column branch, and only its outcome is found. Refuses a trace that lacks rows. */
struct trc_source *trc_stage_path(struct trc_source *from, trc_annotate_fn *of,
                                  struct trc_err *err) TRC_MUST_USE;

/* Computes columns branch and regs from instruction words. `needs`: other columns that decoding
 * them needs. Outcomes of conditional branches come from the trace's own column branch if there is
 * one, else they are found as above. A fetch without a word that decodes to an instruction of its
 * size has no registers, and keeps its column branch or gets that of the path. Caveats count such
 * fetches, branches by the source of their kind, and instructions with too many registers. */
struct trc_source *trc_stage_annotate(struct trc_source *from, trc_annotate_fn *annotate,
                                      uint32_t needs, struct trc_err *err) TRC_MUST_USE;

/* What a reduced trace has to be exact for. */
struct trc_reduction {
	uint64_t r;      /* memories of at least this many pages; 0: none */
	uint64_t window; /* working sets and VMIN of at least this window; 0: none */
	uint64_t clock;  /* that `window` is in: TRC_COL_RTIME, TRC_COL_ITIME or TRC_COL_TIME */
	bool lru_only;   /* exact for LRU only, not for OPT */
	bool part;       /* the trace continues an earlier part: keep what that may need */
	struct trc_scope scope;
};

/* SAD reduction (Kaplan, Smaragdakis, Wilson, SIGMETRICS 1999) of a trace of pages: drops the
 * middle one of three references to a page where that changes nothing for the memories and windows
 * of *how, which has r or window or both. A trace may be reduced in parts, all but the first with
 * how->part: the concatenated results, reduced again, are the reduced whole. */
struct trc_source *trc_stage_drop(struct trc_source *from, const struct trc_reduction *how,
                                  struct trc_err *err) TRC_MUST_USE;

/* The same as trc_stage_page(), with `block` trc_stage_block(), and trc_stage_drop() in a row, to
 * the last time stamp, on `threads` threads. Only if trc_drop_has_chunks() returns true: not for
 * windows, nor for a trace that states only at its end how it was reduced. */
struct trc_source *trc_stage_drop_chunks(struct trc_source *from, unsigned page_bits, bool block,
                                         const struct trc_reduction *how, int threads,
                                         uint64_t *refs, struct trc_err *err) TRC_MUST_USE;
bool trc_drop_has_chunks(const struct trc_source *from, const struct trc_reduction *how);

/* OLR-S reduction of a trace of pages: the shortest subsequence that is exact for LRU memories of
 * at least how->r pages; not for OPT. Holds the records between up to r + 1 faults in memory, about
 * r for each. */
struct trc_source *trc_stage_olr(struct trc_source *from, const struct trc_reduction *how,
                                 struct trc_err *err) TRC_MUST_USE;

/* Estimates from a sample, known at its end. */
struct trc_sampled {
	uint64_t pages; /* estimated distinct pages of the whole: those sampled, times one_in */
	double error;   /* relative standard error of that */
};

/* Keeps all references to one page in `one_in`, chosen by a hash of its number, of a trace of
 * pages. The meta records that results are estimates. *sampled must outlive the stage. */
struct trc_source *trc_stage_sample(struct trc_source *from, uint64_t one_in, bool canonical,
                                    struct trc_sampled *sampled, struct trc_err *err) TRC_MUST_USE;

/* A trace to merge with others. */
struct trc_merging {
	struct trc_source *src;
	const char *name; /* for messages; must outlive the stage */
	size_t rows;      /* most rows of a batch that is pulled from it */
};

/* Merges traces in order of column `clock`, time or rtime. At the same time, events come before
 * references; then the reference time decides, if there is one, then the order of `from`. By
 * reference time the inputs are parts of one trace, so the same time twice is an error. All inputs
 * have the same columns, except that of events, and except inputs of events alone, whose other
 * columns are zeros. The meta combines what is known about all. Refuses traces that were reduced
 * separately, if need be at their end. Takes ownership of all `n` sources. */
struct trc_source *trc_stage_merge(const struct trc_merging *from, size_t n, enum trc_column clock,
                                   struct trc_err *err) TRC_MUST_USE;

/* Adds to each reference its task, its page (of 2^page_bits bytes) and its canonical page, and its
 * reference time if it has none. Follows the kernel events of the trace in `spaces`, which must
 * outlive the stage. References by the kernel have task 0. */
struct trc_spaces;
struct trc_source *trc_stage_canonical(struct trc_source *from, unsigned page_bits,
                                       struct trc_spaces *spaces, struct trc_err *err) TRC_MUST_USE;

/* Returns a sink that counts, in pages of 2^page_bits bytes, and fills in *counts, which must
 * outlive it, when it finishes. */
struct trc_sink *trc_counts_sink(struct trc_counts *counts, unsigned page_bits,
                                 struct trc_err *err) TRC_MUST_USE;

#endif
