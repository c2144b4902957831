/* SPDX-License-Identifier: MIT
 * Repairs a group protected by bands: its bytes are moved to where they belong, then corrected
 * codeword by codeword. */
#include <stdlib.h>

#include "container/frame/kinds.h"
#include "container/frame/repair_group.h"

enum {
	STRIPE = 64,              /* codewords examined together for errors at the same positions */
	TILE = 16 * STRIPE,       /* codewords whose syndromes are computed at once */
	SAMPLE = 16,              /* codewords used to decide where bytes are missing */
	SPANS = TRC_RS8_MOST + 1, /* one per frame, and the beginning */
	PIECE = 512,              /* bytes that count as one damaged sector */
};

/* A part of the group and its parity that begins at offset `from` and ends at the next span. Its
 * bytes are in the file at their offset plus `shift`. */
struct span {
	uint64_t from, shift;
};

/* The state of repairing one group. */
struct bands {
	struct trc_repair *r;
	const struct trc_parity_group *g;
	const struct trc_bands *b;
	struct trc_rs8 code;
	uint8_t *all; /* all bands, contiguous, as read and corrected */
	struct span span[SPANS];
	size_t spans;
	uint64_t *sum;     /* sums of a tile, for some of the syndromes */
	uint8_t *syndrome; /* syndromes of a tile, codeword after codeword */
	bool failed;       /* a codeword has more errors than can be corrected */
};

/* The damaged codewords of a stripe. */
struct stripe {
	size_t n, at[STRIPE];
	uint8_t syndrome[STRIPE * TRC_RS8_MOST];
	struct trc_rs8_errors errors[STRIPE];
};

/* ---- the bytes of a group ---- */

/* Reads `n` bytes of the file; bytes outside the file are 0. */
static int
read_some(const struct bands *s, uint64_t at, uint8_t *dst, size_t n, struct trc_err *err)
{
	const uint64_t size = s->r->file->size;
	const size_t skip = at >> 63 ? (0 - at < n ? (size_t)(0 - at) : n) : 0;
	const uint64_t from = at + skip;
	const size_t left = from < size && !(from >> 63) ?
	                            (size - from < n - skip ? (size_t)(size - from) : n - skip) :
	                            0;

	memset(dst, 0, n);
	if (left && !s->r->file->read_at(s->r->file, from, dst + skip, left))
		return trc_fail_as(err, TRC_SYSTEM, "cannot be read a second time");
	return 0;
}

/* Returns where the bytes of band `i` are in memory; the first band may be shorter. */
static uint8_t *
band_of(const struct bands *s, unsigned i, size_t *n)
{
	const size_t before = i ? 0 : trc_bands_before(s->b);

	*n = s->b->band - before;
	return s->all + i * s->b->band + before;
}

/* Reads bytes [from, to) of the group and its parity, which are in the file at their offset plus
 * `shift`. */
static int
read_between(const struct bands *s, uint64_t from, uint64_t to, uint64_t shift, struct trc_err *err)
{
	for (unsigned i = 0; i < s->code.n; i++) {
		const uint64_t at = trc_bands_at(s->b, i);
		size_t n;
		uint8_t *dst = band_of(s, i, &n);
		const uint64_t first = from > at ? from : at, end = to < at + n ? to : at + n;

		if (first < end &&
		    read_some(s, first + shift, dst + (first - at), (size_t)(end - first), err))
			return -1;
	}
	return 0;
}

/* ---- syndromes ---- */

/* Computes the syndromes of codewords [from, from + n) into s->syndrome. */
static void
compute_syndromes(const struct bands *s, size_t from, size_t n)
{
	const unsigned k = s->code.k;

	for (unsigned lane = 0; lane < k; lane += TRC_RS8_LANES) {
		memset(s->sum, 0, n * sizeof(*s->sum));
		for (unsigned i = 0; i < s->code.n; i++) {
			uint8_t factor[TRC_RS8_MOST + 1] = { 0 };

			trc_rs8_syndrome_factors(&s->code, i, factor);
			trc_rs8_add(&s->code, s->sum, s->all + i * s->b->band + from, n,
			            factor + lane);
		}
		for (unsigned r = lane; r < k && r < lane + TRC_RS8_LANES; r++)
			for (size_t p = 0; p < n; p++)
				s->syndrome[p * k + r] = (uint8_t)(s->sum[p] >> 8 * (r - lane));
	}
}

