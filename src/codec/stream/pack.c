/* SPDX-License-Identifier: MIT
 * Tries one method after another on a stream; the smallest result wins. */
#include "codec/stream/pack.h"

#include <assert.h>
#include <lzma.h>
#include <stdlib.h>

#include "codec/entropy/corrupt.h"
#include "codec/stream/literals.h"
#include "codec/stream/context_mixing.h"
#include "codec/stream/ranking.h"
#include "codec/stream/tokens.h"

enum {
	STORED = 0,
	PAIRS = 4, /* LZMA with the properties for fields of 2 bytes */
	HALVES = 8,
	MIXED = 16, /* + enum trc_mix_shape */
	MIXES = 4,
	RANKED = 21, /* RANKED + 1: symbols of 2 bytes */
	TOKENS = 23,
	LITERALS,
	METHODS,

	DICT_LEAST = 4096,
	LEVEL_FAST = TRC_PACK_FAST,
	LEVEL_SMALL = TRC_PACK_SMALL, /* mixing is tried from here on */
	LEVEL_MOST = 9,

	TRIAL = 1 << 15, /* bytes of a sample with which properties of LZMA are chosen */
	ALL = 1 << 17,   /* streams up to this many bytes try every method */
	SHORT = 4096,    /* bytes; a shorter stream tries more models */
};

/* Method m uses row m - 1. For fields, literal contexts and match positions are aligned. */
static const struct props {
	uint8_t lc, lp, pb;
} props[] = {
	{ 0, 0, 0 }, { 4, 0, 0 }, { 3, 0, 0 }, { 0, 1, 1 }, { 0, 2, 2 }, { 0, 3, 3 }, { 3, 1, 1 },
};

/* The methods that each kind of stream tries, with their first and last level; the smallest result
 * wins. Method 0 ends a list. */
static const struct row {
	uint8_t method, from, to;
} rows[][5] = {
	[TRC_PACK_BYTES] = { { 1, 0, 9 },
	                     { 2, LEVEL_FAST + 1, 9 },
	                     { MIXED + TRC_MIX_1, LEVEL_MOST, 9 } },
	[TRC_PACK_WORDS2] = { { 4, 0, 9 }, { MIXED + TRC_MIX_2, LEVEL_MOST, 9 } },
	[TRC_PACK_WORDS4] = { { 5, 0, 9 },
	                      { HALVES, LEVEL_FAST + 1, LEVEL_MOST - 1 },
	                      { MIXED + TRC_MIX_4, LEVEL_MOST, 9 },
	                      { LITERALS, LEVEL_MOST, 9 } },
	[TRC_PACK_WORDS8] = { { 6, 0, 9 }, { MIXED + TRC_MIX_8, LEVEL_MOST, 9 } },
	[TRC_PACK_TOKENS] = { { 1, 0, 9 },
	                      { 2, LEVEL_FAST + 1, 9 },
	                      { MIXED + TRC_MIX_1, LEVEL_MOST, 9 },
	                      { TOKENS, LEVEL_MOST, 9 } },
	[TRC_PACK_INDEX1] = { { 1, 0, LEVEL_FAST - 1 }, { RANKED, LEVEL_FAST, 9 } },
	[TRC_PACK_INDEX2] = { { 4, 0, LEVEL_FAST - 1 }, { RANKED + 1, LEVEL_FAST, 9 } },
};

static_assert((int)TRC_COUNT(props) + 1 == (int)HALVES, "a number for each method");

/* The methods that trc_pack_by_models() tries. For short streams, with which LZMA hardly begins to
 * learn, every level that is not fast tries all of them. */
static const struct row model_rows[][3] = {
	[TRC_PACK_BYTES] = { { RANKED, LEVEL_FAST + 1, 9 }, { MIXED + TRC_MIX_1, LEVEL_SMALL, 9 } },
	[TRC_PACK_WORDS2] = { { MIXED + TRC_MIX_2, LEVEL_SMALL, 9 } },
	[TRC_PACK_WORDS4] = { { LITERALS, LEVEL_FAST + 1, 9 },
	                      { MIXED + TRC_MIX_4, LEVEL_SMALL, 9 } },
	[TRC_PACK_WORDS8] = { { MIXED + TRC_MIX_8, LEVEL_SMALL, 9 } },
	[TRC_PACK_TOKENS] = { { TOKENS, LEVEL_FAST + 1, 9 },
	                      { MIXED + TRC_MIX_1, LEVEL_SMALL, 9 } },
	[TRC_PACK_INDEX1] = { { 0, 0, 0 } },
	[TRC_PACK_INDEX2] = { { 0, 0, 0 } },
};

