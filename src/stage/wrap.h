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
};

typedef enum trc_flow (*trc_next_fn)(struct trc_source *src, struct trc_batch *b,
                                     struct trc_err *err);

/* Allocates a stage of `size` bytes that begins with a struct trc_wrap, around `from`. */
void *trc_wrap_open(size_t size, struct trc_source *from, uint32_t have, trc_next_fn next,
                    struct trc_err *err) TRC_MUST_USE;

/* Makes rows wait: pulls when none do. Takes over the meta of `from`. */
enum trc_flow trc_wrap_pull(struct trc_wrap *w, struct trc_err *err) TRC_MUST_USE;

/* Closes `from` and frees the stage: the whole close of a stage that owns nothing else. */
void trc_wrap_close(struct trc_source *src);

#endif
