/* SPDX-License-Identifier: MIT
 *
 * Each thread takes the first task of the oldest block that can run now. So the block that is
 * waited for comes first; the program, which has to advance from block to block, advances as early
 * as it can; and no thread is idle while there is work for the known blocks.
 */
#include "container/task_graph.h"

enum {
	/* The memory for unpacking sections: the largest dictionary. */
	SECTIONS_TABLES = 64 << 20,

	/* Not tasks, but conditions for tasks: */
	PATH = TRC_TASK_FINISH + 1, /* the streams of the path are unpacked */
	PLACE,                      /* the block has a place for its rows */
};

#define BIT(kind) (1u << (kind))

/* The edges of the graph: what must be done for a block before each task. */
static const unsigned needs[] = {
	[TRC_TASK_PROGRAM] = BIT(TRC_TASK_READ),
	[TRC_TASK_STREAM] = BIT(TRC_TASK_READ),
	[TRC_TASK_FOLLOW] = BIT(TRC_TASK_PROGRAM) | BIT(PATH) | BIT(PLACE),
	[TRC_TASK_REFS] = BIT(TRC_TASK_PROGRAM) | BIT(TRC_TASK_FOLLOW) | BIT(TRC_TASK_STREAM) |
	                  BIT(PLACE),
	[TRC_TASK_SECTIONS] = BIT(TRC_TASK_READ) | BIT(PLACE),
	[TRC_TASK_FINISH] = BIT(TRC_TASK_REFS) | BIT(TRC_TASK_SECTIONS),
};

/* Counts as done for a block whose references are not unpacked stream by stream. */
#define NOT_SINGLE (BIT(TRC_TASK_STREAM) | BIT(PATH) | BIT(TRC_TASK_FOLLOW))

/* The order in which streams are unpacked: first those of the path, then the slowest. */
static const uint8_t in_order[TRC_REFS_STREAMS] = {
	TRC_REFS_PATH,      TRC_REFS_FAR,      TRC_REFS_LITERAL,   TRC_REFS_TOKEN,
	TRC_REFS_HIGH,      TRC_REFS_CONSTANT, TRC_REFS_FIRST,     TRC_REFS_STATE,
	TRC_REFS_SUCCESSOR, TRC_REFS_FORM,     TRC_REFS_EXCEPTION,
};

_Static_assert((int)TRC_VERSIONS_MOST >= (int)TRC_PACKED_MOST,
               "each block may be read by another program");

void
trc_task_graph_init(struct trc_task_graph *g, struct trc_frames *frames)
{
	struct trc_block_places *p = &g->places;

	g->frames = frames;
	for (; p->n < (size_t)frames->set.plan.in_flight; p->n++)
		p->free[p->n] = &p->block[p->n];
}

void
trc_task_graph_release(struct trc_task_graph *g)
{
	for (size_t i = 0; i < TRC_PACKED_MOST; i++)
		trc_packed_block_release(&g->packed[i]);
	for (size_t i = 0; i < TRC_IN_FLIGHT_MOST; i++)
		trc_row_block_release(&g->places.block[i]);
	trc_program_versions_release(&g->versions);
}

/* ---- places ---- */

/* Gives the free places to blocks that were read. */
static void
give_places(struct trc_task_graph *g)
{
	struct trc_block_places *p = &g->places;

	while (p->n > 0 && p->next < g->next) {
		struct trc_task_state *s = trc_task_graph_state(g, p->next++);

		s->block = p->free[--p->n];
		s->done |= BIT(PLACE);
	}
}

void
trc_task_graph_empty(struct trc_task_graph *g, uint64_t k)
{
	struct trc_task_state *s = trc_task_graph_state(g, k);

	g->places.free[g->places.n++] = s->block;
	s->block = NULL;
	s->emptied = true;
	while (g->oldest < g->next && trc_task_graph_state(g, g->oldest)->emptied)
		g->oldest++;
	give_places(g);
}

/* ---- which task comes next ---- */

/* Returns true if there is memory for what a task unpacks. A single task may always run. */
static bool
reserve(struct trc_task_graph *g, struct trc_graph_task *t, size_t tables)
{
	t->tables = tables;
	return g->tables == 0 ||
	       g->tables + tables <= trc_task_graph_packed(g, t->k)->set.plan.tables;
}

/* Returns true if a block before `k` has not begun its references yet and is read with this version
 * of the program or, if `version` is negative, with any. */
