/* SPDX-License-Identifier: MIT */
#include "format/csv/csv_values.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/map.h"
#include "batch/batch.h"
#include "batch/type.h"

/* ---- types ---- */

static struct trc_field
without_0x(struct trc_field f)
{
	if (f.len > 2 && f.p[0] == '0' && (f.p[1] | 0x20) == 'x')
		return (struct trc_field){ f.p + 2, f.len - 2 };
	return f;
}

static bool
find_code(const struct trc_csv_codes *codes, struct trc_field f, uint8_t *type)
{
	const struct trc_field bare = without_0x(f);

	for (size_t i = 0; i < codes->n && bare.len <= TRC_CSV_CODE_LETTERS; i++) {
		const struct trc_csv_code *c = &codes->code[i];

		if (strncasecmp((const char *)bare.p, c->text, bare.len) == 0 &&
		    (bare.len == TRC_CSV_CODE_LETTERS || c->text[bare.len] == 0)) {
			*type = c->type;
			return true;
		}
	}
	return false;
}

bool
trc_csv_add_codes(struct trc_csv_codes *codes, const char *list, size_t len, uint8_t type,
                  struct trc_field *wrong)
{
	const char *e = list + (len == 1 && *list == ':' ? 0 : len);

	for (const char *p = list; p <= e;) {
		const char *colon = memchr(p, ':', (size_t)(e - p));
		const struct trc_field f = { (const uint8_t *)p,
			                     (size_t)((colon ? colon : e) - p) };
		const struct trc_field bare = without_0x(f);
		uint8_t other;

		*wrong = f;
		if (bare.len > TRC_CSV_CODE_LETTERS || (f.len == 0 && e > list) ||
		    codes->n == TRC_CSV_CODES_MOST || find_code(codes, f, &other))
			return false;
		memcpy(codes->code[codes->n].text, bare.p, bare.len);
		codes->code[codes->n++].type = type;
		p = colon ? colon + 1 : e + 1;
	}
	return true;
}

bool
trc_csv_take_type(const struct trc_csv_codes *codes, struct trc_field f, uint8_t *type)
{
	const size_t len = strlen(TRC_CSV_KERNEL);
	uint8_t kernel = 0;

	if (find_code(codes, f, type))
		return true;
	if (codes->only)
		return false;
	if (f.len > len && strncasecmp((const char *)f.p, TRC_CSV_KERNEL, len) == 0) {
		kernel = TRC_KERNEL;
		f.p += len;
		f.len -= len;
	}
	if (!trc_type_of((const char *)f.p, f.len, type))
		return false;
	*type |= kernel;
	return true;
}

/* ---- numbers ---- */

/* The plus of an exponent, as in 1e+6, is of the number. */
bool
trc_csv_next_term(struct trc_opt_field *left, struct trc_opt_field *given)
{
	size_t n = 0;

	*given = *left;
	if (left->n == 0)
		return false;
	while (left->name && n < left->n &&
	       (left->name[n] != '+' || (n > 1 && (left->name[n - 1] | 0x20) == 'e' &&
	                                 isdigit((unsigned char)left->name[n - 2]))))
		n++;
	if (!left->name || n + 1 >= left->n) {
		*left = (struct trc_opt_field){ NULL, 0 };
		return true;
	}
	given->n = n;
	left->name += n + 1;
	left->n -= n + 1;
	return true;
}

/* A field that is digits is its number. */
static void
number_field(struct trc_opt_field *f)
{
	char text[32];
	uint64_t n;

	if (!f->name || f->n >= sizeof(text))
		return;
	snprintf(text, sizeof(text), "%.*s", (int)f->n, f->name);
	if (strspn(text, "0123456789") == f->n && trc_opt_number(text, false, &n))
		*f = (struct trc_opt_field){ NULL, n };
}

bool
trc_csv_take_term(const struct trc_opt_field *given, int c, struct trc_csv_term *term)
{
	const bool bytes = c == TRC_COL_ADDR || c == TRC_COL_SIZE;
	const char *at = NULL;
	char text[32];

	*term = (struct trc_csv_term){ *given, 0 };
	for (size_t i = 0; given->name && i < given->n; i++)
		if (given->name[i] == '*')
			at = given->name + i;
	number_field(&term->field);
	if (!at)
		return term->field.n > 0;
	snprintf(text, sizeof(text), "%.*s", (int)(given->name + given->n - at - 1), at + 1);
	if (!trc_opt_number(text, bytes, &term->factor) || term->factor == 0)
		return false;
	term->field.n = (uint64_t)(at - given->name);
	number_field(&term->field);
	return term->field.n > 0;
}

