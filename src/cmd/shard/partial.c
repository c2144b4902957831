/* SPDX-License-Identifier: MIT */
#include "cmd/shard/partial.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/io/frame.h"
#include "base/io/reads.h"
#include "cmd/job/origins.h"
#include "version.def"

enum {
	KIND_HEAD = 1,
	KIND_STATE = 2,
	KIND_END = 3,
	PIECE = 1 << 20,     /* bytes of a state frame */
	HEAD_MOST = 1 << 26, /* bytes */
};

void
trc_partial_release(struct trc_partial *p)
{
	free(p->version);
	free(p->name);
	free(p->format);
	trc_buf_release(&p->words);
	trc_buf_release(&p->found.state);
	trc_begun_release(&p->begun);
	*p = (struct trc_partial){ 0 };
}

/* ---- the head ---- */

/* A string, whose NUL is not stored. */
static void
text_state(char **text, struct trc_state *s)
{
	struct trc_buf b = { .p = (uint8_t *)*text, .n = s->writes ? strlen(*text) : 0 };

	trc_state_bytes(s, &b);
	if (!s->writes && !trc_state_failed(s, trc_buf_put_byte(&b, 0, s->err)))
		*text = (char *)b.p;
	else if (!s->writes)
		trc_buf_release(&b);
}

/* The same for a string in an array of fixed size. */
static void
name_state(char *text, size_t room, struct trc_state *s)
{
	char *name = s->writes ? text : NULL;

	text_state(&name, s);
	if (s->writes || !name)
		return;
	if (strlen(name) < room)
		memcpy(text, name, strlen(name) + 1);
	else
		trc_state_damaged(s);
	free(name);
}

static void
begun_state(struct trc_begun *b, struct trc_state *s)
{
	struct trc_meta *m = &b->meta;
	struct trc_guarantee *g = &m->guarantee;
	uint64_t bits = m->page_bits;

	trc_state_flag(s, &b->any);
	trc_state_flag(s, &m->totals);
	trc_state_nums(s, &m->rows, &m->refs, &m->insns, &m->last_time, &m->touches, &g->sad,
	               &g->window, &g->clock, &g->sets, &g->ways, &g->line, &g->sample, &g->reduced,
	               &b->sum);
	name_state(m->format, sizeof(m->format), s);
	trc_state_most(s, &bits, 63);
	m->page_bits = (uint32_t)bits;
	trc_state_bytes(s, &b->origins);
	if (b->origins.n > 0 && !trc_origins_good(trc_buf_view(&b->origins)))
		trc_state_damaged(s);
}

static void
found_state(struct trc_found *f, struct trc_state *s)
{
	struct trc_page_totals *t = &f->totals;

	trc_state_nums(s, &f->rows, &f->sum[0], &f->sum[1], &t->refs, &t->insns, &t->last_time,
	               &t->touches);
	trc_state_flag(s, &f->counted);
}

static void
head_state(struct trc_partial *p, struct trc_state *s)
{
	uint64_t have = p->have;

	trc_state_bytes(s, &p->words);
	text_state(&p->name, s);
	text_state(&p->format, s);
	trc_state_most(s, &have, TRC_HAS_ALL);
	p->have = (uint32_t)have;
	trc_state_nums(s, &p->files, &p->trace, &p->first, &p->last, &p->of, &p->from.file,
	               &p->from.at, &p->to.file, &p->to.at);
	found_state(&p->found, s);
	trc_state_flag(s, &p->several);
	begun_state(&p->begun, s);
	if (p->first == 0 || p->first > p->last || p->last > p->of || p->of > TRC_SHARDS_MOST)
		trc_state_damaged(s);
}

static int
put_head(struct trc_buf *b, const struct trc_partial *partial, struct trc_err *err)
{
	struct trc_state s = { .writes = true, .to = b, .err = err };
	struct trc_partial p = *partial;

	text_state(&p.version, &s);
	head_state(&p, &s);
	return s.failed ? -1 : 0;
}

