/* SPDX-License-Identifier: MIT
 *
 * The output of trc reduce, SAD-reduced traces of Laplace ("Laplace: Trace Reduction"): one
 * reference to a page per line; type, cycles, instructions, references, space and page,
 * hexadecimal.
 *
 *   r 123456789abcdef0 1bd8ef123 2ca4563118 9f8e7 800a3
 *
 * The type is r or w; the three times are those of the columns time, itime and rtime. In a trace
 * without a cycle counter, the reference time takes the place of cycles; without spaces, the space
 * is 0.
 *
 * The published format has no place for data about the whole trace, so a comment follows the
 * records, with numbers in decimal; unknown ones are left out:
 *
 *   # trc sad records=1681 page-size=4096 r=64 references=...
 *
 * It also has instructions and last-cycle. Readers skip lines that begin with #. Other reductions
 * add lru-only, by-space, canonical and merged (r implies merged), sample=100, and window=10000
 * with clock=references, instructions or cycles. part means that the file has only some of the
 * records, while the totals are those of all. A file concatenated from several has a trailer for
 * each: the totals are added, and reductions that cannot be combined are refused.
 *
 * In sad-diff numbers are differences from the line before, with a sign before that of pages; the
 * space is written when it changes, else 0:
 *
 *   r 100 232 25e 0 + a3
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "format/text/diff.h"

#define NEEDED (TRC_HAS_TYPE | TRC_HAS_RTIME | TRC_HAS_VPN)
#define HELD (NEEDED | TRC_HAS_TIME | TRC_HAS_ITIME | TRC_HAS_ASID)

static const char trailer_word[] = "# trc sad";

static const struct {
	const char *word;
	uint64_t bit;
} bit_word[] = { { " lru-only", TRC_LRU_ONLY },
	         { " by-space", TRC_BY_SPACE },
	         { " canonical", TRC_CANONICAL },
	         { " merged", TRC_MERGED },
	         { " part", TRC_PART } };

static const struct {
	const char *word;
	enum trc_column column;
} clock_word[] = { { " clock=references", TRC_COL_RTIME },
	           { " clock=instructions", TRC_COL_ITIME },
	           { " clock=cycles", TRC_COL_TIME } };

/* Parses the number after `word` in the comment; returns false if there is none. */
static bool
number_after(const char *text, const char *word, uint64_t *v)
{
	const char *at = strstr(text, word);
	struct trc_field f;

	if (!at)
		return false;
	f.p = (const uint8_t *)at + strlen(word);
	f.len = strspn((const char *)f.p, "0123456789");
	return trc_field_dec(f, UINT64_MAX, v);
}

/* The previous record. */
struct last {
	uint64_t time, itime, rtime, vpn;
	uint32_t asid;
};

/* The state of the reader between lines. */
struct reading {
	struct last last;  /* for differences */
	uint32_t trailers; /* number so far */
	bool totals;       /* all trailers had totals */
	bool other;        /* a trailer cannot be combined with those before it */
};

static_assert(sizeof(struct reading) <= TRC_FORMAT_STATE, "fits the state of a format");

/* Parses the contents of a trailer. */
static struct trc_meta
parse_trailer(const uint8_t *s, const uint8_t *e)
{
	struct trc_meta meta = { 0 };
	struct trc_guarantee *p = &meta.guarantee;
	char text[512];
	const size_t len = (size_t)(e - s) < sizeof(text) ? (size_t)(e - s) : sizeof(text) - 1;
	uint64_t bytes, window;

	memcpy(text, s, len);
	text[len] = 0;
	number_after(text, " records=", &meta.rows);
	if (number_after(text, " page-size=", &bytes) && bytes && !(bytes & (bytes - 1)))
		meta.page_bits = (uint32_t)trc_ctz64(bytes);
	number_after(text, " r=", &p->sad);
	number_after(text, " sample=", &p->sample);
	for (size_t i = 0; i < TRC_COUNT(bit_word); i++)
		if (strstr(text, bit_word[i].word))
			p->reduced |= bit_word[i].bit;
	for (size_t i = 0; i < TRC_COUNT(clock_word); i++)
		if (strstr(text, clock_word[i].word) && number_after(text, " window=", &window)) {
			p->window = window;
			p->clock = clock_word[i].column;
		}
	meta.totals = number_after(text, " references=", &meta.refs) &&
	              number_after(text, " instructions=", &meta.insns) &&
	              number_after(text, " last-cycle=", &meta.last_time);
	number_after(text, " touches=", &meta.touches);
	return meta;
}

