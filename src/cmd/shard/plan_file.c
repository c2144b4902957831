/* SPDX-License-Identifier: MIT */
#include "cmd/shard/plan_file.h"

#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "cmd/shard/plan_text.h"
#include "version.def"

#define BEGINNING "#trc plan "

enum {
	HEAD_MOST = 1 << 20, /* bytes; no sensible question needs more */
	HEAD_FIRST = 1 << 14,
	CHECK = 23, /* bytes of a line "check" */
	AT = 24,    /* bytes of a line "at" */
	END = 82,   /* bytes of the last line */
	MIB = 1 << 20,
};

/* ---- lines ---- */

static void
words_lines(struct trc_buf *words, struct trc_text_lines *t)
{
	uint64_t n = 0;
	size_t at = 0;

	for (size_t i = 0; i < words->n; i++)
		n += words->p[i] == 0;
	trc_text_num(t, "words ", &n);
	trc_text_mark(t, "\n");
	for (uint64_t i = 0; i < n && !t->failed; i++) {
		char *word = t->writes ? (char *)words->p + at : NULL;

		trc_text_rest(t, "word ", &word);
		at += t->writes ? strlen(word) + 1 : 0;
		if (!t->writes && word)
			t->failed |= trc_buf_put(words, word, strlen(word) + 1, t->err) != 0;
		if (!t->writes)
			free(word);
	}
}

static void
from_line(struct trc_plan_file *p, struct trc_text_lines *t)
{
	static char none[] = "-";
	char *from = t->writes && p->from ? p->from : none;

	trc_text_rest(t, "from ", &from);
	if (t->writes || from == none)
		return;
	if (strcmp(from, none) != 0)
		p->from = from;
	else
		free(from);
}

static void
head_lines(struct trc_plan_file *p, struct trc_text_lines *t)
{
	struct trc_partial *h = &p->head;
	uint64_t have = h->have, memory = (p->memory + MIB - 1) / MIB;

	trc_text_mark(t, BEGINNING "1\n");
	trc_text_rest(t, "version ", &h->version);
	/* Only the version that wrote it knows what follows. */
	if (t->failed || (!t->writes && strcmp(h->version, TRC_VERSION) != 0))
		return;
	trc_text_num(t, "trace files=", &h->files);
	trc_text_hash(t, " mark=", &h->trace);
	trc_text_num(t, " columns=", &have);
	trc_text_flag(t, "\nflags several=", &h->several);
	trc_text_flag(t, " end=", &p->meta_at_end);
	trc_text_flag(t, " uncounted=", &p->uncounted);
	trc_text_rest(t, "\nname ", &h->name);
	trc_text_rest(t, "format ", &h->format);
	from_line(p, t);
	words_lines(&h->words, t);
	trc_text_num(t, "shards ", &h->of);
	trc_text_num(t, "\nmemory ", &memory);
	trc_text_mark(t, "M\n");
	h->have = (uint32_t)have;
	p->memory = memory * MIB;
	t->failed |= have > TRC_HAS_ALL || h->of == 0 || h->of > TRC_SHARDS_MOST ||
	             memory > UINT64_MAX / MIB;
}

static void
shard_line(struct trc_planned *s, uint64_t *files, struct trc_text_lines *t)
{
	trc_text_num(t, "shard ", &s->i);
	trc_text_num(t, " from=", &s->from.file);
	trc_text_num(t, ":", &s->from.at);
	trc_text_num(t, " to=", &s->to.file);
	trc_text_num(t, ":", &s->to.at);
	trc_text_num(t, " bytes=", &s->bytes);
	trc_text_maybe(t, " records=", &s->known, &s->rows);
	trc_text_maybe(t, " before=", &s->counted, &s->before);
	trc_text_num(t, " memory=", &s->memory);
	trc_text_num(t, " files=", files);
	trc_text_mark(t, "\n");
}

static void
by_word(struct trc_text_lines *t, const char *key, enum trc_slice_by *by)
{
	static const char *const name[] = { [TRC_SLICE_FILES] = "file",
		                            [TRC_SLICE_BLOCKS] = "blocks",
		                            [TRC_SLICE_LINES] = "lines",
		                            [TRC_SLICE_RECORDS] = "records" };
	size_t i = 0;

	trc_text_mark(t, key);
	if (t->writes) {
		trc_text_mark(t, name[*by]);
		return;
	}
	while (i < TRC_COUNT(name) && ((size_t)(t->from.end - t->from.p) < strlen(name[i]) ||
	                               memcmp(t->from.p, name[i], strlen(name[i])) != 0))
		i++;
	t->failed |= i == TRC_COUNT(name);
	if (t->failed)
		return;
	*by = (enum trc_slice_by)i;
	trc_text_mark(t, name[i]);
}

