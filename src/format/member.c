/* SPDX-License-Identifier: MIT
 *
 * Members of records: headers, counts, and the choices of the writer.
 */
#include "format/member.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
	HEADER = 24,
	VERSION = 1,
	REFS_MOST = 4 << 20, /* of a member: then the writer holds back about 8 MiB */
};

enum { WIDE = 1, TIMES = 2, LITTLE = 4 };

#define OPT(name, arg, doc, kind, field)                            \
	{                                                           \
		0, name, arg, doc, kind, TRC_WORDS_NONE,            \
		        offsetof(struct trc_member_settings, field) \
	}

const struct trc_opt trc_member_from[] = {
	OPT("raw", NULL, "records without a trc header", TRC_OPT_FLAG, raw),
	OPT("skip", "BYTES", "skip these bytes before the first record", TRC_OPT_OFFSET, skip),
	OPT("endian", "big|little", "byte order of offsets", TRC_OPT_CHOICE, endian),
	OPT("bits", "32|64", "bits of an address", TRC_OPT_CHOICE, bits),
	OPT("stride", "1|2|4|8", "size of an instruction", TRC_OPT_CHOICE, stride),
	OPT("widths", "124|128|148", "sizes of stored offsets", TRC_OPT_CHOICE, widths),
	OPT("times", NULL, "records have time stamps", TRC_OPT_FLAG, times),
};

static const uint8_t widths_of_choice[] = { 0, 0x24, 0x28, 0x48 };

/* A source of rows from members. */
struct member_source {
	struct trc_source src;
	const struct trc_format *f;
	struct trc_in *in;
	struct trc_member m; /* the counts are of what is left */
	bool raw;
	struct trc_member_decoder *decoder;
};

/* A sink that writes members. */
struct member_sink {
	struct trc_sink sink;
	const struct trc_format *f;
	struct trc_out *out;
	struct trc_member m;
	bool open;             /* m has begun */
	bool any;              /* a member was written */
	uint64_t rows;         /* encoded so far */
	struct trc_batch held; /* rows that are not encoded yet */
	void *encoder;
	uint8_t *buf; /* records of m */
	size_t len, cap;
};

/* Reading */

static bool
parse_header(const struct trc_member_format *row, const uint8_t *p, struct trc_member *m)
{
	const uint8_t flags = p[5], stride = p[6], widths = p[7];

	if (memcmp(p, row->magic, 4) != 0 || p[4] != VERSION)
		return false;
	*m = (struct trc_member){
		.wide = flags & WIDE,
		.times = flags & TIMES,
		.little = flags & LITTLE,
		.stride = stride,
		.widths = widths,
		.refs = trc_le64(p + 8),
		.bytes = trc_le64(p + 16),
	};
	if (flags > (WIDE | TIMES | LITTLE) || (m->times && !row->times))
		return false;
	if (!row->strides)
		return stride == 0 && widths == 0;
	return stride != 0 && stride <= 8 && (stride & (stride - 1)) == 0 &&
	       (m->wide ? widths == 0x28 || widths == 0x48 : widths == 0x24);
}

static int
fail_at(const struct member_source *s, struct trc_err *err, const char *what)
{
	return trc_fail(err, "%s: byte %llu: %s", s->in->name,
	                (unsigned long long)trc_in_offset(s->in), what);
}

static void
start_decoding(struct member_source *s)
{
	memset(s->decoder, 0, s->f->member->decoder);
	s->f->member->decode_start(s->decoder, &s->m);
}

/* Reads the header of the next member; sets *more to false at the end of the file. */
static int
next_member(struct member_source *s, bool *more, struct trc_err *err)
{
	struct trc_in *in = s->in;

	if (trc_in_fill(in, HEADER, err))
		return trc_err_in(err, "%s", in->name);
	*more = in->p < in->end;
	if (!*more)
		return 0;
	if (in->end - in->p < HEADER)
		return fail_at(s, err, "too few bytes for a header here");
	if (!parse_header(s->f->member, in->p, &s->m))
		return trc_fail(err, "%s: byte %llu: this is not a %s header", in->name,
		                (unsigned long long)trc_in_offset(in), s->f->name);
	in->p += HEADER;
	start_decoding(s);
	return 0;
}

