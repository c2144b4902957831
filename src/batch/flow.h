/* SPDX-License-Identifier: MIT
 *
 * The flow of batches: pulled from a source, pushed to a sink, connected by one loop.
 *
 *   Many into one is a source, one into many is a sink. Everything between is a stage, which is a
 *   source around another source. One loop, trc_pump(), connects them.
 *
 * Ownership. Whoever opens closes. A stage takes over the source it wraps if its open succeeds,
 * and leaves it untouched if it fails; so a command cleans up one source and one sink. The batch
 * to fill belongs to the caller of trc_source_next(); a source keeps no pointer to it.
 */
#ifndef TRC_BATCH_FLOW_H
#define TRC_BATCH_FLOW_H

#include "base/state.h"
#include "batch/batch.h"
#include "batch/guarantee.h"
#include "batch/provenance.h"

/* Missing rows [first, first + rows) of a trace. */
struct trc_gap {
	uint64_t first, rows; /* or one of the constants below */
	const char *of;       /* which of several merged traces; NULL: there is only one */
};

/* A fact about a trace that can be copied without being understood. */
struct trc_fact {
	uint64_t number, value;
};

/* A warning for users about some rows of a trace, complete at its end. */
struct trc_caveat {
	const char *text; /* NULL: none */
	uint64_t rows;
	uint32_t columns; /* relevant to readers of one of these; 0: to all */
};

enum { TRC_CAVEATS = 16 };

enum { TRC_FACTS_COPIED = 8, TRC_COPIED_MOST = 1 << 20 }; /* number of facts; bytes of frames */

#define TRC_GAP_REST UINT64_MAX /* all rows that followed, an unknown number */
#define TRC_GAP_UNKNOWN 0       /* an unknown number; later rows are numbered as if it were 0 */

/* What is known about a trace besides its rows. Some of it may be complete only when the source has
 * ended, so sinks get it again at their end. */
struct trc_meta {
	char format[16];    /* the text format it was made from and decodes to; "": none */
	uint32_t page_bits; /* log2 of the page size in bytes; 0: unknown */

	struct trc_guarantee guarantee; /* what the trace is exact for, if it was reduced */

	uint64_t rows;      /* as the file itself counts them, before any stage; 0: it does not */
	bool joined;        /* several traces, one after another */
	bool totals;        /* the next three are known; for a part, they describe the whole */
	uint64_t refs;      /* in the original trace */
	uint64_t insns;     /* instruction fetches in the original trace */
	uint64_t last_time; /* time in cycles of the last reference in the original trace */
	uint64_t touches;   /* page touches by these references; 0: equal to refs, or unknown */

	struct trc_view provenance; /* a list (batch/provenance.h), owned by the source */

	/* Data of unknown meaning that containers copy: facts; and frames, each with its kind (a
	 * byte), its number, its length and its payload. The bytes belong to the source. */
	struct trc_fact fact[TRC_FACTS_COPIED];
	size_t facts;
	struct trc_view copied;

	/* Rows that a salvaged trace lacks; the array belongs to the source. */
	const struct trc_gap *gap;
	size_t gaps;
	uint64_t repaired; /* damaged sectors of the file that parity restored */
	bool cut;          /* the file was cut: traces that were joined to it may be missing */
	unsigned unended;  /* known at the end: TRC_UNENDED and so on, not 0 without a footer */

	struct trc_caveat caveat[TRC_CAVEATS]; /* known at the end */
};

/* Adds the rows of one warning to those in `caveat`, an array of TRC_CAVEATS. */
void trc_caveat_add(struct trc_caveat *caveat, const struct trc_caveat *more);

/* Returns true if the two traces can be joined into one, by their headers or indexes. */
bool trc_meta_alike(const struct trc_meta *a, const struct trc_meta *b);

/* Joins the metadata of two traces, the second after the first. The format stays that of the
 * first. */
void trc_meta_join(struct trc_meta *meta, const struct trc_meta *next);

/* Adds the gaps of `from`, the metadata of the input named `of`, to those of *meta, which are in
 * the caller's array *gap with room for *cap. */
int trc_meta_add_gaps(struct trc_meta *meta, const struct trc_meta *from, const char *of,
                      struct trc_gap **gap, size_t *cap, struct trc_err *err) TRC_MUST_USE;

/* Changes *meta to that of a part of the trace: how it was reduced stays, its totals are
 * removed. */
void trc_meta_excerpt(struct trc_meta *meta);

/* Changes *meta to that of rows selected by their content. Totals are removed, but those of a
 * reduced trace stay: they identify its parts when these are merged again. */
void trc_meta_filtered(struct trc_meta *meta);

