/* SPDX-License-Identifier: MIT
 * Partials into an answer, or into one partial: all that may be wrong is found before. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/habits.h"
#include "cmd/job/origins.h"
#include "cmd/shard/asking.h"
#include "stage/stage.h"

/* A partial and its file. */
struct piece {
	const char *path;
	uint64_t first;
	struct trc_partial p; /* without its state */
};

/* All that are to be merged, and what is wrong with some of them. */
struct pieces {
	struct piece *piece;
	size_t n, bad;
	struct trc_err first; /* of the bad ones */
};

static void
pieces_release(struct pieces *s)
{
	for (size_t i = 0; i < s->n; i++)
		trc_partial_release(&s->piece[i].p);
	free(s->piece);
}

/* ---- which there are ---- */

static int
by_shard(const void *a, const void *b)
{
	const struct trc_partial *x = &((const struct piece *)a)->p,
	                         *y = &((const struct piece *)b)->p;

	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	return x->last < y->last ? -1 : x->last > y->last;
}

/* Those that are sound, in their order. */
static int
read_pieces(struct pieces *s, const struct trc_args *args, struct trc_err *err)
{
	*s = (struct pieces){ .piece = trc_alloc(args->n, sizeof(*s->piece), err) };
	if (!s->piece)
		return -1;
	for (size_t i = 0; i < args->n; i++) {
		struct trc_err why = { 0 };
		struct piece *piece = &s->piece[s->n];

		piece->path = args->word[i];
		if (trc_partial_read(&piece->p, piece->path, false, &why) == 0) {
			piece->first = piece->p.first;
			s->n++;
		} else if (why.code == TRC_NO_MEMORY || why.code == TRC_STOPPED) {
			return trc_fail_as(err, why.code, "%s", why.text);
		} else if (s->bad++ == 0) {
			s->first = why;
		}
	}
	qsort(s->piece, s->n, sizeof(*s->piece), by_shard);
	return 0;
}

/* Appends to a text that ends with "..." where there is no more room. */
static void
add(char *text, size_t room, const char *more)
{
	const size_t n = strlen(text);

	if (n + strlen(more) + 8 < room)
		memcpy(text + n, more, strlen(more) + 1);
	else if (n >= 4 && strcmp(text + n - 3, "...") != 0)
		memcpy(text + n, " ...", 5);
}

enum { NAMED_MOST = 600 };

/* Names shards [first, last], one by one: in the text, and if they are many, each on a line of
 * standard error. */
static void
name_missing(char *text, uint64_t first, uint64_t last, uint64_t of)
{
	for (uint64_t i = first; i <= last; i++) {
		char shard[64];

		snprintf(shard, sizeof(shard), " %llu/%llu", (unsigned long long)i,
		         (unsigned long long)of);
		if (strlen(text) + strlen(shard) + 8 >= NAMED_MOST)
			fprintf(stderr, "trc: missing:%s\n", shard);
		add(text, NAMED_MOST, shard);
	}
}

/* All shards that are not there, between the first and the last that are, or with `all`, of all. */
static void
find_missing(const struct pieces *s, bool all, char *text)
{
	const uint64_t of = s->piece[0].p.of;
	uint64_t next = all ? 1 : s->piece[0].p.first;

	for (size_t i = 0; i < s->n; i++) {
		const struct trc_partial *p = &s->piece[i].p;

		if (p->first > next)
			name_missing(text, next, p->first - 1, of);
		next = p->last + 1 > next ? p->last + 1 : next;
	}
	if (all && next <= of)
		name_missing(text, next, of, of);
}

static int
fail_pair(const struct piece *a, const struct piece *b, const char *what, struct trc_err *err)
{
	return trc_fail(err, "'%s' and '%s' %s", a->path, b->path, what);
}

/* Partials of one answer, none of them twice. */
static int
check_pairs(const struct pieces *s, struct trc_err *err)
{
	for (size_t i = 1; i < s->n; i++) {
		const char *what = trc_partial_differ(&s->piece[0].p, &s->piece[i].p);

		if (what)
			return fail_pair(&s->piece[0], &s->piece[i], what, err);
	}
	for (size_t i = 1; i < s->n; i++) {
		const struct piece *a = &s->piece[i - 1], *b = &s->piece[i];
		char what[96];

		if (b->p.first > a->p.last)
			continue;
		snprintf(what, sizeof(what), "both have shard %llu/%llu",
		         (unsigned long long)b->p.first, (unsigned long long)b->p.of);
		return fail_pair(a, b, what, err);
	}
	for (size_t i = 1; i < s->n; i++) {
		const struct trc_partial *a = &s->piece[i - 1].p, *b = &s->piece[i].p;

		if (b->first == a->last + 1 &&
		    (a->to.file != b->from.file || a->to.at != b->from.at))
			return fail_pair(&s->piece[i - 1], &s->piece[i],
			                 "were cut at different places", err);
	}
	return 0;
}