/* Ends a member: its records and its count must end at the same time. */
static int
end_member(struct member_source *s, bool *more, struct trc_err *err)
{
	if (s->m.refs != TRC_MEMBER_UNKNOWN && s->m.refs > 0)
		return trc_fail(err, "%s: byte %llu: the records end %llu references too early",
		                s->in->name, (unsigned long long)trc_in_offset(s->in),
		                (unsigned long long)s->m.refs);
	if (s->decoder->left > 0)
		return fail_at(s, err,
		               "the last record holds more references than the header says");
	if (s->m.bytes != TRC_MEMBER_UNKNOWN && s->m.bytes > 0)
		return trc_fail(err, "%s: byte %llu: %llu bytes of records %s", s->in->name,
		                (unsigned long long)trc_in_offset(s->in),
		                (unsigned long long)s->m.bytes,
		                s->in->p < s->in->end ? "follow the last reference" :
		                                        "are missing");
	*more = false;
	return s->raw ? 0 : next_member(s, more, err);
}

/* Decodes the contents of the window; sets *stuck if there was nothing to decode. */
static int
decode(struct member_source *s, struct trc_batch *b, bool *stuck, struct trc_err *err)
{
	const struct trc_member_format *row = s->f->member;
	struct trc_in *in = s->in;
	const uint8_t *start, *end;
	const size_t before = b->n;
	size_t room = b->cap - b->n;

	if (trc_in_fill(in, row->most, err))
		return trc_err_in(err, "%s", in->name);
	start = in->p;
	end = in->end;
	if ((uint64_t)(end - start) > s->m.bytes)
		end = start + s->m.bytes;
	room = room < s->m.refs ? room : (size_t)s->m.refs;
	if (!row->decode(s->decoder, &in->p, end, b, b->n + room))
		return trc_fail(err, "%s: byte %llu: this is not a %s record", in->name,
		                (unsigned long long)trc_in_offset(in), s->f->name);
	*stuck = in->p == start && b->n == before;
	if (s->m.bytes != TRC_MEMBER_UNKNOWN)
		s->m.bytes -= (uint64_t)(in->p - start);
	if (s->m.refs != TRC_MEMBER_UNKNOWN)
		s->m.refs -= b->n - before;
	if (*stuck && end > start && s->m.refs > 0)
		return fail_at(s, err, "the record that begins here is truncated");
	return 0;
}

static enum trc_flow
member_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct member_source *s = (struct member_source *)src;
	bool stuck = false, more = true;

	while (b->n < b->cap && more) {
		if (decode(s, b, &stuck, err))
			return TRC_FLOW_FAILED;
		if (stuck && end_member(s, &more, err))
			return TRC_FLOW_FAILED;
		if (s->m.times != !!(src->have & TRC_HAS_TIME)) {
			fail_at(s, err,
			        "this part of the file has time stamps and the first does not, or "
			        "vice versa");
			return TRC_FLOW_FAILED;
		}
	}
	return b->n ? TRC_FLOW_ROWS : TRC_FLOW_END;
}

static void
member_close(struct trc_source *src)
{
	struct member_source *s = (struct member_source *)src;

	trc_in_close(s->in);
	free(s->decoder);
	free(s);
}

/* Skips bytes. Skipping does not detect the end of the data, so the last byte is read. */
static int
skip_head(struct member_source *s, uint64_t bytes, struct trc_err *err)
{
	struct trc_in *in = s->in;

	if (bytes == 0)
		return 0;
	if (trc_in_skip(in, bytes - 1, err) || trc_in_fill(in, 1, err))
		return trc_err_in(err, "%s", in->name);
	if (in->p == in->end)
		return trc_fail(err, "%s: is shorter than the %llu bytes to skip", in->name,
		                (unsigned long long)bytes);
	in->p++;
	return 0;
}

