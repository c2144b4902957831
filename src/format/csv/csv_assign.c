/* SPDX-License-Identifier: MIT
 *
 * Assigns columns to the fields of a table without names.
 */
#include "format/csv/csv_assign.h"

#include <string.h>

enum {
	WIDEST = 64,       /* largest size in bytes of a memory reference */
	FEW_MOST = 1024,   /* limit for numbers of processors or disks */
	LINE = 64,         /* bytes of a line of a cache */
	BLOCK = 512,       /* bytes of a disk block */
	MINUTE = 60,       /* seconds */
	SIZE_LEAST = 4,    /* the largest of few powers of two that are sizes, not processors */
	LEFT_MOST = 3,     /* maximum fields that are not columns where a number may be a type */
	CODED_MOST = 8,    /* maximum fields of tables whose types are numbers */
	PAGES_MOST = 4096, /* limit for page numbers after words for types */
	RISING_SURE = 7,   /* lines of numbers that never decrease: by chance once in 5,000 */
};

void
trc_csv_note_value(struct trc_csv_values *v, uint64_t value)
{
	unsigned i = 0;

	while (i < v->n && v->value[i] != value)
		i++;
	if (i == v->n && i <= TRC_CSV_FEW)
		v->value[v->n++] = value;
	v->powers &= value > 0 && (value & (value - 1)) == 0 && value <= WIDEST;
}

bool
trc_csv_is_number(const struct trc_csv_values *v)
{
	return v->decimals + v->hex + v->broken == v->lines && !(v->hex && v->marked) &&
	       (v->hex == 0 || v->most > 15);
}

/* Returns true for processors and disks: few different small numbers, each in several lines. */
static bool
is_one_of_few(const struct trc_csv_values *v)
{
	return v->n <= TRC_CSV_FEW && v->n < v->lines && v->most < FEW_MOST && !v->marked &&
	       !v->broken;
}

/* Returns true if the first of the numbers is the time of a line: it never decreases. */
static bool
is_time(const struct trc_csv_values *v, unsigned numbers)
{
	return !v->marked && !v->hex && v->rises && v->last > v->first &&
	       (numbers > 2 || v->lines >= RISING_SURE);
}

bool
trc_csv_is_time(const struct trc_csv_values *v)
{
	return is_time(v, 1);
}

/* Returns true if numbers may stand for loads, stores and fetches. */
static bool
is_code(const struct trc_csv_values *v)
{
	return v->decimals == v->lines && v->most <= 2 && !v->marked && !v->prefixed;
}

bool
trc_csv_is_bit(const struct trc_csv_values *v)
{
	return is_code(v) && v->n == 2 && v->most == 1;
}

bool
trc_csv_are_outcomes(const struct trc_csv_values *v)
{
	return v->outcomes[0] > 0 && v->outcomes[1] > 0 &&
	       v->outcomes[0] + v->outcomes[1] == v->lines;
}

/* M for all lines is machine mode, rather than modify. */
bool
trc_csv_are_types(const struct trc_csv_values *v)
{
	const uint32_t both = UINT32_C(1) << TRC_READ | UINT32_C(1) << TRC_WRITE;
	const size_t known = v->types + v->begun;

	return (v->types == v->lines && v->kinds != UINT32_C(1) << TRC_MODIFY) ||
	       ((v->kinds & both) == both && known * 2 > v->lines && known + v->words == v->lines);
}

/* Returns which of the numbers is an address: one with 0x, if any has it; else one without
 * decimals, preferably not one of few values, or with hexadecimal letters. */
static unsigned
find_address(const struct trc_csv_values *v, const unsigned *number, unsigned first, unsigned n)
{
	unsigned found = first;

	for (unsigned k = first; k < n; k++) {
		const struct trc_csv_values *a = &v[number[found]], *b = &v[number[k]];

		if (b->marked)
			return k;
		if (!b->broken && !b->prefixed &&
		    (a->broken || a->prefixed ||
		     (b->hex && !a->hex && (is_one_of_few(a) || is_time(a, 1))) ||
		     (is_one_of_few(a) && b->n > TRC_CSV_FEW) || (is_code(a) && b->n > 2 * a->n)))
			found = k;
	}
	return found;
}

