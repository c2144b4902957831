/* SPDX-License-Identifier: MIT
 * trc split: not there yet. */
#include "cmd/cmd.h"

static int
run(const void *settings, const struct trc_args *args, struct trc_err *err)
{
	(void)settings, (void)args;
	return trc_fail_as(err, TRC_USAGE, "not built yet: it will take the trace of a whole system "
	                                   "apart by process and task, with canonical pages "
	                                   "(Laplace's per-process merge)");
}

const struct trc_command trc_command_split = {
	.name = "split",
	.doc = "take a trace apart by process and task (to come)",
	.usage = "",
	.notes = "This command is not built yet.\n",
	.settings = 1,
	.run = run,
};
