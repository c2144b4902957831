/* SPDX-License-Identifier: MIT
 * The list of commands. */
#include <string.h>

#include "cmd/job/cmd.h"

static const struct trc_command *const command[] = {
	&trc_command_encode, &trc_command_decode, &trc_command_reduce,
	&trc_command_split,  &trc_command_replay, &trc_command_stat,
};

const struct trc_command *
trc_command_next(const struct trc_command *c)
{
	if (!c)
		return command[0];
	for (size_t i = 0; i + 1 < TRC_COUNT(command); i++)
		if (command[i] == c)
			return command[i + 1];
	return NULL;
}

const struct trc_command *
trc_command_named(const char *name)
{
	const struct trc_command *c = NULL;

	while ((c = trc_command_next(c)))
		if (strcmp(c->name, name) == 0)
			break;
	return c;
}