/* Returns true if words for types stand between two numbers, and the first is one of few:
 * `0 R 20` is of processor 0. */
static bool
is_between(const struct trc_csv_values *v, unsigned before, int type, unsigned after)
{
	return type > (int)before && type < (int)after && is_one_of_few(&v[before]) &&
	       v[before].n > 1 && !v[after].broken;
}

bool
trc_csv_are_numbered(const struct trc_csv_values *v, bool *zero)
{
	*zero = false;
	for (unsigned i = 0; i < v->n; i++)
		*zero |= v->value[i] == 0;
	return v->n <= TRC_CSV_FEW && v->most + *zero == v->n;
}

/* Returns true for few numbers without gaps from 0 on: nodes, or disks. */
static bool
is_node(const struct trc_csv_values *v)
{
	bool zero;

	return trc_csv_are_numbered(v, &zero) && zero && v->n > 1;
}

/* Returns true for few numbers of whole minutes, which are not whole blocks: they are lifetimes in
 * seconds. A number is one by chance once in 60. */
static bool
are_lifetimes(const struct trc_csv_values *v)
{
	for (unsigned i = 0; i < v->n; i++)
		if (v->value[i] % MINUTE != 0)
			return false;
	return v->n <= TRC_CSV_FEW && v->bits % BLOCK != 0;
}

bool
trc_csv_is_size(const struct trc_csv_values *v, const struct trc_csv_values *addr)
{
	if (v->sized == v->lines || addr->marked || addr->hex)
		return v->sized == v->lines || v->powers;
	return v->most > 0 && v->most <= UINT32_MAX && !v->hex && !v->broken && !is_node(v) &&
	       !are_lifetimes(v);
}

/* Returns true if both are hexadecimal addresses without 0x; the first is the pc. */
static bool
is_second(const struct trc_csv_values *pc, const struct trc_csv_values *addr)
{
	return pc->hex && !pc->marked && addr->hex && !addr->marked && addr->most > UINT16_MAX &&
	       addr->n > TRC_CSV_FEW;
}

/* Assigns two hexadecimal fields without 0x, with nothing or types between them, from number `k` of
 * `n`; the pc is the first, unless that alone has addresses of whole lines of a cache. Returns how
 * many. */
static unsigned
assign_pair(const struct trc_csv_values *v, const unsigned *number, unsigned k, unsigned n,
            int at[TRC_COLUMNS])
{
	bool lines;

	if (n < k + 2 || number[k + 1] > number[k] + 2 || v[number[k]].most <= UINT16_MAX ||
	    (number[k + 1] == number[k] + 2 && at[TRC_COL_TYPE] != (int)number[k] + 1) ||
	    !is_second(&v[number[k]], &v[number[k + 1]]))
		return 0;
	lines = v[number[k]].bits % LINE == 0 && v[number[k + 1]].bits % LINE != 0;
	at[TRC_COL_PC] = (int)number[lines ? k + 1 : k];
	at[TRC_COL_ADDR] = (int)number[lines ? k : k + 1];
	return 2;
}

/* Makes field `k` the outcome of branches: their address comes before that of their target. */
static void
move_outcome(int at[TRC_COLUMNS], int k)
{
	for (int c = 0; c < TRC_COLUMNS; c++)
		at[c] = at[c] == k ? -1 : at[c];
	if (at[TRC_COL_PC] >= 0)
		at[TRC_COL_ADDR] = at[TRC_COL_PC];
	at[TRC_COL_BRANCH] = k;
	at[TRC_COL_PC] = at[TRC_COL_SIZE] = at[TRC_COL_TYPE] = -1;
}

/* Takes the only number with decimals that never decreases, a time wherever it is, out of the `n`;
 * returns how many are left. */
