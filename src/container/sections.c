/* SPDX-License-Identifier: MIT
 * The columns of a block that are no references. Whatever a section claims is checked before it is
 * believed. */
#include "codec/column/column.h"
#include "codec/column/joint_columns.h"
#include "container/events.h"
#include "container/unpack.h"

/* Numbers from row `from` on into a column of the batch; false if one does not fit. */
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

/* Sums say that the bytes are those that were written, not that they make sense. */
int
trc_block_check_types(const uint8_t *type, size_t n, struct trc_err *err)
{
	bool strange = false;

	for (size_t i = 0; i < n; i++)
		strange |= !trc_type_known(type[i]);
	return strange ? trc_fail(err, "a record is of a type that there is not") : 0;
}

/* Room for the columns of a block, of which later ones may be larger. */
static int
make_columns(const struct trc_raw *r, struct trc_block *b, struct trc_err *err)
{
	const size_t rows = (size_t)b->rows;

	if (trc_grow(&b->wide, &b->wide_cap, rows, sizeof(*b->wide), err))
		return -1;
	if (b->column.cap >= rows)
		return 0;
	trc_batch_release(&b->column);
	return trc_batch_init_room(&b->column, r->have, rows, err);
}

/* True for the number of a column that the trace has, and that is numbers, not text. */
static bool
is_number(const struct trc_raw *r, uint8_t column)
{
	return column < TRC_COLUMNS && column != TRC_COL_EVENT && r->have >> column & 1;
}

/* Makes the numbers in b->wide, from row `from` on, a column of a block. */
static int
store_column(struct trc_block *b, uint8_t number, size_t from, struct trc_err *err)
{
	const enum trc_column column = (enum trc_column)number;
	const size_t end = (size_t)b->end;

	if (!narrow(&b->column, column, b->wide, from, end))
		return trc_fail(err, "a value of column '%s' does not fit it",
		                trc_column[column].name);
	if (column != TRC_COL_TYPE)
		return 0;
	return trc_block_check_types(b->column.type + from, end - from, err);
}

/* The first row that is looked at of a column: rows that nobody wants are, where they tell contexts
 * apart, or the times of the block. */
static size_t
first_row(const struct trc_raw *r, const struct trc_block *b, uint8_t number)
{
	if (number == TRC_COL_TASK || number == TRC_COL_ASID || number == TRC_COL_TIME)
		return 0;
	return (size_t)(r->skip < b->end ? r->skip : b->end);
}

/* A column of the widest values is where they go at once. */
static int
read_flat(const struct trc_raw *r, struct trc_block *b, struct trc_view *v, struct trc_err *err)
{
	const uint8_t *number = trc_view_bytes(v, 1);
	uint64_t *to;
	size_t from;
	bool wide;

	if (!number || !is_number(r, *number))
		return trc_fail(err, "a column of a block is damaged");
	if (make_columns(r, b, err))
		return -1;
	wide = trc_column[*number].width == sizeof(*to);
	to = wide ? trc_batch_column(&b->column, (enum trc_column) * number) : b->wide;
	from = first_row(r, b, *number);
	if (trc_column_read_part(v, to, (size_t)b->rows, from, (size_t)b->end, err))
		return -1;
	b->flat |= 1u << *number;
	return wide ? 0 : store_column(b, *number, from, err);
}

/* Takes `n` numbers of columns that the trace has and this block did not have yet. */
static const uint8_t *
read_columns(const struct trc_raw *r, struct trc_block *b, struct trc_view *v, size_t n)
{
	const uint8_t *number = trc_view_bytes(v, n);

	for (size_t i = 0; number && i < n; i++) {
		if (!is_number(r, number[i]) || b->flat >> number[i] & 1)
			return NULL;
		b->flat |= 1u << number[i];
	}
	return number;
}

static int
store_rows(struct trc_block *b, const struct trc_joint_unpacked *u, size_t names,
           const uint8_t *clock, const uint8_t *name, const uint8_t *same, struct trc_err *err)
{
	for (size_t i = 0; i < u->clocks + names; i++) {
		const uint8_t number = i < u->clocks ? clock[i] : name[i - u->clocks];

		trc_joint_column(u, i, b->wide);
		if (store_column(b, number, 0, err) ||
		    (i == 0 && same && store_column(b, *same, 0, err)))
			return -1;
	}
	return 0;
}