static bool
is_zero(const uint8_t *syndrome, unsigned k)
{
	while (k > 0 && syndrome[k - 1] == 0)
		k--;
	return k == 0;
}

/* Returns the beginning of the burst that can explain most of the codewords, *most of them, by
 * their syndromes. */
static unsigned
find_burst(const struct bands *s, const uint8_t *syndrome, size_t words, size_t *most)
{
	unsigned best = 0;

	*most = 0;
	for (unsigned first = 0; first + s->code.k - 2 <= s->code.n; first++) {
		const size_t in = trc_rs8_in_burst(&s->code, syndrome, words, first);

		best = in > *most ? first : best;
		*most = in > *most ? in : *most;
	}
	return best;
}

/* ---- finding where bytes are missing ---- */

/* Adds the contribution of band `i` to the syndromes of the sample codewords, or removes it:
 * addition in GF(2^8) is its own inverse. */
static void
toggle_samples(const struct bands *s, unsigned i)
{
	const size_t band = s->b->band, n = band < SAMPLE ? band : SAMPLE;
	uint8_t factor[TRC_RS8_MOST + 1] = { 0 };

	trc_rs8_syndrome_factors(&s->code, i, factor);
	for (unsigned lane = 0; lane < s->code.k; lane += TRC_RS8_LANES)
		for (size_t part = 0; part < 2; part++) {
			const size_t from = band * (1 + 2 * part) / 4;

			trc_rs8_add(&s->code, s->sum + (lane / TRC_RS8_LANES * 2 + part) * SAMPLE,
			            s->all + i * band + (from < band - n ? from : band - n), n,
			            factor + lane);
		}
}

static void
begin_samples(const struct bands *s)
{
	memset(s->sum, 0, TILE * sizeof(*s->sum));
	for (unsigned i = 0; i < s->code.n; i++)
		toggle_samples(s, i);
}

/* Returns the number of errors in the sample codewords; one that cannot be corrected counts more
 * than any that can. Errors are assumed to be scattered or, if `burst`, to lie in one burst. */
static unsigned
count_errors(const struct bands *s, bool burst)
{
	const unsigned k = s->code.k, words = 2 * SAMPLE;
	struct trc_rs8_errors found;
	unsigned errors = 0;
	size_t most;

	for (unsigned p = 0; p < words; p++)
		for (unsigned r = 0; r < k; r++)
			s->syndrome[p * k + r] = (uint8_t)(s->sum[r / 8 * words + p] >>
			                                   8 * (r % 8));
	if (burst) {
		(void)find_burst(s, s->syndrome, words, &most);
		return (words - (unsigned)most) * 2 * k;
	}
	for (unsigned p = 0; p < words; p++)
		errors += trc_rs8_correct(&s->code, s->syndrome + p * k, 0, &found) ? found.n :
		                                                                      2 * k;
	return errors;
}

/* Where the shift changes, and the errors that sample codewords have then. */
struct cut {
	uint64_t at;
	unsigned errors;
};

/* Finds where between `from` and `to` the shift changes, to the precision of a band: where the
 * sample codewords have the fewest errors. Leaves the bytes read accordingly. */
static int
try_cuts(const struct bands *s, uint64_t from, uint64_t to, const uint64_t shift[2], bool burst,
         struct cut *cut, struct trc_err *err)
{
	const bool more = (int64_t)(shift[1] - shift[0]) > 0;
	uint64_t at = from;

	if (read_between(s, from, to, shift[1], err))
		return -1;
	begin_samples(s);
	*cut = (struct cut){ from, count_errors(s, burst) };
	for (unsigned i = 0; i < s->code.n && at < to; i++) {
		const uint64_t band = i + 1 < s->code.n ? trc_bands_at(s->b, i + 1) : to;
		const uint64_t next = band < to ? band : to;
		unsigned now;

		if (next <= at)
			continue;
		toggle_samples(s, i);
		if (read_between(s, at, next, shift[0], err))
			return -1;
		toggle_samples(s, i);
		at = next;
		now = count_errors(s, burst);
		if (now < cut->errors || (!more && now == cut->errors))
			*cut = (struct cut){ at, now };
	}
	return read_between(s, cut->at, to, shift[1], err);
}

