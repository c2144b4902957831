/* SPDX-License-Identifier: MIT
 *
 * Assigns columns to the fields of a table without names.
 */
#include "format/csv/csv_assign.h"

enum {
	WIDEST = 64,     /* largest size in bytes of a memory reference */
	FEW_MOST = 1024, /* limit for numbers of processors or disks */
	RISING_SURE = 7, /* lines of numbers that never decrease: by chance once in 5,000 */
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
		if (!b->broken && (a->broken || (b->hex && !a->hex && is_one_of_few(a)) ||
		                   (is_one_of_few(a) && b->n > TRC_CSV_FEW)))
			found = k;
	}
	return found;
}

/* Returns true if the values may be sizes: of memory references, powers of two; otherwise any. */
static bool
is_size(const struct trc_csv_values *v, const struct trc_csv_values *addr)
{
	return addr->marked || addr->hex ?
	               v->powers :
	               v->most > 0 && v->most <= UINT32_MAX && !v->hex && !v->broken;
}

void
trc_csv_assign(const struct trc_csv_values *v, unsigned fields, int at[TRC_COLUMNS])
{
	unsigned number[TRC_CSV_ASSIGNED], n = 0, first = 0, found;

	for (unsigned k = 0; k < fields; k++)
		if (v[k].types == v[k].lines && at[TRC_COL_TYPE] < 0)
			at[TRC_COL_TYPE] = (int)k;
		else if (v[k].dates > 0 && v[k].dates == v[k].lines && at[TRC_COL_TIME] < 0)
			at[TRC_COL_TIME] = (int)k;
		else if (trc_csv_is_number(&v[k]))
			number[n++] = k;
	if (n > 1 && at[TRC_COL_TIME] < 0 && is_time(&v[*number], n))
		at[TRC_COL_TIME] = (int)number[first++];
	else if (n > 1 && at[TRC_COL_TYPE] < 0 && v[*number].most <= 2 && !v[*number].marked &&
	         v[*number].lines > 1)
		at[TRC_COL_TYPE] = (int)number[first++];
	found = find_address(v, number, first, n);
	if (found > first && is_one_of_few(&v[number[first]]))
		at[v[number[found]].marked || v[number[found]].hex ? TRC_COL_TASK : TRC_COL_ASID] =
		        (int)number[first];
	first = found;
	if (n > first + 1 && v[number[first]].marked &&
	    v[number[first + 1]].marked == v[number[first + 1]].lines &&
	    v[number[first + 1]].most > UINT16_MAX)
		at[TRC_COL_PC] = (int)number[first++];
	if (n > first && !v[number[first]].broken)
		at[TRC_COL_ADDR] = (int)number[first++];
	if (n > first && at[TRC_COL_ADDR] >= 0 && is_size(&v[number[first]], &v[at[TRC_COL_ADDR]]))
		at[TRC_COL_SIZE] = (int)number[first];
}
