/* SPDX-License-Identifier: MIT
 * The program, built from numbered parts. */
#include "container/program_versions.h"

#include "batch/batch.h"
#include "codec/growth/growth.h"
#include "codec/growth/op_columns.h"
#include "container/container.h"
#include "container/header.h"

void
trc_program_versions_release(struct trc_program_versions *v)
{
	for (size_t i = 0; i < TRC_VERSIONS_MOST; i++)
		trc_program_release(&v->program[i]);
}

int
trc_program_versions_copy(struct trc_program_versions *v, size_t to, struct trc_err *err)
{
	if (to != v->at && trc_program_go_on(&v->program[to], &v->program[v->at], err))
		return -1;
	v->at = to;
	return 0;
}

void
trc_program_versions_lose(struct trc_program_versions *v)
{
	v->newest.generation = 0;
}

/* Adds a growth and checks the types of its new shapes, the only values of rows in a program. */
static int
grow(struct trc_program *p, struct trc_view growth, struct trc_err *err)
{
	size_t shape = p->shapes;

	if (trc_growth_read(p, growth.p, (size_t)(growth.end - growth.p), err))
		return -1;
	for (; shape < p->shapes; shape++)
		if (trc_types_check(p->shape[shape].type, p->shape[shape].rows, err))
			return -1;
	return 0;
}

/* Reads which columns ops explain. The first part of a program sets them for all its parts. */
static int
read_columns(struct trc_program *p, bool first, uint32_t have, struct trc_view *part,
             struct trc_err *err)
{
	uint32_t before = 0;
	uint64_t columns;

	if (!trc_view_num(part, &columns) || columns & ~(uint64_t)(have & TRC_BY_OP_COLUMNS))
		return trc_fail(err, "a part of the program has columns that the trace lacks");
	for (unsigned k = 0; k < p->columns; k++)
		before |= 1u << p->column[k].name;
	if (!first && before != columns)
		return trc_fail(err, "a part of the program has other columns than the one before");
	if (columns == 0)
		return trc_fail(
		        err, "a part of the program has no columns by op, but its flags name some");
	for (size_t i = 0; first && i < TRC_COUNT(trc_by_op_order); i++) {
		const uint8_t c = trc_by_op_order[i];

		if (columns >> c & 1)
			trc_op_columns_add(p, c, (uint8_t)trc_column[c].width, c == TRC_COL_REGS);
	}
	return 0;
}

/* Reads a part that has, after the growth, values of columns that ops explain. */
static int
grow_with_columns(struct trc_program *p, bool first, uint32_t have, struct trc_view part,
                  struct trc_err *err)
{
	if (read_columns(p, first, have, &part, err))
		return -1;
	return grow(p, part, err);
}

int
trc_program_versions_add(struct trc_program_versions *v, struct trc_view part, uint64_t number,
                         uint32_t have, struct trc_err *err)
{
	const bool resets = trc_program_resets(part.p, (uint64_t)(part.end - part.p));
	const uint8_t flags = part.p < part.end ? part.p[0] : 0;
	const bool by_op = flags & TRC_PROGRAM_COLUMNS, lengths = flags & TRC_PROGRAM_LENGTHS;
	const bool follows = v->newest.generation > 0 && number == v->newest.generation + 1;
	struct trc_program *p = &v->program[v->at];
	uint32_t columns;

	trc_program_versions_lose(v);
	part.p += part.p < part.end;
	if (trc_columns_read(&part, 0, &columns, err))
		return -1;
	if (flags & ~(TRC_PROGRAM_RESETS | TRC_PROGRAM_COLUMNS | TRC_PROGRAM_LENGTHS))
		return trc_fail(err, "a part of the program has flags of another version of trc");
	if (columns != have)
		return trc_fail(err, "a part of the program has other columns than the trace");
	if (!resets && !follows)
		return trc_fail(err, "a part of the program before this one is missing");
	if (resets) {
		trc_program_release(p);
		p->lengths = lengths;
	}
	v->newest.old = (struct trc_refs_old){ p->slots, p->edges };
	if ((!by_op && p->columns > 0) || lengths != p->lengths)
		return trc_fail(err, "a part of the program has another form than the one before");
	if (by_op ? grow_with_columns(p, resets, have, part, err) : grow(p, part, err))
		return -1;
	v->newest.program = p;
	v->newest.generation = number;
	return 0;
}