static int
find_cut(const struct bands *s, uint64_t from, uint64_t to, const uint64_t shift[2], uint64_t *cut,
         struct trc_err *err)
{
	struct cut found;

	if (try_cuts(s, from, to, shift, false, &found, err) ||
	    (found.errors > SAMPLE * s->code.k && try_cuts(s, from, to, shift, true, &found, err)))
		return -1;
	*cut = found.at;
	return 0;
}

/* Reads all bytes. Up to where bytes were lost or inserted, positions follow from the start of the
 * group; after that, from each frame whose header was found. */
static int
read_all(struct bands *s, struct trc_err *err)
{
	const uint64_t end = trc_bands_frame(s->b, s->b->frames);
	uint64_t known = 0;

	s->span[s->spans++] = (struct span){ 0, trc_repair_start(s->r, s->g) };
	if (read_between(s, 0, end, s->span[0].shift, err))
		return -1;
	for (unsigned nth = 0; nth < s->b->frames; nth++) {
		const uint64_t at = trc_bands_frame(s->b, nth), there = s->g->place[nth].frame.at;
		const uint64_t shift[2] = { s->span[s->spans - 1].shift, there - at };
		struct span *span = &s->span[s->spans];

		if (there == TRC_NOWHERE)
			continue;
		span->shift = shift[1];
		if (shift[0] != shift[1] && (read_between(s, at, end, shift[1], err) ||
		                             find_cut(s, known, at, shift, &span->from, err)))
			return -1;
		s->spans += shift[0] != shift[1];
		known = at;
	}
	return 0;
}

/* Returns the span of byte `at` of the group and its parity. */
static const struct span *
span_of(const struct bands *s, uint64_t at)
{
	const struct span *span = &s->span[s->spans - 1];

	while (span > s->span && span->from > at)
		span--;
	return span;
}

/* ---- correcting ---- */

/* Returns true if a byte of the file is in an intact frame. */
static bool
is_good(const struct trc_groups *g, uint64_t at)
{
	size_t first = 0, end = g->goods;

	while (first < end) {
		const size_t middle = first + (end - first) / 2;

		if (g->good[middle].at <= at)
			first = middle + 1;
		else
			end = middle;
	}
	return first > 0 && at - g->good[first - 1].at < g->good[first - 1].n;
}

/* Returns true if a byte of a codeword may be damaged. If bytes of the last frame are missing,
 * bytes after the group were read in their place. */
static bool
may_be_wrong(const struct bands *s, unsigned i, size_t p)
{
	const size_t before = i ? 0 : trc_bands_before(s->b);
	const uint64_t at = trc_bands_at(s->b, i) + p - before + s->span[0].shift;

	return p >= before && (s->spans > 1 || at >= s->g->close.at || !is_good(s->r->groups, at));
}

static void
apply(struct bands *s, size_t p, const struct trc_rs8_errors *errors)
{
	bool may = true;

	for (unsigned e = 0; e < errors->n; e++)
		may = may && (errors->value[e] == 0 || may_be_wrong(s, errors->at[e], p));
	for (unsigned e = 0; may && e < errors->n; e++)
		s->all[errors->at[e] * s->b->band + p] ^= errors->value[e];
	s->failed |= !may;
}

/* Corrects errors that are at the same positions in all codewords, such as a burst or sectors of a
 * disk. Returns false if the positions cannot be found. */
static bool
correct_located(struct bands *s, const struct stripe *of)
{
	uint8_t syndrome[sizeof(of->syndrome)];
	struct trc_rs8_errors places, errors;
	const unsigned k = s->code.k;

	memcpy(syndrome, of->syndrome, of->n * k);
	if (!trc_rs8_locate(&s->code, syndrome, of->n, &places))
		return false;
	for (size_t w = 0; w < of->n; w++) {
		errors = places;
		if (trc_rs8_correct(&s->code, of->syndrome + w * k, places.n, &errors))
			apply(s, of->at[w], &errors);
		else
			s->failed = true;
	}
	return true;
}

