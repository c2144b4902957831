/* SPDX-License-Identifier: MIT */
#include "cmd/shard/plan_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "version.def"

#define BEGINNING "#trc plan "

enum {
	HEAD_MOST = 1 << 20, /* bytes; a question that has more is of no use to anybody */
	HEAD_FIRST = 1 << 14,
	CHECK = 23, /* bytes of a line "check", */
	AT = 24,    /* of one "at", */
	END = 82,   /* and of the last */
	MIB = 1 << 20,
};

/* ---- text ---- */

/* Text that is written and read by the same calls; what is read has to be what they would write.
 * The first failure stays. */
struct text {
	bool writes, failed;
	struct trc_buf *to;
	struct trc_view from;
	struct trc_err *err; /* of writing; text that is read is damaged */
};

static void
put(struct text *t, const char *s, size_t n)
{
	t->failed |= t->failed || trc_buf_put(t->to, s, n, t->err) != 0;
}

static void
mark(struct text *t, const char *s)
{
	const size_t n = strlen(s);

	if (t->writes) {
		put(t, s, n);
		return;
	}
	t->failed |= (size_t)(t->from.end - t->from.p) < n || memcmp(t->from.p, s, n) != 0;
	t->from.p += t->failed ? 0 : n;
}

/* A number of at least so many digits. */
static void
padded(struct text *t, const char *key, unsigned digits, uint64_t *v)
{
	const uint8_t *begin;
	char text[32];

	mark(t, key);
	if (t->writes) {
		put(t, text,
		    (size_t)snprintf(text, sizeof(text), "%0*llu", (int)digits,
		                     (unsigned long long)*v));
		return;
	}
	*v = 0;
	for (begin = t->from.p; !t->failed && t->from.p < t->from.end; t->from.p++) {
		const unsigned digit = *t->from.p - (unsigned)'0';

		if (digit > 9)
			break;
		t->failed = *v > (UINT64_MAX - digit) / 10;
		*v = *v * 10 + digit;
	}
	t->failed |= t->from.p - begin < (ptrdiff_t)digits;
}

static void
num(struct text *t, const char *key, uint64_t *v)
{
	padded(t, key, 1, v);
}

static void
flag(struct text *t, const char *key, bool *v)
{
	uint64_t n = *v;

	num(t, key, &n);
	*v = n > 0;
}

/* A number, or "-" if it is not known. */
static void
maybe(struct text *t, const char *key, bool *known, uint64_t *v)
{
	if (!t->writes && !t->failed) {
		const size_t n = strlen(key);

		*known = (size_t)(t->from.end - t->from.p) <= n || t->from.p[n] != '-';
	}
	if (*known) {
		num(t, key, v);
		return;
	}
	mark(t, key);
	mark(t, "-");
}

static void
hash(struct text *t, const char *key, uint64_t *v)
{
	enum { DIGITS = 16 };
	char text[DIGITS + 1];

	mark(t, key);
	if (t->writes) {
		snprintf(text, sizeof(text), "%016llx", (unsigned long long)*v);
		put(t, text, DIGITS);
		return;
	}
	*v = 0;
	t->failed |= t->from.end - t->from.p < DIGITS;
	if (t->failed)
		return;
	memcpy(text, t->from.p, DIGITS);
	text[DIGITS] = 0;
	t->failed = strspn(text, "0123456789abcdef") != DIGITS;
	*v = strtoull(text, NULL, 16);
	t->from.p += DIGITS;
}

/* The rest of the line; of what is read, to be freed. */
static void
rest(struct text *t, const char *key, char **text)
{
	const uint8_t *end;

	mark(t, key);
	if (t->writes) {
		if (!t->failed && strchr(*text, '\n'))
			t->failed = trc_fail(t->err, "'%s': a plan has a line for each", *text) !=
			            0;
		put(t, *text, strlen(*text));
		mark(t, "\n");
		return;
	}
	end = t->failed ? NULL : memchr(t->from.p, '\n', (size_t)(t->from.end - t->from.p));
	t->failed |= !end || memchr(t->from.p, 0, (size_t)(end - t->from.p));
	if (t->failed)
		return;
	*text = trc_alloc(1, (size_t)(end - t->from.p) + 1, t->err);
	t->failed = !*text;
	if (*text)
		memcpy(*text, t->from.p, (size_t)(end - t->from.p));
	t->from.p = end + 1;
}

/* ---- lines ---- */

