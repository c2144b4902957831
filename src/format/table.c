/* SPDX-License-Identifier: MIT
 *
 * Lines as a table: the positions of fields, and the numbers of a column.
 */
#include "format/table.h"

size_t
trc_table_init(struct trc_table *t, const struct trc_lines *l, size_t from, uint8_t by)
{
	const uint32_t start = trc_line_start(l, from), *eol = l->eol + from;
	const uint32_t *last;
	size_t most = l->n - from, marks;

	t->text = l->text + start;
	t->n = 0;
	t->fields = 1;
	for (const uint8_t *p = t->text; p < l->text + eol[0]; p++)
		t->fields += *p == by;
	if (most > TRC_TABLE_MARKS / t->fields)
		most = TRC_TABLE_MARKS / t->fields;
	if (most == 0)
		return 0;
	t->mark[0] = UINT32_MAX; /* the first field begins at 0, after this mark */
	marks = trc_text_kernels(0)->marks(t->text, l->text + eol[most - 1] + 1, by, t->mark + 1,
	                                   most * t->fields);
	/* A line has the same number of fields as the first if its last mark, by that number, is
	 * its end. */
	for (last = t->mark + t->fields; marks >= t->fields && *last == eol[t->n] - start;
	     last += t->fields, marks -= t->fields)
		t->n++;
	return t->n;
}

size_t
trc_table_numbers(const struct trc_table *t, size_t j, size_t before, size_t n, uint64_t *v)
{
	const struct trc_text_kernels *kernels = trc_text_kernels(0);
	const uint32_t *mark = t->mark + j;
	struct trc_number_fields f;
	bool hex;
	size_t i;

	if (n == 0)
		return 0;
	hex = trc_le16(t->text + (uint32_t)(mark[0] + 1) + before) == ('0' | 'x' << 8);
	before += hex ? 2 : 0;
	for (i = 0; i < n; i++, mark += t->fields) {
		const uint32_t start = mark[0] + 1 + (uint32_t)before, len = mark[1] - start;

		if (hex && trc_le16(t->text + start - 2) != ('0' | 'x' << 8))
			break;
		f.end[i] = mark[1];
		f.len[i] = (uint8_t)(len < 255 ? len : 255);
	}
	return (hex ? kernels->hex : kernels->dec)(t->text, f.end, f.len, i, v);
}

size_t
trc_table_numbers4(const struct trc_table *t, size_t j, size_t n, uint32_t *v)
{
	uint64_t all[TRC_LINES_AT_ONCE];

	return trc_lines_narrow(all, trc_table_numbers(t, j, 0, n, all), v);
}

size_t
trc_table_numbers1(const struct trc_table *t, size_t j, size_t n, uint8_t *v)
{
	uint64_t all[TRC_LINES_AT_ONCE];
	size_t i;

	n = trc_table_numbers(t, j, 0, n, all);
	for (i = 0; i < n && all[i] <= UINT8_MAX; i++)
		v[i] = (uint8_t)all[i];
	return i;
}
