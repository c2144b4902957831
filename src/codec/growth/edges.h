/* SPDX-License-Identifier: MIT
 *
 * The edges of a growth, in order of time, and its ops, each with the edge that first led to it:
 * container/SPEC.md, "Edges and ops", has it to the bit. Its words:
 *
 *   plain   a new op at the expected pc: the end of `from`, or its pc for an op without a fetch
 *   open    ends of ops that the path did not go on from: where calls return to
 *   back    a new op at the end of the op from which the edge before landed
 *   lands   an edge to a known op that is not at the end of its `from`; the ops that these led to,
 *           and new ones far away, are landings
 *   left    of an op: from where the path came back behind what led to it, a return's op
 *   known   an op at a pc: the last new one with the same TRC_PLACE(pc), if bits 16 to 47 agree
 */
#ifndef TRC_CODEC_GROWTH_EDGES_H
#define TRC_CODEC_GROWTH_EDGES_H

#include "codec/growth/program.h"
#include "codec/entropy/move_to_front.h"
#include "codec/entropy/range_coder.h"

enum {
	TRC_SHAPE_BITS = 8,
	TRC_EDGE_CONTEXTS = 1 << TRC_SHAPE_BITS,
	TRC_OFTEN = 8, /* the first shapes, which most ops have */
	TRC_OPEN = 16,
	TRC_PLACES = 1 << 16,
	TRC_PLACES_ROW = 1 << 4, /* that get memory together */
	TRC_JUMPS = 16,          /* by the upper bits of a class */
};

#define TRC_PLACE(pc) (((pc) ^ (pc) >> 16) % TRC_PLACES)

/* The last op at each place. Rows stand in the order in which they were used first, so that a small
 * program takes little memory; row 0 stays empty, for all that were not used. */
struct trc_places {
	uint16_t row[TRC_PLACES / TRC_PLACES_ROW], rows;
	struct trc_place_of_op {
		uint32_t op, high; /* 1 + its number, and its pc without the lowest 16 bits */
	} at[1 + TRC_PLACES / TRC_PLACES_ROW][TRC_PLACES_ROW];
};

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
	struct trc_places known;
};

/* Adaptive models of bits and numbers, by these contexts. */
struct trc_edge_models {
	/* Given the shape of `from`; where shapes have four bits at most, as many bits of that and
	 * the shapes of `from` of the ops before as there are in a context. */
	struct trc_bit shape[TRC_EDGE_CONTEXTS][TRC_EDGE_CONTEXTS];
	/* Where they have more, and that of `from` is one of the first: given also the one before
	 * that, if it is, too. */
	struct trc_bit often[TRC_OFTEN][TRC_OFTEN + 1][TRC_EDGE_CONTEXTS];
	struct trc_num shape_far;
	/* Given whether `from` had to be coded, the same, and whether an op is known at its end. */
	struct trc_bit plain[2][TRC_EDGE_CONTEXTS][2], fresh[2][TRC_EDGE_CONTEXTS][2];
	/* Given the class of `from`, and where needed whether the edge before landed. */
	struct trc_bit is_back[TRC_EDGE_CONTEXTS], open[2][TRC_EDGE_CONTEXTS];
	struct trc_bit start, is_left, open_at[16], at_end[2], landed[2];
	struct trc_bit low[TRC_JUMPS][2][16]; /* near and far */
	struct trc_bit length[TRC_OFTEN][TRC_LENGTH_MOST + 1][TRC_LENGTH_MOST + 1];
	struct trc_num from[2], jump[TRC_JUMPS], rank, known[2];

	/* Rows that were used, and so made: few are of a small program. */
	struct {
		bool shape[TRC_EDGE_CONTEXTS], often[TRC_OFTEN][TRC_OFTEN + 1];
	} made;

	struct trc_edge_history history;
};

void trc_edge_models_init(struct trc_edge_models *m);

/* Codes so many new ops and edges. */
int trc_edges_code(struct trc_program *p, struct trc_edge_models *m, struct trc_rc *rc, size_t ops,
                   size_t edges, struct trc_err *err) TRC_MUST_USE;

#endif
