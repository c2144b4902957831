/* SPDX-License-Identifier: MIT
 *
 * Reads line formats: parses a batch of lines at a time, and reports the invalid one.
 */
#include "format/lines.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/io/part.h"
#include "format/foreign.h"
#include "format/origin.h"

/* A source of rows from lines. */
struct lines_source {
	struct trc_source src;
	const struct trc_format *f;
	struct trc_in *in;
	bool begun;
	uint64_t line;  /* lines read */
	uint64_t given; /* rows of the next line that were output */
	uint64_t first; /* of these, those output before the slice */
	const uint8_t *stop;

	/* Rows of a line that did not fit into the batch, from row `at` on. */
	struct trc_batch held;
	size_t at;
	struct trc_buf origin; /* provenance of the recording */
	_Alignas(uint64_t) unsigned char state[TRC_FORMAT_STATE];
	uint32_t eol[TRC_BATCH_ROWS + TRC_LINES_SLACK];
};

/* Quotes the beginning of a line, with unprintable characters replaced by '?'. */
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

/* `lines` lines were read before those of `l`. */
static enum trc_flow
fail_line(const struct lines_source *s, const struct trc_lines *l, uint64_t lines, size_t bad,
          struct trc_err *err)
{
	const uint8_t *start = l->text + trc_line_start(l, bad);
	const bool unended = s->in->unended && l->text + l->eol[bad] + 1 == s->in->end;
	char text[64], why[256] = "";
	struct trc_reading r;

	trc_lines_explain(s->f, l->state, start, l->text + l->eol[bad], why, sizeof(why));
	trc_fail(err, "%s:%llu: '%s' is not a valid %s record, expected '%s'%s%s%s", s->in->name,
	         (unsigned long long)(lines + bad + 1),
	         quote(text, sizeof(text), start, l->text + l->eol[bad]), s->f->name,
	         s->f->line->grammar, *why ? "; " : "", why, unended ? TRC_LINES_UNENDED : "");
	if (s->f->amend && s->f->amend(l->state, &r))
		trc_err_reading(err, r.what, r.from);
	return TRC_FLOW_FAILED;
}

const uint8_t *
trc_lines_pass_mark(const uint8_t *p, const uint8_t *e)
{
	return trc_text_begins(p, e, "\xef\xbb\xbf") ? p + 3 : p;
}

/* Finds complete lines; sets *more to false at the end of the data. */
static int
find_lines(struct lines_source *s, bool *more, struct trc_err *err)
{
	*more = true;
	if (s->in->p < s->stop)
		return 0;
	if (trc_in_lines(s->in, &s->stop, err))
		return trc_err_in(err, "%s", s->in->name);
	if (!s->begun)
		s->in->p = trc_lines_pass_mark(s->in->p, s->stop);
	s->begun = true;
	*more = s->in->p < s->stop;
	s->src.meta.unended = s->in->unended;
	return 0;
}

static size_t
rows_of(const struct trc_format *f)
{
	return f->line->rows ? f->line->rows : 1;
}

/* Returns true if only the first line may affect others, and is read by next(). */
static bool
has_pieces(const struct trc_format *f)
{
	return !f->chained && rows_of(f) == 1;
}

/* Parses lines, at least one, into `b`, which has room for one. If threads may begin anywhere, the
 * rows before an invalid line are output first, and *bad is set, so that it does not matter which
 * lines are in the same batch. */
static int
parse_lines(struct lines_source *s, struct trc_batch *b, bool *bad, struct trc_err *err)
{
	const size_t rows = rows_of(s->f), room = b->cap - b->n;
	struct trc_lines l = { s->in->p, s->eol, 0, rows, &s->src.meta, s->state, &s->given };
	size_t most = room < TRC_BATCH_ROWS ? room : TRC_BATCH_ROWS, good;

	l.n = trc_text_kernels(0)->marks(s->in->p, s->stop, '\n', s->eol, most);
	good = trc_lines_rows(s->f, &l, b);
	*bad = good < l.n && b->cap - b->n >= rows;
	if (*bad && (b->n == 0 || !has_pieces(s->f))) {
		fail_line(s, &l, s->line, good, err);
		return -1;
	}
	s->line += good;
	s->in->p += good > 0 ? s->eol[good - 1] + 1 : 0;
	return 0;
}

