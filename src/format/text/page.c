/* SPDX-License-Identifier: MIT
 *
 * Page traces: one hexadecimal page number per line, the form of the SIGMETRICS 1999 traces of
 * Kaplan, Smaragdakis and Wilson. The format holds nothing else, not even whether a reference reads
 * or writes.
 *
 *   80b1
 *   1fff0
 *
 * Other files have the same form with decimal numbers, such as the objects of libCacheSim's txt.
 * They are recognised by many numbers without any letter: pages are adjacent, and of sixteen
 * adjacent numbers six have letters. Byte addresses (format/text/addr.c) begin with 0x, or are too
 * large for page numbers. Numbers of up to 20 bits are taken as pages, with a note. Larger numbers,
 * those with zeros in front to eight digits, and several multiples of 4, 16 or a page could be
 * either, and numbers without letters could also be decimal; trc asks about all of these.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "format/text/addr.h"

enum {
	MANY = 32,
	NUMBER_BITS = 20, /* bits of a page number with 32-bit addresses */
	ZEROS_SURE = 12,  /* bits that are 0 in different numbers: by chance once in 4,096 */
	PADDED = 8,       /* digits of an address of 32 bits that is printed with zeros in front */
};

static enum trc_line
page_line(const uint8_t *s, const uint8_t *e, struct trc_batch *b, size_t n)
{
	struct trc_field field[1];
	size_t fields = trc_text_fields(s, e, field, 1);

	if (fields == 0)
		return TRC_LINE_SKIP;
	if (fields != 1 || !trc_field_hex(field[0], UINT64_MAX, &b->vpn[n]))
		return TRC_LINE_BAD;
	return TRC_LINE_ROW;
}

static uint8_t *
page_print(struct trc_rows *r, uint8_t *dst, struct trc_err *err)
{
	const struct trc_batch *b = r->b;

	(void)err;
	for (size_t i = r->i; i < r->stop; i++) {
		dst = trc_text_put_hex(dst, b->vpn[i]);
		*dst++ = '\n';
	}
	return dst;
}

static bool
are_addresses(const struct trc_lines *l, const struct trc_batch *b)
{
	for (size_t i = 0; i < l->n; i++)
		if (trc_addr_marked(l, i))
			return true;
	for (size_t i = 0; i < b->n; i++)
		if (trc_addr_no_page(b->vpn[i]))
			return true;
	return false;
}

/* Returns how many different numbers there are, up to MANY. */
static size_t
count_different(const struct trc_batch *b)
{
	uint64_t different[MANY];
	size_t n = 0;

	for (size_t i = 0; i < b->n && n < MANY; i++) {
		size_t k = 0;

		while (k < n && different[k] != b->vpn[i])
			k++;
		different[k] = b->vpn[i];
		n += k == n;
	}
	return n;
}

/* Returns true if numbers are larger than page numbers of 32-bit addresses, or end in zeros, so
 * that they may be aligned. */
static bool
may_be_addresses(const struct trc_batch *b)
{
	const size_t others = count_different(b) - 1;
	uint64_t all = 0;

	for (size_t i = 0; i < b->n; i++)
		all |= b->vpn[i];
	return all >> NUMBER_BITS || (all && trc_ctz64(all) * others >= ZEROS_SURE);
}

/* Returns true if a number has zeros in front, to as many digits as an address. */
static bool
are_padded(const struct trc_lines *l)
{
	for (size_t i = 0; i < l->n; i++) {
		const uint8_t *p = l->text + trc_line_start(l, i), *e = l->text + l->eol[i];
		struct trc_field f[1];

		if (trc_text_fields(p, e, f, 1) > 0 && f->len >= PADDED && *f->p == '0')
			return true;
	}
	return false;
}

/* Returns true if a number has a letter. */
static bool
has_letter(const struct trc_batch *b)
{
	const uint64_t ones = UINT64_MAX / 15;

	for (size_t i = 0; i < b->n; i++)
		if (b->vpn[i] >> 3 & (b->vpn[i] >> 2 | b->vpn[i] >> 1) & ones)
			return true;
	return false;
}

