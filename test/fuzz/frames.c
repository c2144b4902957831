/* SPDX-License-Identifier: MIT
 *
 * Frames are changed as such: their kinds, numbers, order. So are payloads; and in these packed
 * streams: what they claim, their packed bytes, what they hold, which is packed again by any method
 * that takes it, and whose they are. In a reference frame streams stand behind a byte and four
 * numbers; in others, whatever looks like a packed stream is taken for one.
 */
#include "frames.h"

#include <stdlib.h>
#include <string.h>

#include "base/io/frame.h"
#include "codec/stream/literals.h"
#include "codec/stream/context_mixing.h"
#include "codec/stream/pack.h"
#include "codec/stream/ranking.h"
#include "codec/stream/tokens.h"
#include "container/frame/end.h"
#include "container/header.h"
#include "container/index.h"

enum {
	FRAMES_MOST = 256,
	STREAMS_MOST = 16,
	REFS_NUMBERS = 4,   /* of a reference frame, behind its first byte */
	RAW_MOST = 1 << 16, /* bytes of a stream that are unpacked to be changed */
};

/* Methods, as codec/stream/pack.h numbers them. */
enum { STORED, LZMA = 1, MIXED = 16, RANKED = 21, TOKENS = 23, LITERALS = 24 };

struct frames {
	struct trc_frame f[FRAMES_MOST];
	size_t n;
};

/* A packed stream in a payload: [at, at + n). */
struct place {
	size_t at, n;
	struct trc_packed packed;
};

/* Frames that stand one behind the other from the start on. */
static void
find(struct frames *fs, const uint8_t *p, size_t len)
{
	size_t at = 0;

	for (fs->n = 0; fs->n < FRAMES_MOST; at += (size_t)trc_frame_bytes(&fs->f[fs->n++])) {
		if (!trc_frame_head(p + at, len - at, &fs->f[fs->n]) ||
		    fs->f[fs->n].len > len - at - fs->f[fs->n].head)
			break;
		fs->f[fs->n].offset = at;
	}
}

static void
must(bool good)
{
	if (!good)
		abort();
}

/* Puts frame `f` with this payload in its place, unless there is no room. */
static size_t
put(const struct trc_frame *f, const struct trc_buf *payload, uint8_t *p, size_t len, size_t most)
{
	const size_t at = (size_t)f->offset, behind = at + (size_t)trc_frame_bytes(f);
	uint8_t head[TRC_FRAME_HEAD_MOST];
	const size_t n = trc_frame_put_head(head, f->kind, f->number, payload->p, payload->n);

	if (n + payload->n > most - len)
		return len;
	memmove(p + at + n + payload->n, p + behind, len - behind);
	memcpy(p + at, head, n);
	if (payload->n)
		memcpy(p + at + n, payload->p, payload->n);
	return len - (behind - at) + n + payload->n;
}

/* Makes the ends lead to the indexes before them, the last first: they change their place. */
static size_t
mend_ends(const struct frames *fs, uint8_t *p, size_t len, size_t most)
{
	for (size_t i = fs->n; i-- > 0;) {
		const struct trc_frame *f = &fs->f[i];
		struct trc_end end = { f->offset, f->offset, f->number };
		struct trc_buf by = { 0 };
		struct trc_err err;

		if (f->kind != 'E')
			continue;
		for (size_t k = 0; k < i; k++)
			if (fs->f[k].kind == 'I')
				end.index = f->offset - fs->f[k].offset;
			else if (fs->f[k].kind == 'T')
				end.start = f->offset - fs->f[k].offset;
		must(trc_end_write(&by, &end, &err) == 0);
		len = put(f, &by, p, len, most);
		trc_buf_release(&by);
	}
	return len;
}

/* The number in the payload of a block that is the length of a section. */
struct length {
	size_t at, bytes;
	uint64_t value;
};

/* That of the section with the bytes [at, at + n) of a payload; false if there is none. */
static bool
find_length(const struct trc_frame *f, const uint8_t *payload, size_t at, size_t n,
            struct length *l)
{
	struct trc_view v = { payload, payload + f->len };
	uint64_t columns;

