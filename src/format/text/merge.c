/* SPDX-License-Identifier: MIT
 *
 * The output of trc split: traces of one task with canonical pages (merge; "Laplace: Per-Process
 * Merge Format"), and of a whole system (basic; "Basic Merge Format"). Each line is a reference or
 * a kernel event ('trc help events'): type, time, size, page (merge) or space (basic), canonical
 * page; hexadecimal.
 *
 *   r 123456789abcdef0 4 9a8b7 8888ffff3e456a21
 *   F 123456789abcdef7 100 77
 *
 * Types are r w i in user mode, R W I in the kernel. Of the basic format only the beginning of a
 * record, "R 5647abcd3829ef10", was published.
 *
 * These lines differ from those of a raw trace only if there are events among them, and the two
 * formats do not differ from each other. So a file begins with a comment, which has the page size
 * if it is known:
 *
 *   # trc merge page-size=4096
 */
#include <stdio.h>

#include "format/text/event.h"
#include "format/text/laplace.h"
#include "format/print.h"

#define BOTH (TRC_HAS_TYPE | TRC_HAS_TIME | TRC_HAS_SIZE | TRC_HAS_CPN)

/* The bids of raw traces and kernel event traces are preferred. */
enum { LOOSE = 8 };

static const char merge_word[] = "# trc merge", basic_word[] = "# trc basic";

/* Returns true if a line begins with this word, and not with a longer one. */
static bool
begins_with(const uint8_t *s, const uint8_t *e, const char *word)
{
	const uint8_t *const end = s + strlen(word);

	return trc_text_begins(s, e, word) &&
	       (end == e || trc_text_is_in(TRC_TEXT_BLANK | TRC_TEXT_RETURN, *end));
}

/* Parses a reference; its fourth field is stored to *place. */
static bool
take_reference(const uint8_t *s, const uint8_t *e, uint64_t most, uint64_t *place,
               struct trc_batch *b, size_t n)
{
	struct trc_field field[5];
	uint64_t size;

	if (trc_text_fields(s, e, field, 5) != 5 || field[0].len != 1 ||
	    !trc_laplace_type(field[0].p[0], &b->type[n]) ||
	    !trc_field_hex(field[1], UINT64_MAX, &b->time[n]) ||
	    !trc_field_hex(field[2], UINT32_MAX, &size) || !trc_field_hex(field[3], most, place) ||
	    !trc_field_hex(field[4], UINT64_MAX, &b->cpn[n]))
		return false;
	b->size[n] = (uint32_t)size;
	if (b->event)
		b->event[n] = 0;
	return true;
}

/* Parses a line that is not a reference: blank, a comment, or an event; returns -1 for a
 * reference. */
static int
take_other(const uint8_t *s, const uint8_t *e, const char *word, struct trc_batch *b, size_t n)
{
	struct trc_field field[1];
	uint8_t type;

	if (trc_text_fields(s, e, field, 1) == 0)
		return TRC_LINE_SKIP;
	if (*s == '#')
		return begins_with(s, e, "# trc") && !begins_with(s, e, word) ? TRC_LINE_BAD :
		                                                                TRC_LINE_SKIP;
	if (field[0].len == 1 && trc_laplace_type(field[0].p[0], &type))
		return -1;
	b->size[n] = 0;
	b->cpn[n] = 0;
	return (int)trc_event_line(s, e, b, n);
}

static enum trc_line
merge_line(const uint8_t *s, const uint8_t *e, struct trc_batch *b, size_t n)
{
	const int other = take_other(s, e, merge_word, b, n);

	b->vpn[n] = 0;
	if (other >= 0)
		return (enum trc_line)other;
	return take_reference(s, e, UINT64_MAX, &b->vpn[n], b, n) ? TRC_LINE_ROW : TRC_LINE_BAD;
}

static enum trc_line
basic_line(const uint8_t *s, const uint8_t *e, struct trc_batch *b, size_t n)
{
	const int other = take_other(s, e, basic_word, b, n);
	uint64_t asid = 0;

	b->asid[n] = 0;
	if (other >= 0)
		return (enum trc_line)other;
	if (!take_reference(s, e, UINT32_MAX, &asid, b, n))
		return TRC_LINE_BAD;
	b->asid[n] = (uint32_t)asid;
	return TRC_LINE_ROW;
}

