/* SPDX-License-Identifier: MIT
 * The program by its parts, which are numbered. */
#include "container/program_versions.h"

#include "batch/batch.h"
#include "codec/program/growth.h"
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

/* Types of shapes are the only rows that a program holds. */
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

int
trc_program_versions_add(struct trc_program_versions *v, struct trc_view part, uint64_t number,
                         uint32_t have, struct trc_err *err)
{
	const bool resets = trc_program_resets(part.p, (uint64_t)(part.end - part.p));
	const bool follows = v->newest.generation > 0 && number == v->newest.generation + 1;
	struct trc_program *p = &v->program[v->at];
	uint32_t columns;

	trc_program_versions_lose(v);
	part.p += part.p < part.end;
	if (trc_columns_read(&part, &columns, err))
		return -1;
	if (columns != have)
		return trc_fail(err, "a part of the program has other columns than the trace");
	if (!resets && !follows)
		return trc_fail(err, "a part of the program before this one is missing");
	if (resets)
		trc_program_release(p);
	v->newest.old = (struct trc_refs_old){ p->slots, p->edges };
	if (grow(p, part, err))
		return -1;
	v->newest.program = p;
	v->newest.generation = number;
	return 0;
}