static bool
is_read_by(struct trc_task_graph *g, uint64_t k, int version)
{
	for (uint64_t i = g->oldest; i < k; i++) {
		const struct trc_task_state *s = trc_task_graph_state(g, i);

		if (!(s->done & BIT(TRC_TASK_REFS)) &&
		    (version < 0 || s->version == (size_t)version))
			return true;
	}
	return false;
}

/* Finds a version of the program that can grow before block `k`, whose turn it is: the newest or,
 * if blocks are still read with that, another one that is free. Returns false if there is none or
 * no memory for a copy. */
static bool
find_version(struct trc_task_graph *g, uint64_t k, size_t *version)
{
	const struct trc_packed_block *b = trc_task_graph_packed(g, k);
	const size_t newest = g->versions.at;
	size_t v = 0;

	*version = newest;
	if (!b->single)
		return !is_read_by(g, k, -1);
	if (!b->grows || !is_read_by(g, k, (int)newest))
		return true;
	while (v < TRC_VERSIONS_MOST && (v == newest || is_read_by(g, k, (int)v)))
		v++;
	*version = v;
	return v < TRC_VERSIONS_MOST && trc_program_memory(&g->versions.program[newest]) <=
	                                        b->set.plan.programs / TRC_VERSIONS_MOST;
}

/* Returns true if a task of block t->k can begin; a task that copies the program only if
 * `copies`. */
static bool
can_begin(struct trc_task_graph *g, struct trc_graph_task *t, enum trc_task_kind kind, bool copies)
{
	const struct trc_packed_block *b = trc_task_graph_packed(g, t->k);
	const struct trc_task_state *s = trc_task_graph_state(g, t->k);

	if (s->begun & BIT(kind) || (s->done & needs[kind]) != needs[kind])
		return false;
	t->kind = kind;
	t->tables = 0;
	switch (kind) {
	case TRC_TASK_PROGRAM:
		return g->turn == t->k && find_version(g, t->k, &t->version) &&
		       (copies || t->version == g->versions.at);
	case TRC_TASK_STREAM:
		t->stream = in_order[s->streams_begun];
		return reserve(g, t, trc_packed_memory(&b->refs.packed[t->stream]));
	case TRC_TASK_SECTIONS: return reserve(g, t, SECTIONS_TABLES);
	default: return true;
	}
}

/* Finds a task of block `k`, beginning with those that let the program advance to the next block.
 * Finds only these unless `all`, and none that copies the program unless `copies`. */
static bool
find_of_block(struct trc_task_graph *g, struct trc_graph_task *t, uint64_t k, bool all, bool copies)
{
	static const uint8_t order[] = { TRC_TASK_PROGRAM, TRC_TASK_FOLLOW,   TRC_TASK_REFS,
		                         TRC_TASK_STREAM,  TRC_TASK_SECTIONS, TRC_TASK_FINISH };

	*t = (struct trc_graph_task){ .k = k };
	for (size_t i = 0; i < (all ? TRC_COUNT(order) : 3); i++)
		if (can_begin(g, t, (enum trc_task_kind)order[i], copies))
			return true;
	return false;
}

/* Finds a task that reads a block. Blocks are read ahead once rows are wanted, but not in a
 * salvage, where the next step depends on whether a block is good. */
static bool
find_read(struct trc_task_graph *g, struct trc_graph_task *t)
{
	const struct trc_read_settings *set = &g->frames->set;
	const uint64_t sight = g->eager && !set->salvage ? (uint64_t)set->plan.in_flight : 0;

	*t = (struct trc_graph_task){ .kind = TRC_TASK_READ, .k = g->next };
	return !g->ended && !g->reading && g->next <= g->oldest + sight;
}

/* If all threads consume blocks, tasks that advance the program come first, because every thread
 * would wait for them later; but if the program has to be copied for that, they come last. */
static bool
find_task(struct trc_task_graph *g, struct trc_graph_task *t)
{
	const bool copies = !g->shared;

	if (g->shared && g->turn < g->next && find_of_block(g, t, g->turn, false, false))
		return true;
	if (g->shared && g->turn >= g->next && find_read(g, t))
		return true;
	for (uint64_t k = g->oldest; k < g->next; k++)
		if (find_of_block(g, t, k, true, copies))
			return true;
	return find_read(g, t) ||
	       (g->shared && g->turn < g->next && find_of_block(g, t, g->turn, false, true));
}

bool
trc_task_graph_begin_read(struct trc_task_graph *g, struct trc_graph_task *t)
{
	if (!find_read(g, t))
		return false;
	g->reading = true;
	return true;
}