/* Adds a trailer to the meta of the trace: in a concatenated file each follows its records. Returns
 * false if they cannot be combined. */
static bool
take_trailer(const uint8_t *s, const uint8_t *e, struct reading *r, struct trc_meta *meta)
{
	const struct trc_meta next = parse_trailer(s, e);

	r->last = (struct last){ 0 };
	if (r->trailers++ == 0) {
		meta->page_bits = next.page_bits;
		meta->guarantee = next.guarantee;
		meta->rows = next.rows;
		meta->refs = next.refs;
		meta->insns = next.insns;
		meta->last_time = next.last_time;
		meta->touches = next.touches;
		r->totals = meta->totals = next.totals;
		return true;
	}
	r->other = !trc_meta_alike(meta, &next);
	meta->totals = r->totals;
	if (!r->other)
		trc_meta_join(meta, &next);
	r->totals = meta->totals;
	return !r->other;
}

static enum trc_line
sad_line(const uint8_t *s, const uint8_t *e, struct trc_batch *b, size_t n)
{
	struct trc_field field[6];
	size_t fields = trc_text_fields(s, e, field, 6);
	uint64_t asid;

	if (fields == 0 || field[0].p[0] == '#')
		return TRC_LINE_SKIP;
	if (fields != 6 || field[0].len != 1 || (field[0].p[0] != 'r' && field[0].p[0] != 'w') ||
	    !trc_field_hex(field[1], UINT64_MAX, &b->time[n]) ||
	    !trc_field_hex(field[2], UINT64_MAX, &b->itime[n]) ||
	    !trc_field_hex(field[3], UINT64_MAX, &b->rtime[n]) ||
	    !trc_field_hex(field[4], UINT32_MAX, &asid) ||
	    !trc_field_hex(field[5], UINT64_MAX, &b->vpn[n]))
		return TRC_LINE_BAD;
	b->type[n] = field[0].p[0] == 'w' ? TRC_WRITE : TRC_READ;
	b->asid[n] = (uint32_t)asid;
	return TRC_LINE_ROW;
}

/* Parses lines, of which only the last may be a trailer. */
typedef size_t (*parse_fn)(const struct trc_lines *l, struct trc_batch *b);

/* Returns the lines [from, to) of others; eol has room for them. */
static struct trc_lines
some_lines(const struct trc_lines *l, size_t from, size_t to, uint32_t *eol)
{
	const uint32_t start = trc_line_start(l, from);
	struct trc_lines some = *l;

	some.n = to - from;
	if (from == 0)
		return some;
	some.text = l->text + start;
	some.eol = eol;
	for (size_t i = 0; i < some.n; i++)
		eol[i] = l->eol[from + i] - start;
	return some;
}

/* Parses the records before each trailer, and the trailer, after which another trace begins. */
static size_t
parse_traces(const struct trc_lines *l, struct trc_batch *b, parse_fn parse)
{
	uint32_t eol[TRC_BATCH_ROWS];
	struct reading *r = l->state;
	size_t from = 0;

	while (from < l->n) {
		size_t to = from, good;
		struct trc_lines some;

		while (to < l->n && !trc_text_begins(l->text + trc_line_start(l, to),
		                                     l->text + l->eol[to], trailer_word))
			to++;
		some = some_lines(l, from, to, eol);
		good = parse(&some, b);
		/* The totals are incomplete until the next trailer comes. */
		if (good > 0 && r->trailers > 0)
			l->meta->totals = false;
		from += good;
		if (good < some.n)
			return from;
		if (to < l->n && !take_trailer(l->text + trc_line_start(l, to),
		                               l->text + l->eol[to], r, l->meta))
			return from;
		from += to < l->n;
	}
	return from;
}

