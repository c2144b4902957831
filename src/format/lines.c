/* SPDX-License-Identifier: MIT
 * Line-oriented formats: reading a batch of lines at a time, and saying which was bad. */
#include "format/lines.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

struct lines_source {
	struct trc_source src;
	const struct trc_format *f;
	struct trc_in *in;
	uint64_t line; /* lines consumed */
	const uint8_t *stop;
	struct trc_batch held; /* rows of a line that the batch had no room for, from row `at` on */
	size_t at;
	_Alignas(uint64_t) unsigned char state[TRC_FORMAT_STATE];
	uint32_t eol[TRC_BATCH_ROWS + TRC_LINES_SLACK];
};

/* Quotes the start of a line, what cannot be shown replaced by '?'. */
static const char *
quote(char *dst, size_t room, const uint8_t *s, const uint8_t *e)
{
	size_t n = 0;

	if (s < e && e[-1] == '\r')
		e--;
	for (; s < e && n + 4 < room; s++)
		dst[n++] = isprint(*s) ? (char)*s : '?';
	snprintf(dst + n, room - n, "%s", s < e ? "..." : "");
	return dst;
}

static enum trc_flow
fail_line(const struct lines_source *s, const struct trc_lines *l, size_t bad, struct trc_err *err)
{
	const uint8_t *start = l->text + (bad ? l->eol[bad - 1] + 1 : 0);
	char text[64], why[256] = "";

	if (s->f->more && s->f->more->explain)
		s->f->more->explain(start, l->text + l->eol[bad], why, sizeof(why));
	trc_fail(err, "%s:%llu: '%s' is no %s record, expected '%s'%s%s", s->in->name,
	         (unsigned long long)(s->line + bad + 1),
	         quote(text, sizeof(text), start, l->text + l->eol[bad]), s->f->name,
	         s->f->line->grammar, *why ? "; " : "", why);
	return TRC_FLOW_FAILED;
}

/* Parses line `i` by itself; false if it is bad. */
static bool
parse_one(const struct trc_lines *l, size_t i, struct trc_batch *b, trc_line_fn one)
{
	enum trc_line line =
	        one(l->text + (i ? l->eol[i - 1] + 1 : 0), l->text + l->eol[i], b, b->n);

	b->n += line == TRC_LINE_ROW;
	return line != TRC_LINE_BAD;
}

size_t
trc_lines_parse(const struct trc_lines *l, struct trc_batch *b, trc_line_fn one)
{
	size_t i = 0;

	while (i < l->n && parse_one(l, i, b, one))
		i++;
	return i;
}

size_t
trc_lines_parse_hex(const struct trc_lines *l, struct trc_batch *b, uint64_t *column,
                    trc_scan_fn scan, trc_line_fn one)
{
	const struct trc_text_kernels *kernels = trc_text_kernels(0);
	struct trc_hex_fields hex;
	size_t i = 0;

	while (i < l->n) {
		size_t n = scan(l, i, b, &hex);
		size_t good = kernels->hex(l->text, hex.end, hex.len, n, column + b->n);

		b->n += good;
		i += good;
		if (i < l->n && !parse_one(l, i, b, one))
			break;
		i++;
	}
	return i < l->n ? i : l->n;
}

/* Finds whole lines; *more = false at the end of the data. */
static int
find_lines(struct lines_source *s, bool *more, struct trc_err *err)
{
	*more = true;
	if (s->in->p < s->stop)
		return 0;
	if (trc_in_lines(s->in, &s->stop, err))
		return trc_err_in(err, "%s", s->in->name);
	*more = s->in->p < s->stop;
	return 0;
}

/* Parses up to `most` lines into `b`, which has room for their rows. */
static int
parse_lines(struct lines_source *s, struct trc_batch *b, size_t most, struct trc_err *err)
{
	struct trc_lines l = { s->in->p, s->eol, 0, &s->src.meta, s->state };
	size_t good;

	most = most < TRC_BATCH_ROWS ? most : TRC_BATCH_ROWS;
	l.n = trc_text_kernels(0)->lines(s->in->p, s->stop, s->eol, most);
	good = s->f->line->parse(&l, b);
	if (good < l.n) {
		fail_line(s, &l, good, err);
		return -1;
	}
	s->line += l.n;
	s->in->p += s->eol[l.n - 1] + 1;
	return 0;
}

static size_t
rows_of(const struct trc_format *f)
{
	return f->line->rows ? f->line->rows : 1;
}

static enum trc_flow
lines_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct lines_source *s = (struct lines_source *)src;
	const size_t rows = rows_of(s->f);
	bool more;

	while (b->n < b->cap) {
		const size_t room = b->cap - b->n;

		if (s->at < s->held.n) {
			const size_t left = s->held.n - s->at, n = left < room ? left : room;

			trc_batch_append(b, &s->held, s->at, n);
			s->at += n;
			continue;
		}
		if (find_lines(s, &more, err))
			return TRC_FLOW_FAILED;
		if (!more)
			break;
		trc_batch_clear(&s->held);
		s->at = 0;
		if (room < rows ? parse_lines(s, &s->held, 1, err) :
		                  parse_lines(s, b, room / rows, err))
			return TRC_FLOW_FAILED;
	}
	return b->n ? TRC_FLOW_ROWS : TRC_FLOW_END;
}

