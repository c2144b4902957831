/* SPDX-License-Identifier: MIT
 *
 * The literals of a block that is written. They are collected slot by slot, both as addresses and
 * as residuals. Then one form is chosen for all slots, and the other for slots that gain by it, and
 * the literals are split by the rules of codec/program/refs.h.
 */
#ifndef TRC_CODEC_PROGRAM_REFS_LITERALS_H
#define TRC_CODEC_PROGRAM_REFS_LITERALS_H

#include "codec/program/refs.h"

/* Buffers for a trial. A zeroed struct is empty; trc_refs_trial_release() frees. */
struct trc_refs_trial {
	struct trc_buf low, packed;
};

void trc_refs_trial_release(struct trc_refs_trial *t);

/* Computes the bytes that the lower halves of the `n` 8-byte literals at `wide` need; the upper
 * halves are in a table and do not differ. */
int trc_refs_try_lower(struct trc_refs_trial *t, const uint8_t *wide, size_t n, size_t *bytes,
                       struct trc_err *err) TRC_MUST_USE;

/* The collected literals. A zeroed struct is empty; trc_refs_literals_release() frees. */
struct trc_refs_literals {
	struct trc_buf address, residual; /* 8 bytes each, most significant byte first */
	size_t *end;                      /* number of literals up to the end of each varying
	                                   * slot */
	size_t slots, end_cap;
	struct trc_refs_trial trial;
};

void trc_refs_literals_release(struct trc_refs_literals *l);
void trc_refs_literals_clear(struct trc_refs_literals *l);

/* Makes room for `n` more literals of the current slot. */
int trc_refs_literals_room(struct trc_refs_literals *l, size_t n, struct trc_err *err) TRC_MUST_USE;

static inline void
trc_refs_literals_add(struct trc_refs_literals *l, uint64_t address, uint64_t residual)
{
	trc_buf_be64(&l->address, address);
	trc_buf_be64(&l->residual, residual);
}

/* Ends the literals of a varying slot. */
void trc_refs_literals_end(struct trc_refs_literals *l);

/* Writes the streams of all literals. The form for all is chosen by packing `sample` of them; the
 * form of a slot by packing `each` of its own, or, if that is 0, all slots have the same form. */
int trc_refs_literals_write(struct trc_refs_literals *l, size_t sample, size_t each,
                            struct trc_refs *refs, struct trc_err *err) TRC_MUST_USE;

#endif