static int
read_rows(const struct trc_raw *r, struct trc_block *b, struct trc_view *v, struct trc_err *err)
{
	enum { NONE = 255 };
	struct trc_joint_unpacked u = { 0 };
	const uint8_t *clocks, *clock, *names, *name = NULL, *same = NULL;
	int ret;

	clocks = trc_view_bytes(v, 1);
	clock = clocks ? read_columns(r, b, v, *clocks) : NULL;
	names = clock ? trc_view_bytes(v, 1) : NULL;
	name = names ? read_columns(r, b, v, *names) : NULL;
	if (name && v->p < v->end && *v->p == NONE)
		v->p++;
	else if (!name || !(same = read_columns(r, b, v, 1)))
		return trc_fail(err, "rows of a block are damaged");
	if (make_columns(r, b, err))
		return -1;
	ret = trc_joint_read(&u, v, *clocks, *names, (size_t)b->rows, (size_t)b->end, err);
	if (ret == 0)
		ret = store_rows(b, &u, *names, clock, name, same, err);
	trc_joint_release(&u);
	return ret;
}

static int
read_events(const struct trc_raw *r, struct trc_block *b, struct trc_view *v, struct trc_err *err)
{
	if (!(r->have & TRC_HAS_EVENT))
		return trc_fail(err, "a block has events that the trace does not");
	if (make_columns(r, b, err))
		return -1;
	b->flat |= TRC_HAS_EVENT;
	return trc_events_read(v, &b->column, (size_t)b->rows, err);
}

/* How many contexts the references have, and their keys. */
static int
read_keys(struct trc_block *b, struct trc_view *v, struct trc_err *err)
{
	uint64_t key;

	if (b->refs || !trc_view_num(v, &b->keys) || b->keys == 0 || b->keys > TRC_CONTEXTS_MOST)
		return trc_fail(err, "references of a block are damaged or missing");
	b->refs = true;
	for (size_t i = 0; i < b->keys; i++) {
		key = 0;
		if (b->keys > 1 && (!trc_view_num(v, &key) || key > UINT32_MAX))
			return trc_fail(err, "a block is damaged");
		b->keyed[i] = (uint32_t)key;
	}
	return 0;
}

/* The same of references that have pcs. */
static int
read_keys_and_pc(const struct trc_raw *r, struct trc_block *b, struct trc_view *v,
                 struct trc_err *err)
{
	if (!(r->have & TRC_HAS_PC) || b->flat & TRC_HAS_PC)
		return trc_fail(err, "a block has pcs that the trace does not");
	b->pcs = true;
	return read_keys(b, v, err);
}

static int
read_section(const struct trc_raw *r, struct trc_block *b, struct trc_view *v, struct trc_err *err)
{
	const uint8_t section = *v->p++;

	switch (section) {
	case TRC_SECTION_REFS: return read_keys(b, v, err);
	case TRC_SECTION_REFS_PC: return read_keys_and_pc(r, b, v, err);
	case TRC_SECTION_COLUMN: return read_flat(r, b, v, err);
	case TRC_SECTION_JOINT: return read_rows(r, b, v, err);
	case TRC_SECTION_EVENTS: return read_events(r, b, v, err);
	default: return trc_fail(err, "a block has a section of kind %u", section);
	}
}

static int
read_sections(const struct trc_raw *r, struct trc_block *b, struct trc_view *v, struct trc_err *err)
{
	const uint8_t *digest;
	uint32_t have;

	if (trc_block_columns(v, &have, err))
		return -1;
	if (have != r->have)
		return trc_fail(err, "a block has other columns than the trace");
	digest = trc_view_bytes(v, 8);
	if (!digest)
		return trc_fail(err, "a block has no fingerprint");
	b->digest = trc_le64(digest);
	while (v->p < v->end)
		if (read_section(r, b, v, err))
			return -1;
	if (b->refs)
		have = r->have & (b->pcs ? TRC_GATHERED_COLUMNS : TRC_REFS_COLUMNS);
	if ((b->flat | (b->refs ? have : 0)) != r->have)
		return trc_fail(err, "a block lacks a column");
	return 0;
}

int
trc_block_sections(const struct trc_raw *r, struct trc_block *b, struct trc_err *err)
{
	const struct trc_piece *p = &r->piece[r->pieces - 1];
	struct trc_view v = { r->bytes.p + p->at, r->bytes.p + p->at + p->len };

	b->first = p->first;
	b->rows = p->rows;
	/* References come one by one, and are dropped if the caller does not want them. */
	b->end = p->rows - (r->have & TRC_HAS_ADDR ? 0 : r->drop);
	b->flat = 0;
	b->refs = b->pcs = false;
	return read_sections(r, b, &v, err) ? trc_raw_at(r, p, err) : 0;
}
