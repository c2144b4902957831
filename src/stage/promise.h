/* SPDX-License-Identifier: MIT
 *
 * What a trace is exact for when it was reduced once more.
 */
#ifndef TRC_STAGE_PROMISE_H
#define TRC_STAGE_PROMISE_H

#include "stage/stage.h"

/* Changes *meta, of the trace before, to that of the reduced one. Fails if that trace had already
 * lost what the reduction is to keep. */
int trc_promise(struct trc_meta *meta, const struct trc_reduction *how,
                struct trc_err *err) TRC_MUST_USE;

#endif