static enum trc_flow
lines_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct lines_source *s = (struct lines_source *)src;
	const size_t rows = rows_of(s->f), before = b->n;
	bool more, bad = false;

	while (b->n < b->cap && !bad) {
		const size_t room = b->cap - b->n;
		const bool narrow = room < rows;

		if (s->at < s->held.n) {
			const size_t left = s->held.n - s->at, n = left < room ? left : room;

			trc_batch_append(b, &s->held, s->at, n);
			s->at += n;
			continue;
		}
		if (narrow && b->n > before)
			break;
		if (find_lines(s, &more, err))
			return TRC_FLOW_FAILED;
		if (!more)
			break;
		trc_batch_clear(&s->held);
		s->at = 0;
		if (parse_lines(s, narrow ? &s->held : b, &bad, err))
			return TRC_FLOW_FAILED;
	}
	return b->n ? TRC_FLOW_ROWS : TRC_FLOW_END;
}

/* ---- lines for other threads ---- */

/* Bytes of a line in most formats. */
enum { LINE_BYTES = 10 };

static void
release_slice(void *own)
{
	struct lines_source *s = own;

	trc_in_close(s->in);
	free(s);
}

/* Makes a source of the lines of a slice. */
static struct lines_source *
slice_source(struct lines_source *s, struct trc_slice *slice, struct trc_err *err)
{
	struct lines_source *own = slice->own;

	if (own)
		return own;
	own = trc_alloc(1, sizeof(*own), err);
	if (!own)
		return NULL;
	own->in = trc_part_open(s->in, err);
	if (!own->in) {
		free(own);
		return NULL;
	}
	own->f = s->f;
	own->begun = true;
	slice->own = own;
	slice->release = release_slice;
	return own;
}

static uint64_t
lines_left(const struct trc_source *src)
{
	return trc_part_left(((const struct lines_source *)src)->in) / LINE_BYTES;
}

static enum trc_flow
lines_take(struct trc_source *src, size_t want, struct trc_slice *slice, struct trc_err *err)
{
	struct lines_source *s = (struct lines_source *)src;
	struct lines_source *own = slice_source(s, slice, err);

	if (!own)
		return TRC_FLOW_FAILED;
	own->src.meta = src->meta;
	memcpy(own->state, s->state, sizeof(own->state));
	slice->before = s->line;
	own->line = slice->before;
	own->given = own->first = s->given;
	s->given = 0;
	if (trc_part_take(own->in, want * LINE_BYTES, err)) {
		trc_err_in(err, "%s", s->in->name);
		return TRC_FLOW_FAILED;
	}
	own->stop = own->in->p;
	s->stop = s->in->p;
	src->meta.unended = s->in->unended;
	return own->in->eof && own->in->p == own->in->end ? TRC_FLOW_END : TRC_FLOW_ROWS;
}

static enum trc_flow
lines_parse(struct trc_source *src, struct trc_slice *slice, struct trc_batch *b,
            struct trc_err *err)
{
	struct lines_source *own = slice->own;
	enum trc_flow flow;

	(void)src;
	if (slice->again) {
		trc_part_again(own->in);
		own->stop = own->in->p;
		own->line = slice->before;
		own->given = own->first;
		slice->again = false;
	}
	flow = lines_next(&own->src, b, err);
	slice->lines = own->line - slice->before;
	return flow;
}

/* For a file, and for input that must be copied. */
static const struct trc_sliceable slices[] = {
	{ .take = lines_take, .parse = lines_parse, .left = lines_left },
	{ .take = lines_take, .parse = lines_parse, .left = lines_left, .copies = true },
};

static void
lines_close(struct trc_source *src)
{
	struct lines_source *s = (struct lines_source *)src;

	trc_in_close(s->in);
	trc_batch_release(&s->held);
	trc_buf_release(&s->origin);
	free(s);
}

/* Returns the end of the first line of the data; [p, stop) are complete lines. */
static const uint8_t *
first_end(const uint8_t *p, const uint8_t *stop)
{
	const uint8_t *e = p < stop ? memchr(p, '\n', (size_t)(stop - p)) : NULL;

	return e ? e : stop;
}

/* Lets the parser process the first line if reading begins elsewhere. If it has names, it gives no
 * row; if it gives a row, that is output where reading begins with it. */
static int
pass_first(struct lines_source *s, const struct trc_lines *l, struct trc_err *err)
{
	struct trc_batch rows;

	if (trc_batch_init(&rows, s->src.have, l->rows, err))
		return -1;
	(void)trc_lines_rows(s->f, l, &rows);
	trc_batch_release(&rows);
	return 0;
}