static void
words_lines(struct trc_buf *words, struct text *t)
{
	uint64_t n = 0;
	size_t at = 0;

	for (size_t i = 0; i < words->n; i++)
		n += words->p[i] == 0;
	num(t, "words ", &n);
	mark(t, "\n");
	for (uint64_t i = 0; i < n && !t->failed; i++) {
		char *word = t->writes ? (char *)words->p + at : NULL;

		rest(t, "word ", &word);
		at += t->writes ? strlen(word) + 1 : 0;
		if (!t->writes && word)
			t->failed |= trc_buf_put(words, word, strlen(word) + 1, t->err) != 0;
		if (!t->writes)
			free(word);
	}
}

static void
from_line(struct trc_plan_file *p, struct text *t)
{
	static char none[] = "-";
	char *from = t->writes && p->from ? p->from : none;

	rest(t, "from ", &from);
	if (t->writes || from == none)
		return;
	if (strcmp(from, none) != 0)
		p->from = from;
	else
		free(from);
}

static void
head_lines(struct trc_plan_file *p, struct text *t)
{
	struct trc_partial *h = &p->head;
	uint64_t have = h->have, memory = (p->memory + MIB - 1) / MIB;

	mark(t, BEGINNING "1\n");
	rest(t, "version ", &h->version);
	/* What follows is the business of the trc that wrote it. */
	if (t->failed || (!t->writes && strcmp(h->version, TRC_VERSION) != 0))
		return;
	num(t, "trace files=", &h->files);
	hash(t, " mark=", &h->trace);
	num(t, " columns=", &have);
	flag(t, "\nflags several=", &h->several);
	flag(t, " end=", &p->meta_at_end);
	flag(t, " uncounted=", &p->uncounted);
	rest(t, "\nname ", &h->name);
	rest(t, "format ", &h->format);
	from_line(p, t);
	words_lines(&h->words, t);
	num(t, "shards ", &h->of);
	num(t, "\nmemory ", &memory);
	mark(t, "M\n");
	h->have = (uint32_t)have;
	p->memory = memory * MIB;
	t->failed |= have > TRC_HAS_ALL || h->of == 0 || h->of > TRC_SHARDS_MOST ||
	             memory > UINT64_MAX / MIB;
}

static void
shard_line(struct trc_planned *s, uint64_t *files, struct text *t)
{
	num(t, "shard ", &s->i);
	num(t, " from=", &s->from.file);
	num(t, ":", &s->from.at);
	num(t, " to=", &s->to.file);
	num(t, ":", &s->to.at);
	num(t, " bytes=", &s->bytes);
	maybe(t, " records=", &s->known, &s->rows);
	maybe(t, " before=", &s->counted, &s->before);
	num(t, " memory=", &s->memory);
	num(t, " files=", files);
	mark(t, "\n");
}

static void
by_word(struct text *t, const char *key, enum trc_slice_by *by)
{
	static const char *const name[] = { [TRC_SLICE_FILES] = "file",
		                            [TRC_SLICE_BLOCKS] = "blocks",
		                            [TRC_SLICE_LINES] = "lines",
		                            [TRC_SLICE_RECORDS] = "records" };
	size_t i = 0;

	mark(t, key);
	if (t->writes) {
		mark(t, name[*by]);
		return;
	}
	while (i < TRC_COUNT(name) && ((size_t)(t->from.end - t->from.p) < strlen(name[i]) ||
	                               memcmp(t->from.p, name[i], strlen(name[i])) != 0))
		i++;
	t->failed |= i == TRC_COUNT(name);
	if (t->failed)
		return;
	*by = (enum trc_slice_by)i;
	mark(t, name[i]);
}

/* `name`: as it stands there. */
static void
file_line(struct trc_sliced *f, uint64_t *number, char **name, struct text *t)
{
	num(t, "file ", number);
	num(t, " bytes=", &f->size);
	hash(t, " mark=", &f->fingerprint);
	by_word(t, " by=", &f->by);
	num(t, " records=", &f->rows);
	num(t, " of=", &f->all_rows);
	maybe(t, " skip=", &f->entry.ranged, &f->skip);
	maybe(t, " most=", &f->entry.ranged, &f->most);
	rest(t, " ", name);
}

/* Those whose lines a shard has: that of what it reads, or of one beside it. */
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

/* Splits the check from the end of lines; false if it is not theirs. */
static bool
is_checked(struct text *t, uint64_t seed, uint64_t *check)
{
	const size_t n = (size_t)(t->from.end - t->from.p);
	struct text last = { .from = { t->from.end - CHECK, t->from.end }, .err = t->err };
	uint64_t stands = 0;

	if (n < CHECK)
		return false;
	hash(&last, "check ", &stands);
	mark(&last, "\n");
	t->from.end -= CHECK;
	*check = XXH3_64bits_withSeed(t->from.p, n - CHECK, seed);
	return !last.failed && stands == *check;
}

