/* SPDX-License-Identifier: MIT
 *
 * Asks one question of several traces, or of one trace in several ways. Each is answered
 * separately, several at a time; the answers are printed together, or none if one fails.
 */
#ifndef TRC_CMD_SHARD_COMPARE_H
#define TRC_CMD_SHARD_COMPARE_H

#include "cmd/shard/shard.h"

/* Returns true if there are several traces, or several ways to ask one. */
bool trc_compare_wanted(const struct trc_query_ops *q, const struct trc_settings *settings,
                        const struct trc_traces *traces);

/* Answers for each trace, or in each way, and prints the answers together. */
int trc_compare_answer(const struct trc_query_ops *q, const struct trc_settings *settings,
                       const struct trc_traces *traces, struct trc_err *err) TRC_MUST_USE;

#endif