/* The time for reading in picoseconds, per byte of the stream and per packed byte: rough, but the
 * same on every machine. Also the most that a method can be expected to save, in percent of the
 * bytes of LZMA. */
struct price {
	uint32_t raw, packed, saves;
};

#define BYTES_ONLY UINT64_C(1000000)

/* A stream, and the best result so far. */
struct trial {
	const uint8_t *raw;
	size_t n;
	uint64_t worth;     /* value of a byte, in nanoseconds of reading */
	size_t start, best; /* the best result so far is this many bytes in `out` */
	struct trc_buf *out;
};

static bool
is_mixed(uint8_t method)
{
	return method >= MIXED && method < MIXED + MIXES;
}

static bool
is_method(uint8_t method)
{
	return method <= HALVES || is_mixed(method) || (method >= RANKED && method < METHODS) ||
	       method == TRC_PACK_PATH;
}

/* Returns true if a stream suits a method: it has whole symbols or fields, or valid tokens. */
static bool
suits(uint8_t method, const uint8_t *raw, size_t n)
{
	const size_t whole = method == HALVES || method == LITERALS ? 4 :
	                     method == RANKED + 1                   ? 2 :
	                                                              1;
	uint8_t most = 0;

	for (size_t i = 0; method == TOKENS && i < n; i++)
		most = raw[i] > most ? raw[i] : most;
	return n % whole == 0 && most <= TRC_TOKEN_MOST;
}

static lzma_options_lzma
options(const struct props *p, size_t n, int level)
{
	lzma_options_lzma o;

	lzma_lzma_preset(&o, (uint32_t)trc_pack_level(level) |
	                             (level >= TRC_PACK_EXTREME ? LZMA_PRESET_EXTREME : 0));
	o.lc = p->lc;
	o.lp = p->lp;
	o.pb = p->pb;
	for (o.dict_size = DICT_LEAST; o.dict_size < n && o.dict_size < UINT32_C(1) << 30;)
		o.dict_size *= 2;
	return o;
}

/* Writes the stream packed by LZMA to `dst`; *len stays 0 if it needs more than `most` bytes. */
static int
pack_lzma(const uint8_t *raw, size_t n, const struct props *p, int level, uint8_t *dst, size_t most,
          size_t *len, struct trc_err *err)
{
	lzma_options_lzma o = options(p, n, level);
	const lzma_filter chain[] = { { LZMA_FILTER_LZMA1, &o }, { LZMA_VLI_UNKNOWN, NULL } };
	lzma_ret ret = lzma_raw_buffer_encode(chain, NULL, raw, n, dst, len, most);

	if (ret == LZMA_OK)
		return 0;
	*len = 0;
	return ret == LZMA_BUF_ERROR ?
	               0 :
	               trc_fail_as(err, TRC_NO_MEMORY, "not enough memory to pack %zu bytes", n);
}

/* Moves the upper halves of the 4-byte fields in [from, from + n) to `to`, followed by the lower
 * halves; with `back`, does the reverse. */
static void
move_halves(const uint8_t *from, size_t n, uint8_t *to, bool back)
{
	for (size_t i = 0, half = n / 2; i < half; i += 2) {
		memcpy(back ? to + 2 * i : to + i, back ? from + i : from + 2 * i, 2);
		memcpy(back ? to + 2 * i + 2 : to + half + i,
		       back ? from + half + i : from + 2 * i + 2, 2);
	}
}

/* Does the same as pack_lzma() for the halves of fields. */
static int
pack_halves(const uint8_t *raw, size_t n, int level, uint8_t *dst, size_t most, size_t *len,
            struct trc_err *err)
{
	uint8_t *halves = trc_alloc(n, 1, err);
	int ret = -1;

	if (halves) {
		move_halves(raw, n, halves, false);
		ret = pack_lzma(halves, n, &props[PAIRS - 1], level, dst, most, len, err);
	}
	free(halves);
	return ret;
}

