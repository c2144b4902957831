/* SPDX-License-Identifier: MIT
 *
 * The program behind a trace: the part that is compressed only once, so that only the path through
 * it and the data remain. It is the control-flow graph of the traced code, derived from the rows of
 * the trace alone; shapes and slots are new.
 *
 *   shape  the form of an instruction's rows: its fetch, if there is one, then its data references,
 *          each with type and size
 *   op     an instruction at an address with a shape; it is identified by (pc, shape), except that
 *          ops without a fetch whose pc is not in the trace all have pc 0
 *   edge   one op was followed by another at least once; the edges of an op are numbered in order
 *          of first appearance
 *   slot   the position of one data reference in one op; it records how its address was predicted
 *          when it first appeared
 *
 * The program grows block by block: codec/growth/growth.h codes what is new in each. The writer
 * resets a program that would grow past TRC_PROGRAM_MOST ops.
 */
#ifndef TRC_CODEC_GROWTH_PROGRAM_H
#define TRC_CODEC_GROWTH_PROGRAM_H

#include "base/buf.h"
#include "codec/entropy/corrupt.h"

enum {
	TRC_SHAPE_DATA = 16, /* the most data references of an op; more begin another op */
	TRC_SHAPE_ROWS = 1 + TRC_SHAPE_DATA,
	TRC_SHAPES_MOST = 1 << 16,
	TRC_PROGRAM_MOST = 1 << 20, /* the most ops */
	TRC_EDGES_MOST = 1 << 22,
	TRC_SLOTS_MOST = 1 << 22,
	TRC_BACK = 16,      /* how many data references back the base of an address may be */
	TRC_OP_COLUMNS = 4, /* other columns that ops explain */
	TRC_LENGTH = 4,     /* of instructions of unknown length */
	TRC_LENGTH_MOST = 15,
};

#define TRC_NONE UINT32_MAX

/* How the address of a slot is predicted. */
enum trc_address_mode {
	TRC_MODE_ABSOLUTE,
	TRC_MODE_SELF, /* difference to the last address of the slot */
	TRC_MODE_BACK, /* + k - 1: difference to the k-th data reference before, k = 1 to
	                * TRC_BACK */
	TRC_MODE_SCALED = TRC_MODE_BACK + TRC_BACK, /* + i: difference to a scaled earlier address
	                                             * (trc_scaled) */
	TRC_MODES = TRC_MODE_SCALED + 12,
};

/* Arrays with elements of different sizes may be indexed by the same number: the base is the
 * address of the data reference `back` before, shifted to the left or to the right. Such slots
 * always vary. */
static const struct trc_scaled {
	uint8_t back, left, right;
} trc_scaled[TRC_MODES - TRC_MODE_SCALED] = {
	{ 1, 1, 0 }, { 2, 1, 0 }, { 3, 1, 0 }, { 4, 1, 0 }, { 1, 2, 0 }, { 2, 2, 0 },
	{ 1, 0, 1 }, { 2, 0, 1 }, { 3, 0, 1 }, { 4, 0, 1 }, { 1, 0, 2 }, { 2, 0, 2 },
};

/* The parts of the types of rows in batch/batch.h that matter here: the lower bits, and the values
 * of a read and a fetch. container/pack/refs_packer.c asserts that they are the same. */
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

/* The rows that an op produces. This is new. */
struct trc_shape {
	uint8_t rows, data; /* number of all rows, and of those that are not fetches */
	bool fetch;         /* row 0 is a fetch */
	uint8_t type[TRC_SHAPE_ROWS];
	uint32_t size[TRC_SHAPE_ROWS];
};

/* Sets `fetch` and `data` from the rows; returns false if the rows do not form a shape, because a
 * fetch is not the first row or there are too many data references. */
bool trc_shape_finish(struct trc_shape *s);

