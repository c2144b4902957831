/* SPDX-License-Identifier: MIT
 * trc stat --merge: the answer of a question that was asked of shards. */
#include "cmd/stat/stat.h"

static const struct trc_opts *const takes[] = {
	&trc_shard_opts_merge,   &trc_shard_opts_partial, &trc_shard_opts_force,
	&trc_stat_opts_curves,   &trc_stat_opts_csv,      &trc_stat_opts_json,
	&trc_habits_opts_answer, &trc_stat_opts_quiet,    NULL
};

const struct trc_action trc_stat_merge = { "--merge", takes, trc_shard_merge, NULL };
