/* SPDX-License-Identifier: MIT
 *
 * The basis of most stages: the source that they wrap, and a batch of its rows with a position.
 */
#ifndef TRC_STAGE_WRAP_H
#define TRC_STAGE_WRAP_H

#include "batch/flow.h"

/* A stage: a source around another, with a batch of waiting rows. */
struct trc_wrap {
	struct trc_source src; /* the stage itself, as a source */
	struct trc_source *from;
	struct trc_batch in; /* rows of `from`; those from `at` on are waiting */
	size_t at;
	size_t size;                 /* bytes of the stage */
	struct trc_sliceable slices; /* of src, if it has any */

	/* Adapts src.meta, which is a copy of the meta of `from`, and may reject it when the rows
	 * have `ended`; NULL if it stays unchanged. */
	int (*take_meta)(struct trc_wrap *w, bool ended, struct trc_err *err);
};

typedef enum trc_flow (*trc_next_fn)(struct trc_source *src, struct trc_batch *b,
                                     struct trc_err *err);

/* Allocates a stage of `size` bytes, which begins with a struct trc_wrap, around `from`. */
void *trc_wrap_open(size_t size, struct trc_source *from, uint32_t have, trc_next_fn next,
                    struct trc_err *err) TRC_MUST_USE;

/* Does the same for a stage that passes on the batches of `from` unchanged and has no waiting rows.
 * Its next() calls trc_wrap_next(), which returns the next batch and updates the meta. */
void *trc_wrap_pass(size_t size, struct trc_source *from, trc_next_fn next,
                    struct trc_err *err) TRC_MUST_USE;
enum trc_flow trc_wrap_next(struct trc_wrap *w, struct trc_batch *b,
                            struct trc_err *err) TRC_MUST_USE;

/* Pulls rows if none are waiting, and updates the meta from `from`. */
enum trc_flow trc_wrap_pull(struct trc_wrap *w, struct trc_err *err) TRC_MUST_USE;

/* Does the same for a stage that never lets rows wait: the stage must handle all w->in.n rows at
 * once, beginning with row 0; there are no more than `b` has room for. w->at is after them, so a
 * loop over waiting rows, as after trc_wrap_pull(), would find none. If nothing remains of a batch,
 * the stage pulls again: in every build trc_source_next() rejects TRC_FLOW_ROWS without rows, and
 * rows after TRC_FLOW_END. */
enum trc_flow trc_wrap_pull_for(struct trc_wrap *w, const struct trc_batch *b,
                                struct trc_err *err) TRC_MUST_USE;

/* Makes the stage pass on the slices of `from`, if it has any; must be the last call when the stage
 * opens. It is for stages whose rows each depend on a single row, regardless of the rows before,
 * and that never let rows wait. Each slice has its own copy of the stage, which makes its rows on
 * any thread, so next() may not keep state in the stage. */
void trc_wrap_pieces(struct trc_wrap *w);

/* Implements take() for such a stage; for a stage whose take() does more. */
enum trc_flow trc_wrap_take(struct trc_source *src, size_t want, struct trc_slice *slice,
                            struct trc_err *err) TRC_MUST_USE;

/* Closes `from` and frees the stage: the complete close() of a stage that owns nothing else. */
void trc_wrap_close(struct trc_source *src);

/* Frees a stage that could not be opened, but not `from`, which remains the caller's. Returns
 * NULL. */
void *trc_wrap_fail(struct trc_source *src);

#endif