static void
explain(const void *state, const uint8_t *s, const uint8_t *e, char *dst, size_t room)
{
	const struct reading *r = state;

	if (r->other && trc_text_begins(s, e, trailer_word))
		snprintf(dst, room,
		         "these records were reduced in another way than those before the last "
		         "trailer; such traces cannot be joined");
}

static size_t
parse_records(const struct trc_lines *l, struct trc_batch *b)
{
	return trc_lines_parse(l, b, sad_line);
}

static size_t
sad_parse(const struct trc_lines *l, struct trc_batch *b)
{
	return parse_traces(l, b, parse_records);
}

/* A number that may be printed more than once. */
struct digits {
	uint8_t text[16];
	size_t n;
};

static TRC_ALWAYS_INLINE struct digits
digits_of(uint64_t v)
{
	struct digits d = { .n = 0 };

	d.n = (size_t)(trc_text_put_hex(d.text, v) - d.text);
	return d;
}

static TRC_ALWAYS_INLINE uint8_t *
print_digits(uint8_t *dst, struct digits d)
{
	*dst++ = ' ';
	memcpy(dst, d.text, sizeof(d.text));
	return dst + d.n;
}

/* Prints rows with these times, instructions and spaces; NULL: the trace has none. */
static TRC_ALWAYS_INLINE uint8_t *
print_rows(struct trc_rows *r, uint8_t *dst, const uint64_t *time, const uint64_t *itime,
           const uint32_t *asid, struct trc_err *err)
{
	const uint8_t *type = r->b->type;
	const uint64_t *rtime = r->b->rtime, *vpn = r->b->vpn;

	for (size_t i = r->i, stop = r->stop; i < stop; i++) {
		const struct digits refs = digits_of(rtime[i]);

		if (type[i] > TRC_WRITE) {
			r->i = i;
			return trc_format_refuse_type("sad", type[i], err);
		}
		*dst++ = type[i] == TRC_WRITE ? 'w' : 'r';
		dst = print_digits(dst, time ? digits_of(time[i]) : refs);
		dst = print_digits(dst, digits_of(itime ? itime[i] : 0));
		dst = print_digits(dst, refs);
		dst = print_digits(dst, digits_of(asid ? asid[i] : 0));
		dst = print_digits(dst, digits_of(vpn[i]));
		*dst++ = '\n';
	}
	return dst;
}

static uint8_t *
sad_print(struct trc_rows *r, uint8_t *dst, struct trc_err *err)
{
	const struct trc_batch *b = r->b;

	if (!b->time && b->itime && !b->asid)
		return print_rows(r, dst, NULL, b->itime, NULL, err);
	return print_rows(r, dst, b->time, b->itime, b->asid, err);
}

static bool
diff_take(void *state, struct trc_batch *b, size_t n, uint8_t letter, const uint64_t *number,
          bool minus)
{
	struct last *last = &((struct reading *)state)->last;

	if ((letter != 'r' && letter != 'w') || !trc_diff_forward(&last->time, number[0]) ||
	    !trc_diff_forward(&last->itime, number[1]) ||
	    !trc_diff_forward(&last->rtime, number[2]) || !trc_diff_space(&last->asid, number[3]) ||
	    !trc_diff_move(&last->vpn, number[4], minus))
		return false;
	b->type[n] = letter == 'w' ? TRC_WRITE : TRC_READ;
	b->time[n] = last->time;
	b->itime[n] = last->itime;
	b->rtime[n] = last->rtime;
	b->asid[n] = last->asid;
	b->vpn[n] = last->vpn;
	return true;
}

static size_t
parse_differences(const struct trc_lines *l, struct trc_batch *b)
{
	return trc_diff_parse(l, b, 5, diff_take);
}

static size_t
diff_parse(const struct trc_lines *l, struct trc_batch *b)
{
	return parse_traces(l, b, parse_differences);
}

