/* SPDX-License-Identifier: MIT
 *
 * The program behind a trace: what is compressed once, so that only the path through it and the
 * data remain. It is the control-flow graph of what was traced, found from its rows alone; new
 * here are shapes and slots.
 *
 *   shape  the form of an instruction's rows: its fetch, if there is one, then its data references,
 *          each with type and size
 *   op     an instruction at an address with a shape; identity is exactly (pc, shape), but that
 *          ops without a fetch whose pc is not in the trace all have 0
 *   edge   one op was once followed by another; the edges of an op are numbered in order of first
 *          appearance
 *   slot   the place of one data reference in one op; it remembers how its address was predicted
 *          when it first appeared
 *
 * The program grows block by block: codec/growth/growth.h codes what is new with each. A program
 * that would grow past TRC_PROGRAM_MOST ops is begun anew by the writer.
 */
#ifndef TRC_CODEC_GROWTH_PROGRAM_H
#define TRC_CODEC_GROWTH_PROGRAM_H

#include "base/buf.h"
#include "codec/entropy/corrupt.h"

enum {
	TRC_SHAPE_DATA = 16, /* data references of one op at most; more begin another op */
	TRC_SHAPE_ROWS = 1 + TRC_SHAPE_DATA,
	TRC_SHAPES_MOST = 1 << 16,
	TRC_PROGRAM_MOST = 1 << 20, /* ops */
	TRC_EDGES_MOST = 1 << 22,
	TRC_SLOTS_MOST = 1 << 22,
	TRC_BACK = 16,      /* how far back a data address may be relative to */
	TRC_OP_COLUMNS = 4, /* other columns that ops explain */
	TRC_LENGTH = 4,     /* of instructions, where it is not known */
	TRC_LENGTH_MOST = 15,
};

#define TRC_NONE UINT32_MAX

/* How the address of a slot is predicted. */
enum trc_mode {
	TRC_MODE_ABSOLUTE,
	TRC_MODE_SELF, /* difference to the slot's own last address */
	TRC_MODE_BACK, /* + k - 1: to the k-th data reference before, k = 1 to TRC_BACK */
	TRC_MODE_SCALED = TRC_MODE_BACK + TRC_BACK, /* + i: to one before, scaled (trc_scaled) */
	TRC_MODES = TRC_MODE_SCALED + 12,
};

/* Arrays of different elements are looked up by one number: the base is the address of the data
 * reference `back` before, shifted so many bits to the left or to the right. Such slots vary. */
static const struct trc_scaled {
	uint8_t back, left, right;
} trc_scaled[TRC_MODES - TRC_MODE_SCALED] = {
	{ 1, 1, 0 }, { 2, 1, 0 }, { 3, 1, 0 }, { 4, 1, 0 }, { 1, 2, 0 }, { 2, 2, 0 },
	{ 1, 0, 1 }, { 2, 0, 1 }, { 3, 0, 1 }, { 4, 0, 1 }, { 1, 0, 2 }, { 2, 0, 2 },
};

/* What matters here of the types of rows, as batch/batch.h has them: their lower bits, of which
 * a read and a fetch have their own values. container/pack/refs_packer.c sees that they are the
 * same. */
enum {
	TRC_ROW_TYPE = 15,
	TRC_ROW_READ = 0,
	TRC_ROW_FETCH = 2,
};

static inline bool
trc_row_is_fetch(uint8_t type)
{
	return (type & TRC_ROW_TYPE) == TRC_ROW_FETCH;
}

/* The rows that an op makes. New. */
struct trc_shape {
	uint8_t rows, data; /* all, and those that are no fetch */
	bool fetch;         /* row 0 is a fetch */
	uint8_t type[TRC_SHAPE_ROWS];
	uint32_t size[TRC_SHAPE_ROWS];
};

/* Fills in `fetch` and `data` by the rows; false if they are no shape: a fetch that is not the
 * first row, or too many data references. */
bool trc_shape_finish(struct trc_shape *s);

