/* SPDX-License-Identifier: MIT
 *
 * Decides whether a guess about a table without names is certain.
 */
#include "format/csv/csv_sure.h"

#include <stdlib.h>
#include <string.h>

#include "format/figures.h"

enum {
	SURE = 12, /* bits: by chance once in 4,096 */

	/* Numbers from 0 on without gaps are processors. Counts of instructions, which Ramulator
	 * has before an address and R or W, are below 8 three times in four: for 32 of them this
	 * happens once in 10,000. */
	TASKS_SURE = 32,

	/* Each of this many new numbers is one more than the largest before, and as many occur
	 * again: addresses do not begin at 0, and times do not decrease. */
	NUMBERED_SURE = 64,
	NUMBERED_FALLS = 4,

	OFTEN = 8, /* up to one line in this many may be an exception */

	SECTORS_MOST = 16384, /* largest request in sectors: 8 MiB */
};

bool
trc_csv_is_constant(const struct trc_csv_values *v)
{
	return v->n == 1 && (v->decimals == v->lines || (v->hex == v->lines && v->most > 15));
}

bool
trc_csv_have_doubt(const struct trc_csv_values *v)
{
	const uint32_t any = v->cases[0] | v->cases[1], modify = UINT32_C(1) << ('M' & 31);
	const uint32_t load_or_store = UINT32_C(1) << ('L' & 31) | UINT32_C(1) << ('S' & 31);

	return v->cases[0] & v->cases[1] || (any & modify && !(any & load_or_store));
}

/* ---- relations between fields ---- */

static int
compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return x[0] != y[0] ? (x[0] > y[0]) - (x[0] < y[0]) : (x[1] > y[1]) - (x[1] < y[1]);
}

/* Returns how many pairs repeat a first number; sets *others to how many of these have another
 * second number. */
static size_t
count_repeats(uint64_t pair[][2], size_t n, size_t *others)
{
	size_t repeats = 0;

	*others = 0;
	qsort(pair, n, sizeof(pair[0]), compare);
	for (size_t i = 1; i < n; i++)
		if (pair[i][0] == pair[i - 1][0]) {
			repeats++;
			*others += pair[i][1] != pair[i - 1][1];
		}
	return repeats;
}

/* Returns true if the sizes cannot belong to requests to disks, in bytes or in sectors: some of
 * many are too many sectors, and are not multiples of eight, as the bytes of blocks are. */
static bool
are_of_objects(const struct trc_csv_sample *s)
{
	size_t large = 0, odd = 0;

	for (size_t i = 0; i < s->n; i++) {
		large += s->size[i] > SECTORS_MOST;
		odd += s->size[i] > SECTORS_MOST && s->size[i] % 8 != 0;
	}
	return large >= SURE && odd * 2 >= large;
}

/* Returns true if the size follows from the key, as with most objects, and no key follows from its
 * size. Sizes of objects vary so much that a repeated key has the same size by chance less than
 * every second time: for all of these, once in 4,096. */
static bool
sizes_follow(const struct trc_csv_sample *s)
{
	uint64_t pair[TRC_CSV_SEEN][2];
	size_t changes, others, repeats;

	for (size_t i = 0; i < s->n; i++)
		memcpy(pair[i], (uint64_t[2]){ s->addr[i], s->size[i] }, sizeof(pair[i]));
	repeats = count_repeats(pair, s->n, &changes);
	if (repeats < 2 * SURE || changes * 4 > repeats || !are_of_objects(s))
		return false;
	for (size_t i = 0; i < s->n; i++)
		memcpy(pair[i], (uint64_t[2]){ s->size[i], s->addr[i] }, sizeof(pair[i]));
	(void)count_repeats(pair, s->n, &others);
	return others >= 2 * changes + SURE;
}

bool
trc_csv_are_words(const struct trc_csv_sample *s)
{
	uint64_t pair[TRC_CSV_SEEN][2];
	size_t next = 0, odd = 0, others;

	for (size_t i = 0; i < s->n; i++) {
		memcpy(pair[i], (uint64_t[2]){ s->addr[i], s->size[i] }, sizeof(pair[i]));
		odd += s->size[i] % 4 != 0 && s->size[i] <= UINT32_MAX;
		next += i > 0 &&
		        (s->addr[i] - s->addr[i - 1] == 4 || s->addr[i] - s->addr[i - 1] == 2);
	}
	(void)count_repeats(pair, s->n, &others);
	return s->n >= TRC_CSV_LEAST && next * 4 >= (s->n - 1) * 3 && odd * 2 >= s->n &&
	       others * 32 <= s->n;
}

