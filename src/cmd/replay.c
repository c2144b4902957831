/* SPDX-License-Identifier: MIT
 * trc replay: not there yet. */
#include "cmd/cmd.h"

static int
run(const void *settings, const struct trc_args *args, struct trc_err *err)
{
	(void)settings, (void)args;
	return trc_fail_as(err, TRC_USAGE, "not built yet: it will compute whole instruction traces "
	                                   "from a cache-filtered bus trace (CITCAT)");
}

const struct trc_command trc_command_replay = {
	.name = "replay",
	.doc = "compute an instruction trace from a bus trace (to come)",
	.usage = "",
	.notes = "This command is not built yet.\n",
	.settings = 1,
	.run = run,
};