/* Returns true if the totals are known and describe exactly these rows. */
bool trc_meta_own_totals(const struct trc_meta *meta);

/* Returns the page touches by the references of the original trace; 0: unknown. */
static inline uint64_t
trc_meta_touches(const struct trc_meta *meta)
{
	return meta->touches ? meta->touches : meta->refs;
}

/* Fails for a cut file of which `rows` rows are left; returns -1. */
int trc_meta_fail_cut(const char *name, uint64_t rows, struct trc_err *err);

enum trc_flow {
	TRC_FLOW_FAILED = -1,
	TRC_FLOW_END,  /* there are no more rows */
	TRC_FLOW_ROWS, /* there is at least one row */
};

struct trc_index; /* batch/index.h */
struct trc_source;

/* How a source skips rows without reading them, and what it knows in advance. A function is NULL if
 * it would save nothing or is not supported. */
struct trc_seekable {
	/* Skips the next `rows` rows, or all that are left. */
	int (*skip)(struct trc_source *src, uint64_t rows, struct trc_err *err);

	/* Limits the source to the next `rows` rows after skip(): it need not deliver more. */
	void (*limit)(struct trc_source *src, uint64_t rows);

	/* Announces that only rows with times in [first, last] are needed. The source skips what it
	 * can without reading it, but may still deliver others. */
	int (*within)(struct trc_source *src, uint64_t first, uint64_t last, struct trc_err *err);

	/* If only the end of a file was cut, lets the source end normally with this in its meta,
	 * for the caller to report. Without this call, it fails after the last row. */
	void (*give_cut)(struct trc_source *src);

	/* Sets *index, which the source owns; NULL if this input has none. */
	int (*index)(struct trc_source *src, const struct trc_index **index, struct trc_err *err);
};

/* A slice of a source: consecutive rows. One thread at a time takes a slice; any thread then makes
 * its rows, a batch at a time, while others take and make other slices. Zeroed memory is an empty
 * slice for one source, which must outlive it. A slice can be reused; releasing frees its
 * memory. */
struct trc_slice {
	uint64_t lines;             /* lines or records that its rows were made from so far */
	uint64_t before;            /* those before the slice, as far as known, for messages */
	bool again;                 /* request: make its rows again from the first one */
	void *own;                  /* the source's: state for making the rows */
	void (*release)(void *own); /* frees `own` */
};

void trc_slice_release(struct trc_slice *slice);

/* How a source is divided: after the rows that next() delivered, the rest is taken in slices. Meta
 * does not change. */
struct trc_sliceable {
	/* Takes a slice of about the next `want` rows. */
	enum trc_flow (*take)(struct trc_source *src, size_t want, struct trc_slice *slice,
	                      struct trc_err *err);

	/* Makes the rows of a slice, as next() would. Any thread may call it, but only one at a
	 * time for a slice. */
	enum trc_flow (*parse)(struct trc_source *src, struct trc_slice *slice, struct trc_batch *b,
	                       struct trc_err *err);

	/* Estimates how many rows are not taken yet; 0: unknown. NULL: always unknown. */
	uint64_t (*left)(const struct trc_source *src);
	bool copies; /* taking costs time, for example to copy bytes */

	/* If not 0, the input itself consists of slices of any size, which replace next() from the
	 * first row on. Only `at_once` slices can be made at a time, and none may be further than
	 * that from the first unfinished one. prepare() returns when the rows of a slice can be
	 * made without further waiting; all threads that wait in it may share that work. */
	size_t at_once;
	void (*prepare)(struct trc_source *src, const struct trc_slice *slice);
};

/* Properties of the instruction fetches of a trace, as bits. */
enum trc_fetched {
	TRC_FETCHED_GAPS = 1, /* some fetches were left out, but not those after them */
	TRC_FETCHED_OUTCOMES =
	        2,             /* outcomes of branches are to be found (stage/branch/outcomes.c) */
	TRC_FETCHED_MIXED = 4, /* several threads take turns, without column task */
};

/* A source of rows. Unsupported functions are NULL. */
struct trc_source {
	uint32_t have;    /* columns, fixed when the source is opened */
	uint32_t spare;   /* columns that a stage added only in case they are wanted */
	bool meta_at_end; /* the needed part of meta may be complete only after the last row */
	unsigned fetched; /* enum trc_fetched */
	struct trc_meta meta;
	enum trc_flow (*next)(struct trc_source *src, struct trc_batch *b, struct trc_err *err);
	void (*close)(struct trc_source *src);
	const struct trc_seekable *seek;
	const struct trc_sliceable *slices; /* NULL: what bytes mean depends on earlier ones */
};