static bool
sizes_divide(const struct trc_csv_sample *s)
{
	trc_figures_sizes sizes = { { 0 } };

	for (size_t i = 0; i < s->n; i++)
		trc_figures_note_size(sizes, s->addr[i], s->size[i]);
	return trc_figures_align(sizes) >= SURE;
}

bool
trc_csv_note_numbered(struct trc_csv_numbered *seen, uint64_t v)
{
	if (v > seen->next)
		return false;
	seen->repeats += v < seen->next;
	seen->falls += v < seen->last;
	seen->next += v == seen->next;
	seen->last = v;
	return true;
}

bool
trc_csv_is_numbered(const struct trc_csv_numbered *seen)
{
	return seen->next >= NUMBERED_SURE && seen->repeats >= NUMBERED_SURE &&
	       seen->falls >= NUMBERED_FALLS;
}

/* ---- single fields ---- */

static bool
is_time(const struct trc_csv_values *v)
{
	const bool many = v->n > TRC_CSV_FEW || v->n * 2 > v->lines;

	return v->dates == v->lines || (many && v->rises && v->hex == 0);
}

/* Before R or W and an address with 0x, without a pc after it, no program writes counts, sizes or
 * disks. There, any number of lines suffices. */
static bool
is_task(const struct trc_csv_values *v, bool typed)
{
	bool zero;

	return trc_csv_are_numbered(v, &zero) && (zero || v->n > 2) &&
	       (typed || v->lines >= TASKS_SURE) && (!v->rises || v->n == 1);
}

/* Returns how many addresses are below the previous one. */
static size_t
count_falls(const struct trc_csv_sample *s)
{
	size_t falls = 0;

	for (size_t i = 1; i < s->n; i++)
		falls += s->addr[i] < s->addr[i - 1];
	return falls;
}

/* Addresses have 0x, or letters, and decrease as often as times do not. If another field may be a
 * time, that is rather the address, and this is a size. Decimal numbers may be anything. */
static bool
is_address(const struct trc_csv_values *v, const struct trc_csv_sample *sample, bool timed)
{
	if (v->binary)
		return true;
	if (v->marked == v->lines)
		return !timed || v->n > TRC_CSV_FEW;
	return v->hex > 0 && !timed && count_falls(sample) * OFTEN >= sample->n;
}

struct table {
	const struct trc_csv_values *v;
	const struct trc_csv_sample *sample;
	const int *at;
	bool keys;
};

/* Returns true if field `k` is certainly column `c`. Processors come before loads and stores of
 * addresses with 0x; otherwise they may be disks. */
static bool
is_shown(const struct table *t, unsigned k, int c)
{
	const struct trc_csv_values *v = &t->v[k], *addr = &t->v[t->at[TRC_COL_ADDR]];

	switch (c) {
	case TRC_COL_TYPE: return v->types == v->lines && !trc_csv_have_doubt(v);
	case TRC_COL_ADDR:
		return t->keys || is_address(v, t->sample, t->at[TRC_COL_TIME] >= 0) ||
		       (v->hex > 0 && t->at[TRC_COL_BRANCH] >= 0);
	case TRC_COL_TIME: return is_time(v);
	case TRC_COL_TASK:
		return k == 0 && t->at[TRC_COL_TYPE] >= 0 &&
		       (addr->marked == addr->lines || addr->hex > 0) &&
		       is_task(v, t->at[TRC_COL_TYPE] < t->at[TRC_COL_ADDR]);
	case TRC_COL_BRANCH: return trc_csv_are_outcomes(v);
	case TRC_COL_SIZE: return t->keys || sizes_divide(t->sample);
	default: return false;
	}
}

static int
column_of(const int at[TRC_COLUMNS], unsigned field)
{
	int c = 0;

	while (c < TRC_COLUMNS && at[c] != (int)field)
		c++;
	return c;
}

bool
trc_csv_is_sure(const struct trc_csv_values *v, unsigned fields,
                const struct trc_csv_sample *sample, int at[TRC_COLUMNS])
{
	const bool keys = at[TRC_COL_SIZE] >= 0 && at[TRC_COL_TIME] >= 0 &&
	                  v[at[TRC_COL_SIZE]].n > 1 && sizes_follow(sample);
	const struct table t = { v, sample, at, keys };

	if (v->lines < TRC_CSV_LEAST)
		return false;
	for (unsigned k = 0; k < fields; k++) {
		const int c = column_of(at, k);
		const bool constant = trc_csv_is_constant(&v[k]);

		if (constant && c != TRC_COL_ADDR && c != TRC_COLUMNS &&
		    !(c == TRC_COL_TASK && v[k].most == 0))
			at[c] = -1;
		else if (c == TRC_COLUMNS ? !constant : !is_shown(&t, k, c))
			return false;
	}
	return fields > 1 || v->binary;
}
