/* SPDX-License-Identifier: MIT
 *
 * How batches flow: pulled from a source, pushed to a sink, joined by one loop.
 *
 *   Many into one is a source. One into many is a sink. Everything between is a stage, which is a
 *   source around another source. One loop, trc_pump(), joins them.
 *
 * Ownership. Whoever opens closes. A stage takes over the source it wraps when its open succeeds,
 * and leaves it untouched when it fails; so a command cleans up one source and one sink. The batch
 * that is filled belongs to the caller of trc_source_next(); a source keeps no pointer to it.
 */
#ifndef TRC_BATCH_FLOW_H
#define TRC_BATCH_FLOW_H

#include "base/state.h"
#include "batch/batch.h"
#include "batch/guarantee.h"
#include "batch/provenance.h"

/* Rows [first, first + rows) of a trace. */
struct trc_gap {
	uint64_t first, rows; /* or one of these: */
	const char *of;       /* which trace, of several that were merged; NULL: the only one */
};

/* A fact about a trace that a reader need not know to copy it. */
struct trc_fact {
	uint64_t number, value;
};

/* What is not as it seems in some rows of a trace, for users: known when all came. */
struct trc_caveat {
	const char *text; /* NULL: none */
	uint64_t rows;
	uint32_t columns; /* of interest to who reads one of these; 0: to all */
};

enum { TRC_CAVEATS = 10 };

enum { TRC_FACTS_COPIED = 8, TRC_COPIED_MOST = 1 << 20 }; /* facts; bytes of frames */

#define TRC_GAP_REST UINT64_MAX /* all that followed, an unknown number */
#define TRC_GAP_UNKNOWN 0       /* an unknown number; rows behind it are counted as if none */

/* What is known of a trace besides its rows. Some of it may be known only when the source has
 * ended: sinks get it again at their end. */
struct trc_meta {
	char format[16];    /* the text format that the trace came from, and decodes to; "": none */
	uint32_t page_bits; /* log2 of the page size in bytes; 0: not known */

	struct trc_guarantee guarantee; /* what the trace is exact for, if it was reduced */

	uint64_t rows;      /* by the file's own count, whatever stages did since; 0: it has none */
	bool joined;        /* it was several traces, one behind the other */
	bool totals;        /* the three below are known; where this is a part, of the whole: */
	uint64_t refs;      /* references of the original trace */
	uint64_t insns;     /* instruction fetches of the original trace */
	uint64_t last_time; /* cycle time of its last reference */
	uint64_t touches;   /* of pages, by these references; 0: as many, or not known */

	struct trc_view provenance; /* a list of batch/provenance.h; its bytes are the source's */

	/* What nobody here knows and containers copy: facts; frames, each its kind (a byte), its
	 * number, its length and its payload, in bytes that are the source's. */
	struct trc_fact fact[TRC_FACTS_COPIED];
	size_t facts;
	struct trc_view copied;

	/* Rows that a salvaged trace lacks; the array is the source's. */
	const struct trc_gap *gap;
	size_t gaps;
	uint64_t repaired; /* sectors of its file that were damaged, and could be computed anew */
	bool cut;          /* its file was cut: others that were joined to it may be gone */
	bool unended;      /* known at its end: no newline, or no footer, ends it */

	struct trc_caveat caveat[TRC_CAVEATS]; /* known at its end */
};

/* Adds to `caveat`, TRC_CAVEATS of them, that it holds for so many rows more. */
void trc_caveat_add(struct trc_caveat *caveat, const struct trc_caveat *more);

/* True if one trace can be made of two, by their headers or their indexes. */
bool trc_meta_alike(const struct trc_meta *a, const struct trc_meta *b);

/* What is known of two traces, the second behind the first, whose format stands. */
void trc_meta_join(struct trc_meta *meta, const struct trc_meta *next);

/* Makes *meta that of a part of the trace: how that was reduced stays, what it had in all goes. */
void trc_meta_part(struct trc_meta *meta);

/* Makes *meta that of rows chosen by their content. As above, but the totals of a reduced trace
 * stay: by them its parts are recognised when they are merged again. */
void trc_meta_share(struct trc_meta *meta);

/* True if the totals are known, and of these rows alone. */
bool trc_meta_own_totals(const struct trc_meta *meta);

