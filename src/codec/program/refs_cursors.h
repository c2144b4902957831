/* SPDX-License-Identifier: MIT
 *
 * How the addresses of each slot come out in a block: a cursor for each, set from the streams
 * (codec/program/refs.h) once the walk has counted how often each slot is passed, and so where in
 * the streams it begins.
 */
#ifndef TRC_CODEC_PROGRAM_REFS_CURSORS_H
#define TRC_CODEC_PROGRAM_REFS_CURSORS_H

#include "codec/program/successor_table.h"
#include "codec/program/refs_runs.h"

/* The next address of a slot as its predictor has it. As little as can be, since each data
 * reference needs one, and large programs have many. */
struct trc_cursor {
	uint64_t residual; /* of a constant slot */
	uint32_t other;    /* its place among the others */
	uint16_t row;      /* of one that stands for a place: in its run */
	int8_t base;       /* of one that is constant to a data reference: -1 is the last */
	bool is_other;     /* neither that nor a constant */
};

_Static_assert(TRC_RUN_ROWS <= UINT16_MAX, "a row of a run has 16 bits");

/* What a slot of mode self, or one that varies, has beside: the state of its predictor. */
struct trc_other {
	const uint8_t *token, *literal; /* its next; NULL: it is constant */
	uint64_t last;                  /* address; of mode self: the base */
	int8_t base;                    /* the data reference that it is, or 0 */
	bool self, begins;              /* mode self: `last` is the next address itself */
	uint8_t left, right;            /* by how much the base is shifted */
	struct trc_residual_order residuals;
	struct trc_successor_table successor;
	bool absolute; /* what its literals are */
};

/* The cursors of all slots of a block. Zeroed memory is none. New. */
struct trc_cursors {
	uint32_t *count;           /* references of each slot, right if their sum is */
	struct trc_cursor *cursor; /* of each slot */
	struct trc_cursor *stop;   /* that of each place, in the order in which they are needed */
	struct trc_other *other;
	struct trc_successor_entry *entry; /* of all successor tables */
	size_t count_cap, cursor_cap, stop_cap, others, other_cap, entries, entry_cap;
	bool wide; /* literals of 8 bytes */
};

/* Sets the cursors of a block of `rows` rows that was walked through. Its program had `old_slots`
 * slots before its growth. Damage is found here: what begins well ends well. */
int trc_cursors_set(struct trc_cursors *c, const struct trc_walk *w, const struct trc_refs *refs,
                    size_t old_slots, uint64_t rows, struct trc_err *err) TRC_MUST_USE;

void trc_cursors_release(struct trc_cursors *c);

#endif