static uint8_t *
diff_print(struct trc_rows *r, uint8_t *dst, struct trc_err *err)
{
	const struct trc_batch *b = r->b;
	const uint64_t *times = b->time ? b->time : b->rtime;
	struct last *last = r->state;

	for (size_t i = r->i; i < r->stop; i++) {
		const uint64_t time = times[i], rtime = b->rtime[i];
		const uint64_t itime = b->itime ? b->itime[i] : 0;
		const uint32_t asid = b->asid ? b->asid[i] : 0;

		r->i = i;
		if (b->type[i] > TRC_WRITE)
			return trc_format_refuse_type("sad-diff", b->type[i], err);
		if (time < last->time)
			return trc_diff_refuse_time("time", last->time, time, err);
		if (itime < last->itime)
			return trc_diff_refuse_time("itime", last->itime, itime, err);
		if (rtime < last->rtime)
			return trc_diff_refuse_time("rtime", last->rtime, rtime, err);
		if (asid == 0 && last->asid != 0)
			return trc_diff_refuse_space(last->asid, err);
		*dst++ = b->type[i] == TRC_WRITE ? 'w' : 'r';
		dst = trc_print_hex(dst, ' ', time - last->time);
		dst = trc_print_hex(dst, ' ', itime - last->itime);
		dst = trc_print_hex(dst, ' ', rtime - last->rtime);
		dst = trc_print_hex(dst, ' ', asid == last->asid ? 0 : asid);
		dst = trc_diff_print_move(dst, &last->vpn, b->vpn[i]);
		*dst++ = '\n';
		*last = (struct last){ time, itime, rtime, last->vpn, asid };
	}
	return dst;
}

static uint8_t *
sad_trailer(const struct trc_rows *r, const struct trc_meta *meta, uint8_t *dst)
{
	const struct trc_guarantee *p = &meta->guarantee;
	char *at = (char *)dst;

	at += sprintf(at, "%s records=%llu", trailer_word, (unsigned long long)r->before);
	if (meta->page_bits)
		at += sprintf(at, " page-size=%llu", 1ull << meta->page_bits);
	if (p->sad)
		at += sprintf(at, " r=%llu", (unsigned long long)p->sad);
	for (size_t i = 0; i < TRC_COUNT(bit_word); i++)
		if (p->reduced & bit_word[i].bit && (bit_word[i].bit != TRC_MERGED || !p->sad))
			at += sprintf(at, "%s", bit_word[i].word);
	if (p->window)
		at += sprintf(at, " window=%llu", (unsigned long long)p->window);
	for (size_t i = 0; i < TRC_COUNT(clock_word); i++)
		if (p->window && p->clock == clock_word[i].column)
			at += sprintf(at, "%s", clock_word[i].word);
	if (p->sample)
		at += sprintf(at, " sample=%llu", (unsigned long long)p->sample);
	if (meta->totals)
		at += sprintf(at, " references=%llu instructions=%llu last-cycle=%llu",
		              (unsigned long long)meta->refs, (unsigned long long)meta->insns,
		              (unsigned long long)meta->last_time);
	if (meta->totals && meta->touches)
		at += sprintf(at, " touches=%llu", (unsigned long long)meta->touches);
	*at++ = '\n';
	return (uint8_t *)at;
}

static const struct trc_line_more more = { .explain = explain };

const struct trc_format trc_family_sad[] = {
	{
	        .name = "sad",
	        .base = 16,
	        .doc = "page references with three times, as SAD leaves them",
	        .ending = ".sad",
	        .holds = HELD,
	        .needs = NEEDED,
	        .chained = true,
	        TRC_LINES("r|w CYCLES INSTRUCTIONS REFERENCES SPACE PAGE", .parse = sad_parse),
	        .print = &(const struct trc_print_format){ sad_print, 112, sad_trailer },
	        .more = &more,
	},
	{
	        .name = "sad-diff",
	        .doc = "what SAD leaves, in differences",
	        .ending = ".sad-diff",
	        .holds = HELD,
	        .needs = NEEDED,
	        .chained = true,
	        TRC_LINES("r|w CYCLES INSTRUCTIONS REFERENCES SPACE +|- PAGE", .parse = diff_parse),
	        .print = &(const struct trc_print_format){ diff_print, 128, sad_trailer },
	        .chained_print = true,
	        .more = &more,
	},
	{ .name = NULL },
};
