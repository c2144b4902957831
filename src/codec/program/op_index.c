/* SPDX-License-Identifier: MIT */
#include "codec/program/op_index.h"
#include "base/map_find.h"

#include <stdlib.h>

enum {
	LINE = 64, /* bytes of a cache line */
	ENTRIES = LINE / sizeof(struct trc_op_entry),
	CODE = 5, /* bits of a pc: bytes of code whose ops are in the same line */
	NEAR = 4, /* lines that are tried before one anywhere */
	LINES_FIRST = 32,
};

static size_t
line_of(uint64_t pc)
{
	return trc_map_hash(0, pc >> CODE);
}

static uint32_t
tag_of(uint64_t pc, uint32_t shape)
{
	return (uint32_t)((pc + ((uint64_t)shape << 40)) * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

static int
make_lines(struct trc_op_index *x, size_t lines, struct trc_err *err)
{
	void *mem = trc_alloc_room(lines + 1, LINE, err);

	if (!mem)
		return -1;
	free(x->mem);
	x->mem = mem;
	x->entry = (void *)((char *)mem + LINE - (uintptr_t)mem % LINE);
	memset(x->entry, 0xff, lines * LINE);
	x->mask = lines - 1;
	return 0;
}

int
trc_op_index_init(struct trc_op_index *x, struct trc_err *err)
{
	*x = (struct trc_op_index){ 0 };
	return make_lines(x, LINES_FIRST, err);
}

void
trc_op_index_release(struct trc_op_index *x)
{
	free(x->mem);
	*x = (struct trc_op_index){ 0 };
}

/* Where many ops have the same code, of many shapes, they are anywhere. */
struct trc_op_entry *
trc_op_index_find(const struct trc_op_index *x, const struct trc_op_follow *step, uint64_t pc,
                  uint32_t shape)
{
	const uint32_t tag = tag_of(pc, shape);
	size_t line = line_of(pc);

	for (size_t tried = 0;; tried++, line++) {
		struct trc_op_entry *e;

		if (TRC_UNLIKELY(tried == NEAR))
			line = trc_map_hash(shape, pc);
		e = x->entry + (line & x->mask) * ENTRIES;
		for (size_t k = 0; k < ENTRIES; k++)
			if (e[k].id == TRC_MAP_NONE || (e[k].tag == tag && step[e[k].id].pc == pc &&
			                                step[e[k].id].shape == shape))
				return &e[k];
	}
}

static void
fill(struct trc_op_entry *at, const struct trc_op_follow *step, uint32_t id)
{
	*at = (struct trc_op_entry){ tag_of(step[id].pc, step[id].shape), id };
}

int
trc_op_index_add(struct trc_op_index *x, const struct trc_op_follow *step, struct trc_op_entry *at,
                 uint32_t id, struct trc_err *err)
{
	const size_t lines = x->mask + 1;

	if (id < lines * ENTRIES / 2) {
		fill(at, step, id);
		return 0;
	}
	if (make_lines(x, 2 * lines, err))
		return -1;
	for (uint32_t i = 0; i <= id; i++)
		fill(trc_op_index_find(x, step, step[i].pc, step[i].shape), step, i);
	return 0;
}

void
trc_op_index_request(const struct trc_op_index *x, uint64_t pc)
{
	TRC_PREFETCH(x->entry + (line_of(pc) & x->mask) * ENTRIES);
}
