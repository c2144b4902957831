/* SPDX-License-Identifier: MIT
 *
 * How many records of a trace the same reduction would drop, which of one that is reduced are none:
 * in parts, of which little is kept but numbers.
 */
#ifndef TRC_STAGE_REDUCE_AGAIN_H
#define TRC_STAGE_REDUCE_AGAIN_H

#include "base/buf.h"
#include "stage/stage.h"

struct trc_again;

/* For rows of these columns, with pages among them, and a reduction that trc_drop_settles(), or for
 * states of them. NULL if there is no memory. */
struct trc_again *trc_again_open(uint32_t have, const struct trc_reduction *how,
                                 struct trc_err *err);
void trc_again_close(struct trc_again *s);

int trc_again_put(struct trc_again *s, const struct trc_batch *b, struct trc_err *err) TRC_MUST_USE;

/* The state, for another one that is behind what came before; to be saved when all rows came. */
int trc_again_save(struct trc_again *s, struct trc_buf *state, struct trc_err *err) TRC_MUST_USE;
int trc_again_append(struct trc_again *s, struct trc_view *state, struct trc_err *err) TRC_MUST_USE;

/* The rows that the reduction leaves of all that was appended. */
int trc_again_rows(const struct trc_again *s, uint64_t *rows, struct trc_err *err) TRC_MUST_USE;

#endif
