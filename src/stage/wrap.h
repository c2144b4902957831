/* SPDX-License-Identifier: MIT
 *
 * What most stages are made of: the source they wrap and a batch of its rows with a place in it.
 */
#ifndef TRC_STAGE_WRAP_H
#define TRC_STAGE_WRAP_H

#include "batch/flow.h"

/* A stage: a source around another, with a batch of rows that wait. */
struct trc_wrap {
	struct trc_source src; /* the stage itself, as a source */
	struct trc_source *from;
	struct trc_batch in; /* rows of `from`; those from `at` on still wait */
	size_t at;
	size_t size;                 /* bytes of the stage */
	struct trc_sliceable slices; /* of src, if it has any */

	/* Makes src.meta, a copy of that of `from`, the stage's, and may refuse it when rows have
	 * `ended`; NULL: it stays as it is. */
	int (*take_meta)(struct trc_wrap *w, bool ended, struct trc_err *err);
};

typedef enum trc_flow (*trc_next_fn)(struct trc_source *src, struct trc_batch *b,
                                     struct trc_err *err);

/* Allocates a stage of `size` bytes that begins with a struct trc_wrap, around `from`. */
void *trc_wrap_open(size_t size, struct trc_source *from, uint32_t have, trc_next_fn next,
                    struct trc_err *err) TRC_MUST_USE;

/* The same for a stage that passes on the batches of `from` as they are, and has no rows that wait:
 * its next() calls trc_wrap_next(), which gives the next one and takes over the meta. */
void *trc_wrap_pass(size_t size, struct trc_source *from, trc_next_fn next,
                    struct trc_err *err) TRC_MUST_USE;
enum trc_flow trc_wrap_next(struct trc_wrap *w, struct trc_batch *b,
                            struct trc_err *err) TRC_MUST_USE;

/* Makes rows wait: pulls when none do. Takes over the meta of `from`. */
enum trc_flow trc_wrap_pull(struct trc_wrap *w, struct trc_err *err) TRC_MUST_USE;

/* The same for a stage that lets none wait: all rows that come, no more than `b` has room for, are
 * its to do at once. These are w->in.n rows from row 0 on; w->at is behind them, so a loop over
 * waiting rows, as behind trc_wrap_pull(), would pass on none. Where a batch comes to nothing the
 * stage pulls again: TRC_FLOW_ROWS without rows is refused, in every build, and so are rows behind
 * TRC_FLOW_END (trc_source_next()). */
enum trc_flow trc_wrap_pull_for(struct trc_wrap *w, const struct trc_batch *b,
                                struct trc_err *err) TRC_MUST_USE;

/* Has the stage pass on the pieces of `from`, if that has any; called as the last thing when it
 * opens. It is for stages whose rows depend each on one row alone, whatever came before that, and
 * that let none wait behind a batch. A piece has a copy of the stage around it, which makes its
 * rows on any thread: next() keeps nothing in the stage that it uses later. */
void trc_wrap_pieces(struct trc_wrap *w);

/* The take() of such a stage, for one that has more to do. */
enum trc_flow trc_wrap_take(struct trc_source *src, size_t want, struct trc_piece *piece,
                            struct trc_err *err) TRC_MUST_USE;

/* Closes `from` and frees the stage: the whole close of a stage that owns nothing else. */
void trc_wrap_close(struct trc_source *src);

/* Closes a stage whose open fails, but not `from`, which stays the caller's. Returns NULL. */
void *trc_wrap_fail(struct trc_source *src);

#endif
