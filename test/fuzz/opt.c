/* SPDX-License-Identifier: MIT
 * Any words, one a line, as the command line of each command. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "cmd/cmd.h"

enum { WORDS_MOST = 64 };

static void
parse(const struct trc_command *c, int argc, char **argv)
{
	void *settings = calloc(1, c->settings);
	struct trc_args args = { .word = calloc((size_t)argc, sizeof(char *)) };
	struct trc_err err = { TRC_OK, "" };

	if (!settings || !args.word)
		abort();
	if (trc_opt_parse(c->opt, c->opts, argc, argv, settings, &args, &err) &&
	    (err.code != TRC_USAGE || !*err.text))
		abort();
	if (args.n >= (size_t)argc)
		abort();
	free(args.word);
	free(settings);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t len)
{
	static const struct trc_command *const command[] = {
		&trc_command_encode,
		&trc_command_decode,
		&trc_command_reduce,
		&trc_command_stat,
	};
	char *text = malloc(len + 1), *argv[WORDS_MOST] = { text };
	uint64_t number;
	int argc = 1;

	if (!text)
		abort();
	if (len > 0)
		memcpy(text, p, len);
	text[len] = 0;
	for (char *word = strtok(text, "\n"); word && argc < WORDS_MOST;
	     word = strtok(NULL, "\n")) {
		struct trc_suggest suggest = { .word = word };

		argv[argc++] = word;
		trc_suggest_offer(&suggest, "encode");
		(void)trc_opt_number(word, len % 2, &number);
	}
	for (size_t i = 0; i < sizeof(command) / sizeof(*command); i++)
		parse(command[i], argc, argv);
	free(text);
	return 0;
}
