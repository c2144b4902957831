/* SPDX-License-Identifier: MIT
 * Unpacks sections into columns. */
#include "container/sections.h"

#include <stdlib.h>
#include <string.h>

#include "codec/column/column.h"
#include "codec/column/joint_columns.h"
#include "codec/column/requests.h"
#include "container/events.h"
#include "container/header.h"

/* Stores values [from, n) of `v` in a column of the batch; returns false if one does not fit. */
static bool
narrow(struct trc_batch *b, enum trc_column c, const uint64_t *v, size_t from, size_t n)
{
	void *at = trc_batch_column(b, c);
	const unsigned width = (unsigned)trc_column[c].width;
	uint64_t all = 0;

	for (size_t i = from; i < n; i++) {
		all |= v[i];
		switch (width) {
		case 1: ((uint8_t *)at)[i] = (uint8_t)v[i]; break;
		case 4: ((uint32_t *)at)[i] = (uint32_t)v[i]; break;
		default: ((uint64_t *)at)[i] = v[i]; break;
		}
	}
	return width == 8 || all >> 8 * width == 0;
}

/* Allocates room for the columns of a block; a later block may need more. */
static int
make_columns(struct trc_sections *s, struct trc_err *err)
{
	const size_t rows = (size_t)s->rows;

	if (trc_grow(&s->wide, &s->wide_cap, rows, sizeof(*s->wide), err))
		return -1;
	if (s->column.cap >= rows)
		return 0;
	trc_batch_release(&s->column);
	return trc_batch_init_room(&s->column, s->trace, rows, err);
}

/* Returns true if the trace has this column and its values are numbers, not text. */
static bool
is_number(const struct trc_sections *s, uint8_t column)
{
	return column < TRC_COLUMNS && column != TRC_COL_EVENT && s->trace >> column & 1;
}

/* Stores the values in s->wide, from row `from` on, in a column of the block. */
static int
store_column(struct trc_sections *s, uint8_t number, size_t from, struct trc_err *err)
{
	const enum trc_column column = (enum trc_column)number;
	const size_t end = (size_t)s->end;

	if (!narrow(&s->column, column, s->wide, from, end))
		return trc_fail(err, "a value of column '%s' does not fit it",
		                trc_column[column].name);
	if (column != TRC_COL_TYPE)
		return 0;
	return trc_types_check(s->column.type + from, end - from, err);
}

/* Returns the first row that must be valid in a column. For keys of contexts and for times this
 * includes rows that are not selected, because all of them are checked. */
static size_t
first_row(const struct trc_sections *s, uint8_t number)
{
	if (number == TRC_COL_TASK || number == TRC_COL_ASID || number == TRC_COL_TIME)
		return 0;
	return (size_t)s->begin;
}

/* Reads a column; 64-bit values are decoded in place, others into s->wide first. */
static int
read_column(struct trc_sections *s, struct trc_view *v, struct trc_err *err)
{
	const uint8_t *number = trc_view_bytes(v, 1);
	uint64_t *to;
	size_t from;
	bool wide;

	if (number && *number >= TRC_COLUMNS && trc_may_pass(*number)) {
		v->p = v->end;
		return 0;
	}
	if (!number || !is_number(s, *number))
		return trc_fail(err, "a column of a block is damaged");
	if (make_columns(s, err))
		return -1;
	wide = trc_column[*number].width == sizeof(*to);
	to = wide ? trc_batch_column(&s->column, (enum trc_column) * number) : s->wide;
	from = first_row(s, *number);
	if (trc_column_read_part(v, to, (size_t)s->rows, from, (size_t)s->end, err))
		return -1;
	s->have |= 1u << *number;
	return wide ? 0 : store_column(s, *number, from, err);
}

/* Reads `n` numbers of columns, each of which the trace has and the block does not have yet. */
static const uint8_t *
read_columns(struct trc_sections *s, struct trc_view *v, size_t n)
{
	const uint8_t *number = trc_view_bytes(v, n);

	for (size_t i = 0; number && i < n; i++) {
		if (!is_number(s, number[i]) || s->have >> number[i] & 1)
			return NULL;
		s->have |= 1u << number[i];
	}
	return number;
}