/* Touches of pages by the references of the original trace, as far as is known. */
static inline uint64_t
trc_meta_touches(const struct trc_meta *meta)
{
	return meta->touches ? meta->touches : meta->refs;
}

/* The error of a file that was cut, of which `rows` rows are left; returns -1. */
int trc_meta_fail_cut(const char *name, uint64_t rows, struct trc_err *err);

enum trc_flow {
	TRC_FLOW_FAILED = -1,
	TRC_FLOW_END,  /* no rows came, none will */
	TRC_FLOW_ROWS, /* at least one row came */
};

struct trc_index; /* batch/index.h */
struct trc_source;

/* What leaves out rows before any is read, and what is known without reading them. Each is NULL
 * where it saves nothing, or there is none. */
struct trc_seekable {
	/* Leaves out the next `rows` rows, or all that are left. */
	int (*skip)(struct trc_source *src, uint64_t rows, struct trc_err *err);

	/* Called behind skip(): only the next `rows` rows will be used, and the source may leave
	 * out the others. */
	void (*limit)(struct trc_source *src, uint64_t rows);

	/* Rows whose time is not in [first, last] will not be used. The source leaves out what it
	 * can without reading it, and may give the others all the same. */
	int (*within)(struct trc_source *src, uint64_t first, uint64_t last, struct trc_err *err);

	/* Where only the end of a file was cut, the source ends as if it were there, its meta has
	 * that, and the caller reports it. Where this is not called, that is an error behind the
	 * last row. */
	void (*give_cut)(struct trc_source *src);

	/* *index is the source's, or NULL if this input has none. */
	int (*index)(struct trc_source *src, const struct trc_index **index, struct trc_err *err);
};

/* A piece of a source: rows that come next, taken by one thread and made by any, a batch at a time,
 * while others are taken and made. Zeroed memory is an empty one, for one source, which must
 * outlive it; it may be taken into again and again; release frees. */
struct trc_piece {
	uint64_t lines;  /* or records, that its rows were made of so far: others count */
	uint64_t before; /* those in front, as far as they are known: for messages */
	bool again;      /* its rows are wanted again, from the first one on */
	void *own;       /* of the source: what making its rows takes */
	void (*release)(void *own); /* frees that */
};

void trc_piece_release(struct trc_piece *piece);

/* How a source is taken apart: behind rows that next() gave, into pieces from where these ended on.
 * Meta stays as it is. */
struct trc_sliceable {
	/* A piece of about the next `want` rows. */
	enum trc_flow (*take)(struct trc_source *src, size_t want, struct trc_piece *piece,
	                      struct trc_err *err);

	/* The rows of a piece, as next() gives them, on any thread, but for one piece on one. */
	enum trc_flow (*parse)(struct trc_source *src, struct trc_piece *piece, struct trc_batch *b,
	                       struct trc_err *err);

	/* About how many rows are not yet taken; 0: not known; NULL: never. */
	uint64_t (*left)(const struct trc_source *src);
	bool copies; /* taking is work, one thread's, such as copying bytes */

	/* If not 0, pieces are what the input consists of, of any size, instead of next() from its
	 * first row on, and only so many can be made at a time, none further behind the first of
	 * them than that. prepare() returns when nothing is to be done before the rows of a piece;
	 * all threads that wait for it may work on that. */
	size_t at_once;
	void (*prepare)(struct trc_source *src, const struct trc_piece *piece);
};

/* What is to be known of the instructions that tasks fetched, as bits. */
enum trc_fetched {
	TRC_FETCHED_GAPS = 1,     /* some are left out, with others behind them */
	TRC_FETCHED_OUTCOMES = 2, /* of branches are to be found by it (stage/branch/outcomes.c) */
};

/* A source of rows. What it does not have is NULL. */
struct trc_source {
	uint32_t have;    /* fixed when the source is opened */
	uint32_t spare;   /* of these, what a stage computed in case that someone wants it */
	bool meta_at_end; /* what is wanted of meta may be known only behind its last row */
	unsigned fetched; /* enum trc_fetched */
	struct trc_meta meta;
	enum trc_flow (*next)(struct trc_source *src, struct trc_batch *b, struct trc_err *err);
	void (*close)(struct trc_source *src);
	const struct trc_seekable *seek;
	const struct trc_sliceable *slices; /* NULL: what bytes mean depends on those before */
};