static int
get_head(struct trc_partial *p, struct trc_view v, struct trc_err *err)
{
	struct trc_state s = { .from = &v, .err = err };

	text_state(&p->version, &s);
	/* Only the version that wrote it knows what follows. */
	if (!s.failed && strcmp(p->version, TRC_VERSION) != 0)
		return trc_fail(err, "was written by trc %s, and this is trc %s", p->version,
		                TRC_VERSION);
	if (!s.failed)
		head_state(p, &s);
	if (v.p < v.end)
		trc_state_damaged(&s);
	return !s.failed                  ? 0 :
	       err->code == TRC_NO_MEMORY ? -1 :
	                                    trc_fail(err, "its header is damaged");
}

int
trc_partial_copy_head(struct trc_partial *to, const struct trc_partial *p, struct trc_err *err)
{
	struct trc_buf b = { 0 };
	const int ret = put_head(&b, p, err) || get_head(to, trc_buf_view(&b), err) ? -1 : 0;

	trc_buf_release(&b);
	return ret;
}

/* ---- the file ---- */

int
trc_partial_write(const struct trc_partial *p, struct trc_out *out, struct trc_err *err)
{
	const struct trc_buf *state = &p->found.state;
	struct trc_buf head = { 0 }, none = { 0 };
	uint64_t piece = 0;
	int ret = put_head(&head, p, err);

	if (ret == 0)
		ret = trc_frame_write(out, KIND_HEAD, TRC_PARTIAL_VERSION, &head, err);
	trc_buf_release(&head);
	for (size_t at = 0; ret == 0 && at < state->n; at += PIECE) {
		const size_t left = state->n - at;
		const struct trc_buf b = { .p = state->p + at, .n = left < PIECE ? left : PIECE };

		ret = trc_frame_write(out, KIND_STATE, piece++, &b, err);
	}
	return ret ? ret : trc_frame_write(out, KIND_END, state->n, &none, err);
}

static int
fail_frame(enum trc_frame_found found, struct trc_err *err)
{
	switch (found) {
	case TRC_FRAME_FAILED: return -1;
	case TRC_FRAME_BAD: return trc_fail(err, "is damaged");
	default: return trc_fail(err, "is truncated");
	}
}

static int
read_states(struct trc_partial *p, struct trc_in *in, bool state, struct trc_err *err)
{
	uint64_t pieces = 0, bytes = 0;
	struct trc_frame f;

	for (;;) {
		const enum trc_frame_found found = trc_frame_read(in, PIECE, &f, err);

		if (found != TRC_FRAME_GOOD)
			return fail_frame(found, err);
		if (f.kind != KIND_STATE)
			break;
		if (f.number != pieces++)
			return trc_fail(err, "is damaged");
		bytes += f.len;
		if (state && trc_buf_put(&p->found.state, f.payload, (size_t)f.len, err))
			return -1;
	}
	if (f.kind != KIND_END || f.number != bytes)
		return trc_fail(err, "is damaged");
	if (trc_in_fill(in, 1, err))
		return -1;
	return in->p == in->end ? 0 : trc_fail(err, "has bytes after its end");
}

static int
read_all(struct trc_partial *p, struct trc_in *in, bool state, struct trc_err *err)
{
	struct trc_frame f;
	const enum trc_frame_found found = trc_frame_read(in, HEAD_MOST, &f, err);

	if (found == TRC_FRAME_FAILED)
		return -1;
	if (found == TRC_FRAME_END || found == TRC_FRAME_CUT)
		return fail_frame(found, err);
	if (found != TRC_FRAME_GOOD || f.kind != KIND_HEAD)
		return trc_fail(err, "is not a partial (--shard I/N --partial FILE writes them)");
	if (f.number != TRC_PARTIAL_VERSION)
		return trc_fail(err, "was written by another version of trc");
	if (get_head(p, (struct trc_view){ f.payload, f.payload + f.len }, err))
		return -1;
	return read_states(p, in, state, err);
}