/* Reads the page size from the comment at the beginning of a file. */
static void
take_header(const uint8_t *s, const uint8_t *e, const char *word, struct trc_meta *meta)
{
	static const char size_word[] = " page-size=";
	struct trc_field f;
	uint64_t bytes;

	if (!trc_text_begins(s, e, word) || !trc_text_begins(s + strlen(word), e, size_word))
		return;
	s += strlen(word) + strlen(size_word);
	f = (struct trc_field){ s, (size_t)(e - s) };
	f.len -= f.len > 0 && f.p[f.len - 1] == '\r';
	if (trc_field_dec(f, UINT64_MAX, &bytes) && bytes && !(bytes & (bytes - 1)))
		meta->page_bits = (uint32_t)trc_ctz64(bytes);
}

static void
merge_head(void *state, const uint8_t *s, const uint8_t *e, struct trc_meta *meta)
{
	(void)state;
	take_header(s, e, merge_word, meta);
}

static void
basic_head(void *state, const uint8_t *s, const uint8_t *e, struct trc_meta *meta)
{
	(void)state;
	take_header(s, e, basic_word, meta);
}

static void
explain(const void *state, const uint8_t *s, const uint8_t *e, char *dst, size_t room)
{
	struct trc_field field[1];
	uint8_t type;

	(void)state;
	*dst = 0;
	trc_text_fields(s, e, field, 1);
	if (field[0].len != 1 || !trc_laplace_type(field[0].p[0], &type))
		trc_event_explain(s, e, dst, room);
}

static uint8_t *
print_header(const struct trc_meta *meta, const char *word, uint8_t *dst)
{
	dst += sprintf((char *)dst, "%s", word);
	if (meta->page_bits)
		dst += sprintf((char *)dst, " page-size=%llu", 1ull << meta->page_bits);
	*dst++ = '\n';
	return dst;
}

static uint8_t *
merge_header(const struct trc_meta *meta, uint32_t have, uint8_t *dst)
{
	(void)have;
	return print_header(meta, merge_word, dst);
}

static uint8_t *
basic_header(const struct trc_meta *meta, uint32_t have, uint8_t *dst)
{
	(void)have;
	return print_header(meta, basic_word, dst);
}

static uint8_t *
print_rows(struct trc_rows *r, const char *format, uint8_t *dst, struct trc_err *err)
{
	const struct trc_batch *b = r->b;

	for (size_t i = r->i; i < r->stop; i++) {
		const char letter = trc_laplace_letter(b->type[i]);

		if (trc_batch_is_event(b, i)) {
			dst = trc_event_print(dst, b, i);
			continue;
		}
		if (!letter) {
			r->i = i;
			return trc_format_refuse_type(format, b->type[i], err);
		}
		*dst++ = (uint8_t)letter;
		dst = trc_print_hex(dst, ' ', b->time[i]);
		dst = trc_print_hex(dst, ' ', b->size[i]);
		dst = trc_print_hex(dst, ' ', b->vpn ? b->vpn[i] : b->asid[i]);
		dst = trc_print_hex(dst, ' ', b->cpn[i]);
		*dst++ = '\n';
	}
	return dst;
}

static uint8_t *
merge_print(struct trc_rows *r, uint8_t *dst, struct trc_err *err)
{
	return print_rows(r, "merge", dst, err);
}

static uint8_t *
basic_print(struct trc_rows *r, uint8_t *dst, struct trc_err *err)
{
	return print_rows(r, "basic", dst, err);
}

const struct trc_format trc_family_merge[] = {
	{
	        .name = "merge",
	        .base = 16,
	        .doc = "Laplace's per-process merge: canonical pages, kernel events",
	        .ending = ".merge",
	        .holds = BOTH | TRC_HAS_VPN | TRC_HAS_EVENT,
	        .needs = BOTH | TRC_HAS_VPN,
	        TRC_LINES("TYPE TIME SIZE PAGE CANONICAL-PAGE", .way.one = merge_line),
	        .print = &(const struct trc_print_format){ merge_print, 96, NULL },
	        .more = TRC_ROW(trc_line_more, .head = merge_head, .likely = trc_event_likely,
	                        .loose = LOOSE, .explain = explain, .header = merge_header),
	},
	{
	        .name = "basic",
	        .base = 16,
	        .doc = "Laplace's basic merge: spaces, canonical pages, kernel events",
	        .ending = ".basic",
	        .holds = BOTH | TRC_HAS_ASID | TRC_HAS_EVENT,
	        .needs = BOTH | TRC_HAS_ASID,
	        TRC_LINES("TYPE TIME SIZE SPACE CANONICAL-PAGE", .way.one = basic_line),
	        .print = &(const struct trc_print_format){ basic_print, 96, NULL },
	        .more = TRC_ROW(trc_line_more, .head = basic_head, .likely = trc_event_likely,
	                        .loose = LOOSE, .explain = explain, .header = basic_header),
	},
	{ .name = NULL },
};