	if (f->kind != 'B' || !trc_view_num(&v, &columns) || !trc_view_bytes(&v, 8))
		return false;
	while (trc_view_bytes(&v, 1)) {
		const uint8_t *content;

		l->at = (size_t)(v.p - payload);
		if (!trc_view_num(&v, &l->value))
			return false;
		content = v.p;
		l->bytes = (size_t)(content - payload) - l->at;
		if (l->value > f->len || !trc_view_bytes(&v, (size_t)l->value))
			return false;
		if (payload + at >= content && payload + at + n <= v.p)
			return true;
	}
	return false;
}

/* Puts `by` in the place of `n` bytes at offset `at` of a payload, unless there is no room. */
static size_t
replace(const struct trc_frame *f, size_t at, size_t n, const struct trc_buf *by, uint8_t *p,
        size_t len, size_t most)
{
	const uint8_t *payload = p + f->offset + f->head;
	struct length l;
	struct trc_buf all = { 0 };
	struct trc_err err;

	if (!find_length(f, payload, at, n, &l))
		l = (struct length){ 0, 0, 0 };
	else
		must(trc_buf_put(&all, payload, l.at, &err) == 0 &&
		     trc_buf_put_num(&all, l.value - n + by->n, &err) == 0);
	must(trc_buf_put(&all, payload + l.at + l.bytes, at - l.at - l.bytes, &err) == 0 &&
	     trc_buf_put(&all, by->p, by->n, &err) == 0 &&
	     trc_buf_put(&all, payload + at + n, (size_t)f->len - at - n, &err) == 0);
	len = put(f, &all, p, len, most);
	trc_buf_release(&all);
	return len;
}

/* A copy of bytes with room for some more, changed. */
static void
change_copy(const uint8_t *from, size_t n, frames_change *change, struct trc_buf *to)
{
	struct trc_err err;

	to->n = 0;
	must(trc_buf_room(to, n + 64, &err) == 0);
	if (n)
		memcpy(to->p, from, n);
	to->n = change(to->p, n, n + 64);
}

/* ---- streams ---- */

/* The packed streams of a payload. */
static size_t
find_streams(const struct trc_frame *f, const uint8_t *payload, struct generator *m,
             struct place place[STREAMS_MOST])
{
	struct trc_view v = { payload, payload + f->len };
	struct trc_err err;
	uint64_t number;
	size_t n = 0;

	if (f->kind == 'R' && trc_view_bytes(&v, 1))
		for (int i = 0; i < REFS_NUMBERS; i++)
			(void)trc_view_num(&v, &number);
	else if (f->len > 0)
		v.p += generate_below(m, generate_below(m, 2) && f->len > 16 ? 16 : f->len);
	while (v.p < v.end && n < STREAMS_MOST) {
		struct place *s = &place[n];

		s->at = (size_t)(v.p - payload);
		if (trc_packed_take(&v, RAW_MOST, &s->packed, &err)) {
			v.p = payload + s->at + 1;
			continue;
		}
		s->n = (size_t)(v.p - payload) - s->at;
		n += f->kind == 'R' || s->packed.n > 0;
	}
	return n;
}

static void
put_stream(struct trc_buf *to, size_t n, uint8_t method, const struct trc_buf *packed)
{
	struct trc_err err;

	to->n = 0;
	must(trc_buf_put_num(to, n, &err) == 0);
	if (n > 0)
		must(trc_buf_put(to, &method, 1, &err) == 0 &&
		     trc_buf_put_num(to, packed->n, &err) == 0 &&
		     (packed->n == 0 || trc_buf_put(to, packed->p, packed->n, &err) == 0));
}

static bool
are_tokens(const struct trc_buf *raw)
{
	for (size_t i = 0; i < raw->n; i++)
		if (raw->p[i] > TRC_TOKEN_MOST)
			return false;
	return true;
}

