/* SPDX-License-Identifier: MIT
 *
 * The edges of a growth, in order of time, and its ops, each with the edge that first led to it.
 *
 *   start   if there are new ops: whether the growth begins with one, which no edge leads to
 *   from    where an edge begins: at the op that the one before led to, if that was new. Else, if
 *           that landed at an op that was left: whether at the one by which it was; if not, zigzag
 *           difference of its number to that of the op that the edge before led to
 *   plain   while there are new ops to come: whether a new op follows that has the expected pc; if
 *           not, whether one follows at all
 *   plain   is not coded of a `from` whose length is 0: no plain op follows it
 *   op      a new op. If it is not plain and the edge before landed: whether it goes back to the
 *           end of the op that that edge began at. Shape. If neither plain nor back: whether its
 *           pc is an open one, and which, the latest first; else its distance to the end of
 *           `from`, in units of 16 bytes (zigzag), and the lowest 4 bits of the pc. If lengths are
 *           coded and it has a fetch without a size: its length, 0 if that is not known, by a tree
 *           of 4 bits given its shape, 7 at most, and the length of `from`, 4 without one
 *   known   an op that is not new. If one is known at the end of `from`: whether it is that. If
 *           not, the edge lands: whether where another landed before, and how many other such ops
 *           were landed at since; else zigzag difference of its number to that of `from`
 *
 * The end of an op is where its fetch ends; if it has none, or one without a size, so many bytes
 * behind its pc as it has length, which is 4 where it is not known or not coded. Expected is the
 * end of `from`, or its pc for an op without a fetch. An op is known at a pc if it was the last new
 * one with the same TRC_PLACE(pc), and its pc has the same bits 16 to 47.
 * Edges to new ops land, too, if these are neither plain nor back nor open; the last
 * TRC_MOVE_TO_FRONT_MOST ops that edges landed at are remembered. The end of `from` becomes open
 * when an edge leads to a new op that is neither plain nor back; the last TRC_OPEN are, until one
 * is used, or a plain op comes there behind a `from` that was coded. When a new op has an open pc,
 * what was reached when that became open was left by `from`; when one goes back, what was landed at
 * by the edge before was.
 *
 * Models.  Shapes are coded with as many bits, b, as the number of the last one has, the new ones
 *   counted, 8 at most: by a tree of 8 bits, the first 8 - b of which are 0 and not coded, but
 *   count among the bits that number the models of the others. Shape 255 and those above are 255,
 *   and a number of what is above it. `recent` is a number of 32 bits, at first 0; a new op behind
 *   a `from` moves it up by b bits and adds the shape of that, 255 at most, once the models of its
 *   own shape are found. The context behind `from` is its shape, 255 at most; if b <= 4, the lowest
 *   8 bits of `recent` moved up by b, plus that. At the start it is 0. Shapes are coded by `often`
 *   where b > 4 and the context is below 8, given that and the lowest b bits of `recent`, 8 for all
 *   from there on; else by `shape`.
 *   Whether an op is plain is coded as 0 if it is. The first index of plain, fresh, at_end, landed
 *   and known is whether `from` was coded; that of open and from, whether the edge before landed;
 *   that of low, whether the zigzag distance is above 3. An edge landed if it led to a known op
 *   that was not at the end of its `from`.
 */
#ifndef TRC_CODEC_PROGRAM_EDGES_H
#define TRC_CODEC_PROGRAM_EDGES_H

#include "codec/program/program.h"
#include "codec/entropy/move_to_front.h"
#include "codec/entropy/range_coder.h"

enum {
	TRC_SHAPE_BITS = 8,
	TRC_CONTEXTS = 1 << TRC_SHAPE_BITS,
	TRC_OFTEN = 8, /* the first shapes, which most ops have */
	TRC_OPEN = 16,
	TRC_PLACES = 1 << 16,
};

#define TRC_PLACE(pc) (((pc) ^ (pc) >> 16) % TRC_PLACES)

/* What edges are predicted from: the last shapes, addresses that a path may come back to (as a
 * return stack has them), the last landings, and the last op at each address. */
struct trc_edge_history {
	uint32_t recent; /* shapes of `from` */
	struct {
		uint64_t pc;
		uint32_t op; /* what was jumped to from there */
	} open[TRC_OPEN];
	uint32_t opens;
	struct trc_move_to_front landings;
	struct trc_place_of_op {
		uint32_t op, high; /* 1 + its number, and its pc without the lowest 16 bits */
	} known_at[TRC_PLACES];
};

/* Adaptive models of bits and numbers, by these contexts. */
struct trc_edge_models {
	/* Given the shape of `from`; where shapes have four bits at most, as many bits of that and
	 * the shapes of `from` of the ops before as there are in a context. */
	struct trc_bit shape[TRC_CONTEXTS][TRC_CONTEXTS];
	/* Where they have more, and that of `from` is one of the first: given also the one before
	 * that, if it is, too. */
	struct trc_bit often[TRC_OFTEN][TRC_OFTEN + 1][TRC_CONTEXTS];
	struct trc_num shape_far;
	/* Given whether `from` had to be coded, the same, and whether an op is known at its end. */
	struct trc_bit plain[2][TRC_CONTEXTS][2], fresh[2][TRC_CONTEXTS][2];
	struct trc_bit start, is_left, is_back, open[2], open_at[16], at_end[2], landed[2];
	struct trc_bit low[2][16]; /* near and far */
	struct trc_bit length[TRC_OFTEN][TRC_LENGTH_MOST + 1][TRC_LENGTH_MOST + 1];
	struct trc_num from[2], jump, rank, known[2];

	struct trc_edge_history history;
};

void trc_edge_models_init(struct trc_edge_models *m);

/* Codes so many new ops and edges. */
int trc_edges_code(struct trc_program *p, struct trc_edge_models *m, struct trc_rc *rc, size_t ops,
                   size_t edges, struct trc_err *err) TRC_MUST_USE;

#endif