static int
open_raw(struct member_source *s, const struct trc_member_settings *set, struct trc_err *err)
{
	const struct trc_member_format *row = s->f->member;

	s->m = (struct trc_member){
		.wide = set->bits == 2,
		.times = set->times,
		.little = set->endian ? set->endian == 2 : row->little,
		.stride = set->stride ? (uint8_t)(1 << (set->stride - 1)) : 4,
		.widths = widths_of_choice[set->widths    ? set->widths :
		                           set->bits == 2 ? 2 :
		                                            1],
		.refs = TRC_MEMBER_UNKNOWN,
		.bytes = TRC_MEMBER_UNKNOWN,
	};
	if (s->m.wide != (s->m.widths != 0x24))
		return trc_fail_as(err, TRC_USAGE,
		                   "%s: widths 124 are for bits=32, 128 and 148 for "
		                   "bits=64",
		                   s->f->name);
	if (skip_head(s, set->skip, err))
		return -1;
	s->raw = true;
	start_decoding(s);
	return 0;
}

static int
open_first(struct member_source *s, const struct trc_member_settings *set, struct trc_err *err)
{
	bool more;

	if (set->raw)
		return open_raw(s, set, err);
	if (set->skip || set->endian || set->bits || set->stride || set->widths || set->times)
		return trc_fail_as(err, TRC_USAGE,
		                   "%s: the header already gives these; add 'raw' for a file "
		                   "without a header",
		                   s->f->name);
	if (next_member(s, &more, err))
		return -1;
	return more ? 0 : fail_at(s, err, "is empty: not even a header");
}

struct trc_source *
trc_member_source(const struct trc_format *f, struct trc_in *in, const void *settings,
                  struct trc_err *err)
{
	struct member_source *s = trc_alloc(1, sizeof(*s), err);

	if (!s)
		return NULL;
	s->f = f;
	s->in = in;
	s->decoder = trc_alloc(1, f->member->decoder, err);
	if (!s->decoder || open_first(s, settings, err)) {
		free(s->decoder);
		free(s);
		return NULL;
	}
	s->src = (struct trc_source){
		.have = TRC_HAS_TYPE | TRC_HAS_ADDR | (s->m.times ? TRC_HAS_TIME : 0),
		.next = member_next,
		.close = member_close,
	};
	return &s->src;
}

unsigned
trc_member_probe(const struct trc_format *f, const uint8_t *p, size_t n)
{
	struct trc_member m;

	return n >= HEADER && parse_header(f->member, p, &m) ? 8 * 8 : 0;
}

/* Writing */

static int
write_member(struct member_sink *s, struct trc_err *err)
{
	const struct trc_member *m = &s->m;
	uint8_t header[HEADER] = { 0 };

	memcpy(header, s->f->member->magic, 4);
	header[4] = VERSION;
	header[5] = (uint8_t)((m->wide ? WIDE : 0) | (m->times ? TIMES : 0) |
	                      (m->little ? LITTLE : 0));
	header[6] = m->stride;
	header[7] = m->widths;
	trc_put_le64(header + 8, m->refs);
	trc_put_le64(header + 16, s->len);
	s->open = false;
	s->any = true;
	return trc_out_put(s->out, header, HEADER, err) ||
	                       trc_out_put(s->out, s->buf, s->len, err) ?
	               -1 :
	               0;
}

static int
make_room(struct member_sink *s, size_t rows, struct trc_err *err)
{
	return trc_grow(&s->buf, &s->cap, s->len + rows * s->f->member->most + TRC_MEMBER_SLACK, 1,
	                err);
}

/* Encodes held rows from `i` on while they fit into the member; returns the next row. */
static size_t
encode(struct member_sink *s, size_t i)
{
	uint8_t *dst = s->buf + s->len;
	const size_t stop = s->f->member->encode(s->encoder, &s->held, i, s->held.n, &dst);

	s->len = (size_t)(dst - s->buf);
	s->m.refs += stop - i;
	return stop;
}

/* Begins a member with these widths and the held rows from `i` on. */
static size_t
encode_first(struct member_sink *s, size_t i, uint8_t widths)
{
	s->m.widths = widths;
	s->m.refs = 0;
	s->len = 0;
	memset(s->encoder, 0, s->f->member->encoder);
	s->f->member->encode_start(s->encoder, &s->m);
	return encode(s, i);
}