/* Packs bytes by a method that takes them. */
static void
pack_again(const struct trc_buf *raw, struct generator *m, struct trc_buf *to)
{
	const uint64_t way = raw->n ? generate_below(m, 8) : 0;
	const bool wide = raw->n % 2 == 0 && generate_below(m, 2);
	struct trc_buf packed = { 0 };
	uint8_t method = STORED;
	struct trc_err err;

	if (way == 1) {
		to->n = 0;
		must(trc_pack(raw->p, raw->n, TRC_PACK_BYTES, 1, to, &err) == 0);
		return;
	}
	if (way == 2) {
		method = (uint8_t)(RANKED + wide);
		must(trc_rank_write(raw->p, raw->n, 1u + wide, 6, &packed, &err) == 0);
	} else if (way == 3) {
		method = (uint8_t)(MIXED + generate_below(m, 4));
		must(trc_mix_write(raw->p, raw->n, (enum trc_mix_shape)(method - MIXED), &packed,
		                   &err) == 0);
	} else if (way == 4 && raw->n % 4 == 0) {
		method = LITERALS;
		must(trc_literals_write(raw->p, raw->n, &packed, &err) == 0);
	} else if (way == 5 && are_tokens(raw)) {
		method = TOKENS;
		must(trc_tokens_write(raw->p, raw->n, &packed, &err) == 0);
	} else if (raw->n) {
		must(trc_buf_put(&packed, raw->p, raw->n, &err) == 0);
	}
	put_stream(to, raw->n, method, &packed);
	trc_buf_release(&packed);
}

/* Changes what a stream holds, or leaves that and packs it otherwise. */
static void
change_raw(const struct trc_packed *s, struct generator *m, frames_change *change,
           struct trc_buf *to)
{
	struct trc_buf raw = { 0 }, changed = { 0 };
	struct trc_err err;

	if (s->method == TRC_PACK_PATH || trc_packed_unpack(s, &raw, &err)) {
		raw.n = 0;
		must(s->len == 0 || trc_buf_put(&raw, s->p, s->len, &err) == 0);
	}
	if (generate_below(m, 4) == 0) {
		pack_again(&raw, m, to);
	} else {
		change_copy(raw.p, raw.n, change, &changed);
		pack_again(&changed, m, to);
	}
	trc_buf_release(&raw);
	trc_buf_release(&changed);
}

/* Changes the number of bytes, or the method, that a stream claims. */
static void
change_claim(const struct trc_packed *s, struct generator *m, struct trc_buf *to)
{
	static const uint8_t method[] = { 0, 1, 2, 5, 8, 16, 18, 21, 22, 23, 24, 32 };
	const struct trc_buf packed = { (uint8_t *)(uintptr_t)s->p, s->len, s->len };
	const bool other = generate_below(m, 2);
	const size_t n = (size_t)generate_value(m, s->n, generate_below(m, 8) ? 8 : 22);

	put_stream(to, other ? s->n : n,
	           other ? method[generate_below(m, TRC_COUNT(method))] : s->method, &packed);
}

/* Changes a stream of the frame, or puts one of frame `other` in its place. */
static size_t
change_stream(const struct trc_frame *f, const struct trc_frame *other, uint8_t *p, size_t len,
              size_t most, struct generator *m, frames_change *change)
{
	static struct place place[STREAMS_MOST], strange[STREAMS_MOST];
	const uint8_t *payload = p + f->offset + f->head;
	const uint8_t *there = p + other->offset + other->head;
	const size_t n = find_streams(f, payload, m, place);
	struct trc_buf by = { 0 }, packed = { 0 };
	const struct place *s;
	struct trc_err err;
	uint64_t what;

	if (n == 0)
		return len;
	s = &place[generate_below(m, n)];
	what = generate_below(m, 8);
	if (what == 0) {
		const size_t k = find_streams(other, there, m, strange);
		const struct place *from = &strange[k ? generate_below(m, k) : 0];

		if (k > 0)
			must(trc_buf_put(&by, there + from->at, from->n, &err) == 0);
		else
			put_stream(&by, 0, STORED, &by);
	} else if (what == 1) {
		change_claim(&s->packed, m, &by);
	} else if (what < 5) {
		change_copy(s->packed.p, s->packed.len, change, &packed);
		put_stream(&by, s->packed.n, s->packed.method, &packed);
	} else {
		change_raw(&s->packed, m, change, &by);
	}
	len = replace(f, s->at, s->n, &by, p, len, most);
	trc_buf_release(&by);
	trc_buf_release(&packed);
	return len;
}

