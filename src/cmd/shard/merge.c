/* SPDX-License-Identifier: MIT
 * Merges partials into an answer, or into one larger partial. All of them are checked first. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/names/files.h"
#include "cmd/names/folder.h"
#include "cmd/shard/joining.h"
#include "cmd/shard/plan_file.h"

/* The shards of a partial that is sound. */
struct piece {
	const char *path;
	uint64_t first, last;
	struct trc_place from, to;
};

/* All partials to be merged, and what is wrong with some. Each takes a few words of memory, so
 * there may be many. */
struct pieces {
	struct piece *piece;
	size_t n, bad;
	struct trc_err wrong; /* what is wrong with the first bad one */
	struct trc_err other; /* the first that is of another answer; TRC_OK: none is */

	/* What all share, from the plan or the first of them. */
	struct trc_partial of;
	const char *of_path;

	/* What is known about the first file, from the first partial that knows it. */
	struct trc_meta meta;
	uint64_t meta_first;
};

static void
pieces_release(struct pieces *s)
{
	trc_partial_release(&s->of);
	free(s->piece);
}

/* ---- which shards there are ---- */

static int
by_shard(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	return x->last < y->last ? -1 : x->last > y->last;
}

/* Notes a partial, unless it is of another answer. The first one decides which answer that is. */
static int
note(struct pieces *s, const char *path, const struct trc_partial *p, struct trc_err *err)
{
	const char *what = s->of_path ? trc_partial_differ(&s->of, p) : NULL;

	if (what) {
		if (s->other.code == TRC_OK)
			(void)trc_fail(&s->other, "'%s' and '%s' %s", s->of_path, path, what);
		return 0;
	}
	s->piece[s->n++] = (struct piece){ path, p->first, p->last, p->from, p->to };
	if (p->begun.any && (!s->meta_first || p->first < s->meta_first)) {
		s->meta = p->begun.meta;
		s->meta_first = p->first;
	}
	if (s->of_path)
		return 0;
	s->of_path = path;
	return trc_partial_copy_head(&s->of, p, err);
}

/* Joins the partial that was noted last, before its state is gone, if it follows those that were
 * joined. The first one must begin with a file, or be shard 1 if none may be missing. Returns false
 * if it does not follow or anything fails: then join() reads the rest again, and reports the error.
 */
static bool
join_early(struct trc_joining *j, const struct pieces *s, struct trc_partial *p, bool all)
{
	const char *path = s->piece[s->n - 1].path;
	struct trc_err none = { 0 };

	if (j->n > 0 ? p->first != j->sum.last + 1 :
	               s->meta_first != p->first || (all && p->first > 1))
		return false;
	if ((j->n > 0 || trc_joining_begin(j, &s->of, s->of_path, &s->meta, &none) == 0) &&
	    trc_joining_add(j, p, path, &none) == 0)
		return true;
	trc_joining_end(j);
	return false;
}

/* Reads and checks all partials, joins them as long as they come in order, and sorts the sound ones
 * by their shards; `all`: no shard may be missing. */
static int
read_pieces(struct pieces *s, const struct trc_files *files, struct trc_joining *j, bool all,
            struct trc_err *err)
{
	bool early = true;

	s->piece = trc_alloc(files->n + 1, sizeof(*s->piece), err);
	if (!s->piece)
		return -1;
	for (size_t i = 0; i < files->n; i++) {
		struct trc_err why = { 0 };
		const size_t n = s->n;
		struct trc_partial p;
		int ret = trc_partial_read(&p, files->file[i].path, early, &why);

		if (ret == 0)
			ret = note(s, files->file[i].path, &p, &why);
		early = early && ret == 0 && s->n > n && join_early(j, s, &p, all);
		trc_partial_release(&p);
		if (ret && (why.code == TRC_NO_MEMORY || why.code == TRC_STOPPED))
			return trc_fail_as(err, why.code, "%s", why.text);
		if (ret && s->bad++ == 0)
			s->wrong = why;
	}
	qsort(s->piece, s->n, sizeof(*s->piece), by_shard);
	return 0;
}