/* An instruction: a node of the control-flow graph. */
struct trc_op {
	uint64_t pc;
	uint32_t shape : 24;
	uint32_t length : 8;      /* bytes of a fetch that has no size; 0: not known */
	uint32_t slot;            /* of its first data reference; the others follow */
	uint32_t edge, edge_last; /* list through `next`; TRC_NONE: no edge yet */
	uint32_t edges;
	uint32_t left; /* see codec/growth/edges.h; TRC_NONE: not yet */
};

/* A directed edge of the graph. */
struct trc_edge {
	uint32_t from, to, next;
};

/* How the address of one data reference of an op follows from others: a last-value or stride
 * predictor (J. Fu, J. Patel, B. Janssens, 1992), with one more kind that is new, to others. */
struct trc_slot {
	uint64_t residual; /* of a slot that never changed in its first block */
	uint8_t mode;
	bool constant;
};

/* False for a slot that cannot be: constant, and of a mode that only slots have that vary. */
static inline bool
trc_slot_may_be(const struct trc_slot *s)
{
	return s->mode < (s->constant ? TRC_MODE_SCALED : TRC_MODES);
}

/* The values of a column (codec/growth/op_columns.h): where an edge leaves an op, and where none
 * does. */
struct trc_op_column {
	uint8_t name, width; /* the number that its user has for it; bytes of a value */
	bool registers;      /* each byte of a value is one, or 0 */
	uint64_t *of_op, *of_edge;
	size_t ops, edges, op_cap, edge_cap;
};

struct trc_op_models;

/* The control-flow graph. Zeroed memory is an empty one. */
struct trc_program {
	struct trc_shape *shape;
	struct trc_op *op;
	struct trc_edge *edge;
	struct trc_slot *slot;
	size_t shapes, ops, edges, slots;
	size_t shape_cap, op_cap, edge_cap, slot_cap;
	bool lengths;     /* of fetches without a size are coded; else they are TRC_LENGTH */
	uint64_t version; /* another after each growth that is read, and each new beginning */

	/* How much of it the growths coded so far have covered, and their models. */
	struct {
		size_t shapes, ops, edges, slots;
	} coded;
	void *models; /* of codec/growth/growth.c */

	struct trc_op_column column[TRC_OP_COLUMNS]; /* from before the first op on */
	unsigned columns;
	struct trc_op_models *op_models;
};

/* Fails since a growth is damaged, in what is named; returns -1. */
static inline int
trc_program_corrupt(struct trc_err *err, const char *what)
{
	return trc_corrupt_in(err, "the program part of a block is damaged", what);
}

/* Frees all, and leaves an empty program. */
void trc_program_release(struct trc_program *p);

/* Goes on with `from` in `to`, which was zeroed or gone on from before, and whose memory serves
 * again. `from` stays as it is, and does not grow any more. */
int trc_program_go_on(struct trc_program *to, struct trc_program *from,
                      struct trc_err *err) TRC_MUST_USE;

/* Of codec/growth/op_models.c. */
void trc_op_models_close(struct trc_op_models *m);

/* Bytes that its items take. */
size_t trc_program_memory(const struct trc_program *p);

/* Adding items. Each returns -1 without memory. */
int trc_program_add_shape(struct trc_program *p, const struct trc_shape *s, struct trc_err *err);
int trc_program_add_op(struct trc_program *p, uint64_t pc, uint32_t shape, struct trc_err *err);
int trc_program_add_edge(struct trc_program *p, uint32_t from, uint32_t to, struct trc_err *err);

/* True if an op of the shape has a length instead of a size. */
static inline bool
trc_shape_unsized(const struct trc_shape *s)
{
	return s->fetch && s->size[0] == 0;
}

/* Where an op ends. */
static inline uint64_t
trc_op_end(const struct trc_program *p, uint32_t op)
{
	const struct trc_op *o = &p->op[op];
	const struct trc_shape *s = &p->shape[o->shape];

	return o->pc + (s->fetch && s->size[0] ? s->size[0] : o->length ? o->length : TRC_LENGTH);
}

#endif
