/* SPDX-License-Identifier: MIT
 *
 * Fingerprints (batch/fingerprint.h) of rows that begin anywhere in a trace, joined behind each
 * other to those of the whole.
 *
 * XXH3 of many bytes takes them in blocks of 1024. What a block adds to its 8 sums depends on the
 * block alone; only then are the sums mixed, in a way that depends on all before. So a part that
 * knows at which byte of its column it begins keeps what each of its blocks adds, 64 bytes, and
 * the bytes of the two blocks that it has some of; what is in front of it then takes these in
 * order. A part that begins with the trace needs no list. Events are kept as they are.
 */
#ifndef TRC_BATCH_FINGERPRINT_PART_H
#define TRC_BATCH_FINGERPRINT_PART_H

#include "base/buf.h"
#include "batch/batch.h"

struct trc_fingerprint_bytes;

/* The columns of some rows. Zeroed memory may be released. */
struct trc_fingerprint_part {
	uint32_t have;
	uint64_t first, rows; /* how many are before it in the trace; its own */

	/* Private. */
	struct trc_fingerprint_bytes *column[TRC_COLUMNS]; /* NULL: not there */
};

int trc_fingerprint_part_init(struct trc_fingerprint_part *p, uint32_t have, uint64_t first,
                              struct trc_err *err) TRC_MUST_USE;
void trc_fingerprint_part_release(struct trc_fingerprint_part *p);

int trc_fingerprint_part_add(struct trc_fingerprint_part *p, const struct trc_batch *b,
                             struct trc_err *err) TRC_MUST_USE;

/* Appends what is kept to `state`; and takes such a state, of rows behind those that are there,
 * or of any if there are none. */
int trc_fingerprint_part_save(const struct trc_fingerprint_part *p, struct trc_buf *state,
                              struct trc_err *err) TRC_MUST_USE;
int trc_fingerprint_part_append(struct trc_fingerprint_part *p, struct trc_view *state,
                                struct trc_err *err) TRC_MUST_USE;

/* Of a part that begins with the trace: the fingerprint of a column that is there, and that of all
 * columns together. */
uint64_t trc_fingerprint_part_column(const struct trc_fingerprint_part *p, enum trc_column c);
uint64_t trc_fingerprint_part_all(const struct trc_fingerprint_part *p);

#endif
