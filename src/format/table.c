/* SPDX-License-Identifier: MIT
 *
 * Lines as a table: the positions of fields, and the numbers of a column.
 */
#include "format/table.h"

enum { MARK = '0' | 'x' << 8 };

size_t
trc_table_init(struct trc_table *t, const struct trc_lines *l, size_t from, uint8_t by)
{
	const uint32_t start = trc_line_start(l, from), *eol = l->eol + from;
	const uint32_t *last = t->place;
	size_t most = l->n - from, marks;

	t->text = l->text + start;
	t->n = 0;
	t->step = t->past = t->fields = 1;
	t->ending = eol[0] > start && l->text[eol[0] - 1] == '\r';
	for (const uint8_t *p = t->text; p < l->text + eol[0]; p++)
		t->fields += *p == by;
	if (most > TRC_TABLE_FIELDS / t->fields)
		most = TRC_TABLE_FIELDS / t->fields;
	if (most > TRC_LINES_AT_ONCE)
		most = TRC_LINES_AT_ONCE;
	if (most == 0)
		return 0;
	t->place[0] = UINT32_MAX; /* the first field begins at 0, after this end */
	marks = trc_text_kernels(0)->marks(t->text, l->text + eol[most - 1] + 1, by, t->place + 1,
	                                   most * t->fields);
	/* A line has the same number of fields as the first if its last mark, by that number, is
	 * its end. */
	for (; marks >= t->fields && last[t->fields] == eol[t->n] - start; marks -= t->fields) {
		last += t->fields;
		t->n++;
	}
	for (size_t i = 0; t->ending && i < t->n; i++)
		if (l->text[eol[i] - 1] != '\r')
			t->n = i;
	return t->n;
}

size_t
trc_table_words(struct trc_table *t, const struct trc_lines *l, size_t from, const char *between)
{
	const uint32_t start = trc_line_start(l, from), *eol = l->eol + from;
	size_t most = l->n - from, edges;

	if (most > TRC_LINES_AT_ONCE)
		most = TRC_LINES_AT_ONCE;
	t->text = l->text + start;
	t->n = t->past = t->ending = t->fields = 0;
	t->step = 2;
	edges = trc_text_kernels(0)->edges(t->text, l->text + eol[most - 1] + 1, between, t->place,
	                                   2 * TRC_TABLE_FIELDS);
	/* After the last word comes another line, or the unknown. */
	t->place[edges] = edges < 2 * TRC_TABLE_FIELDS ? UINT32_MAX : 0;
	while (2 * t->fields < edges && t->place[2 * t->fields] < eol[0] - start)
		t->fields++;
	/* A line has the same number of fields as the first if its last one, by that number, is in
	 * it, and the next is not. */
	for (size_t next = 2 * t->fields; t->n < most && next && next <= edges; t->n++) {
		const uint32_t end = eol[t->n] - start;

		if (t->place[next - 2] > end || t->place[next] < end)
			break;
		next += 2 * t->fields;
	}
	return t->n;
}

size_t
trc_table_numbers(const struct trc_table *t, size_t j, size_t before, bool hex, size_t n,
                  uint64_t *v)
{
	const struct trc_text_kernels *kernels = trc_text_kernels(0);
	struct trc_table_column c = trc_table_column(t, j);
	struct trc_number_fields f;
	bool marked;
	size_t i;

	if (n == 0)
		return 0;
	c.past += (uint32_t)before;
	marked = trc_le16(t->text + (uint32_t)(c.place[0] + c.past)) == MARK;
	c.past += marked ? 2 : 0;
	for (i = 0; i < n; i++, c.place += c.step) {
		const uint32_t start = c.place[0] + c.past, end = c.place[1] - c.ending;

		if (marked && trc_le16(t->text + start - 2) != MARK)
			break;
		f.end[i] = end;
		f.len[i] = (uint8_t)(end - start < 255 ? end - start : 255);
	}
	return (hex || marked ? kernels->hex : kernels->dec)(t->text, f.end, f.len, i, v);
}

size_t
trc_table_numbers4(const struct trc_table *t, size_t j, size_t n, uint32_t *v)
{
	uint64_t all[TRC_LINES_AT_ONCE];

	return trc_lines_narrow(all, trc_table_numbers(t, j, 0, false, n, all), v);
}

size_t
trc_table_numbers1(const struct trc_table *t, size_t j, size_t n, uint8_t *v)
{
	uint64_t all[TRC_LINES_AT_ONCE];
	size_t i;

	n = trc_table_numbers(t, j, 0, false, n, all);
	for (i = 0; i < n && all[i] <= UINT8_MAX; i++)
		v[i] = (uint8_t)all[i];
	return i;
}
