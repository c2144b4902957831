/* SPDX-License-Identifier: MIT
 *
 * One question asked of several traces, or of one in several ways, each by itself, several at a
 * time; the answer is of all of them together, and there is none if one fails.
 */
#ifndef TRC_CMD_SHARD_COMPARE_H
#define TRC_CMD_SHARD_COMPARE_H

#include "cmd/shard/shard.h"

/* Whether there are several traces, or one is asked in several ways. */
bool trc_compare_wanted(const struct trc_question *q, const struct trc_settings *all,
                        const struct trc_traces *traces);

int trc_compare_answer(const struct trc_question *q, const struct trc_settings *all,
                       const struct trc_traces *traces, struct trc_err *err) TRC_MUST_USE;

#endif