/* Shows the first line to the format, if the columns or the meta depend on it. */
static int
look_at_first(struct lines_source *s, const void *settings, struct trc_err *err)
{
	const struct trc_line_format *row = s->f->line;
	struct trc_lines l = { NULL, s->eol, 1, rows_of(s->f), &s->src.meta, s->state, NULL };
	const struct trc_in *in = s->in;
	bool more;

	if (!row->first && !s->f->more)
		return 0;
	if (s->f->more)
		memcpy(s->state, settings, s->f->more->settings);
	if (find_lines(s, &more, err))
		return -1;
	l.text = in->line ? trc_lines_pass_mark(in->line, in->line + in->line_len) : in->p;
	s->eol[0] = (uint32_t)((in->line ? in->line + in->line_len : first_end(in->p, s->stop)) -
	                       l.text);
	if (s->f->more && s->f->more->head)
		s->f->more->head(s->state, l.text, l.text + s->eol[0], &s->src.meta);
	if (row->first &&
	    !row->first(s->f, s->state, settings, l.text, l.text + s->eol[0], &s->src.have)) {
		fail_line(s, &l, 0, 0, err);
		return -1;
	}
	return row->first && in->line ? pass_first(s, &l, err) : 0;
}

/* Refuses text whose lines end in another way, which might be read as one line, or none. */
static int
check_ends(const struct lines_source *s, struct trc_err *err)
{
	const size_t n = (size_t)(s->in->end - s->in->p) - (s->in->unended > 0);
	const char *is = s->in->p < s->in->end ? trc_foreign_lines(s->in->p, n) : NULL;

	return is ? trc_fail(err, "%s: %s", s->in->name, is) : 0;
}

/* Records the lines before the first record. The result must not depend on how much of a pipe has
 * arrived. */
static int
look_at_origin(struct lines_source *s, struct trc_err *err)
{
	bool more;

	if (find_lines(s, &more, err) || check_ends(s, err))
		return -1;
	if (!trc_origin_begins(s->f, s->in->p, s->stop))
		return 0;
	if (trc_in_fill(s->in, TRC_ORIGIN_HEAD, err))
		return trc_err_in(err, "%s", s->in->name);
	s->stop = s->in->p;
	if (find_lines(s, &more, err) || trc_origin_take(s->f, s->in->p, s->stop, &s->origin, err))
		return -1;
	s->src.meta.provenance = trc_buf_view(&s->origin);
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
	/* The trailer of a format with independent lines does not matter to readers. */
	s->src.meta_at_end = f->chained && f->print && f->print->trailer;
	if (has_pieces(f) && !in->salvages)
		s->src.slices = &slices[trc_in_size(in) == 0];
	s->f = f;
	s->in = in;
	s->stop = in->p;
	if (look_at_origin(s, err) || look_at_first(s, settings, err) ||
	    (rows_of(f) > 1 && trc_batch_init(&s->held, s->src.have, rows_of(f), err))) {
		s->in = NULL; /* stays the caller's */
		lines_close(&s->src);
		return NULL;
	}
	return &s->src;
}

/* Returns the bits that a line of this grammar checks: some for each field. */
static unsigned
bits_of(const char *grammar)
{
	unsigned bits = 8;

	for (; *grammar; grammar++)
		bits += *grammar == ' ' ? 8 : 0;
	return bits;
}

static unsigned
fields_of(const char *grammar)
{
	unsigned n = 1;

	for (; *grammar; grammar++)
		n += *grammar == ' ';
	return n;
}

bool
trc_lines_sees_more(const struct trc_format *f, uint64_t lines, const struct trc_format *other)
{
	const char *grammar = f->line->grammar;

	return lines >= 2 && !strstr(grammar, "...") &&
	       fields_of(grammar) >= fields_of(other->line->grammar) + 2;
}

static bool
is_nearer(const struct trc_lines_nearest *nearest, const struct trc_format *f, uint64_t lines)
{
	return !nearest->format || trc_lines_sees_more(f, lines, nearest->format) ||
	       (lines > nearest->lines && !trc_lines_sees_more(nearest->format, nearest->lines, f));
}

/* Notes that format `f` accepted `lines` lines, the last of them the first `good` of `l`, but not
 * the next. */