/* A line of a file; `name` is as the plan has it. */
static void
file_line(struct trc_sliced *f, uint64_t *number, char **name, struct trc_text_lines *t)
{
	trc_text_num(t, "file ", number);
	trc_text_num(t, " bytes=", &f->size);
	trc_text_hash(t, " mark=", &f->fingerprint);
	by_word(t, " by=", &f->by);
	trc_text_num(t, " records=", &f->rows);
	trc_text_num(t, " of=", &f->all_rows);
	trc_text_maybe(t, " skip=", &f->entry.ranged, &f->skip);
	trc_text_maybe(t, " most=", &f->entry.ranged, &f->most);
	trc_text_rest(t, " ", name);
}

/* Files whose lines a shard has: those that it reads, or a neighbouring one. */
static void
find_files(const struct trc_planned *s, uint64_t all, uint64_t *first, uint64_t *n)
{
	const bool none = s->from.file == s->to.file && s->from.at == s->to.at;

	*first = none && s->from.file == all ? all - 1 : s->from.file;
	*n = none ? 1 : s->to.file - s->from.file + (s->to.at > 0);
}

/* ---- reading ---- */

static int
fail_damaged(struct trc_err *err)
{
	return err->code == TRC_NO_MEMORY ? -1 : trc_fail(err, "the plan is damaged");
}

static bool
read_at(const struct trc_plan_file *p, uint64_t at, void *dst, size_t n)
{
	const struct trc_stream *s = p->stream;

	return at <= s->size && n <= s->size - at && p->stream->read_at &&
	       p->stream->read_at(p->stream, at, dst, n);
}

/* Splits the check from the end of `lines`; returns false if it does not fit them. */
static bool
is_checked(struct trc_text_lines *t, uint64_t seed, uint64_t *check)
{
	const size_t n = (size_t)(t->from.end - t->from.p);
	struct trc_text_lines last = { .from = t->from, .err = t->err };
	uint64_t stands = 0;

	if (n < CHECK)
		return false;
	last.from.p += n - CHECK;
	trc_text_hash(&last, "check ", &stands);
	trc_text_mark(&last, "\n");
	t->from.end -= CHECK;
	*check = XXH3_64bits_withSeed(t->from.p, n - CHECK, seed);
	return !last.failed && stands == *check;
}

/* Returns the offset after the line "check" of the head; 0 if there is none. */
static size_t
head_end(const char *head, size_t n)
{
	static const char line[] = "\ncheck ";
	const size_t len = sizeof(line) - 1;

	for (size_t i = 0; i + 1 + CHECK <= n; i++)
		if (memcmp(head + i, line, len) == 0)
			return i + 1 + CHECK;
	return 0;
}

static int
fail_beginning(const char *head, struct trc_err *err)
{
	const size_t n = sizeof(BEGINNING) - 1;

	if (strncmp(head, BEGINNING, n) != 0)
		return trc_fail(err, "is not a plan; 'trc stat --shards N -o PLAN FILE...' writes "
		                     "one");
	if (strncmp(head + n, "1\n", 2) != 0)
		return trc_fail(err, "'%.*s': this trc reads '" BEGINNING "1'",
		                (int)strcspn(head, "\n"), head);
	return 0;
}

static int
take_head(struct trc_plan_file *p, const char *head, size_t n, struct trc_err *err)
{
	struct trc_text_lines t = { .err = err };
	bool checked;

	p->begin = head_end(head, n);
	t.from = (struct trc_view){ (const uint8_t *)head, (const uint8_t *)head + p->begin };
	checked = is_checked(&t, 0, &p->check);
	head_lines(p, &t);
	if (!t.failed && strcmp(p->head.version, TRC_VERSION) != 0)
		return trc_fail(err, "was written by trc %s, and this is trc %s; make a new plan",
		                p->head.version, TRC_VERSION);
	return checked && !t.failed && t.from.p == t.from.end ? 0 : fail_damaged(err);
}