static unsigned
take_time(const struct trc_csv_values *v, unsigned *number, unsigned n, int at[TRC_COLUMNS])
{
	unsigned found = n;

	for (unsigned k = 1; k < n; k++)
		if (v[number[k]].broken && v[number[k]].lines >= RISING_SURE &&
		    is_time(&v[number[k]], n))
			found = found == n ? k : 0;
	if (found == 0 || found == n || at[TRC_COL_TIME] >= 0 || is_time(&v[*number], n))
		return n;
	at[TRC_COL_TIME] = (int)number[found];
	for (; found + 1 < n; found++)
		number[found] = number[found + 1];
	return n - 1;
}

void
trc_csv_assign(const struct trc_csv_values *v, unsigned fields, int at[TRC_COLUMNS])
{
	unsigned number[TRC_CSV_ASSIGNED], n = 0, first = 0, found;
	int outcome = -1;

	for (unsigned k = 0; k < fields; k++)
		if (trc_csv_are_outcomes(&v[k]))
			outcome = (int)k;
		else if (trc_csv_are_types(&v[k]) && at[TRC_COL_TYPE] < 0)
			at[TRC_COL_TYPE] = (int)k;
		else if (v[k].dates > 0 && v[k].dates == v[k].lines && at[TRC_COL_TIME] < 0)
			at[TRC_COL_TIME] = (int)k;
		else if (trc_csv_is_number(&v[k]))
			number[n++] = k;
	n = take_time(v, number, n, at);
	if (n > 1 && at[TRC_COL_TIME] < 0 && is_time(&v[*number], n))
		at[TRC_COL_TIME] = (int)number[first++];
	else if (n > 1 && at[TRC_COL_TYPE] < 0 && v[*number].most <= 2 && !v[*number].marked &&
	         !v[*number].prefixed && v[*number].lines > 1)
		at[TRC_COL_TYPE] = (int)number[first++];
	found = find_address(v, number, first, n);
	if (found == first && n > first + 1 &&
	    is_between(v, number[first], at[TRC_COL_TYPE], number[first + 1]))
		found++;
	if (found > first && v[number[first]].powers && v[number[first]].most >= SIZE_LEAST)
		at[TRC_COL_SIZE] = (int)number[first];
	else if (found > first && is_one_of_few(&v[number[first]]))
		at[v[number[found]].marked || v[number[found]].hex || v[number[first]].prefixed ?
		           TRC_COL_TASK :
		           TRC_COL_ASID] = (int)number[first];
	first = found;
	if (n > first + 1 && v[number[first]].marked &&
	    v[number[first + 1]].marked == v[number[first + 1]].lines &&
	    v[number[first + 1]].most > UINT16_MAX)
		at[TRC_COL_PC] = (int)number[first++];
	else if (n > first + 2 && is_second(&v[number[first]], &v[number[first + 2]]) &&
	         trc_csv_is_size(&v[number[first + 1]], &v[number[first + 2]])) {
		at[TRC_COL_PC] = (int)number[first++];
		at[TRC_COL_SIZE] = (int)number[first++];
	} else
		first += assign_pair(v, number, first, n, at);
	if (n > first && at[TRC_COL_ADDR] < 0 && !v[number[first]].broken)
		at[TRC_COL_ADDR] = (int)number[first++];
	if (n > first && at[TRC_COL_ADDR] >= 0 && at[TRC_COL_TIME] < 0 &&
	    is_time(&v[number[first]], 1))
		at[TRC_COL_TIME] = (int)number[first++];
	if (n > first + 1 && at[TRC_COL_ADDR] >= 0 && is_node(&v[number[first]]))
		first++;
	if (n > first && at[TRC_COL_ADDR] >= 0 && at[TRC_COL_SIZE] < 0 &&
	    trc_csv_is_size(&v[number[first]], &v[at[TRC_COL_ADDR]]))
		at[TRC_COL_SIZE] = (int)number[first];
	if (outcome >= 0 && (at[TRC_COL_TYPE] < 0 || !trc_csv_are_types(&v[at[TRC_COL_TYPE]])))
		move_outcome(at, outcome);
}

static bool
is_column(const int at[TRC_COLUMNS], int field)
{
	for (int c = 0; c < TRC_COLUMNS; c++)
		if (at[c] == field)
			return true;
	return false;
}