static int
check_pieces(const struct pieces *s, bool all, struct trc_err *err)
{
	char missing[NAMED_MOST + 64] = "", more[64] = "";

	if (s->n > 0 && check_pairs(s, err))
		return -1;
	if (s->n > 0)
		find_missing(s, all, missing);
	if (s->bad > 1)
		snprintf(more, sizeof(more), " (and %zu more are no better)", s->bad - 1);
	if (s->bad > 0 && *missing)
		return trc_fail(err, "%.300s%s; missing shards:%s", s->first.text, more, missing);
	if (s->bad > 0)
		return trc_fail(err, "%.600s%s", s->first.text, more);
	if (*missing)
		return trc_fail(err, "missing shards:%s", missing);
	return 0;
}

/* ---- the question ---- */

/* The settings of a question that a partial has, and which action that is. */
struct question {
	struct trc_settings all;
	const char **word; /* of the command line */
	char **argv;
	const struct trc_action *action;
};

static void
question_release(struct question *q)
{
	trc_settings_release(&q->all);
	free(q->word);
	free(q->argv);
}

/* The words of a partial; and as a whole run has it, that several INPUTs are one trace. */
static int
parse_words(struct question *q, const struct trc_command *c, struct trc_partial *p,
            struct trc_err *err)
{
	static char concat[] = "--concat";
	struct trc_buf *words = &p->words;
	struct trc_args args = { 0 };
	int argc = 0;

	q->argv = trc_alloc(words->n + 2, sizeof(*q->argv), err);
	q->word = trc_alloc(words->n + 2, sizeof(*q->word), err);
	if (!q->argv || !q->word)
		return -1;
	if (words->n == 0 || words->p[words->n - 1] != 0)
		return trc_fail(err, "its question is damaged");
	if (strcmp((const char *)words->p, c->name) != 0)
		return trc_fail(err, "is a partial of trc %.20s", (const char *)words->p);
	for (size_t at = 0; at < words->n; at += strlen(q->argv[argc++]) + 1)
		q->argv[argc] = (char *)words->p + at;
	if (p->several)
		q->argv[argc++] = concat;
	args.word = q->word;
	if (trc_settings_parse(&q->all, c, argc, q->argv, &args, err) || args.n > 0 || args.help) {
		/* Words of another trc are no wrong usage of this one. */
		return trc_fail(err, "its question is none of this trc");
	}
	q->action = c->choose(&q->all, &args, err);
	return q->action && q->action->question ? 0 : trc_fail(err, "its question has no parts");
}

/* The question of a partial, printed as `all` has it. */
static int
find_question(struct question *q, const struct trc_settings *all, struct piece *piece,
              struct trc_err *err)
{
	static const struct trc_opts *const but[] = { &trc_shard_opts_merge, &trc_shard_opts,
		                                      &trc_shard_opts_partial, NULL };

	*q = (struct question){ .action = NULL };
	if (parse_words(q, all->command, &piece->p, err)) {
		question_release(q);
		return trc_err_in(err, "%s", piece->path);
	}
	trc_settings_add(&q->all, all, but);
	if (trc_settings_check(&q->all, q->action, err)) {
		question_release(q);
		return -1;
	}
	return 0;
}

/* ---- joining ---- */

/* What is known of the trace by its files. */
static struct trc_meta
meta_of(const struct trc_partial *p)
{
	struct trc_meta meta = p->begun.meta;

	meta.provenance = trc_begun_provenance(&p->begun);
	return meta;
}

/* A source without rows of the trace that partials are of. */
static int
open_nothing(struct trc_job *job, const struct trc_partial *p, struct trc_err *err)
{
	const struct trc_meta meta = meta_of(p);

	*job = (struct trc_job){ .format = trc_format_named(p->format), .inputs = p->files };
	if (!job->format)
		return trc_fail(err, "no format '%s'", p->format);
	job->src = trc_source_none(p->have, &meta, err);
	return job->src ? 0 : -1;
}