/* A source without rows, of a trace with the columns `have`. */
struct trc_source *trc_source_none(uint32_t have, const struct trc_meta *meta,
                                   struct trc_err *err) TRC_MUST_USE;

/* Fills `b`, whose columns are exactly src->have, with the next rows. */
enum trc_flow trc_source_next(struct trc_source *src, struct trc_batch *b,
                              struct trc_err *err) TRC_MUST_USE;
enum trc_flow trc_source_take(struct trc_source *src, size_t want, struct trc_piece *piece,
                              struct trc_err *err) TRC_MUST_USE;
enum trc_flow trc_source_parse(struct trc_source *src, struct trc_piece *piece, struct trc_batch *b,
                               struct trc_err *err) TRC_MUST_USE;
void trc_source_close(struct trc_source *src);

/* The index; *index = NULL where there is none. And rows that are not yet taken, or 0. */
int trc_source_index(struct trc_source *src, const struct trc_index **index,
                     struct trc_err *err) TRC_MUST_USE;
uint64_t trc_source_left(const struct trc_source *src);

struct trc_sink;

/* How threads put rows apart, each into a sink of its own. */
struct trc_apart {
	/* Opens another such sink, for another thread, which is kept. */
	struct trc_sink *(*clone)(struct trc_sink *sink, struct trc_err *err);

	/* Adds what a clone got, which has nothing then. If that failed when it was put, and put()
	 * here would have failed as well, fails as that would have, behind the rows in front. */
	int (*absorb)(struct trc_sink *sink, struct trc_sink *clone, struct trc_err *err);

	bool in_order; /* absorb() is of rows that follow those that came; false: of any */
};

/* A sink of rows. What it does not have is NULL. */
struct trc_sink {
	int (*put)(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err);
	int (*finish)(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err);
	void (*close)(struct trc_sink *sink);

	const struct trc_apart *apart; /* NULL: all rows come here, in order */

	/* Where rows may be spread over processes (cmd/shard/shard.h): writes what came, instead of
	 * finish(); or reads such a state, of rows that follow those that came here, as if they had
	 * come. NULL: an answer cannot be had from parts. */
	void (*state)(struct trc_sink *sink, struct trc_state *s);

	/* Set by who opened it, before any row: it will be saved, not finished; and which columns
	 * of times count from the first row that comes here on, not from that of the trace. */
	bool kept;
	uint64_t pages; /* when it is: these are what its state is to be joined by; 0: little */
	uint32_t counted;

	struct trc_caveat caveat[TRC_CAVEATS]; /* of what it wrote, when it finished */
};

/* What was set of a sink is true of one that it gives its rows to. */
static inline void
trc_sink_inner(const struct trc_sink *sink, struct trc_sink *inner)
{
	inner->kept = sink->kept;
	inner->counted = sink->counted;
}

/* Appends the state of a sink that is kept to `to`: the last that is done but to close it. And
 * appends to what came all that is in such a state. */
int trc_sink_save(struct trc_sink *sink, struct trc_buf *to, struct trc_err *err) TRC_MUST_USE;
int trc_sink_append(struct trc_sink *sink, struct trc_view from, struct trc_err *err) TRC_MUST_USE;

int trc_sink_put(struct trc_sink *sink, const struct trc_batch *b,
                 struct trc_err *err) TRC_MUST_USE;

/* Called when all rows came. May fail: a full disk shows here. */
int trc_sink_finish(struct trc_sink *sink, const struct trc_meta *meta,
                    struct trc_err *err) TRC_MUST_USE;
void trc_sink_close(struct trc_sink *sink);

/* Called after each batch; NULL for none. Returning -1 ends the pump. */
struct trc_watch {
	int (*batch)(struct trc_watch *w, size_t rows, struct trc_err *err);
};

/* Moves up to `batches` batches from `src` to `sink`; TRC_FLOW_ROWS: there may be more. */
enum trc_flow trc_pump_some(struct trc_source *src, struct trc_sink *sink, size_t rows,
                            uint64_t batches, struct trc_watch *watch,
                            struct trc_err *err) TRC_MUST_USE;

/* Moves everything from `src` to `sink`, `rows` rows at a time, and finishes the sink. The watch is
 * called by the calling thread only. */
int trc_pump(struct trc_source *src, struct trc_sink *sink, size_t rows, struct trc_watch *watch,
             struct trc_err *err) TRC_MUST_USE;

#endif