/* Corrects scattered errors, at most `most` in each codeword of a stripe. Does nothing and returns
 * false if a codeword has more, because the errors of a burst may look few in some codewords. */
static bool
correct_scattered(struct bands *s, struct stripe *of, unsigned most)
{
	for (size_t w = 0; w < of->n; w++)
		if (!trc_rs8_correct(&s->code, of->syndrome + w * s->code.k, 0, &of->errors[w]) ||
		    of->errors[w].n > most)
			return false;
	for (size_t w = 0; w < of->n; w++)
		apply(s, of->at[w], &of->errors[w]);
	return true;
}

static bool
correct_in_burst(const struct bands *s, const uint8_t *syndrome, unsigned first,
                 struct trc_rs8_errors *errors)
{
	const unsigned n = s->code.k - 2;

	if (first + n > s->code.n || !trc_rs8_in_burst(&s->code, syndrome, 1, first))
		return false;
	for (unsigned e = 0; e < n; e++)
		errors->at[e] = (uint8_t)(first + e);
	return trc_rs8_correct(&s->code, syndrome, n, errors);
}

/* Corrects a burst that changes all bytes in the same way, so that its positions do not show, or a
 * burst with other errors beside it. It begins in one band or, for some codewords, in an adjacent
 * one. */
static void
correct_burst(struct bands *s, const struct stripe *of)
{
	size_t most;
	const unsigned first = find_burst(s, of->syndrome, of->n, &most);

	for (size_t w = 0; w < of->n; w++) {
		const uint8_t *syndrome = of->syndrome + w * s->code.k;
		struct trc_rs8_errors errors;

		if (correct_in_burst(s, syndrome, first, &errors) ||
		    correct_in_burst(s, syndrome, first + 1, &errors) ||
		    (first && correct_in_burst(s, syndrome, first - 1, &errors)) ||
		    trc_rs8_correct(&s->code, syndrome, 0, &errors))
			apply(s, of->at[w], &errors);
		else
			s->failed = true;
	}
}

/* Corrects codewords [from, from + n), whose syndromes begin at `syndrome`. */
static void
correct_stripe(struct bands *s, size_t from, size_t n, const uint8_t *syndrome)
{
	const unsigned k = s->code.k;
	struct stripe of;

	of.n = 0;
	for (size_t p = 0; p < n; p++) {
		if (is_zero(syndrome + p * k, k))
			continue;
		memcpy(of.syndrome + of.n * k, syndrome + p * k, k);
		of.at[of.n++] = from + p;
	}
	/* Try first what is least likely to succeed by chance. */
	if (of.n && !correct_scattered(s, &of, k / 2 - 1) && !correct_located(s, &of) &&
	    !correct_scattered(s, &of, k / 2))
		correct_burst(s, &of);
}

static void
correct_all(struct bands *s)
{
	for (size_t from = 0; from < s->b->band; from += TILE) {
		const size_t n = s->b->band - from < TILE ? s->b->band - from : TILE;

		compute_syndromes(s, from, n);
		for (size_t p = 0; p < n; p += STRIPE)
			correct_stripe(s, from + p, n - p < STRIPE ? n - p : STRIPE,
			               s->syndrome + p * s->code.k);
	}
}

/* ---- writing a group ---- */

/* Sets *same if the file has these bytes at the position of bytes [at, at + n) of the group and its
 * parity. */
static int
compare(const struct bands *s, uint64_t at, const uint8_t *bytes, size_t n, bool *same,
        struct trc_err *err)
{
	const uint64_t from = at + span_of(s, at)->shift;
	uint8_t there[PIECE];

	*same = !(from >> 63) && from + n <= s->r->file->size &&
	        span_of(s, at) == span_of(s, at + n - 1);
	if (*same && read_some(s, from, there, n, err))
		return -1;
	*same = *same && memcmp(there, bytes, n) == 0;
	return 0;
}

/* Writes bytes [at, at + n) of the group and its parity, by reference to the file if it has
 * them. */
