/* SPDX-License-Identifier: MIT
 * Parses numbers as people write them: 4096, 0x1000, 10k, 1.5M, 64KiB, 1e6, 1/100, 10%. A number is
 * kept as sum * 5^five * 2^two, so parsing is exact. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/opt.h"
#include "base/text.h"

enum { POWER_MOST = 99 };

/* A decimal number, sum * 10^power. */
struct decimal {
	uint64_t sum;
	int power;
};

/* Parses the number after "e"; returns false if there is none. */
static bool
take_exponent(const char **text, int *power)
{
	const char *p = *text + 1 + ((*text)[1] == '+');
	uint64_t e = 0;

	if (*p < '0' || *p > '9')
		return false;
	for (; *p >= '0' && *p <= '9'; p++)
		if (e <= POWER_MOST)
			e = e * 10 + (uint64_t)(*p - '0');
	*power += e > POWER_MOST ? POWER_MOST : (int)e;
	*text = p;
	return true;
}

/* Parses "15", "1.5" or "1.5e6", and advances *text past it. */
static enum trc_number_kind
take_decimal(const char **text, struct decimal *d)
{
	enum trc_number_kind kind = TRC_NUMBER_NONE;
	bool point = false;
	const char *p;

	*d = (struct decimal){ 0, 0 };
	for (p = *text; (*p >= '0' && *p <= '9') || (*p == '.' && !point); p++) {
		if (*p == '.') {
			point = true;
			continue;
		}
		if (kind == TRC_NUMBER_LARGE || !trc_text_add_digit(&d->sum, (uint8_t)*p)) {
			kind = TRC_NUMBER_LARGE;
			continue;
		}
		kind = TRC_NUMBER_WHOLE;
		d->power -= point;
	}
	if (p > *text && p[-1] == '.')
		return TRC_NUMBER_NONE;
	if (kind != TRC_NUMBER_NONE && (*p | 0x20) == 'e' && !take_exponent(&p, &d->power))
		return TRC_NUMBER_NONE;
	*text = p;
	return kind;
}

/* *v *= base^power */
static enum trc_number_kind
scale(uint64_t *v, uint64_t base, int power)
{
	for (; *v && power < 0; power++) {
		if (*v % base)
			return TRC_NUMBER_BROKEN;
		*v /= base;
	}
	for (; *v && power > 0; power--) {
		if (*v > UINT64_MAX / base)
			return TRC_NUMBER_LARGE;
		*v *= base;
	}
	return TRC_NUMBER_WHOLE;
}

/* Parses a suffix that ends the text: k, M, G, T, and for bytes also followed by B or iB, in upper
 * or lower case, except for a single "b", which may be bits or blocks. Returns the power of 1000 or
 * 1024; -1: not a suffix. */
static int
thousands(const char *p, bool bytes)
{
	static const char suffix[] = "kmgt";
	const char *at;

	if (*p == 0 || (bytes && strcmp(p, "B") == 0))
		return 0;
	at = strchr(suffix, *p | 0x20);
	if (!at ||
	    (p[1] && !(bytes && (strcasecmp(p + 1, "iB") == 0 || strcasecmp(p + 1, "B") == 0))))
		return -1;
	return (int)(at - suffix) + 1;
}

static enum trc_number_kind
parse(const char *text, bool bytes, uint64_t *v)
{
	struct trc_field hex = { (const uint8_t *)text, strlen(text) };
	enum trc_number_kind kind, twos;
	struct decimal d;
	int steps;

	if (text[0] == '0' && (text[1] | 0x20) == 'x')
		return trc_field_hex(hex, UINT64_MAX, v) ? TRC_NUMBER_WHOLE : TRC_NUMBER_NONE;
	kind = take_decimal(&text, &d);
	steps = thousands(text, bytes);
	if (kind == TRC_NUMBER_NONE || steps < 0)
		return TRC_NUMBER_NONE;
	if (kind == TRC_NUMBER_LARGE)
		return kind;
	*v = d.sum;
	/* Divisions come first, because they make room for the multiplications. */
	kind = scale(v, 5, d.power + (bytes ? 0 : 3 * steps));
	if (kind != TRC_NUMBER_WHOLE)
		return kind;
	twos = scale(v, 2, d.power + (bytes ? 10 : 3) * steps);
	return twos;
}

bool
trc_opt_number(const char *text, bool bytes, uint64_t *v)
{
	uint64_t number;

	if (parse(text, bytes, &number) != TRC_NUMBER_WHOLE)
		return false;
	*v = number;
	return true;
}

bool
trc_opt_extent(const char *text, uint64_t *v)
{
	const size_t len = strlen(text);
	const bool insns = len > 1 && len < 64 && text[len - 1] == 'i';
	char number[64];

	snprintf(number, sizeof(number), "%.*s", (int)(insns ? len - 1 : len), text);
	if (len >= sizeof(number) || !trc_opt_number(number, false, v) || *v & TRC_OPT_INSNS)
		return false;
	*v |= insns ? TRC_OPT_INSNS : 0;
	return true;
}

enum trc_number_kind
trc_opt_number_kind(const char *text, bool bytes)
{
	uint64_t v;
	const enum trc_number_kind kind = parse(text, bytes, &v);

	return kind == TRC_NUMBER_NONE && !bytes && parse(text, true, &v) != TRC_NUMBER_NONE ?
	               TRC_NUMBER_BYTES :
	               kind;
}

bool
trc_opt_pages(const char *text, struct trc_opt_pages *pages)
{
	const bool hex = text[0] == '0' && (text[1] | 0x20) == 'x';

	pages->bytes = !hex && text[strspn(text, "0123456789.eE+")];
	return trc_opt_number(text, true, &pages->n);
}

bool
trc_opt_part(const char *text, uint64_t *one_in)
{
	struct decimal d;

	if (strncmp(text, "1/", 2) == 0)
		return trc_opt_number(text + 2, false, one_in) && *one_in > 0;
	if (take_decimal(&text, &d) != TRC_NUMBER_WHOLE || d.sum == 0)
		return false;
	if (*text == '%')
		d.power -= 2;
	if (text[*text == '%'])
		return false;
	*one_in = 1;
	/* 10^-power / sum */
	return scale(one_in, 10, -d.power) == TRC_NUMBER_WHOLE && *one_in % d.sum == 0 &&
	       (*one_in /= d.sum) > 0;
}