static void
note_nearest(struct trc_lines_nearest *nearest, const struct trc_format *f,
             const struct trc_lines *l, size_t good, uint64_t lines)
{
	const uint8_t *start;

	if (!is_nearer(nearest, f, lines))
		return;
	nearest->format = f;
	nearest->lines = lines;
	start = l->text + trc_line_start(l, good);
	quote(nearest->text, sizeof(nearest->text), start, l->text + l->eol[good]);
	trc_lines_explain(f, l->state, start, l->text + l->eol[good], nearest->why,
	                  sizeof(nearest->why));
	nearest->reading.from[0] = 0;
	if (f->amend)
		(void)f->amend(l->state, &nearest->reading);
}

/* Returns true if a text without a record, [p, end), is a trace nevertheless: its first line names
 * columns, or a comment describes the trace. */
static bool
is_described(const struct trc_format *f, const uint8_t *p, const uint8_t *end, void *state,
             struct trc_meta *meta)
{
	if (f->more && f->more->head)
		f->more->head(state, p, first_end(p, end), meta);
	return f->line->first || meta->page_bits || meta->totals;
}

/* Returns true if these lines and their rows are typical of the format. */
static bool
is_likely(const struct trc_format *f, const struct trc_lines *l, const struct trc_probe *probe)
{
	return probe->named || !f->more || !f->more->likely || f->more->likely(l, &probe->rows);
}

/* Returns true if a row has 0 bytes, which no request has. */
static bool
has_empty(const struct trc_format *f, const struct trc_batch *b)
{
	size_t n = 0;

	for (size_t i = 0; i < b->n && f->holds & TRC_HAS_SIZE; i++)
		n += b->size[i] == 0;
	return n > 0;
}

static bool
is_possible(const struct trc_format *f, const void *state)
{
	return !f->more || !f->more->possible || f->more->possible(state);
}

unsigned
trc_lines_probe(const struct trc_format *f, const void *settings, struct trc_probe *probe)
{
	struct trc_meta meta = { 0 };
	uint32_t eol[TRC_PROBE_ROWS + TRC_LINES_SLACK];
	_Alignas(uint64_t) unsigned char state[TRC_FORMAT_STATE] = { 0 };
	const uint8_t *end = probe->p + probe->n, *ended = end;
	const uint8_t *start = trc_lines_pass_mark(probe->p, end);
	struct trc_lines l = { start, eol, 0, rows_of(f), &meta, state, NULL };
	uint64_t lines = 0;
	bool likely = true, empty = false;
	uint32_t have;
	size_t rows = 0;

	/* A last line without its newline is only complete if nothing follows it; the kernels need
	 * newlines. */
	while (ended > start && ended[-1] != '\n')
		ended--;
	end = probe->whole ? end : ended;
	if (f->more)
		memcpy(state, settings, f->more->settings);
	if (f->line->first &&
	    !f->line->first(f, state, settings, l.text, first_end(l.text, end), &have))
		return 0;
	while (l.text < end) {
		size_t good;

		l.n = trc_text_kernels(0)->marks(l.text, ended, '\n', eol, TRC_PROBE_ROWS);
		if (l.n == 0)
			eol[l.n++] = (uint32_t)(end - l.text);
		trc_batch_clear(&probe->rows);
		good = trc_lines_rows(f, &l, &probe->rows);
		lines += good;
		rows += probe->rows.n;
		if (good < l.n && probe->rows.cap - probe->rows.n >= l.rows) {
			l.n = good;
			/* A line that names columns counts like a record. */
			if ((rows > 0 || (f->line->first && lines > 0)) && is_likely(f, &l, probe))
				note_nearest(&probe->nearest, f, &l, good, lines);
			return 0;
		}
		l.n = good;
		/* Some lines of a table may come late; the state remembers what is missing. */
		likely = (likely || f->layout) && is_likely(f, &l, probe);
		empty |= has_empty(f, &probe->rows);
		if (!likely && (!f->unshown || !is_possible(f, state)))
			return 0;
		l.text += eol[good - 1] + 1;
	}
	if (!likely && !empty && rows > 0 && probe->candidates < TRC_READINGS)
		probe->candidate[probe->candidates++] = f;
	if (!likely)
		return 0;
	if (rows == 0)
		return probe->whole && lines > 0 && is_described(f, start, end, state, &meta) ? 1 :
		                                                                                0;
	return (unsigned)(rows < TRC_BID_ROWS ? rows : TRC_BID_ROWS) *
	       (bits_of(f->line->grammar) - (f->more ? f->more->loose : 0));
}
