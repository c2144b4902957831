/* SPDX-License-Identifier: MIT
 *
 * The edges of a growth in order of time, and its ops, each with the first edge that leads to it.
 * container/SPEC.md, "Edges and ops", specifies it exactly, in these terms:
 *
 *   plain   a new op at the expected pc: the end of `from`, or its pc for an op without a fetch
 *   open    ends of ops from which the path did not continue: where calls return to
 *   back    a new op at the end of the op from which the previous edge landed
 *   lands   an edge to a known op that is not at the end of its `from`; the targets of such edges,
 *           and new ops far away, are landings
 *   left    of an op: the op, such as a return, from which the path came back to the end of the op
 *           that led to it
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
	TRC_OFTEN = 8, /* the first shapes, which are those of most ops */
	TRC_OPEN = 16,
	TRC_PLACES = 1 << 16,
	TRC_PLACES_ROW = 1 << 4, /* places that are allocated together */
	TRC_JUMPS = 16,          /* kinds of jumps, by the upper bits of a class */
};

#define TRC_PLACE(pc) (((pc) ^ (pc) >> 16) % TRC_PLACES)

/* The last op at each place. Rows are allocated in the order of first use, so that a small program
 * uses little memory; row 0 stays empty and represents all unused rows. */
struct trc_places {
	uint16_t row[TRC_PLACES / TRC_PLACES_ROW], rows;
	struct trc_place_of_op {
		uint32_t op, high; /* 1 + the number of the op; its pc without the lowest 16 bits */
	} at[1 + TRC_PLACES / TRC_PLACES_ROW][TRC_PLACES_ROW];
};

/* The state from which edges are predicted: recent shapes, addresses to which a path may return
 * (like a return stack), recent landings, and the last op at each address. */
struct trc_edge_history {
	uint32_t recent; /* shapes of recent `from` ops */
	struct {
		uint64_t pc;
		uint32_t op; /* the op that was jumped to from there */
	} open[TRC_OPEN];
	uint32_t opens;
	struct trc_move_to_front landings;
	struct trc_places known;
};

/* Adaptive models of bits and numbers, by the contexts given. */
struct trc_edge_models {
	/* Context: the shape of `from`. If shapes have at most four bits, the context also includes
	 * the shapes of earlier `from` ops, as many as fit. */
	struct trc_bit shape[TRC_EDGE_CONTEXTS][TRC_EDGE_CONTEXTS];
	/* If shapes have more bits and that of `from` is one of the first: context also the shape
	 * of the `from` before, if that is one of the first as well. */
	struct trc_bit often[TRC_OFTEN][TRC_OFTEN + 1][TRC_EDGE_CONTEXTS];
	struct trc_num shape_far;
	/* Contexts: whether `from` was coded, the same as for shapes, and whether an op is known at
	 * its end. */
	struct trc_bit plain[2][TRC_EDGE_CONTEXTS][2], fresh[2][TRC_EDGE_CONTEXTS][2];
	/* Contexts: the class of `from` and, in some, whether the previous edge landed. */
	struct trc_bit is_back[TRC_EDGE_CONTEXTS], open[2][TRC_EDGE_CONTEXTS];
	struct trc_bit start, is_left, open_at[16], at_end[2], landed[2];
	struct trc_bit low[TRC_JUMPS][2][16]; /* near and far */
	struct trc_bit length[TRC_OFTEN][TRC_LENGTH_MOST + 1][TRC_LENGTH_MOST + 1];
	struct trc_num from[2], jump[TRC_JUMPS], rank, known[2];

	/* Rows that have been used, and thus initialised: a small program uses few. */
	struct {
		bool shape[TRC_EDGE_CONTEXTS], often[TRC_OFTEN][TRC_OFTEN + 1];
	} made;

	struct trc_edge_history history;
};

void trc_edge_models_init(struct trc_edge_models *m);

/* Codes the given numbers of new ops and edges. */
int trc_edges_code(struct trc_program *p, struct trc_edge_models *m, struct trc_rc *rc, size_t ops,
                   size_t edges, struct trc_err *err) TRC_MUST_USE;

#endif