static void
lines_close(struct trc_source *src)
{
	struct lines_source *s = (struct lines_source *)src;

	trc_in_close(s->in);
	trc_batch_release(&s->held);
	free(s);
}

/* Where the first line of the data ends, [p, stop) being whole lines. */
static const uint8_t *
first_end(const uint8_t *p, const uint8_t *stop)
{
	const uint8_t *e = p < stop ? memchr(p, '\n', (size_t)(stop - p)) : NULL;

	return e ? e : stop;
}

/* Lets the format see the first line, if that says which columns there are. */
static int
look_at_first(struct lines_source *s, const void *settings, struct trc_err *err)
{
	const struct trc_line_format *row = s->f->line;
	struct trc_lines l = { NULL, s->eol, 1, NULL, NULL };
	bool more;

	if (!row->first && !s->f->more)
		return 0;
	if (find_lines(s, &more, err))
		return -1;
	l.text = s->in->p;
	s->eol[0] = (uint32_t)(first_end(l.text, s->stop) - l.text);
	if (s->f->more && s->f->more->head)
		s->f->more->head(l.text, l.text + s->eol[0], &s->src.meta);
	if (row->first &&
	    !row->first(s->state, settings, l.text, l.text + s->eol[0], &s->src.have)) {
		fail_line(s, &l, 0, err);
		return -1;
	}
	return 0;
}

struct trc_source *
trc_lines_source(const struct trc_format *f, struct trc_in *in, const void *settings,
                 struct trc_err *err)
{
	struct lines_source *s = trc_alloc(1, sizeof(*s), err);

	if (!s)
		return NULL;
	s->src = (struct trc_source){ .have = f->holds, .next = lines_next, .close = lines_close };
	s->f = f;
	s->in = in;
	s->stop = in->p;
	if (look_at_first(s, settings, err) ||
	    (rows_of(f) > 1 && trc_batch_init(&s->held, s->src.have, rows_of(f), err))) {
		free(s);
		return NULL;
	}
	return &s->src;
}

/* The bits that a line of this grammar checks: some for each field. */
static unsigned
bits_of(const char *grammar)
{
	unsigned bits = 8;

	for (; *grammar; grammar++)
		bits += *grammar == ' ' ? 8 : 0;
	return bits;
}

/* Format `f` took `lines` lines, the last of them the first `good` of `l`, and not the next. */
static void
note_near(struct trc_lines_near *near, const struct trc_format *f, const struct trc_lines *l,
          size_t good, uint64_t lines)
{
	const uint8_t *start;

	if (near->format && lines <= near->lines)
		return;
	near->format = f;
	near->lines = lines;
	start = l->text + (good ? l->eol[good - 1] + 1 : 0);
	quote(near->text, sizeof(near->text), start, l->text + l->eol[good]);
	near->why[0] = 0;
	if (f->more && f->more->explain)
		f->more->explain(start, l->text + l->eol[good], near->why, sizeof(near->why));
}

unsigned
trc_lines_probe(const struct trc_format *f, struct trc_head *head)
{
	struct trc_meta meta = { 0 };
	uint32_t eol[TRC_HEAD_ROWS + TRC_LINES_SLACK];
	_Alignas(uint64_t) unsigned char state[TRC_FORMAT_STATE] = { 0 };
	struct trc_lines l = { head->p, eol, 0, &meta, state };
	const uint8_t *end = head->p + head->n, *ended = end;
	_Alignas(uint64_t) const unsigned char none[TRC_FORMAT_SETTINGS] = { 0 };
	uint64_t lines = 0;
	uint32_t have;
	size_t rows = 0;

	/* A last line without its newline is whole only if nothing follows it; the kernels want
	 * newlines. */
	while (ended > head->p && ended[-1] != '\n')
		ended--;
	end = head->whole ? end : ended;
	if (f->line->first &&
	    !f->line->first(state, none, l.text, first_end(l.text, end), &have))
		return 0;
	while (l.text < end) {
		size_t good;

		l.n = trc_text_kernels(0)->lines(l.text, ended, eol, TRC_HEAD_ROWS / rows_of(f));
		if (l.n == 0)
			eol[l.n++] = (uint32_t)(end - l.text);
		trc_batch_clear(&head->rows);
		good = f->line->parse(&l, &head->rows);
		lines += good;
		rows += head->rows.n;
		if (good < l.n) {
			if (rows > 0)
				note_near(&head->near, f, &l, good, lines);
			return 0;
		}
		if (f->more && f->more->likely && !f->more->likely(&head->rows))
			return 0;
		l.text += eol[l.n - 1] + 1;
	}
	return (unsigned)(rows < TRC_BID_ROWS ? rows : TRC_BID_ROWS) *
	       (bits_of(f->line->grammar) - (f->more ? f->more->loose : 0));
}