/* An instruction: a node of the control-flow graph. */
struct trc_op {
	uint64_t pc;
	uint32_t shape : 24;
	uint32_t length : 8;      /* bytes of a fetch without a size; 0: unknown */
	uint32_t slot;            /* of its first data reference; the others follow it */
	uint32_t edge, edge_last; /* list linked by `next`; TRC_NONE: no edge yet */
	uint32_t edges;
	uint32_t left; /* see codec/growth/edges.h; TRC_NONE: none yet */
};

/* A directed edge of the graph. */
struct trc_edge {
	uint32_t from, to, next;
};

/* The rule by which the address of a data reference of an op is derived from other addresses: a
 * last-value or stride predictor (J. Fu, J. Patel, B. Janssens, 1992), extended by a new kind that
 * refers to other slots. */
struct trc_slot {
	uint64_t residual; /* of a slot that did not change in its first block */
	uint8_t mode;
	bool constant;
};

/* Returns false for an invalid slot: constant, but with a mode for slots that vary. */
static inline bool
trc_slot_may_be(const struct trc_slot *s)
{
	return s->mode < (s->constant ? TRC_MODE_SCALED : TRC_MODES);
}

/* The values of a column (codec/growth/op_columns.h): for edges that leave an op, and for an op
 * that no edge leaves. */
struct trc_op_column {
	uint8_t name, width; /* the caller's number for it; bytes of a value */
	bool registers;      /* each byte of a value is a register or 0 */
	uint64_t *of_op, *of_edge;
	size_t ops, edges, op_cap, edge_cap;
};

struct trc_op_models;

/* The control-flow graph. A zeroed struct is empty. */
struct trc_program {
	struct trc_shape *shape;
	struct trc_op *op;
	struct trc_edge *edge;
	struct trc_slot *slot;
	size_t shapes, ops, edges, slots;
	size_t shape_cap, op_cap, edge_cap, slot_cap;
	bool lengths;     /* lengths of unsized fetches are coded; otherwise TRC_LENGTH */
	uint64_t version; /* changes with each growth that is read, and each reset */

	/* The part of the program that growths have covered so far, and their models. */
	struct {
		size_t shapes, ops, edges, slots;
	} coded;
	void *models; /* owned by codec/growth/growth.c */

	struct trc_op_column column[TRC_OP_COLUMNS]; /* set before the first op */
	unsigned columns;
	struct trc_op_models *op_models;
};

/* Fails because the named part of a growth is damaged; returns -1. */
static inline int
trc_program_corrupt(struct trc_err *err, const char *what)
{
	return trc_corrupt_in(err, "the program part of a block is damaged", what);
}

/* Frees everything, and leaves an empty program. */
void trc_program_release(struct trc_program *p);

/* Copies `from` to `to` and moves the models, so that `to` continues the program. `to` must be
 * zeroed or an earlier copy, whose memory is reused. `from` can still be used, but must not grow
 * any more. */
int trc_program_go_on(struct trc_program *to, struct trc_program *from,
                      struct trc_err *err) TRC_MUST_USE;

/* Implemented in codec/growth/op_models.c. */
void trc_op_models_close(struct trc_op_models *m);

/* Returns the bytes used by its items. */
size_t trc_program_memory(const struct trc_program *p);

/* Add an item. Each returns -1 if out of memory. */
int trc_program_add_shape(struct trc_program *p, const struct trc_shape *s, struct trc_err *err);
int trc_program_add_op(struct trc_program *p, uint64_t pc, uint32_t shape, struct trc_err *err);
int trc_program_add_edge(struct trc_program *p, uint32_t from, uint32_t to, struct trc_err *err);

/* Returns true if an op of the shape has a length instead of a size. */
static inline bool
trc_shape_unsized(const struct trc_shape *s)
{
	return s->fetch && s->size[0] == 0;
}

/* Returns the address at which an op ends. */
static inline uint64_t
trc_op_end(const struct trc_program *p, uint32_t op)
{
	const struct trc_op *o = &p->op[op];
	const struct trc_shape *s = &p->shape[o->shape];

	return o->pc + (s->fetch && s->size[0] ? s->size[0] : o->length ? o->length : TRC_LENGTH);
}

#endif