/* Refuses rows that no member can hold, and determines the width of addresses. */
static int
check_held(struct member_sink *s, size_t from, struct trc_err *err)
{
	const struct trc_batch *b = &s->held;
	uint64_t all = 0;

	for (size_t i = from; i < b->n; i++) {
		all |= b->addr[i];
		if (b->type[i] >= 32 || !(s->f->member->types >> b->type[i] & 1)) {
			trc_format_refuse_type(s->f->name, b->type[i], err);
			return trc_err_in(err, "record %llu",
			                  (unsigned long long)(s->rows + i + 1));
		}
	}
	s->m.wide = all > UINT32_MAX;
	return 0;
}

/* Begins a member with all held rows from `i` on, in the form that is smallest. */
static int
start_member(struct member_sink *s, size_t i, struct trc_err *err)
{
	const struct trc_member_format *row = s->f->member;
	size_t stop;

	s->len = 0;
	if (check_held(s, i, err) || make_room(s, s->held.n - i, err))
		return -1;
	if (row->strides)
		s->m.stride = row->stride(&s->held, i, s->held.n);
	stop = encode_first(s, i, row->strides ? (s->m.wide ? 0x28 : 0x24) : 0);
	if (row->strides && s->m.wide) {
		const size_t len = s->len;

		stop = encode_first(s, i, 0x48);
		if (len < s->len)
			stop = encode_first(s, i, 0x28);
	}
	assert(stop == s->held.n);
	(void)stop;
	s->open = true;
	return 0;
}

/* Encodes all held rows. */
static int
encode_held(struct member_sink *s, struct trc_err *err)
{
	const size_t n = s->held.n;

	for (size_t i = 0; i < n;) {
		if (!s->open) {
			if (start_member(s, i, err))
				return -1;
			i = n;
		} else {
			if (make_room(s, n - i, err))
				return -1;
			i = encode(s, i);
		}
		if ((i < n || s->m.refs >= REFS_MOST) && write_member(s, err))
			return -1;
	}
	s->rows += n;
	s->held.n = 0;
	return 0;
}

static int
member_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct member_sink *s = (struct member_sink *)sink;
	struct trc_batch *held = &s->held;

	for (size_t i = 0, n; i < b->n; i += n) {
		n = b->n - i < held->cap - held->n ? b->n - i : held->cap - held->n;
		trc_batch_append(held, b, i, n);
		if (held->n == held->cap && encode_held(s, err))
			return -1;
	}
	return 0;
}

static int
member_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	struct member_sink *s = (struct member_sink *)sink;

	(void)meta;
	if (encode_held(s, err))
		return -1;
	/* A trace without references is a member, too. */
	if (!s->open && !s->any && start_member(s, 0, err))
		return -1;
	if (s->open && write_member(s, err))
		return -1;
	return trc_out_commit(s->out, err);
}

static void
member_sink_close(struct trc_sink *sink)
{
	struct member_sink *s = (struct member_sink *)sink;

	trc_out_close(s->out);
	trc_batch_release(&s->held);
	free(s->encoder);
	free(s->buf);
	free(s);
}

struct trc_sink *
trc_member_sink(const struct trc_format *f, struct trc_out *out, uint32_t have,
                const void *settings, struct trc_err *err)
{
	const struct trc_member_settings *set = settings;
	struct member_sink *s = trc_alloc(1, sizeof(*s), err);

	if (!s)
		return NULL;
	s->f = f;
	s->encoder = trc_alloc(1, f->member->encoder, err);
	if (!s->encoder || trc_batch_init(&s->held, have, TRC_MEMBER_BLOCK, err)) {
		member_sink_close(&s->sink);
		return NULL;
	}
	s->sink = (struct trc_sink){ .put = member_put,
		                     .finish = member_finish,
		                     .close = member_sink_close };
	s->out = out;
	s->m.times = have & TRC_HAS_TIME;
	s->m.little = f->member->little;
	s->m.stride_all = set->stride_all;
	return &s->sink;
}