bool
trc_task_graph_begin(struct trc_task_graph *g, struct trc_graph_task *t)
{
	struct trc_task_state *s;

	if (!find_task(g, t))
		return false;
	s = trc_task_graph_state(g, t->k);
	g->tables += t->tables;
	if (t->kind == TRC_TASK_READ) {
		g->reading = true;
		return true;
	}
	if (t->kind == TRC_TASK_PROGRAM)
		s->version = t->version;
	if (t->kind != TRC_TASK_STREAM || ++s->streams_begun == TRC_REFS_STREAMS)
		s->begun |= BIT(t->kind);
	t->block = s->block;
	return true;
}

/* ---- running a task ---- */

/* Reads the frames of block `k`. If there are no more blocks, or reading failed, all tasks of the
 * block count as done. */
static int
read_block(struct trc_task_graph *g, uint64_t k, struct trc_err *err)
{
	struct trc_packed_block *b = trc_task_graph_packed(g, k);
	enum trc_flow flow = trc_frames_next(g->frames, b, err);
	unsigned done = BIT(TRC_TASK_READ);

	if (flow == TRC_FLOW_ROWS && trc_packed_block_complete(b, err))
		flow = TRC_FLOW_FAILED;
	if (flow != TRC_FLOW_ROWS)
		done = ~BIT(PLACE);
	else if (!b->single)
		done |= NOT_SINGLE;
	*trc_task_graph_state(g, k) =
	        (struct trc_task_state){ .flow = flow, .begun = done, .done = done };
	return flow == TRC_FLOW_FAILED ? -1 : 0;
}

int
trc_task_graph_run(struct trc_task_graph *g, const struct trc_graph_task *t, bool skip,
                   struct trc_err *err)
{
	struct trc_packed_block *b = trc_task_graph_packed(g, t->k);

	switch (t->kind) {
	case TRC_TASK_READ: return read_block(g, t->k, err);
	case TRC_TASK_PROGRAM:
		return trc_program_versions_copy(&g->versions, t->version, err) ?
		               -1 :
		               trc_packed_block_program(b, &g->versions, err);
	case TRC_TASK_STREAM: return trc_packed_block_unpack(b, t->stream, err);
	case TRC_TASK_FOLLOW: return skip ? 0 : trc_row_block_follow(t->block, b, err);
	case TRC_TASK_REFS: return skip ? 0 : trc_row_block_refs(t->block, b, &g->versions, err);
	case TRC_TASK_SECTIONS: return trc_sections_read(&t->block->sections, b, err);
	case TRC_TASK_FINISH: return skip ? 0 : trc_row_block_finish(t->block, b, err);
	default: return 0;
	}
}

/* Returns the position of a task among those of its block, from 1. */
static unsigned
place(const struct trc_graph_task *t)
{
	return (unsigned)t->kind * TRC_REFS_STREAMS + (unsigned)t->stream;
}

bool
trc_task_graph_failed(struct trc_task_graph *g, const struct trc_graph_task *t)
{
	const unsigned failed = trc_task_graph_state(g, t->k)->failed;

	return t->kind != TRC_TASK_READ && failed && failed < place(t);
}

static void
end_read(struct trc_task_graph *g, const struct trc_task_state *s)
{
	g->reading = false;
	g->ended = s->flow != TRC_FLOW_ROWS;
	g->next++;
	give_places(g);
}

static void
end_stream(struct trc_task_state *s, size_t stream)
{
	const unsigned path = BIT(TRC_REFS_PATH) | BIT(TRC_REFS_FAR);

	s->streams |= BIT(stream);
	if ((s->streams & path) == path)
		s->done |= BIT(PATH);
	if (s->streams == BIT(TRC_REFS_STREAMS) - 1)
		s->done |= BIT(TRC_TASK_STREAM);
}

void
trc_task_graph_end(struct trc_task_graph *g, const struct trc_graph_task *t,
                   const struct trc_err *err)
{
	struct trc_task_state *s = trc_task_graph_state(g, t->k);
	const bool single = trc_task_graph_packed(g, t->k)->single;

	/* In whatever order tasks ran, report the error that a single thread would have met
	 * first. */
	if (err && (!s->failed || place(t) < s->failed)) {
		s->failed = place(t);
		s->err = *err;
	}
	g->tables -= t->tables;
	if (t->kind == TRC_TASK_READ)
		end_read(g, s);
	else if (t->kind == TRC_TASK_STREAM)
		end_stream(s, t->stream);
	else
		s->done |= BIT(t->kind);
	/* For a single block, the program can advance before the references begin. */
	g->turn += t->kind == (single ? TRC_TASK_PROGRAM : TRC_TASK_REFS);
}