/* Returns how many fields are no column. */
static unsigned
count_left(unsigned fields, const int at[TRC_COLUMNS])
{
	unsigned left = fields;

	for (int c = 0; c < TRC_COLUMNS; c++)
		left -= at[c] >= 0;
	return left;
}

/* Finds the `nth` field of codes, from 1, that may be the type instead; -1: none. */
static int
find_codes(const struct trc_csv_values *v, unsigned fields, const int at[TRC_COLUMNS], unsigned nth)
{
	const int type = at[TRC_COL_TYPE];

	if (fields > CODED_MOST || (type >= 0 && trc_csv_are_types(&v[type])))
		return -1;
	for (unsigned k = 0; k < fields; k++)
		if (is_code(&v[k]) && v[k].lines > 1 &&
		    (!is_column(at, (int)k) || at[TRC_COL_ASID] == (int)k ||
		     at[TRC_COL_TASK] == (int)k) &&
		    --nth == 0)
			return (int)k;
	return -1;
}

/* Makes field `k` the type; what was it before is a space, if nothing is. */
static void
move_type(int at[TRC_COLUMNS], int k)
{
	if (at[TRC_COL_ASID] == k)
		at[TRC_COL_ASID] = -1;
	if (at[TRC_COL_TASK] == k)
		at[TRC_COL_TASK] = -1;
	if (at[TRC_COL_ASID] < 0)
		at[TRC_COL_ASID] = at[TRC_COL_TYPE];
	at[TRC_COL_TYPE] = k;
}

/* Makes few times, or codes in front, the space of a line; false if there are none. What has sizes
 * are requests, which have times. */
static bool
move_to_space(const struct trc_csv_values *v, int at[TRC_COLUMNS])
{
	const enum trc_column c = at[TRC_COL_TIME] >= 0 ? TRC_COL_TIME : TRC_COL_TYPE;

	if (at[c] < 0 || at[TRC_COL_ASID] >= 0 || (c == TRC_COL_TIME && at[TRC_COL_SIZE] >= 0) ||
	    !is_one_of_few(&v[at[c]]) || v[at[c]].n == 1 || trc_csv_are_types(&v[at[c]]))
		return false;
	at[TRC_COL_ASID] = at[c];
	at[c] = -1;
	return true;
}

/* Makes addresses numbers of pages; false if they are not likely to be: words for types, unless all
 * numbers after them are small, and hexadecimal numbers belong to references in bytes, and so does
 * what is never odd. */
static bool
move_to_page(const struct trc_csv_values *v, int at[TRC_COLUMNS])
{
	const int k = at[TRC_COL_ADDR], type = at[TRC_COL_TYPE];

	if (at[TRC_COL_SIZE] >= 0 || v[k].marked || v[k].broken || v[k].bits % 4 == 0 ||
	    (type >= 0 && (v[k].hex || (trc_csv_are_types(&v[type]) && v[k].most >= PAGES_MOST))))
		return false;
	at[TRC_COL_VPN] = k;
	at[TRC_COL_ADDR] = -1;
	return true;
}

bool
trc_csv_reassign(const struct trc_csv_values *v, unsigned fields, unsigned nth, int at[TRC_COLUMNS])
{
	int first[TRC_COLUMNS];

	memcpy(first, at, sizeof(first));
	if (nth > 0 && (at[TRC_COL_BRANCH] >= 0 || at[TRC_COL_INSN] >= 0))
		return false;
	for (unsigned way = 0; way < 4; way++) {
		int k;

		memcpy(at, first, sizeof(first));
		if ((way & 1 && !move_to_space(v, at)) || (way & 2 && !move_to_page(v, at)))
			continue;
		if (nth-- == 0)
			return true;
		for (unsigned i = 1; (k = find_codes(v, fields, at, i)) >= 0; i++) {
			const bool both = way == 0 && k > at[TRC_COL_ADDR] &&
			                  at[TRC_COL_SIZE] < 0 && trc_csv_is_bit(&v[k]);

			if (count_left(fields, at) <= LEFT_MOST && nth-- == 0) {
				move_type(at, k);
				return true;
			}
			if (both && nth-- == 0) {
				move_outcome(at, k);
				return true;
			}
		}
	}
	return false;
}
