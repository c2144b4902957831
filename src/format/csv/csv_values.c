/* SPDX-License-Identifier: MIT */
#include "format/csv/csv_values.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <xxhash.h>

#include "base/map.h"
#include "base/text.h"
#include "batch/batch.h"
#include "batch/type.h"

/* ---- types ---- */

bool
trc_csv_take_type(const struct trc_codes *codes, struct trc_field f, uint8_t *type)
{
	const size_t len = strlen(TRC_CSV_KERNEL);
	uint8_t kernel = 0;

	if (trc_codes_find(codes, f, type))
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

/* The plus in an exponent, as in 1e+6, is part of the number. */
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

void
trc_csv_number_field(struct trc_opt_field *f)
{
	char text[32];
	uint64_t n;

	if (!f->name || f->n >= sizeof(text))
		return;
	snprintf(text, sizeof(text), "%.*s", (int)f->n, f->name);
	if (strspn(text, "0123456789") == f->n && trc_opt_number(text, false, &n))
		*f = (struct trc_opt_field){ NULL, n };
}

/* Parses the text of `f` from byte `at` on as a number. */
static bool
take_unit(const struct trc_opt_field *f, size_t at, bool bytes, uint64_t *v)
{
	char text[32];

	snprintf(text, sizeof(text), "%.*s", (int)(f->n - at - 1), f->name + at + 1);
	return trc_opt_number(text, bytes, v) && *v > 0;
}

/* A slash that is not followed by a number is part of a name. */
bool
trc_csv_take_term(const struct trc_opt_field *given, int c, struct trc_csv_term *term)
{
	const bool bytes = c == TRC_COL_ADDR || c == TRC_COL_SIZE;
	struct trc_opt_field *f = &term->field;
	size_t at = 0;

	*term = (struct trc_csv_term){ .field = *given };
	for (size_t i = 0; f->name && i < f->n; i++)
		if (f->name[i] == '*' || f->name[i] == '/')
			at = i;
	if (at > 0 && f->name[at] == '*' && !take_unit(f, at, bytes, &term->unit.factor))
		return false;
	if (at > 0 && f->name[at] == '/')
		(void)take_unit(f, at, false, &term->unit.divisor);
	if (term->unit.factor || term->unit.divisor)
		f->n = at;
	if (f->name && memchr(f->name, '*', (size_t)f->n) && (at == 0 || f->n <= at))
		return false;
	if (f->name && f->n > 1 && f->name[f->n - 1] == '?') {
		term->optional = true;
		f->n--;
	}
	if (f->name && f->n > 6 && memcmp(f->name, "hash(", 5) == 0 && f->name[f->n - 1] == ')') {
		*f = (struct trc_opt_field){ f->name + 5, f->n - 6 };
		term->hashed = true;
	}
	trc_csv_number_field(f);
	return f->n > 0;
}

/* The number sum / 10^decimals. */
struct decimal {
	uint64_t sum;
	int decimals;
};

/* Parses an exponent such as "e+09" at `p`, which ends at `e`; subtracts it from the number of
 * decimals. */
static bool
take_exponent(const uint8_t *p, const uint8_t *e, int *decimals)
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
	*decimals += minus ? power : -power;
	return true;
}

static enum trc_number_kind
take_decimal(struct trc_field f, struct decimal *d)
{
	const uint8_t *p = f.p, *e = f.p + f.len;
	const uint8_t *last; /* last digit that counts */
	bool point = false, fits = true, any = false;

	*d = (struct decimal){ 0, 0 };
	for (last = p; last < e && (isdigit(*last) || *last == '.'); last++)
		point |= *last == '.';
	for (const uint8_t *zero = last; point && zero[-1] == '0'; zero--)
		last = zero - 1; /* as in 12.5000 */
	point = false;
	for (; p < e && (isdigit(*p) || (*p == '.' && !point)); p++) {
		any |= *p != '.';
		if (p >= last)
			continue;
		if (*p == '.')
			point = true;
		else if (fits && (fits = trc_text_add_digit(&d->sum, *p)))
			d->decimals += point;
	}
	if (!any || p[-1] == '.')
		return TRC_NUMBER_NONE;
	if (p < e && ((*p | 0x20) != 'e' || !take_exponent(p, e, &d->decimals)))
		return TRC_NUMBER_NONE;
	return fits ? TRC_NUMBER_WHOLE : TRC_NUMBER_LARGE;
}

/* ---- dates ---- */

/* Parses a number of exactly `digits` digits at *p, and moves *p past it and the character `then`,
 * 0 for any. */
static bool
take_digits(const uint8_t **p, const uint8_t *e, int digits, char then, uint64_t *v)
{
	const uint8_t *s = *p;

	*v = 0;
	for (int i = 0; i < digits; i++, s++) {
		if (s == e || !isdigit(*s))
			return false;
		*v = *v * 10 + (uint64_t)(*s - '0');
	}
	if (then && (s == e || *s++ != then))
		return false;
	*p = s;
	return true;
}