static int
encode_by_models(const uint8_t *raw, size_t n, uint8_t method, int level, struct trc_buf *out,
                 struct trc_err *err)
{
	if (method == TOKENS)
		return trc_tokens_write(raw, n, out, err);
	if (method == LITERALS)
		return trc_literals_write(raw, n, out, err);
	if (method >= RANKED)
		return trc_rank_write(raw, n, method - RANKED + 1u, level, out, err);
	return trc_mix_write(raw, n, (enum trc_mix_shape)(method - MIXED), out, err);
}

/* Appends the stream packed by one method, or nothing if that needs more than `most` bytes. */
static int
pack_by(const uint8_t *raw, size_t n, uint8_t method, int level, size_t most, struct trc_buf *out,
        struct trc_err *err)
{
	enum { HEAD = 16 }; /* more than the method and the length need */
	const size_t start = out->n;
	size_t len = 0;

	if (trc_buf_room(out, HEAD + most, err))
		return -1;
	if (method >= MIXED) {
		out->n = start + HEAD;
		if (encode_by_models(raw, n, method, level, out, err))
			return -1;
		len = out->n - start - HEAD;
		out->n = start;
	} else if (method == HALVES ?
	                   pack_halves(raw, n, level, out->p + start + HEAD, most, &len, err) :
	                   pack_lzma(raw, n, &props[method - 1], level, out->p + start + HEAD, most,
	                             &len, err)) {
		return -1;
	}
	if (len == 0 || len > most)
		return 0;
	if (trc_buf_put(out, &method, 1, err) || trc_buf_put_num(out, len, err))
		return -1;
	memmove(out->p + out->n, out->p + start + HEAD, len);
	out->n += len;
	return 0;
}

/* Chooses the LZMA method that packs a sample from the middle best; 0 if none makes it smaller. */
static int
choose_lzma(const uint8_t *raw, size_t n, const struct row *row, int level, uint8_t *best,
            struct trc_buf *out, struct trc_err *err)
{
	const uint8_t *middle = raw + (n - TRIAL) / 8 * 4; /* aligned to a field */
	const size_t start = out->n;
	size_t least = TRIAL;

	*best = 0;
	for (const struct row *t = row; t->method && t->method < MIXED; t++) {
		if (level < t->from || level > t->to)
			continue;
		if (pack_by(middle, TRIAL, t->method, LEVEL_FAST, least, out, err))
			return -1;
		if (out->n > start) {
			*best = t->method;
			least = out->n - start;
		}
		out->n = start;
	}
	return 0;
}

static const struct price *
price_of(uint8_t method)
{
	static const struct price lzma = { 300, 60000, 0 }, mixed = { 100000, 2500000, 50 },
	                          ranked = { 10000, 850000, 50 }, tokens = { 3000, 270000, 50 },
	                          literals = { 0, 270000, 20 };

	return method < MIXED   ? &lzma :
	       method < RANKED  ? &mixed :
	       method < TOKENS  ? &ranked :
	       method == TOKENS ? &tokens :
	                          &literals;
}

/* Returns the nanoseconds for reading a stream packed by a method. */
static uint64_t
time_of(uint8_t method, size_t n, size_t len)
{
	const struct price *p = price_of(method);

	return ((uint64_t)n * p->raw + (uint64_t)len * p->packed) / 1000;
}

static bool
is_better(const struct trial *t, uint8_t method, size_t len)
{
	const uint8_t *had = t->out->p + t->start;

	return t->best == 0 || time_of(method, t->n, len) + t->worth * len <
	                               time_of(*had, t->n, t->best) + t->worth * t->best;
}

/* Tries a method, and replaces the best result if this one is better. */
static int
try_method(struct trial *t, uint8_t method, int level, struct trc_err *err)
{
	const size_t at = t->out->n;
	size_t len;

	if (pack_by(t->raw, t->n, method, level, t->best ? t->best : t->n, t->out, err))
		return -1;
	len = t->out->n - at;
	if (len > 0 && is_better(t, method, len)) {
		memmove(t->out->p + t->start, t->out->p + at, len);
		t->best = len;
	}
	t->out->n = t->start + t->best;
	return 0;
}