int
trc_partial_read(struct trc_partial *p, const char *path, bool state, struct trc_err *err)
{
	struct trc_in *in = trc_in_open(path, err);
	int ret;

	*p = (struct trc_partial){ 0 };
	if (!in)
		return -1;
	ret = read_all(p, in, state, err);
	trc_in_close(in);
	if (ret) {
		trc_partial_release(p);
		trc_err_in(err, "%s", path);
	}
	return ret;
}

/* Sets *is if the file begins, as far as it goes, or ends like a partial: damage leaves either. */
static int
is_partial(struct trc_in *in, bool *is, struct trc_err *err)
{
	enum { MARK = 3 }; /* bytes of a header up to its kind */
	uint8_t head[TRC_FRAME_HEAD_MOST];
	struct trc_buf none = { 0 };
	struct trc_frame f;
	size_t n;
	int ret;

	(void)trc_frame_put_head(head, KIND_HEAD, TRC_PARTIAL_VERSION, NULL, 0);
	if (trc_in_fill(in, MARK, err))
		return -1;
	n = (size_t)(in->end - in->p);
	*is = memcmp(in->p, head, n < MARK ? n : MARK) == 0;
	if (*is)
		return 0;
	ret = trc_frame_read_before(in, trc_in_size(in), KIND_END, 0, &none, &f, is, err);
	trc_buf_release(&none);
	return ret;
}

int
trc_partial_at(const char *path, struct trc_err *err)
{
	struct trc_in *in;
	struct stat st;
	bool is = false;
	int ret;

	if (stat(path, &st))
		return trc_fail_errno(err, errno, "cannot read '%s'", path);
	if (S_ISDIR(st.st_mode))
		return trc_fail(err, "'%s' is a directory; --partial is a file", path);
	if (!S_ISREG(st.st_mode))
		return trc_fail(err,
		                "'%s' is not a regular file, so --resume cannot keep it; use "
		                "--force to write to it",
		                path);
	in = trc_in_open(path, err);
	if (!in)
		return -1;
	ret = is_partial(in, &is, err);
	trc_in_close(in);
	trc_reads_forget(path);
	if (ret)
		return trc_err_in(err, "%s", path);
	return is ? 0 :
	            trc_fail(err,
	                     "'%s' is not a partial, and --resume replaces nothing else; choose "
	                     "another file, or use --force",
	                     path);
}

/* ---- two of them ---- */

static bool
same_words(const struct trc_partial *a, const struct trc_partial *b)
{
	return a->words.n == b->words.n &&
	       (a->words.n == 0 || memcmp(a->words.p, b->words.p, a->words.n) == 0);
}

const char *
trc_partial_differ(const struct trc_partial *a, const struct trc_partial *b)
{
	if (a->files != b->files || a->trace != b->trace)
		return "are of other traces";
	if (a->have != b->have || strcmp(a->format, b->format) != 0)
		return "read the trace as other formats";
	if (!same_words(a, b))
		return "answer other questions";
	return a->of == b->of ? NULL : "are of other numbers of shards";
}

void
trc_found_join(struct trc_found *f, const struct trc_found *next, uint32_t have)
{
	f->counted = next->counted && (f->counted || f->rows == 0);
	f->totals.refs += next->totals.refs;
	f->totals.insns += next->totals.insns;
	f->totals.touches += next->totals.touches;
	/* Without times, the number of references stands for the time. */
	if (!(have & TRC_HAS_TIME))
		f->totals.last_time = f->totals.refs;
	else if (next->rows > 0 || next->totals.last_time > 0)
		f->totals.last_time = next->totals.last_time;
	f->rows += next->rows;
	for (size_t i = 0; i < TRC_QUERY_SUMS; i++)
		f->sum[i] += next->sum[i];
}

int
trc_partial_join(struct trc_partial *p, const struct trc_partial *next, struct trc_err *err)
{
	p->last = next->last;
	p->to = next->to;
	p->several |= next->several;
	trc_found_join(&p->found, &next->found, p->have);
	p->begun.sum += next->begun.sum;
	return trc_begun_join(&p->begun, &next->begun, err);
}