static int
put(struct bands *s, uint64_t at, const uint8_t *bytes, size_t n, struct trc_err *err)
{
	while (n > 0) {
		const uint64_t from = at + span_of(s, at)->shift;
		const size_t part = n < PIECE ? n : PIECE;
		bool same;

		if (compare(s, at, bytes, part, &same, err))
			return -1;
		if (!same)
			trc_repair_note(s->r, from >> 63 ? 0 : from);
		if (same ? trc_patched_add_range(s->r->whole, from, part, err) :
		           trc_patched_add_bytes(s->r->whole, bytes, part, err))
			return -1;
		at += part;
		bytes += part;
		n -= part;
	}
	return 0;
}

static int
put_frame(struct bands *s, unsigned nth, struct trc_err *err)
{
	const uint8_t *payload = s->all + (s->b->data + trc_bands_first(s->b, nth)) * s->b->band;
	const size_t n = trc_bands_bytes(s->b, nth);
	uint8_t head[TRC_FRAME_HEAD_MOST];
	const size_t bytes = trc_frame_put_head(head, TRC_KIND_BANDS, trc_bands_number(s->b, nth),
	                                        payload, n);

	return put(s, trc_bands_frame(s->b, nth), head, bytes, err) ||
	                       put(s, trc_bands_payload(s->b, nth), payload, n, err) ?
	               -1 :
	               0;
}

/* Sets *lost if the beginning of the group is not where it should be. It compares the first frame
 * and the header of the next, whose checksum is unique; containers may begin with the same
 * frame. */
static int
is_begin_lost(const struct bands *s, bool *lost, struct trc_err *err)
{
	const uint8_t *begin = s->all + trc_bands_before(s->b);
	const size_t bytes = s->g->bytes < PIECE ? (size_t)s->g->bytes : PIECE;
	struct trc_frame f;
	size_t n = TRC_FRAME_HEAD_MOST;
	bool same;

	if (trc_frame_head(begin, bytes, &f) && f.len < bytes)
		n += (size_t)trc_frame_bytes(&f);
	if (compare(s, 0, begin, n < bytes ? n : bytes, &same, err))
		return -1;
	*lost = !same;
	return 0;
}

static int
put_group(struct bands *s, bool lost, struct trc_err *err)
{
	const uint64_t start = lost ? s->g->end - s->g->bytes : span_of(s, 0)->shift;

	if (trc_repair_before(s->r, s->g, start, err) ||
	    put(s, 0, s->all + trc_bands_before(s->b), (size_t)s->g->bytes, err))
		return -1;
	for (unsigned nth = 0; nth < s->b->frames; nth++)
		if (put_frame(s, nth, err))
			return -1;
	s->r->at = trc_bands_frame(s->b, s->b->frames) + s->span[s->spans - 1].shift;
	return 0;
}

/* ---- a group ---- */

static int
repair_bands(struct bands *s, enum trc_repair_done *done, struct trc_err *err)
{
	bool lost;

	if (read_all(s, err))
		return -1;
	correct_all(s);
	if (is_begin_lost(s, &lost, err))
		return -1;
	/* The guess where bytes are missing is right only if everything else fits. */
	if ((s->failed && s->spans > 1) || trc_repair_is_torn(s->r, s->g, lost))
		return 0;
	*done = s->failed ? TRC_REPAIR_SOME : TRC_REPAIR_WHOLE;
	return put_group(s, lost, err);
}

int
trc_repair_bands(struct trc_repair *r, const struct trc_parity_group *g, enum trc_repair_done *done,
                 struct trc_err *err)
{
	struct bands *s = trc_alloc(1, sizeof(*s), err);
	const unsigned n = g->bands.data + g->bands.parity;
	int ret = -1;

	if (!s)
		return -1;
	*s = (struct bands){ .r = r, .g = g, .b = &g->bands };
	trc_rs8_init(&s->code, n, g->bands.parity);
	s->all = trc_alloc(n, s->b->band, err);
	s->sum = s->all ? trc_alloc_room(TILE, sizeof(*s->sum), err) : NULL;
	s->syndrome = s->sum ? trc_alloc_room(TILE, s->code.k, err) : NULL;
	if (s->syndrome)
		ret = repair_bands(s, done, err);
	free(s->all);
	free(s->sum);
	free(s->syndrome);
	free(s);
	return ret;
}