/* Opens a source without rows, of a trace with the columns `have`. */
struct trc_source *trc_source_none(uint32_t have, const struct trc_meta *meta,
                                   struct trc_err *err) TRC_MUST_USE;

/* Fill `b`, whose columns must be exactly src->have, with the next rows, or those of a slice.
 * trc_source_take() takes a slice. */
enum trc_flow trc_source_next(struct trc_source *src, struct trc_batch *b,
                              struct trc_err *err) TRC_MUST_USE;
enum trc_flow trc_source_take(struct trc_source *src, size_t want, struct trc_slice *slice,
                              struct trc_err *err) TRC_MUST_USE;
enum trc_flow trc_source_parse(struct trc_source *src, struct trc_slice *slice, struct trc_batch *b,
                               struct trc_err *err) TRC_MUST_USE;
void trc_source_close(struct trc_source *src);

/* trc_source_index() sets *index; NULL: there is none. trc_source_provenance() returns what is
 * known before the first row: of a container, from its index. trc_source_left() returns about how
 * many rows are not taken yet, or 0. */
int trc_source_index(struct trc_source *src, const struct trc_index **index,
                     struct trc_err *err) TRC_MUST_USE;
struct trc_view trc_source_provenance(struct trc_source *src);
uint64_t trc_source_left(const struct trc_source *src);

struct trc_sink;

/* How several threads can put rows, each into a sink of its own. */
struct trc_apart {
	/* Opens another such sink for another thread, which marks it as `partial`. */
	struct trc_sink *(*clone)(struct trc_sink *sink, struct trc_err *err);

	/* Adds the rows of a clone, which is empty afterwards. If putting them failed in the clone
	 * and would have failed here as well, fails in the same way, after the rows before. */
	int (*absorb)(struct trc_sink *sink, struct trc_sink *clone, struct trc_err *err);

	bool in_order; /* absorb() must follow the order of the rows; false: any order */
};

/* A sink of rows. Unsupported functions are NULL. */
struct trc_sink {
	int (*put)(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err);
	int (*finish)(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err);
	void (*close)(struct trc_sink *sink);

	const struct trc_apart *apart; /* NULL: all rows must be put here, in order */

	/* For answers that shards can compute (cmd/shard/shard.h): saves the state instead of
	 * finish(), or restores a state of later rows, as if they had been put here. NULL: shards
	 * cannot compute this answer. */
	void (*state)(struct trc_sink *sink, struct trc_state *s);

	/* Set by the code that opened the sink, before any row. `partial`: the state will be saved,
	 * and the sink not finished. `counted`: the time columns that count from the first row of
	 * this sink instead of that of the trace. */
	bool partial;
	uint64_t pages; /* if partial: pages in its state, which joining depends on; 0: few */
	uint32_t counted;

	struct trc_caveat caveat[TRC_CAVEATS]; /* about what it wrote, after finish() */
};

/* Passes these settings on to a sink to which it gives its rows. */
static inline void
trc_sink_inherit(const struct trc_sink *sink, struct trc_sink *inner)
{
	inner->partial = sink->partial;
	inner->counted = sink->counted;
}

/* trc_sink_save() appends the state of a sink that is kept to `to`; after that it can only be
 * closed. trc_sink_append() adds all rows in such a state. */
int trc_sink_save(struct trc_sink *sink, struct trc_buf *to, struct trc_err *err) TRC_MUST_USE;
int trc_sink_append(struct trc_sink *sink, struct trc_view from, struct trc_err *err) TRC_MUST_USE;

int trc_sink_put(struct trc_sink *sink, const struct trc_batch *b,
                 struct trc_err *err) TRC_MUST_USE;

/* Finishes the sink after all rows. It may fail, for example if the disk is full. */
int trc_sink_finish(struct trc_sink *sink, const struct trc_meta *meta,
                    struct trc_err *err) TRC_MUST_USE;
void trc_sink_close(struct trc_sink *sink);

/* Called after each batch; NULL: not called. Returning -1 ends the pump. */
struct trc_watch {
	int (*batch)(struct trc_watch *w, size_t rows, struct trc_err *err);
};

/* Moves up to `batches` batches from `src` to `sink`; returns TRC_FLOW_ROWS if there may be
 * more. */
enum trc_flow trc_pump_some(struct trc_source *src, struct trc_sink *sink, size_t rows,
                            uint64_t batches, struct trc_watch *watch,
                            struct trc_err *err) TRC_MUST_USE;

/* Moves everything from `src` to `sink`, `rows` rows at a time, and finishes the sink. Only the
 * calling thread calls the watch. */
int trc_pump(struct trc_source *src, struct trc_sink *sink, size_t rows, struct trc_watch *watch,
             struct trc_err *err) TRC_MUST_USE;

#endif