/* Tries the methods that are worth trying for the kind at the level. */
static int
try_some(struct trial *t, enum trc_pack_kind kind, int level, struct trc_err *err)
{
	const int plain = level >= TRC_PACK_EXTREME && trc_pack_level(level) > LEVEL_FAST ?
	                          LEVEL_MOST :
	                          trc_pack_level(level);
	uint8_t only = 0;

	if ((kind == TRC_PACK_BYTES || kind == TRC_PACK_TOKENS || kind == TRC_PACK_WORDS4) &&
	    plain > LEVEL_FAST && plain < LEVEL_MOST && t->n >= 4 * TRIAL &&
	    choose_lzma(t->raw, t->n, rows[kind], plain, &only, t->out, err))
		return -1;
	/* Halves may look better on a sample than they are. */
	if (only == HALVES)
		only = 0;
	for (const struct row *w = rows[kind]; w->method; w++) {
		if (plain < w->from || plain > w->to || (only && w->method != only) ||
		    !suits(w->method, t->raw, t->n))
			continue;
		if (try_method(t, w->method, level, err))
			return -1;
	}
	return 0;
}

/* Tries every method, whatever the kind; at fast levels only fast methods. This is only for streams
 * that are not long: methods made for another kind win only there, and take microseconds per
 * byte. */
static int
try_all(struct trial *t, int level, struct trc_err *err)
{
	const uint8_t methods = trc_pack_level(level) <= LEVEL_FAST ? MIXED : METHODS;

	for (uint8_t method = 1; method < methods; method++) {
		if (!is_method(method) || !suits(method, t->raw, t->n))
			continue;
		if (try_method(t, method, level, err) ||
		    (method < MIXED && try_method(t, method, trc_pack_level(level), err)))
			return -1;
	}
	return 0;
}

int
trc_pack(const uint8_t *raw, size_t n, enum trc_pack_kind kind, int level, struct trc_buf *out,
         struct trc_err *err)
{
	const uint8_t stored = STORED;
	struct trial t = { raw, n, BYTES_ONLY, 0, 0, out };

	if (trc_buf_put_num(out, n, err))
		return -1;
	if (n == 0)
		return 0;
	t.start = out->n;
	if (level >= TRC_PACK_EXTREME && n <= ALL ? try_all(&t, level, err) :
	                                            try_some(&t, kind, level, err))
		return -1;
	if (t.best)
		return 0;
	return trc_buf_put(out, &stored, 1, err) || trc_buf_put_num(out, n, err) ||
	                       trc_buf_put(out, raw, n, err) ?
	               -1 :
	               0;
}

int
trc_pack_by_models(const uint8_t *raw, size_t n, enum trc_pack_kind kind, int level,
                   const struct trc_pack_budget *budget, struct trc_buf *out, struct trc_err *err)
{
	struct trial t = { raw, n, budget->byte, 0, 0, out };
	struct trc_view v = trc_buf_view(out);
	uint64_t same;

	if (n == 0 || !trc_view_num(&v, &same))
		return 0;
	t.start = (size_t)(v.p - out->p);
	t.best = out->n - t.start;
	for (const struct row *w = model_rows[kind]; w->method; w++) {
		const uint64_t time = time_of(w->method, n, t.best);

		if (level < (n > SHORT ? w->from : LEVEL_FAST + 1) || level > w->to ||
		    !suits(w->method, raw, n) || time > budget->most ||
		    time > t.worth * t.best * price_of(w->method)->saves / 100)
			continue;
		if (try_method(&t, w->method, level, err))
			return -1;
	}
	return 0;
}

static int
fail(struct trc_err *err)
{
	return trc_corrupt(err, "a packed stream is damaged");
}

static int
unpack_lzma(const struct props *p, const uint8_t *packed, size_t len, struct trc_buf *raw, size_t n,
            size_t first, struct trc_err *err)
{
	lzma_options_lzma o = options(p, n, 6);
	const lzma_filter chain[] = { { LZMA_FILTER_LZMA1, &o }, { LZMA_VLI_UNKNOWN, NULL } };
	lzma_stream z = LZMA_STREAM_INIT;
	lzma_ret ret = lzma_raw_decoder(&z, chain);

	if (ret != LZMA_OK)
		return trc_fail_as(err, TRC_NO_MEMORY, "not enough memory to unpack %zu bytes", n);
	z.next_in = packed;
	z.avail_in = len;
	z.next_out = raw->p;
	z.avail_out = first;
	while (z.avail_out > 0 && (ret = lzma_code(&z, LZMA_RUN)) == LZMA_OK)
		;
	len = z.avail_out;
	lzma_end(&z);
	return len > 0 ? fail(err) : 0;
}