static int
store_joint(struct trc_sections *s, const struct trc_joint_unpacked *u, size_t names,
            const uint8_t *clock, const uint8_t *name, const uint8_t *same, struct trc_err *err)
{
	for (size_t i = 0; i < u->clocks + names; i++) {
		const uint8_t number = i < u->clocks ? clock[i] : name[i - u->clocks];

		trc_joint_column(u, i, s->wide);
		if (store_column(s, number, 0, err) ||
		    (i == 0 && same && store_column(s, *same, 0, err)))
			return -1;
	}
	return 0;
}

static int
read_joint(struct trc_sections *s, struct trc_view *v, struct trc_err *err)
{
	enum { NONE = 255 };
	struct trc_joint_unpacked u = { 0 };
	const uint8_t *clocks, *clock, *names, *name = NULL, *same = NULL;
	int ret;

	clocks = trc_view_bytes(v, 1);
	clock = clocks ? read_columns(s, v, *clocks) : NULL;
	names = clock ? trc_view_bytes(v, 1) : NULL;
	name = names ? read_columns(s, v, *names) : NULL;
	if (name && v->p < v->end && *v->p == NONE)
		v->p++;
	else if (!name || !(same = read_columns(s, v, 1)))
		return trc_fail(err, "rows of a block are damaged");
	if (make_columns(s, err))
		return -1;
	ret = trc_joint_read(&u, v, *clocks, *names, (size_t)s->rows, (size_t)s->end, err);
	if (ret == 0)
		ret = store_joint(s, &u, *names, clock, name, same, err);
	trc_joint_release(&u);
	return ret;
}

static int
read_requests(struct trc_sections *s, struct trc_view *v, struct trc_err *err)
{
	const uint32_t columns = TRC_HAS_ADDR | TRC_HAS_SIZE;
	struct trc_request_rows r = { .n = (size_t)s->rows };

	if (~s->trace & columns || s->have & columns)
		return trc_fail(err, "requests of a block are damaged");
	if (make_columns(s, err))
		return -1;
	s->have |= columns;
	r.addr = s->column.addr;
	r.size = s->column.size;
	return trc_requests_read(&r, v, (size_t)s->end, err);
}

static int
read_events(struct trc_sections *s, struct trc_view *v, struct trc_err *err)
{
	if (!(s->trace & TRC_HAS_EVENT))
		return trc_fail(err, "a block has events, but the trace has none");
	if (make_columns(s, err))
		return -1;
	s->have |= TRC_HAS_EVENT;
	return trc_events_read(v, &s->column, (size_t)s->rows, err);
}

/* Reads the number of contexts and their keys. */
static int
read_keys(struct trc_sections *s, struct trc_view *v, struct trc_err *err)
{
	uint64_t key;

	if (s->refs.present || !trc_view_num(v, &s->refs.keys) || s->refs.keys == 0 ||
	    s->refs.keys > TRC_CONTEXTS_MOST)
		return trc_fail(err, "references of a block are damaged or missing");
	s->refs.present = true;
	for (size_t i = 0; i < s->refs.keys; i++) {
		key = 0;
		if (s->refs.keys > 1 && (!trc_view_num(v, &key) || key > UINT32_MAX))
			return trc_fail(err, "a block is damaged");
		s->refs.key[i] = (uint32_t)key;
	}
	return 0;
}

/* Does the same for references with pcs. */
static int
read_keys_and_pc(struct trc_sections *s, struct trc_view *v, struct trc_err *err)
{
	if (!(s->trace & TRC_HAS_PC) || s->have & TRC_HAS_PC)
		return trc_fail(err, "a block has pcs, but the trace has none");
	s->refs.pcs = true;
	return read_keys(s, v, err);
}