/* Counts the days since 1970; returns false for a day that no month has. */
static bool
count_days(uint64_t year, uint64_t month, uint64_t day, uint64_t *days)
{
	static const uint16_t before[] = { 0,   31,  59,  90,  120, 151, 181,
		                           212, 243, 273, 304, 334, 365 };
	uint64_t leaps;

	if (year < 1970 || month < 1 || month > 12 || day < 1)
		return false;
	leaps = year - (month < 3);
	leaps = leaps / 4 - leaps / 100 + leaps / 400 - (1969 / 4 - 1969 / 100 + 1969 / 400);
	*days = (year - 1970) * 365 + leaps + before[month - 1] + day - 1;
	return day <= (uint64_t)(before[month] - before[month - 1]) +
	                      (month == 2 && year % 4 == 0 && (year % 100 || year % 400 == 0));
}

/* Parses a day, "2020-03-01": days since 1970. */
static bool
take_day(const uint8_t **p, const uint8_t *e, uint64_t *days)
{
	uint64_t year, month, day;

	return take_digits(p, e, 4, '-', &year) && take_digits(p, e, 2, '-', &month) &&
	       take_digits(p, e, 2, 0, &day) && count_days(year, month, day, days);
}

/* Parses a day as logs of web servers have it, "01/Mar/2020". */
static bool
take_log_day(const uint8_t **p, const uint8_t *e, uint64_t *days)
{
	static const char names[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	uint64_t year, month = 0, day;

	if (!take_digits(p, e, 2, '/', &day) || e - *p < 4)
		return false;
	while (month < 12 && memcmp(*p, names + 3 * month, 3) != 0)
		month++;
	*p += 3;
	return *(*p)++ == '/' && take_digits(p, e, 4, 0, &year) &&
	       count_days(year, month + 1, day, days);
}

/* Subtracts a time zone, Z, +01:00 or +0100, with or without a blank before it. */
static bool
take_zone(const uint8_t *p, const uint8_t *e, struct decimal *d)
{
	uint64_t hours, minutes, zone;
	bool east;

	p += p < e && *p == ' ';
	if (p + 1 == e && *p == 'Z')
		return true;
	east = p < e && *p == '+';
	if (p == e || (!east && *p != '-') || ++p == e || !take_digits(&p, e, 2, 0, &hours))
		return false;
	p += p < e && *p == ':';
	if (!take_digits(&p, e, 2, 0, &minutes) || p != e || hours > 23 || minutes > 59)
		return false;
	zone = hours * 3600 + minutes * 60;
	for (int i = 0; i < d->decimals; i++, zone *= 10)
		if (zone > UINT64_MAX / 10)
			return false;
	if (east ? d->sum < zone : d->sum > UINT64_MAX - zone)
		return false;
	d->sum += east ? -zone : zone;
	return true;
}

/* Adds a time of day, "12:00:00.123", to whole days; it may have a time zone. */
static bool
take_clock(const uint8_t *p, const uint8_t *e, struct decimal *d)
{
	uint64_t hours, minutes, seconds;

	if (!take_digits(&p, e, 2, ':', &hours) || !take_digits(&p, e, 2, ':', &minutes) ||
	    !take_digits(&p, e, 2, 0, &seconds) || hours > 23 || minutes > 59 || seconds > 60)
		return false;
	d->sum += hours * 3600 + minutes * 60 + seconds;
	for (p += e - p > 1 && *p == '.'; p < e && isdigit(*p); p++, d->decimals++)
		if (!trc_text_add_digit(&d->sum, *p))
			return false;
	return p == e || take_zone(p, e, d);
}

static bool
take_date(struct trc_field f, struct decimal *d)
{
	const uint8_t *p = f.p, *e = f.p + f.len;
	uint64_t days;

	*d = (struct decimal){ 0, 0 };
	if (f.len > 2 && p[2] == ':')
		return take_clock(p, e, d);
	if (f.len > 2 && p[2] == '/') {
		if (!take_log_day(&p, e, &days))
			return false;
		d->sum = days * 86400;
		return p == e || (*p == ':' && take_clock(p + 1, e, d));
	}
	if (f.len < 10 || !take_day(&p, e, &days))
		return false;
	d->sum = days * 86400;
	return p == e || ((*p == 'T' || *p == ' ') && take_clock(p + 1, e, d));
}

/* ---- units ---- */

/* Divides one of the two by a prime factor of 10; returns false if neither has it. */
static bool
divide(uint64_t prime, uint64_t *a, uint64_t *b)
{
	uint64_t *const v = *a % prime == 0 ? a : b;

	if (*v % prime)
		return false;
	*v /= prime;
	return true;
}

/* Multiplies by `factor` and divides by `divisor`, which is 0 if the result must be whole. */
static enum trc_number_kind
scale(struct decimal d, uint64_t factor, uint64_t divisor, uint64_t *v, unsigned *tens)
{
	enum { TENS_MOST = 19 }; /* powers of ten in 64 bits */
	uint64_t tenth = 1;

	for (int i = 0; i < d.decimals && i < TENS_MOST; i++)
		tenth *= 10;
	if (d.decimals > 0 && d.decimals <= TENS_MOST && factor % tenth == 0) {
		factor /= tenth;
		d.decimals = 0;
	}
	for (; d.sum && d.decimals > 0; d.decimals--)
		for (int i = 0; i < 2; i++) {
			const uint64_t prime = i ? 2 : 5;

			if (divide(prime, &factor, &d.sum))
				continue;
			*tens = (unsigned)d.decimals;
			if (divisor == 0)
				return TRC_NUMBER_BROKEN;
			if (divisor > UINT64_MAX / prime)
				return TRC_NUMBER_LARGE;
			divisor *= prime;
		}
	for (; d.sum && d.decimals < 0; d.decimals++) {
		if (factor > UINT64_MAX / 10)
			return TRC_NUMBER_LARGE;
		factor *= 10;
	}
	*v = d.sum * factor;
	if ((d.sum | factor) >> 32 && d.sum && factor > UINT64_MAX / d.sum)
		return TRC_NUMBER_LARGE;
	if (TRC_UNLIKELY(divisor))
		*v /= divisor;
	return TRC_NUMBER_WHOLE;
}

/* Cuts a unit such as KB, kb, MiB or B off a size; returns its bytes, 0 if there is none. Kb and Mb
 * are bits. */
static uint64_t
cut_unit(struct trc_field *f)
{
	static const char units[] = "KMGT";
	const char *unit = NULL;
	size_t n = f->len;
	bool bytes;

	bytes = n > 1 && (f->p[n - 1] | 0x20) == 'b';
	n -= bytes;
	n -= n > 2 && f->p[n - 1] == 'i';
	if (n > 1 && isalpha(f->p[n - 1]))
		unit = strchr(units, toupper(f->p[n - 1]));
	if (unit && bytes && isupper(f->p[n - 1]) && f->p[f->len - 1] == 'b')
		return 0;
	n -= unit != NULL;
	if ((!unit && !bytes) || n == 0)
		return 0;
	f->len = n;
	return unit ? UINT64_C(1024) << 10 * (unit - units) : 1;
}

enum trc_number_kind
trc_csv_take_number(struct trc_field f, const struct trc_csv_unit *unit, uint64_t *v,
                    unsigned *tens)
{
	const bool hex = trc_field_is_marked(f);
	const uint8_t *p = f.p;
	struct decimal d = { 0, 0 };
	enum trc_number_kind kind;
	uint64_t bytes = 1, factor;
	unsigned ignored;

	if (trc_text_take_dec(&p, f.p + f.len, &d.sum) && p == f.p + f.len)
		kind = TRC_NUMBER_WHOLE;
	else if (hex)
		kind = trc_field_hex(f, UINT64_MAX, &d.sum) ? TRC_NUMBER_WHOLE : TRC_NUMBER_NONE;
	else
		kind = take_decimal(f, &d);
	if (kind == TRC_NUMBER_NONE && unit && unit->time && take_date(f, &d))
		kind = TRC_NUMBER_WHOLE;
	if (kind == TRC_NUMBER_NONE && unit && unit->bytes && (bytes = cut_unit(&f)) > 0)
		kind = take_decimal(f, &d);
	if (kind != TRC_NUMBER_WHOLE)
		return kind;
	tens = tens ? tens : &ignored;
	*tens = 0;
	factor = unit && unit->factor ? unit->factor : 1;
	if (factor > UINT64_MAX / bytes)
		return TRC_NUMBER_LARGE;
	return scale(d, factor * bytes, unit ? unit->divisor : 0, v, tens);
}

bool
trc_csv_is_rounded(struct trc_field f)
{
	enum { THREE_DIGITS = 100 };
	struct decimal d;

	return f.len > 0 && !trc_field_is_marked(f) &&
	       (memchr(f.p, 'e', f.len) || memchr(f.p, 'E', f.len)) &&
	       take_decimal(f, &d) == TRC_NUMBER_WHOLE && d.decimals < 0 && d.sum >= THREE_DIGITS;
}

bool
trc_csv_take_binary(struct trc_field f, uint64_t *v)
{
	const size_t mark = f.len > 2 && f.p[0] == '0' && f.p[1] == 'b' ? 2 : 0;

	*v = 0;
	for (size_t i = mark; i < f.len; i++) {
		if (f.p[i] != '0' && f.p[i] != '1')
			return false;
		*v = *v << 1 | (f.p[i] == '1');
	}
	return f.len > mark && f.len - mark <= 64;
}

uint64_t
trc_csv_hash(struct trc_field f, uint64_t seed)
{
	return XXH3_64bits_withSeed(f.p, f.len, seed);
}