static int
unpack_halves(const uint8_t *packed, size_t len, struct trc_buf *raw, size_t n, struct trc_err *err)
{
	uint8_t *halves;
	int ret = unpack_lzma(&props[PAIRS - 1], packed, len, raw, n, n, err);

	if (ret)
		return -1;
	if (n % 4)
		return fail(err);
	halves = trc_alloc(n, 1, err);
	if (!halves)
		return -1;
	memcpy(halves, raw->p, n);
	move_halves(halves, n, raw->p, true);
	free(halves);
	return 0;
}

int
trc_packed_take(struct trc_view *v, size_t most, struct trc_packed *s, struct trc_err *err)
{
	const uint8_t *method;
	uint64_t n, len;

	*s = (struct trc_packed){ 0 };
	if (!trc_view_num(v, &n))
		return fail(err);
	if (n > most)
		return trc_fail(err, "a packed stream claims %llu bytes where %zu are the most",
		                (unsigned long long)n, most);
	s->n = (size_t)n;
	if (n == 0)
		return 0;
	method = trc_view_bytes(v, 1);
	if (!method || !is_method(*method) || !trc_view_num(v, &len) || len > SIZE_MAX / 2)
		return fail(err);
	s->method = *method;
	s->len = (size_t)len;
	s->p = trc_view_bytes(v, s->len);
	return s->p && (s->method != STORED || s->len == s->n) ? 0 : fail(err);
}

size_t
trc_packed_memory(const struct trc_packed *s)
{
	enum { LZMA = 64 << 10 };

	if (s->n == 0 || s->method == STORED || s->method == TRC_PACK_PATH)
		return 0;
	if (s->method == TOKENS)
		return trc_tokens_memory(s->n);
	if (s->method == LITERALS)
		return trc_literals_memory(s->n);
	if (s->method >= MIXED)
		return is_mixed(s->method) ? trc_mix_memory(s->n) : trc_rank_memory(s->n);
	/* Halves need a copy. */
	return LZMA + options(&props[0], s->n, 6).dict_size + (s->method == HALVES ? s->n : 0);
}

int
trc_packed_unpack(const struct trc_packed *s, struct trc_buf *raw, struct trc_err *err)
{
	return trc_packed_unpack_part(s, 0, s->n, raw, err);
}

int
trc_packed_unpack_part(const struct trc_packed *s, size_t from, size_t to, struct trc_buf *raw,
                       struct trc_err *err)
{
	raw->n = 0;
	to = to < s->n ? to : s->n;
	if (s->n == 0)
		return 0;
	if (s->method == STORED || s->method == TRC_PACK_PATH)
		return trc_buf_put(raw, s->p, s->len, err);
	if (trc_buf_room(raw, s->n, err))
		return -1;
	raw->n = s->n;
	if (s->method == TOKENS)
		return trc_tokens_read(s->p, s->len, raw->p, raw->n, err);
	if (s->method == LITERALS)
		return trc_literals_read(s->p, s->len, raw->p, raw->n, err);
	if (s->method >= RANKED)
		return trc_rank_read(s->p, s->len, s->method - RANKED + 1u, raw->p, raw->n, from,
		                     to, err);
	if (s->method >= MIXED)
		return trc_mix_read(s->p, s->len, (enum trc_mix_shape)(s->method - MIXED), raw->p,
		                    raw->n, err);
	return s->method == HALVES ?
	               unpack_halves(s->p, s->len, raw, s->n, err) :
	               unpack_lzma(&props[s->method - 1], s->p, s->len, raw, s->n, to, err);
}

int
trc_unpack(struct trc_view *v, size_t most, struct trc_buf *raw, struct trc_err *err)
{
	return trc_unpack_part(v, most, 0, most, raw, err);
}

int
trc_unpack_part(struct trc_view *v, size_t most, size_t from, size_t to, struct trc_buf *raw,
                struct trc_err *err)
{
	struct trc_packed s;

	if (trc_packed_take(v, most, &s, err))
		return -1;
	return s.method == TRC_PACK_PATH ? fail(err) :
	                                   trc_packed_unpack_part(&s, from, to, raw, err);
}
