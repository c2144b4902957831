/* SPDX-License-Identifier: MIT
 *
 * The state from which the addresses of each slot are decoded in a block: a cursor per slot, set
 * from the streams (codec/program/refs.h) after the walk has counted how often each slot is passed,
 * and thus where it begins in the streams.
 */
#ifndef TRC_CODEC_PROGRAM_REFS_CURSORS_H
#define TRC_CODEC_PROGRAM_REFS_CURSORS_H

#include "codec/program/successor_table.h"
#include "codec/program/refs_runs.h"

/* The predictor of the next address of a slot. It is as small as possible, because each data
 * reference needs one, and large programs have many. */
struct trc_cursor {
	uint64_t residual; /* if the slot is constant */
	uint32_t other;    /* its index in `other` */
	uint16_t row;      /* if it stands for a place: its row in the run */
	int8_t base;       /* if it is constant relative to a data reference: -1 is the last one */
	bool is_other;     /* neither of these; see `other` */
};

_Static_assert(TRC_RUN_ROWS <= UINT16_MAX, "a row of a run has 16 bits");

/* The additional predictor state of a slot that varies, or has mode self. */
struct trc_other {
	const uint8_t *token, *literal; /* the next ones of the slot; NULL: it is constant */
	uint64_t last;                  /* last address; in mode self: the base */
	int8_t base;                    /* the data reference that is the base, or 0 */
	bool self, begins;              /* in mode self: `last` is the next address itself */
	uint8_t left, right;            /* by how many bits the base is shifted */
	struct trc_residual_order residuals;
	struct trc_successor_table successor;
	bool absolute; /* its literals are addresses */
};

/* The cursors of all slots of a block. A zeroed struct is empty. This is new. */
struct trc_cursors {
	uint32_t *count;           /* references of each slot; valid if their sum matches */
	struct trc_cursor *cursor; /* for each slot */
	struct trc_cursor *stop;   /* for each place, in the order of use */
	struct trc_other *other;
	struct trc_successor_entry *entry; /* of all successor tables */
	size_t count_cap, cursor_cap, stop_cap, others, other_cap, entries, entry_cap;
	bool wide; /* literals have 8 bytes */
};

/* Sets the cursors of a block of `rows` rows after a walk. The program had `old_slots` slots before
 * the growth of the block. Damage is detected here: if this succeeds, decoding the block
 * succeeds. */
int trc_cursors_set(struct trc_cursors *c, const struct trc_walk *w, const struct trc_refs *refs,
                    size_t old_slots, uint64_t rows, struct trc_err *err) TRC_MUST_USE;

void trc_cursors_release(struct trc_cursors *c);

#endif
