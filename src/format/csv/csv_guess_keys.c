/* SPDX-License-Identifier: MIT
 *
 * Finds keys that are texts.
 */
#include "format/csv/csv_guess.h"

#include <ctype.h>
#include <string.h>

#include "batch/type.h"
#include "format/csv/csv_table.h"

bool
trc_csv_is_json(const uint8_t *p, const uint8_t *e)
{
	return e - p > 1 && p[0] == '{' && p[1] == '"';
}

int
trc_csv_find_url(const struct trc_csv_table *t, unsigned fields)
{
	for (unsigned k = 0; k < fields; k++) {
		const uint8_t *row = t->rows, *p, *e;
		bool all = true, any = false;

		while (all && trc_csv_table_next(t, &row, &p, &e)) {
			const struct trc_field f = trc_csv_table_field(t, p, e, k);
			const uint8_t *colon = f.len ? memchr(f.p, ':', f.len) : NULL;

			all = p == e || (colon && isalpha(*f.p) && f.p + f.len - colon > 3 &&
			                 memcmp(colon, "://", 3) == 0);
			any |= p < e;
		}
		if (all && any)
			return (int)k;
	}
	return -1;
}

bool
trc_csv_are_keys(const struct trc_csv_table *t)
{
	enum { MARKED = 12, AGAIN = 16 };
	const uint8_t *row = t->rows, *p, *e;
	uint64_t seen[TRC_CSV_SEEN];
	size_t n = 0, again = 0, typed = 0;
	uint8_t type;

	while (n < TRC_CSV_SEEN && trc_csv_table_next(t, &row, &p, &e)) {
		const struct trc_field f = { p, (size_t)(e - p) };
		size_t marks = 0, digits = 0, word = 0, i = 0;

		if (p == e)
			continue;
		for (; p < e && isgraph(*p) && !strchr(",;|\"'()[]{}<>", *p); p++) {
			marks += strchr("/:._-?=", *p) != NULL;
			word += marks == 0;
			digits += isxdigit(*p) != 0;
		}
		if (p < e || marks == 0 || digits + marks == f.len || trc_field_is_marked(f))
			return false;
		seen[n] = trc_csv_hash(f, 0);
		while (seen[i] != seen[n])
			i++;
		again += i < n++;
		typed += trc_type_of((const char *)f.p, word, &type);
	}
	return n >= MARKED && again * AGAIN >= n && typed < n;
}
