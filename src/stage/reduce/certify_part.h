/* SPDX-License-Identifier: MIT
 *
 * What the files of certifying share: the sink, and what it leaves open where a part of a
 * trace begins.
 */
#ifndef TRC_STAGE_REDUCE_CERTIFY_PART_H
#define TRC_STAGE_REDUCE_CERTIFY_PART_H

#include "stage/reduce/certify.h"
#include "stage/reduce/twins.h"

/* The stamps of a record, and where they can come from: the original, or what formats write that
 * have a place for a time which the trace does not have. */
enum trc_certify_stamp { TRC_CERTIFY_CYCLE, TRC_CERTIFY_INSN, TRC_CERTIFY_STAMPS };
enum trc_certify_from { TRC_CERTIFY_ORIGINAL = 1, TRC_CERTIFY_MADE_UP = 2 };

/* A reference whose comparison needs what is in front of the part, or one that needs nothing. */
struct trc_certify_wait {
	uint64_t rtime;
	uint32_t id;
	bool kept, write, kept_write;
	struct trc_twins_event e[TRC_TWINS];

	/* If not 0: the first whose stamp is from there, which none before may have other ones. */
	enum trc_certify_from from;
	enum trc_certify_stamp stamp;
	uint64_t original, reduced;
};

/* The sink. */
struct trc_certify {
	struct trc_sink sink;
	struct trc_certificate *c;
	struct trc_certify_part part;
	struct trc_twins twins;
	bool spaces; /* are named in messages */
	uint32_t id[TRC_BATCH_ROWS];
	unsigned from[TRC_CERTIFY_STAMPS]; /* bits, of all records so far */

	/* The reduced trace; NULL: there is none where parts are joined. */
	struct trc_source *source;
	struct trc_batch in; /* rows of it; those from `at` on still wait */
	uint32_t in_id[TRC_BATCH_ROWS];
	size_t at;

	/* Of it: how many records are in front of the one that waits, and that, if not `ended`. */
	uint64_t record, deletes; /* deletes: how many both have */
	bool ended;
	struct {
		uint64_t rtime, page;
		uint32_t space;
	} waiting;

	/* Of the rows that came, if any: their first and last reference, and how many records are
	 * in front of the first that can be one of these. */
	bool any;
	uint64_t first, last, first_record;

	bool joined; /* states were appended */
	char *why;   /* where they part, which is kept; NULL: nowhere yet */
	struct trc_certify_wait *wait;
	size_t waits, waits_cap;
};

/* Flags of a state, of what waits in it, and of events. */
enum trc_certify_flag {
	TRC_PART_FIRST = 1,
	TRC_PART_ANY = 2,
	TRC_PART_ENDED = 4,
	TRC_PART_SPACES = 8,
	TRC_PART_BY_SPACE = 16,
	TRC_PART_CANONICAL = 32,
	TRC_PART_TOTALS = 64,
	TRC_PART_COUNTED = 128,
	TRC_PART_FLAGS_MOST = 255,
};

enum trc_certify_wait_flag {
	TRC_PART_KEPT = 1,
	TRC_PART_WRITE = 2,
	TRC_PART_KEPT_WRITE = 4,
	TRC_PART_STAMP = 8,
	TRC_PART_WAIT_MOST = 15
};
enum trc_certify_event_flag {
	TRC_PART_OPEN = 1,
	TRC_PART_FAULT = 2,
	TRC_PART_DIRTY = 4,
	TRC_PART_DIRTY_OPEN = 8,
	TRC_PART_VICTIM = 16,
	TRC_PART_EVENT_MOST = 31
};

int trc_certify_save(struct trc_sink *sink, struct trc_buf *state, struct trc_err *err);
int trc_certify_append(struct trc_sink *sink, struct trc_view *state, struct trc_err *err);

/* Makes the next record wait, if there is one. */
int trc_certify_pull(struct trc_certify *s, struct trc_err *err);

/* Has more records wait, unless there are none; and numbers the pages of rows. */
int trc_certify_fetch(struct trc_certify *s, struct trc_err *err);
int trc_certify_number(struct trc_certify *s, const struct trc_batch *b, uint32_t *id,
                       struct trc_err *err);

/* They part there: at a reference to a page, at the record that waits, at a stamp. */
TRC_PRINTF(5, 6)
int trc_certify_fail_at(struct trc_certify *s, uint64_t rtime, uint32_t id, struct trc_err *err,
                        const char *fmt, ...);
int trc_certify_fail_waiting(struct trc_certify *s, struct trc_err *err);
int trc_certify_fail_stamp(struct trc_certify *s, const struct trc_certify_wait *w,
                           struct trc_err *err);

/* Compares the events of a reference, or has it wait for what they leave open. */
int trc_certify_events(struct trc_certify *s, const struct trc_certify_wait *w,
                       struct trc_err *err);

int trc_certify_wait(struct trc_certify *s, const struct trc_certify_wait *w, struct trc_err *err);

/* Keeps the reason of a failure, if it is that they part; else fails. */
int trc_certify_keep(struct trc_certify *s, struct trc_err *err);

/* They part at the end: by what the reduced trace has of the original in all; by a page that is
 * dirty in one of them only, the lowest. */
int trc_certify_totals(struct trc_certify *s, const struct trc_meta *meta, struct trc_err *err);
int trc_certify_dirty(struct trc_certify *s, struct trc_err *err);

#endif
