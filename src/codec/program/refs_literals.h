/* SPDX-License-Identifier: MIT
 *
 * Literals of a block that is written. They are gathered slot by slot, both as addresses and as
 * residuals. Then one form is chosen for all, and the other for slots that gain by it, and they are
 * split by the rules of codec/program/refs.h.
 */
#ifndef TRC_CODEC_PROGRAM_REFS_LITERALS_H
#define TRC_CODEC_PROGRAM_REFS_LITERALS_H

#include "codec/program/refs.h"

/* What a trial works with. Zeroed memory is empty; trc_refs_trial_release() frees. */
struct trc_refs_trial {
	struct trc_buf low, packed;
};

void trc_refs_trial_release(struct trc_refs_trial *t);

/* Bytes that the lower halves of `n` literals take, of 8 bytes each at `wide`: what differs where
 * their upper halves are in a table. */
int trc_refs_try_lower(struct trc_refs_trial *t, const uint8_t *wide, size_t n, size_t *bytes,
                       struct trc_err *err) TRC_MUST_USE;

/* Zeroed memory has none; trc_refs_literals_release() frees. */
struct trc_refs_literals {
	struct trc_buf address, residual; /* 8 bytes each, most significant first */
	size_t *end;                      /* how many there are up to each varying slot */
	size_t slots, end_cap;
	struct trc_refs_trial trial;
};

void trc_refs_literals_release(struct trc_refs_literals *l);
void trc_refs_literals_clear(struct trc_refs_literals *l);

/* Makes room for `n` more of the next varying slot. */
int trc_refs_literals_room(struct trc_refs_literals *l, size_t n, struct trc_err *err) TRC_MUST_USE;

static inline void
trc_refs_literals_add(struct trc_refs_literals *l, uint64_t address, uint64_t residual)
{
	trc_buf_be64(&l->address, address);
	trc_buf_be64(&l->residual, residual);
}

/* Ends those of a varying slot. */
void trc_refs_literals_end(struct trc_refs_literals *l);

/* Makes the streams of all. The form is chosen by packing `sample` of them, and that of a slot by
 * packing `each` of its own; 0: all slots have one form. */
int trc_refs_literals_write(struct trc_refs_literals *l, size_t sample, size_t each,
                            struct trc_refs *refs, struct trc_err *err) TRC_MUST_USE;

#endif
