/* SPDX-License-Identifier: MIT
 * Any words, one a line, as the command line of each command. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "cmd/job/settings.h"

enum { WORDS_MOST = 64 };

/* What goes with what, as main.c asks it. */
static void
choose(const struct trc_command *c, struct trc_settings *all, struct trc_args *args)
{
	struct trc_err err = { .code = TRC_OK };
	const struct trc_action *action = c->choose ? c->choose(all, args, &err) : c->action[0];

	if ((!action || trc_settings_check(all, action, &err)) &&
	    (err.code != TRC_USAGE || !*err.text))
		abort();
	trc_settings_release(all);
}

static void
parse(const struct trc_command *c, int argc, char **argv)
{
	struct trc_args args = { .word = calloc((size_t)argc, sizeof(char *)) };
	struct trc_settings all;
	struct trc_err err = { .code = TRC_OK };

	if (!args.word)
		abort();
	if (trc_settings_parse(&all, c, argc, argv, &args, &err)) {
		if (err.code != TRC_USAGE || !*err.text)
			abort();
	} else {
		choose(c, &all, &args);
	}
	if (args.n > (size_t)argc) /* one word may be added */
		abort();
	free(args.word);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t len)
{
	const struct trc_command *c = NULL;
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
	while ((c = trc_command_next(c)))
		parse(c, argc, argv);
	free(text);
	return 0;
}