/* Returns true if these are neither addresses, such as those of programs at 0x400000, nor many
 * different numbers that could all be decimal. */
static bool
likely(const struct trc_lines *l, const struct trc_batch *b)
{
	return !are_addresses(l, b) && !are_padded(l) && !may_be_addresses(b) &&
	       (has_letter(b) || count_different(b) < MANY);
}

/* Returns what follows the comments at `p`, which addr may have. */
static const uint8_t *
pass_comments(const uint8_t *p, const uint8_t *e)
{
	while (p < e && *p == '#') {
		const uint8_t *lf = memchr(p, '\n', (size_t)(e - p));

		p = lf ? lf + 1 : e;
	}
	return p;
}

/* Returns true if the text begins with lines of one number each; sets *hex if some have letters, or
 * zeros in front. */
static bool
are_numbers(const uint8_t *p, size_t n, bool *hex)
{
	const uint8_t *const first = pass_comments(p, p + n);
	size_t digits = 0;

	n -= (size_t)(first - p);
	p = first;
	if (n == 0 || !isxdigit(*p))
		return false;
	for (; n > 0 && digits <= 20; p++, n--) {
		if (!isxdigit(*p) && *p != '\n' && *p != '\r')
			return false;
		*hex |= isalpha(*p) || (digits == 0 && *p == '0' && n > 1 && isxdigit(p[1]));
		digits = isxdigit(*p) ? digits + 1 : 0;
	}
	return n == 0;
}

/* Returns true if a number has more digits than 64 bits. */
static bool
has_wide(const uint8_t *p, size_t n)
{
	enum { DIGITS = 16 };
	size_t digits = 0;

	for (; n > 0 && digits <= DIGITS; p++, n--)
		digits = !isxdigit(*p) ? 0 : digits + (digits > 0 || *p != '0');
	return digits > DIGITS;
}

static bool
suggest(const uint8_t *p, size_t n, char *dst, size_t room)
{
	bool hex = false;

	if (!are_numbers(p, n, &hex))
		return false;
	if (hex && has_wide(p, n)) {
		snprintf(dst, room,
		         "looks like several values in one number a line, of more than 64 bits; "
		         "'cut -cFIRST-LAST' takes the digits of an address out");
		return true;
	}
	snprintf(dst, room,
	         "looks like one %s number a line; --from %s reads byte addresses, --from %s page "
	         "numbers",
	         hex ? "hexadecimal" : "decimal", hex ? "addr-hex" : "addr",
	         hex ? "page hexadecimal" : "csv:vpn=1 decimal");
	return true;
}

static unsigned
propose(const uint8_t *p, size_t n, struct trc_reading r[TRC_READINGS])
{
	bool hex = false;

	if (!are_numbers(p, n, &hex))
		return 0;
	r[0] = (struct trc_reading){ .what = "these are byte addresses, or keys" };
	r[1] = (struct trc_reading){ .what = "these are page numbers" };
	strcpy(r[0].from, hex ? "addr-hex" : "addr");
	strcpy(r[1].from, hex ? "page" : *p == '#' ? "csv:vpn=1,comment=#" : "csv:vpn=1");
	return 2;
}

const struct trc_format trc_family_page[] = {
	{
	        .name = "page",
	        .base = 16,
	        .doc = "page numbers alone",
	        .ending = ".page",
	        .holds = TRC_HAS_VPN,
	        .needs = TRC_HAS_VPN,
	        TRC_LINES("PAGE", .way = { page_line, trc_addr_scan, { { TRC_COL_VPN, 16 } } }),
	        .more = &(const struct trc_line_more){ .likely = likely },
	        .suggest = suggest,
	        .propose = propose,
	        .doubt = "assuming that each line is a page number; for byte addresses: --from "
	                 "addr, or addr-hex for digits without 0x",
	        .print = &(const struct trc_print_format){ page_print, 40, NULL },
	},
	{ .name = NULL },
};