/* ---- frames ---- */

/* Changes one of the numbers of a reference frame. */
static size_t
change_number(const struct trc_frame *f, uint8_t *p, size_t len, size_t most, struct generator *m)
{
	const uint8_t *payload = p + f->offset + f->head, *at;
	struct trc_view v = { payload, payload + f->len };
	struct trc_buf by = { 0 };
	struct trc_err err;
	uint64_t number;

	if (!trc_view_bytes(&v, 1))
		return len;
	at = v.p;
	for (uint64_t k = generate_below(m, REFS_NUMBERS); trc_view_num(&v, &number) && k > 0; k--)
		at = v.p;
	if (v.p == at)
		return len;
	must(trc_buf_put_num(&by, generate_value(m, number, 24), &err) == 0);
	len = replace(f, (size_t)(at - payload), (size_t)(v.p - at), &by, p, len, most);
	trc_buf_release(&by);
	return len;
}

static size_t
change_payload(const struct trc_frame *f, uint8_t *p, size_t len, size_t most,
               frames_change *change)
{
	struct trc_buf by = { 0 };

	change_copy(p + f->offset + f->head, (size_t)f->len, change, &by);
	len = replace(f, 0, (size_t)f->len, &by, p, len, most);
	trc_buf_release(&by);
	return len;
}

/* Puts a copy of frame `from` in front of frame `to`, or takes `from` away. */
static size_t
move_frame(const struct trc_frame *from, const struct trc_frame *to, bool away, uint8_t *p,
           size_t len, size_t most)
{
	const size_t n = (size_t)trc_frame_bytes(from), at = (size_t)from->offset;
	uint8_t *copy;

	if (away) {
		memmove(p + at, p + at + n, len - at - n);
		return len - n;
	}
	if (n > most - len)
		return len;
	copy = malloc(n);
	must(copy);
	memcpy(copy, p + at, n);
	memmove(p + to->offset + n, p + to->offset, len - (size_t)to->offset);
	memcpy(p + to->offset, copy, n);
	free(copy);
	return len + n;
}

static size_t
change_head(const struct trc_frame *f, uint8_t *p, size_t len, size_t most, struct generator *m)
{
	struct trc_frame other = *f;
	struct trc_buf same = { 0 };
	struct trc_err err;

	if (generate_below(m, 4) == 0)
		other.kind = (uint8_t)("TPRBIEcAoz"[generate_below(m, 10)]);
	else
		other.number = generate_value(m, f->number, 48);
	must(trc_buf_put(&same, p + f->offset + f->head, (size_t)f->len, &err) == 0);
	len = put(&other, &same, p, len, most);
	trc_buf_release(&same);
	return len;
}

/* A frame, more often than not one that has streams. */
static const struct trc_frame *
choose(const struct frames *fs, struct generator *m)
{
	const struct trc_frame *f = &fs->f[generate_below(m, fs->n)];

	for (int i = 0; i < 3 && !strchr("PR", f->kind); i++)
		f = &fs->f[generate_below(m, fs->n)];
	return f;
}

size_t
frames_mutate(uint8_t *p, size_t len, size_t most, struct generator *m, frames_change *change)
{
	static struct frames fs;
	const struct trc_frame *f;
	uint64_t what;

	find(&fs, p, len);
	if (fs.n == 0)
		return len;
	f = choose(&fs, m);
	what = generate_below(m, 16);
	if (what == 0)
		len = change_head(f, p, len, most, m);
	else if (what == 1)
		len = move_frame(f, &fs.f[generate_below(m, fs.n)], generate_below(m, 2), p, len,
		                 most);
	else if (what == 2 && f->kind == 'R')
		len = change_number(f, p, len, most, m);
	else if (what < 6 || strchr("TPIEc", f->kind))
		len = change_payload(f, p, len, most, change);
	else
		len = change_stream(f, choose(&fs, m), p, len, most, m, change);
	if (generate_below(m, 2)) {
		find(&fs, p, len);
		len = mend_ends(&fs, p, len, most);
	}
	return len;
}
