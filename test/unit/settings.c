/* SPDX-License-Identifier: MIT
 * Laws of the options of commands, over the list of commands and what each of their actions takes.
 */
#include "cmd/job/settings.h"

#include <string.h>

#include "test.h"

static struct trc_settings all;
static const char *word[4];

/* A command line with option `i` of the command alone. */
static void
give(const struct trc_command *c, size_t i)
{
	struct trc_args args = { .word = word };
	char trc[] = "trc", name[64], value[16] = "1";
	char *argv[] = { trc, name, value };
	struct trc_settings_rows rows;
	struct trc_err err;

	trc_settings_list(c, &rows);
	snprintf(name, sizeof(name), "--%s", rows.row[i].name);
	if (rows.row[i].kind == TRC_OPT_CHOICE)
		snprintf(value, sizeof(value), "%.*s", (int)strcspn(rows.row[i].arg, "|"),
		         rows.row[i].arg);
	CHECK_MSG(trc_settings_parse(&all, c, rows.row[i].arg ? 3 : 2, argv, &args, &err) == 0,
	          "trc %s --%s: %s", c->name, rows.row[i].name, err.text);
}

static bool
takes(const struct trc_opts *const *list, const struct trc_opts *owner)
{
	for (; list && *list; list++)
		if (*list == owner || takes((*list)->with, owner))
			return true;
	return false;
}

static void
what_an_action_does_not_take_it_refuses(void)
{
	const struct trc_command *c = NULL;
	struct trc_err err;
	char name[64];

	while ((c = trc_command_next(c)))
		for (size_t i = 0, n = 1; i < n; i++) {
			give(c, i);
			n = all.rows.n;
			snprintf(name, sizeof(name), "--%s ", all.rows.row[i].name);
			for (size_t k = 0; c->action[k]; k++) {
				const bool fits = takes(c->action[k]->takes, all.rows.owner[i]);
				const int ret = trc_settings_check(&all, c->action[k], &err);

				CHECK_MSG((ret == 0) == fits, "trc %s %s", c->name, name);
				CHECK_MSG(fits || (err.code == TRC_USAGE && strstr(err.text, name)),
				          "trc %s %s: %s", c->name, name, err.text);
			}
			trc_settings_release(&all);
		}
}

static void
every_option_stands_once(void)
{
	const struct trc_command *c = NULL;
	struct trc_settings_rows rows;

	while ((c = trc_command_next(c))) {
		trc_settings_list(c, &rows);
		CHECK(rows.n < TRC_SETTINGS_ROWS);
		for (size_t i = 0; i < rows.n; i++)
			for (size_t k = 0; k < i; k++)
				CHECK_MSG(
				        strcmp(rows.row[i].name, rows.row[k].name) != 0 &&
				                (!rows.row[i].letter ||
				                 rows.row[i].letter != rows.row[k].letter),
				        "trc %s: --%s and --%s; give one of them another name, or "
				        "another letter",
				        c->name, rows.row[i].name, rows.row[k].name);
	}
}

static bool
has_option(const struct trc_action *action, const char *name, char letter)
{
	struct trc_settings_rows rows;

	trc_settings_list_action(action, &rows);
	for (size_t i = 0; i < rows.n; i++)
		if (strcmp(rows.row[i].name, name) == 0 && rows.row[i].letter == letter)
			return true;
	return false;
}

/* Filters in every command that reads traces, and in every question: what these take from a bus, or
 * from partial results, are no traces. And what all have in common, wherever there is something to
 * do on threads, or to write. */
static void
what_reads_traces_takes_filters(void)
{
	static const char *const filter[] = { "only", "addr", "pc", "task", "space" };
	const struct trc_command *c = NULL;

	while ((c = trc_command_next(c))) {
		const bool bus = strcmp(c->name, "replay") == 0;

		for (size_t k = 0; c->action[k]; k++) {
			const struct trc_action *a = c->action[k];
			const char *name = a->name ? a->name : "all it does";
			const bool partial = strcmp(name, "--merge") == 0;
			const bool plan = strcmp(name, "--plan") == 0;

			for (size_t i = 0; i < TRC_COUNT(filter) && !bus && !partial; i++)
				CHECK_MSG(has_option(a, filter[i], 0), "trc %s, %s: --%s", c->name,
				          name, filter[i]);
			CHECK_MSG(partial || (has_option(a, "threads", 'T') &&
			                      has_option(a, "verbose", 'v')),
			          "trc %s, %s: -T, -v", c->name, name);
			CHECK_MSG(strcmp(name, "info") == 0 || plan || has_option(a, "output", 'o'),
			          "trc %s, %s: -o", c->name, name);
			CHECK_MSG(!has_option(a, "output", 'o') || has_option(a, "force", 0),
			          "trc %s, %s: --force", c->name, name);
			CHECK_MSG(has_option(a, "quiet", 'q'), "trc %s, %s: -q", c->name, name);
		}
	}
}

/* Each owner reads settings of its own, in which no other's values stand. */
static void
owners_have_their_own_settings(void)
{
	const struct trc_command *c = NULL;

	while ((c = trc_command_next(c)))
		for (size_t i = 0, n = 1; i < n; i++) {
			const struct trc_opts *owner;

			give(c, i);
			n = all.rows.n;
			owner = all.rows.owner[i];
			for (size_t k = 0; k < n; k++) {
				const struct trc_opts *other = all.rows.owner[k];
				const char *p = trc_settings_of(&all, other);
				size_t zeros = 0;

				CHECK_MSG(all.rows.row[k].at < all.rows.size &&
				                  other->row[0].at < other->size,
				          "--%s: the size of its settings is too small",
				          all.rows.row[k].name);
				CHECK(trc_settings_given(&all, other) == (other == owner));
				while (zeros < other->size && p[zeros] == 0)
					zeros++;
				CHECK_MSG((zeros == other->size) == (other != owner),
				          "--%s and --%s of trc %s", all.rows.row[i].name,
				          all.rows.row[k].name, c->name);
			}
			trc_settings_release(&all);
		}
}

int
main(void)
{
	test_start();
	RUN(what_an_action_does_not_take_it_refuses);
	RUN(every_option_stands_once);
	RUN(owners_have_their_own_settings);
	RUN(what_reads_traces_takes_filters);
	return 0;
}