/* Reads the first bytes of the file, at most `n`; returns NULL if they cannot be read. */
static char *
read_first(struct trc_plan_file *p, size_t room, size_t *n, struct trc_err *err)
{
	char *first;

	*n = p->stream->size < room ? (size_t)p->stream->size : room;
	first = trc_alloc(1, *n + 1, err);
	if (!first || read_at(p, 0, first, *n))
		return first;
	free(first);
	(void)fail_damaged(err);
	return NULL;
}

/* Most heads fit into the first read; the second try takes larger ones. */
static int
read_head(struct trc_plan_file *p, struct trc_err *err)
{
	size_t n;
	char *head = read_first(p, HEAD_FIRST, &n, err);
	int ret = head ? fail_beginning(head, err) : -1;

	if (ret == 0 && !head_end(head, n)) {
		free(head);
		head = read_first(p, HEAD_MOST, &n, err);
		ret = head ? 0 : -1;
	}
	if (ret == 0)
		ret = take_head(p, head, n, err);
	free(head);
	return ret;
}

static void
end_line(uint64_t *of, uint64_t *index, struct trc_text_lines *t)
{
	trc_text_padded(t, "end shards=", 20, of);
	trc_text_padded(t, " index=", 20, index);
	trc_text_mark(t, " ");
}

static int
read_end(struct trc_plan_file *p, struct trc_err *err)
{
	const uint64_t size = p->stream->size;
	uint8_t end[END];
	struct trc_text_lines t = { .from = { end, end + END }, .err = err };
	uint64_t of = 0, check;

	if (size < END || !read_at(p, size - END, end, END) || !is_checked(&t, p->check, &check))
		return trc_fail(err, "the plan is truncated, or damaged at its end");
	end_line(&of, &p->index, &t);
	return !t.failed && of == p->head.of && p->index >= p->begin && p->index <= size - END &&
	                       size - END - p->index == of * AT ?
	               0 :
	               fail_damaged(err);
}

int
trc_plan_open(struct trc_plan_file *p, const char *path, struct trc_err *err)
{
	uint64_t size;

	*p = (struct trc_plan_file){ .path = path };
	p->stream = trc_stream_file(path, &size, err);
	if (!p->stream || read_head(p, err) || read_end(p, err)) {
		trc_plan_close(p);
		return trc_err_in(err, "%s", path);
	}
	return 0;
}

/* Returns the offset of shard `i`; for the number after the last, where that ends; 0 if
 * damaged. */
static uint64_t
begin_of(const struct trc_plan_file *p, uint64_t i)
{
	uint8_t line[AT];
	struct trc_text_lines t = { .from = { line, line + AT } };
	uint64_t at = 0;

	if (i > p->head.of)
		return p->index;
	if (!read_at(p, p->index + (i - 1) * AT, line, AT))
		return 0;
	trc_text_padded(&t, "at ", 20, &at);
	trc_text_mark(&t, "\n");
	return t.failed || at > p->index || (i == 1 && at != p->begin) ? 0 : at;
}

/* Returns true if the places of a shard lie within its files. */
static bool
is_sound(const struct trc_planned *s, const struct trc_slices *files, uint64_t all)
{
	const struct trc_place a = s->from, b = s->to;
	const uint64_t last = files->first + files->n - 1;

	if (a.file > b.file || b.file > all || (b.file == all && b.at > 0) ||
	    (a.file == b.file && a.at >= b.at))
		return a.file == b.file && a.at == b.at && a.file <= all && s->bytes == 0;
	return a.at < trc_sliced_end(trc_slices_at(files, a.file)) &&
	       (b.at == 0 || b.at < trc_sliced_end(trc_slices_at(files, last)));
}

static int
add_file(struct trc_plan_file *p, uint64_t number, struct trc_slices *s, struct trc_text_lines *t,
         struct trc_err *err)
{
	struct trc_sliced f = { .marked = true };
	uint64_t stands = 0;
	char *name = NULL;

	file_line(&f, &stands, &name, t);
	t->failed |= stands != number;
	f.path = f.entry.path = t->failed ? NULL : trc_manifest_beside(p->path, name, err);
	free(name);
	if (!f.path)
		return -1;
	if (s->n == 0)
		s->first = number;
	if (number == s->first + s->n)
		return trc_slices_add(s, f, err);
	free(f.entry.path);
	return number + 1 == s->first + s->n ? 0 : -1;
}

static int
take_shard(struct trc_plan_file *p, uint64_t i, struct trc_planned *shard, struct trc_slices *s,
           struct trc_text_lines *t)
{
	uint64_t first, n, stands = 0;