/* Adds one partial to what the sink has. */
static int
append(struct trc_asking *a, const struct piece *piece, struct trc_err *err)
{
	struct trc_partial p;
	int ret;

	if (trc_partial_read(&p, piece->path, true, err))
		return -1;
	ret = p.first != piece->first ? trc_fail(err, "was written anew") :
	                                trc_asking_append(a, &p.found, p.have, err);
	trc_partial_release(&p);
	return ret ? trc_err_in(err, "%s", piece->path) : 0;
}

/* What is known of all together, which takes over the first. */
static int
sum_up(struct pieces *s, struct trc_partial *sum, struct trc_err *err)
{
	*sum = s->piece[0].p;
	s->piece[0].p = (struct trc_partial){ .files = 0 };
	for (size_t i = 1; i < s->n; i++)
		if (trc_partial_join(sum, &s->piece[i].p, err))
			return -1;
	return 0;
}

static int
finish(struct trc_asking *a, const struct trc_partial *sum, struct trc_err *err)
{
	struct trc_provenances files = { .n = 0 };
	const struct trc_meta meta = meta_of(sum);
	int ret;

	ret = trc_asking_finish(a, &meta, err) ||
	                      trc_origins_join(trc_buf_view(&sum->begun.origins), &files,
	                                       &a->asked->origins, err) ||
	                      trc_asking_print(a, err) ?
	              -1 :
	              0;
	trc_provenances_release(&files);
	return ret;
}

static int
save(struct trc_asking *a, struct trc_partial *sum, const char *path, bool force,
     struct trc_err *err)
{
	if (trc_sink_save(a->sink, &sum->found.state, err))
		return -1;
	return trc_asking_write(sum, path, force, err);
}

/* Joins all, the first to nothing, and prints or saves that. */
static int
join(struct trc_asking *a, struct pieces *s, struct trc_partial *sum,
     const struct trc_settings *all, struct trc_err *err)
{
	const char *path = trc_shard_partial(all);

	if (open_nothing(&a->job, sum, err) || trc_asking_open(a, true, err))
		return -1;
	for (size_t i = 0; i < s->n; i++)
		if (append(a, &s->piece[i], err))
			return -1;
	return path ? save(a, sum, path, trc_shard_force(all), err) : finish(a, sum, err);
}

static int
merge(struct pieces *s, const struct trc_settings *all, const char *output, struct trc_err *err)
{
	struct trc_partial sum = { .files = 0 };
	struct question question;
	struct trc_asking a;
	int ret;

	if (find_question(&question, all, &s->piece[0], err))
		return -1;
	ret = sum_up(s, &sum, err);
	if (ret == 0) {
		ret = trc_asking_begin(
		        &a, question.action->question,
		        &(struct trc_asked){ .all = &question.all, .path = sum.name }, NULL, err);
		if (a.asked)
			a.asked->output = output;
		ret = ret ? ret : join(&a, s, &sum, all, err);
		trc_asking_end(&a);
	}
	trc_partial_release(&sum);
	question_release(&question);
	return ret;
}

static int
merge_words(const struct trc_settings *all, const struct trc_args *args, const char *output,
            struct trc_err *err)
{
	struct pieces s;
	int ret;

	if (args->n == 0)
		return trc_fail_as(err, TRC_USAGE,
		                   "--merge: needs the partials that --shard I/N --partial wrote%s",
		                   output ? ", and then an output" : "");
	ret = read_pieces(&s, args, err);
	if (ret == 0)
		ret = check_pieces(&s, !trc_shard_partial(all), err);
	if (ret == 0)
		ret = merge(&s, all, output, err);
	pieces_release(&s);
	return ret;
}

int
trc_shard_merge(const struct trc_settings *all, const struct trc_args *args, struct trc_err *err)
{
	return merge_words(all, args, NULL, err);
}

int
trc_shard_merge_to(const struct trc_settings *all, const struct trc_args *args, struct trc_err *err)
{
	struct trc_args partials = *args;

	if (trc_shard_partial(all))
		return merge_words(all, args, NULL, err);
	if (args->n > 0)
		partials.n--;
	return merge_words(all, &partials, args->n ? args->word[args->n - 1] : "-", err);
}
