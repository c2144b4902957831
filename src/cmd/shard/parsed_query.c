/* SPDX-License-Identifier: MIT */
#include "cmd/shard/parsed_query.h"

#include <stdlib.h>
#include <string.h>

void
trc_parsed_query_release(struct trc_parsed_query *q)
{
	trc_settings_release(&q->settings);
	free(q->word);
	free(q->argv);
	*q = (struct trc_parsed_query){ .action = NULL };
}

/* The words; several inputs are one trace, as in a whole run. */
static int
parse(struct trc_parsed_query *q, const struct trc_command *c, const struct trc_partial *p,
      const char *what, struct trc_err *err)
{
	static char concat[] = "--concat";
	const struct trc_buf *words = &p->words;
	struct trc_args args = { 0 };
	int argc = 0;

	q->argv = trc_alloc(words->n + 2, sizeof(*q->argv), err);
	q->word = trc_alloc(words->n + 2, sizeof(*q->word), err);
	if (!q->argv || !q->word)
		return -1;
	if (words->n == 0 || words->p[words->n - 1] != 0)
		return trc_fail(err, "its question is damaged");
	if (strcmp((const char *)words->p, c->name) != 0)
		return trc_fail(err, "is a %s of trc %.20s", what, (const char *)words->p);
	for (size_t at = 0; at < words->n; at += strlen(q->argv[argc++]) + 1)
		q->argv[argc] = (char *)words->p + at;
	if (p->several)
		q->argv[argc++] = concat;
	args.word = q->word;
	if (trc_settings_parse(&q->settings, c, argc, q->argv, &args, err) || args.n > 0 ||
	    args.help) {
		/* Words of another version are not wrong usage of this one. */
		return trc_fail(err, "its question is unknown to this trc");
	}
	q->action = c->choose(&q->settings, &args, err);
	return q->action && q->action->query ? 0 : trc_fail(err, "its question has no shards");
}

int
trc_parsed_query_find(struct trc_parsed_query *q, const struct trc_settings *settings,
                      const struct trc_partial *p, const char *path, const char *what,
                      const struct trc_opts *const *except, struct trc_err *err)
{
	*q = (struct trc_parsed_query){ .action = NULL };
	if (parse(q, settings->command, p, what, err))
		return trc_err_in(err, "%s", path);
	trc_settings_add(&q->settings, settings, except);
	return trc_settings_check(&q->settings, q->action, err);
}