	shard_line(shard, &stands, t);
	find_files(shard, p->head.files, &first, &n);
	if (t->failed || shard->i != i || n != stands || n == 0)
		return -1;
	for (uint64_t k = 0; k < n; k++)
		if (add_file(p, first + k, s, t, t->err))
			return -1;
	return t->from.p == t->from.end && is_sound(shard, s, p->head.files) ? 0 : -1;
}

int
trc_plan_read(struct trc_plan_file *p, uint64_t i, struct trc_planned *shard, struct trc_slices *s,
              struct trc_err *err)
{
	const uint64_t at = begin_of(p, i), end = begin_of(p, i + 1);
	const size_t n = at && end > at ? (size_t)(end - at) : 0;
	uint8_t *bytes = trc_alloc(1, n + 1, err);
	struct trc_text_lines t = { .from = { bytes, bytes + n }, .err = err };
	uint64_t check;
	int ret = -1;

	*shard = (struct trc_planned){ .i = 0 };
	if (bytes && n && read_at(p, at, bytes, n) && is_checked(&t, p->check, &check))
		ret = take_shard(p, i, shard, s, &t);
	free(bytes);
	return ret ? (void)fail_damaged(err), trc_err_in(err, "%s", p->path) : 0;
}

void
trc_plan_close(struct trc_plan_file *p)
{
	trc_stream_close(p->stream);
	trc_partial_release(&p->head);
	trc_buf_release(&p->at);
	free(p->from);
	p->from = NULL;
	p->stream = NULL;
}

/* ---- writing ---- */

/* Writes lines followed by their check; with `seed` NULL, they are the head. */
static int
put_lines(struct trc_plan_file *p, struct trc_text_lines *t, struct trc_err *err)
{
	const uint64_t seed = p->index ? p->check : 0;
	uint64_t check = XXH3_64bits_withSeed(t->to->p, t->to->n, seed);

	if (!p->index)
		p->check = check;
	trc_text_hash(t, "check ", &check);
	trc_text_mark(t, "\n");
	p->index += t->to->n;
	return t->failed || trc_out_put(p->out, t->to->p, t->to->n, err) ? -1 : 0;
}

int
trc_plan_begin(struct trc_plan_file *p, struct trc_out *out, const char *path, struct trc_err *err)
{
	struct trc_buf b = { 0 };
	struct trc_text_lines t = { .writes = true, .to = &b, .err = err };
	int ret;

	p->out = out;
	p->path = path;
	p->index = 0;
	head_lines(p, &t);
	if (!t.failed && b.n + CHECK > HEAD_MOST)
		t.failed = trc_fail(err, "the question has %zu bytes; the limit is %d", b.n,
		                    HEAD_MOST) != 0;
	ret = put_lines(p, &t, err);
	trc_buf_release(&b);
	return ret;
}

int
trc_plan_put(struct trc_plan_file *p, const struct trc_planned *shard, const struct trc_slices *s,
             struct trc_err *err)
{
	struct trc_planned line = *shard;
	struct trc_text_lines at = { .writes = true, .to = &p->at, .err = err };
	struct trc_buf b = { 0 };
	struct trc_text_lines t = { .writes = true, .to = &b, .err = err };
	uint64_t first, n;
	int ret;

	find_files(shard, s->n, &first, &n);
	trc_text_padded(&at, "at ", 20, &p->index);
	trc_text_mark(&at, "\n");
	shard_line(&line, &n, &t);
	for (uint64_t i = first; i < first + n && !t.failed; i++) {
		struct trc_sliced f = *trc_slices_at(s, i);
		char *name = trc_manifest_name(p->path, f.path, err);

		t.failed = !name;
		if (name)
			file_line(&f, &i, &name, &t);
		free(name);
	}
	ret = at.failed || put_lines(p, &t, err) ? -1 : 0;
	trc_buf_release(&b);
	return ret;
}

int
trc_plan_end(struct trc_plan_file *p, struct trc_err *err)
{
	struct trc_buf b = { 0 };
	struct trc_text_lines t = { .writes = true, .to = &b, .err = err };
	int ret = trc_out_put(p->out, p->at.p, p->at.n, err);

	end_line(&p->head.of, &p->index, &t);
	if (ret == 0)
		ret = put_lines(p, &t, err);
	trc_buf_release(&b);
	return ret;
}