/* Reads which columns ops explain. */
static int
read_by_op(struct trc_sections *s, struct trc_view *v, struct trc_err *err)
{
	uint64_t columns;

	if (!trc_view_num(v, &columns) || columns & ~(uint64_t)(s->trace & TRC_BY_OP_COLUMNS))
		return trc_fail(err, "a block has columns by op, but the trace has none");
	s->refs.by_op = (uint32_t)columns;
	return 0;
}

static int
read_content(struct trc_sections *s, uint8_t section, struct trc_view *v, struct trc_err *err)
{
	switch (section) {
	case TRC_SECTION_REFS: return read_keys(s, v, err);
	case TRC_SECTION_REFS_PC: return read_keys_and_pc(s, v, err);
	case TRC_SECTION_BY_OP: return read_by_op(s, v, err);
	case TRC_SECTION_COLUMN: return read_column(s, v, err);
	case TRC_SECTION_JOINT: return read_joint(s, v, err);
	case TRC_SECTION_EVENTS: return read_events(s, v, err);
	case TRC_SECTION_REQUESTS: return read_requests(s, v, err);
	default: break;
	}
	v->p = v->end;
	return trc_may_pass(section) ?
	               0 :
	               trc_fail_unknown("a section of kind", section, s->needs, err);
}

static int
read_section(struct trc_sections *s, struct trc_view *v, struct trc_err *err)
{
	const uint8_t section = *v->p++;
	struct trc_view content;

	if (!trc_view_counted(v, UINT64_MAX, &content))
		return trc_fail(err, "a section of a block extends past its end");
	if (read_content(s, section, &content, err))
		return -1;
	return content.p == content.end ?
	               0 :
	               trc_fail(err, "a section of a block is longer than its content");
}

static int
read_sections(struct trc_sections *s, struct trc_view *v, struct trc_err *err)
{
	const uint8_t *fingerprint;
	uint32_t have;

	if (trc_columns_read(v, s->needs, &have, err))
		return -1;
	if (have != s->trace)
		return trc_fail(err, "a block has other columns than the trace");
	fingerprint = trc_view_bytes(v, 8);
	if (!fingerprint)
		return trc_fail(err, "a block has no fingerprint");
	s->fingerprint = trc_le64(fingerprint);
	while (v->p < v->end)
		if (read_section(s, v, err))
			return -1;
	have = 0;
	if (s->refs.present)
		have = (s->trace & (s->refs.pcs ? TRC_GATHERED_COLUMNS : TRC_REFS_COLUMNS)) |
		       s->refs.by_op;
	if ((s->have | have) != s->trace)
		return trc_fail(err, "a block lacks a column");
	if (s->have & s->refs.by_op)
		return trc_fail(err, "a block has a column twice");
	return 0;
}

int
trc_sections_read(struct trc_sections *s, const struct trc_packed_block *from, struct trc_err *err)
{
	const struct trc_block_frame *f = trc_packed_block_last(from);
	struct trc_view v = trc_packed_block_payload(from, f);

	s->first = f->first;
	s->rows = f->rows;
	s->trace = from->set.have;
	s->needs = from->set.needs;
	/* References can only be read one after another; those at the end are dropped as they
	 * come. */
	s->end = f->rows - (s->trace & TRC_HAS_ADDR ? 0 : from->range.drop);
	s->begin = from->range.skip < s->end ? from->range.skip : s->end;
	s->have = 0;
	s->refs = (struct trc_refs_section){ .present = false };
	return read_sections(s, &v, err) ? trc_packed_block_fail(from, f, err) : 0;
}

int
trc_section_end(struct trc_buf *b, size_t start, struct trc_err *err)
{
	const size_t at = start + 1, len = b->n - at;
	uint8_t number[TRC_NUM_MOST];
	const size_t n = trc_put_num(number, len);

	if (trc_buf_room(b, n, err))
		return -1;
	memmove(b->p + at + n, b->p + at, len);
	memcpy(b->p + at, number, n);
	b->n += n;
	return 0;
}

void
trc_sections_release(struct trc_sections *s)
{
	trc_batch_release(&s->column);
	free(s->wide);
}