/* sum / 10^behind */
struct decimal {
	uint64_t sum;
	int behind;
};

static bool
add_digit(uint64_t *sum, uint8_t digit)
{
	const uint64_t d = (uint64_t)(digit - '0');

	if (*sum > (UINT64_MAX - d) / 10)
		return false;
	*sum = *sum * 10 + d;
	return true;
}

/* "e+09" at `p`, which ends at `e`: takes it from the digits behind the point. */
static bool
take_exponent(const uint8_t *p, const uint8_t *e, int *behind)
{
	const bool minus = ++p < e && *p == '-';
	int power = 0;

	p += p < e && (*p == '-' || *p == '+');
	if (p == e || e - p > 3)
		return false;
	for (; p < e; p++) {
		if (!isdigit(*p))
			return false;
		power = 10 * power + (*p - '0');
	}
	*behind += minus ? power : -power;
	return true;
}

static enum trc_number_kind
take_decimal(struct trc_field f, struct decimal *d)
{
	const uint8_t *p = f.p, *e = f.p + f.len;
	const uint8_t *last; /* digit that counts */
	bool point = false, fits = true, any = false;

	*d = (struct decimal){ 0, 0 };
	for (last = p; last < e && (isdigit(*last) || *last == '.'); last++)
		point |= *last == '.';
	for (const uint8_t *zero = last; point && zero[-1] == '0'; zero--)
		last = zero - 1; /* 12.5000 */
	point = false;
	for (; p < e && (isdigit(*p) || (*p == '.' && !point)); p++) {
		any |= *p != '.';
		if (p >= last)
			continue;
		if (*p == '.')
			point = true;
		else if (fits && (fits = add_digit(&d->sum, *p)))
			d->behind += point;
	}
	if (!any || p[-1] == '.')
		return TRC_NUMBER_NONE;
	if (p < e && ((*p | 0x20) != 'e' || !take_exponent(p, e, &d->behind)))
		return TRC_NUMBER_NONE;
	return fits ? TRC_NUMBER_WHOLE : TRC_NUMBER_LARGE;
}

/* Divides one of the two by a prime factor of 10; false if neither has it. */
static bool
divide(uint64_t prime, uint64_t *a, uint64_t *b)
{
	uint64_t *const v = *a % prime == 0 ? a : b;

	if (*v % prime)
		return false;
	*v /= prime;
	return true;
}

enum trc_number_kind
trc_csv_take_number(struct trc_field f, uint64_t factor, uint64_t *v, unsigned *tens)
{
	const bool hex = f.len > 2 && f.p[0] == '0' && (f.p[1] | 0x20) == 'x';
	struct decimal d = { 0, 0 };
	enum trc_number_kind kind;

	kind = !hex                                 ? take_decimal(f, &d) :
	       trc_field_hex(f, UINT64_MAX, &d.sum) ? TRC_NUMBER_WHOLE :
	                                              TRC_NUMBER_NONE;
	if (kind != TRC_NUMBER_WHOLE)
		return kind;
	if (tens)
		*tens = 0;
	for (; d.sum && d.behind > 0; d.behind--)
		if (!divide(5, &factor, &d.sum) || !divide(2, &factor, &d.sum)) {
			if (tens)
				*tens = (unsigned)d.behind;
			return TRC_NUMBER_BROKEN;
		}
	for (; d.sum && d.behind < 0; d.behind++) {
		if (factor > UINT64_MAX / 10)
			return TRC_NUMBER_LARGE;
		factor *= 10;
	}
	if (d.sum && factor > UINT64_MAX / d.sum)
		return TRC_NUMBER_LARGE;
	*v = d.sum * factor;
	return TRC_NUMBER_WHOLE;
}

uint64_t
trc_csv_hash(struct trc_field f, uint64_t seed)
{
	return XXH3_64bits_withSeed(f.p, f.len, seed);
}