/* Where the line "check" of the head ends; 0: there is none. */
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
	struct text t = { .err = err };
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

/* Hardly any has more bytes than are read first. */
static int
read_head(struct trc_plan_file *p, struct trc_err *err)
{
	int ret = -1;

	for (size_t room = HEAD_FIRST; ret; room = HEAD_MOST) {
		const size_t n = p->stream->size < room ? (size_t)p->stream->size : room;
		char *head = trc_alloc(1, n + 1, err);

		if (!head)
			return -1;
		if (!read_at(p, 0, head, n) || fail_beginning(head, err)) {
			free(head);
			return err->code ? -1 : fail_damaged(err);
		}
		ret = head_end(head, n) || n < HEAD_FIRST || room == HEAD_MOST;
		if (ret)
			ret = take_head(p, head, n, err);
		else
			ret = 1;
		free(head);
		if (ret < 0)
			return -1;
	}
	return 0;
}

static void
end_line(uint64_t *of, uint64_t *index, struct text *t)
{
	padded(t, "end shards=", 20, of);
	padded(t, " index=", 20, index);
	mark(t, " ");
}

static int
read_end(struct trc_plan_file *p, struct trc_err *err)
{
	const uint64_t size = p->stream->size;
	uint8_t end[END];
	struct text t = { .from = { end, end + END }, .err = err };
	uint64_t of = 0, check;

	if (size < END || !read_at(p, size - END, end, END) || !is_checked(&t, p->check, &check))
		return trc_fail(err, "the plan was cut short, or is damaged at its end");
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

/* Where shard `i` begins; where the last ends for the one behind it; 0: it is damaged. */
static uint64_t
begin_of(const struct trc_plan_file *p, uint64_t i)
{
	uint8_t line[AT];
	struct text t = { .from = { line, line + AT } };
	uint64_t at = 0;

	if (i > p->head.of)
		return p->index;
	if (!read_at(p, p->index + (i - 1) * AT, line, AT))
		return 0;
	padded(&t, "at ", 20, &at);
	mark(&t, "\n");
	return t.failed || at > p->index || (i == 1 && at != p->begin) ? 0 : at;
}

/* Whether its places are in its files. */
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
add_file(struct trc_plan_file *p, uint64_t number, struct trc_slices *s, struct text *t,
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
           struct text *t)
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
	struct text t = { .from = { bytes, bytes + n }, .err = err };
	struct trc_slices none = { .n = 0 };
	uint64_t check;
	int ret = -1;

	*shard = (struct trc_planned){ .i = 0 };
	if (bytes && n && read_at(p, at, bytes, n) && is_checked(&t, p->check, &check))
		ret = take_shard(p, i, shard, s ? s : &none, &t);
	trc_slices_release(&none);
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

/* Puts lines with their check behind them; `seed` NULL: it becomes that of the head. */
static int
put_lines(struct trc_plan_file *p, struct text *t, struct trc_err *err)
{
	const uint64_t seed = p->index ? p->check : 0;
	uint64_t check = XXH3_64bits_withSeed(t->to->p, t->to->n, seed);

	if (!p->index)
		p->check = check;
	hash(t, "check ", &check);
	mark(t, "\n");
	p->index += t->to->n;
	return t->failed || trc_out_put(p->out, t->to->p, t->to->n, err) ? -1 : 0;
}

int
trc_plan_begin(struct trc_plan_file *p, struct trc_out *out, const char *path, struct trc_err *err)
{
	struct trc_buf b = { 0 };
	struct text t = { .writes = true, .to = &b, .err = err };
	int ret;

	p->out = out;
	p->path = path;
	p->index = 0;
	head_lines(p, &t);
	if (!t.failed && b.n + CHECK > HEAD_MOST)
		t.failed = trc_fail(err, "a question of %zu bytes; %d is the most", b.n,
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
	struct text at = { .writes = true, .to = &p->at, .err = err };
	struct trc_buf b = { 0 };
	struct text t = { .writes = true, .to = &b, .err = err };
	uint64_t first, n;
	int ret;

	find_files(shard, s->n, &first, &n);
	padded(&at, "at ", 20, &p->index);
	mark(&at, "\n");
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
	struct text t = { .writes = true, .to = &b, .err = err };
	int ret = trc_out_put(p->out, p->at.p, p->at.n, err);

	end_line(&p->head.of, &p->index, &t);
	if (ret == 0)
		ret = put_lines(p, &t, err);
	trc_buf_release(&b);
	return ret;
}