/* Appends to a text, which ends in "..." if it does not fit. */
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

/* Names shards `first` to `last`: in the text, and if there are many, each on a line of standard
 * error. */
static void
name_missing(char *text, uint64_t first, uint64_t last, uint64_t of)
{
	for (uint64_t i = first; i <= last; i++) {
		char shard[64];

		snprintf(shard, sizeof(shard), " %llu/%llu", (ull)i, (ull)of);
		if (strlen(text) + strlen(shard) + 8 >= NAMED_MOST)
			fprintf(stderr, "trc: missing:%s\n", shard);
		add(text, NAMED_MOST, shard);
	}
}

/* Names missing shards: those between the first and the last that are there, or with `all` any. */
static void
find_missing(const struct pieces *s, bool all, char *text)
{
	const uint64_t of = s->of.of;
	uint64_t next = all || s->n == 0 ? 1 : s->piece[0].first;

	for (size_t i = 0; i < s->n; i++) {
		const struct piece *p = &s->piece[i];

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

/* Names shards that are there twice. */
static int
check_pairs(const struct pieces *s, struct trc_err *err)
{
	for (size_t i = 1; i < s->n; i++) {
		const struct piece *a = &s->piece[i - 1], *b = &s->piece[i];
		char what[96];

		if (b->first > a->last)
			continue;
		snprintf(what, sizeof(what), "both have shard %llu/%llu", (ull)b->first,
		         (ull)s->of.of);
		return fail_pair(a, b, what, err);
	}
	for (size_t i = 1; i < s->n; i++) {
		const struct piece *a = &s->piece[i - 1], *b = &s->piece[i];

		if (b->first == a->last + 1 &&
		    (a->to.file != b->from.file || a->to.at != b->from.at))
			return fail_pair(a, b, "were cut at different places", err);
	}
	return 0;
}

static int
check_pieces(const struct pieces *s, bool all, struct trc_err *err)
{
	char missing[NAMED_MOST + 64] = "", more[64] = "";

	if (s->other.code != TRC_OK)
		return trc_fail(err, "%s", s->other.text);
	if (check_pairs(s, err))
		return -1;
	if (s->of_path)
		find_missing(s, all, missing);
	if (s->bad > 1)
		snprintf(more, sizeof(more), " (and %zu more are no better)", s->bad - 1);
	if (s->bad > 0 && *missing)
		return trc_fail(err, "%.300s%s; missing shards:%s", s->wrong.text, more, missing);
	if (s->bad > 0)
		return trc_fail(err, "%.600s%s", s->wrong.text, more);
	if (*missing)
		return trc_fail(err, "missing shards:%s", missing);
	return s->n > 0 ? 0 : trc_fail(err, "there are no partials");
}

/* ---- joining ---- */

/* Joins all partials but the first ones, which were joined already, and prints or saves the result.
 */
static int
join(struct trc_joining *j, const struct pieces *s, struct trc_err *err)
{
	if (j->n > 0 && j->sum.first != s->piece[0].first)
		trc_joining_end(j);
	if (j->n == 0 && trc_joining_begin(j, &s->of, s->of_path, &s->meta, err))
		return -1;
	while (j->n < s->n) {
		const struct piece *piece = &s->piece[j->n];
		struct trc_partial p;
		int ret;

		if (trc_partial_read(&p, piece->path, true, err))
			return -1;
		ret = p.first != piece->first || p.last != piece->last ||
		                      trc_partial_differ(&s->of, &p) ?
		              trc_fail(err, "%s: was rewritten", piece->path) :
		              trc_joining_add(j, &p, piece->path, err);
		trc_partial_release(&p);
		if (ret)
			return -1;
	}
	return trc_joining_finish(j, err);
}

/* Returns true for a temporary file that a killed run left beside its partial. */
static bool
is_temporary(const char *path)
{
	static const char mark[] = ".part-";
	const size_t len = strlen(path), tail = sizeof(mark) - 1 + 8;

	return len > tail && memcmp(path + len - tail, mark, sizeof(mark) - 1) == 0 &&
	       strspn(path + len - 8, "0123456789abcdef") == 8;
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Compares the numbers at *a and *b, and moves both after them. */
static int
compare_numbers(const char **a, const char **b)
{
	char *behind_a, *behind_b;
	const unsigned long long m = strtoull(*a, &behind_a, 10), n = strtoull(*b, &behind_b, 10);

	*a = behind_a;
	*b = behind_b;
	return (m > n) - (m < n);
}

/* Sorts 9.part before 10.part, so that partials come in the order of their shards. */
static int
by_name(const void *a, const void *b)
{
	const char *x = ((const struct trc_file *)a)->path, *y = ((const struct trc_file *)b)->path;
	const char *const names[] = { x, y };
	int least = 0;

	while (least == 0 && *x && *y) {
		if (is_digit(*x) && is_digit(*y))
			least = compare_numbers(&x, &y);
		else
			least = (unsigned char)*x++ - (unsigned char)*y++;
	}
	return least ? least : strcmp(names[0], names[1]);
}

/* Lists the files that words stand for: of a folder, all but unfinished ones; in order of names. */
static int
list_files(struct trc_files *files, const struct trc_args *args, struct trc_err *err)
{
	for (size_t i = 0; i < args->n; i++) {
		const size_t from = files->n;
		size_t n = from;

		if (trc_folder_is(args->word[i]) ? trc_files_named(files, args->word[i], err) :
		                                   trc_files_put(files, args->word[i], err))
			return -1;
		for (size_t k = from; k < files->n; k++) {
			struct trc_file file = files->file[k];

			if (file.found && is_temporary(file.path))
				free(file.path);
			else
				files->file[n++] = file;
		}
		files->n = n;
	}
	if (files->n > 0)
		qsort(files->file, files->n, sizeof(*files->file), by_name);
	return 0;
}

/* Reads from the plan what all its partials share. */
static int
take_plan(struct pieces *s, const char *path, struct trc_err *err)
{
	struct trc_plan_file plan;

	if (trc_plan_open(&plan, path, err))
		return -1;
	s->of = plan.head;
	s->of_path = path;
	plan.head = (struct trc_partial){ 0 };
	trc_plan_close(&plan);
	return 0;
}

static int
merge_words(const struct trc_settings *settings, const struct trc_args *args, const char *output,
            struct trc_err *err)
{
	const char *plan = trc_shard_plan(settings);
	struct trc_joining j = { .settings = settings, .output = output };
	struct trc_files files = { 0 };
	struct pieces s = { .n = 0 };
	int ret = 0;

	if (args->n == 0)
		return trc_fail_as(err, TRC_USAGE,
		                   "--merge needs partials, which --shard I/N --partial writes%s",
		                   output ? ", and then an output" : "");
	if (plan)
		ret = take_plan(&s, plan, err);
	if (ret == 0)
		ret = list_files(&files, args, err);
	if (ret == 0)
		ret = read_pieces(&s, &files, &j, !trc_shard_partial(settings), err);
	if (ret == 0)
		ret = check_pieces(&s, !trc_shard_partial(settings), err);
	if (ret == 0)
		ret = join(&j, &s, err);
	trc_joining_end(&j);
	pieces_release(&s);
	trc_files_release(&files);
	return ret;
}

int
trc_shard_merge(const struct trc_settings *settings, const struct trc_args *args,
                struct trc_err *err)
{
	return merge_words(settings, args, NULL, err);
}

int
trc_shard_merge_to(const struct trc_settings *settings, const struct trc_args *args,
                   struct trc_err *err)
{
	struct trc_args partials = *args;

	if (trc_shard_partial(settings))
		return merge_words(settings, args, NULL, err);
	if (args->n > 0)
		partials.n--;
	return merge_words(settings, &partials, args->n ? args->word[args->n - 1] : "-", err);
}
