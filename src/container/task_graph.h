/* SPDX-License-Identifier: MIT
 *
 * What has to be done for blocks, and in which order.
 *
 * Blocks have numbers, from 0. Block k is packed in place k of a ring, and its rows have one of a
 * few places, which blocks get in order as they become free. So none is held up by a younger one,
 * and where threads empty blocks side by side, a younger one that was emptied first leaves its
 * place to the next.
 */
#ifndef TRC_CONTAINER_TASK_GRAPH_H
#define TRC_CONTAINER_TASK_GRAPH_H

#include "container/frames.h"
#include "container/row_block.h"

/* In the order in which a single thread would do them, which is also that of errors. */
enum trc_task_kind {
	TRC_TASK_NONE,
	TRC_TASK_READ,     /* the frames of the next block */
	TRC_TASK_PROGRAM,  /* goes on to this block */
	TRC_TASK_STREAM,   /* is unpacked; done when all are */
	TRC_TASK_FOLLOW,   /* the path through the program, of a block that is single */
	TRC_TASK_REFS,     /* begin */
	TRC_TASK_SECTIONS, /* are unpacked */
	TRC_TASK_FINISH,   /* the block is ready */
};

/* A node of the graph: what is to be done of block `k`. */
struct trc_task {
	enum trc_task_kind kind;
	uint64_t k;
	struct trc_row_block *block;
	size_t stream, version; /* the stream to unpack; the version of the program to extend */
	size_t tables;          /* bytes that unpacking it takes */
};

/* All nodes of one block: how far it is. */
struct trc_task_state {
	enum trc_flow flow;          /* of reading it */
	struct trc_row_block *block; /* the place of its rows; NULL before it has one, and when
	                              * emptied */
	unsigned begun, done;        /* a bit for each kind of task, */
	unsigned streams;            /* and for each stream that is unpacked */
	size_t streams_begun;
	size_t version;  /* of the program, for reading the block */
	unsigned failed; /* the first task in order that did; 0: none */
	struct trc_err err;
	bool emptied;
};

enum { TRC_PACKED_MOST = TRC_IN_FLIGHT_MOST + 1 }; /* one more is unpacked, but has no place */

/* A free list of places for the rows of blocks. */
struct trc_block_places {
	struct trc_row_block block[TRC_IN_FLIGHT_MOST];
	struct trc_row_block *free[TRC_IN_FLIGHT_MOST];
	size_t n;      /* that are free, */
	uint64_t next; /* for this block */
};

/* A task graph (as in dataflow scheduling): the nodes are the tasks of the blocks in sight. It has
 * no lock: between trc_task_graph_begin() and trc_task_graph_end() of a task, which hold that of
 * the caller, the task itself runs without. */
struct trc_task_graph {
	struct trc_frames *frames;
	struct trc_packed_block packed[TRC_PACKED_MOST];
	struct trc_block_places places;
	struct trc_program_versions versions; /* of the block that has its turn */

	struct trc_task_state state[TRC_PACKED_MOST];
	uint64_t oldest; /* the first block that was not emptied, */
	uint64_t next;   /* and the one to be read, */
	bool reading;    /* which a thread is reading, */
	bool ended;      /* or there is none */
	uint64_t turn;   /* the block that the program goes on to */
	size_t tables;   /* bytes that the streams being unpacked take */
	bool eager;      /* blocks are read before their rows are */
	bool shared;     /* all threads empty blocks: the program comes first, and rows last */
};

void trc_task_graph_init(struct trc_task_graph *g, struct trc_frames *frames);
void trc_task_graph_release(struct trc_task_graph *g);

/* Finds the first task that can be done now, which has begun then; false if there is none. */
bool trc_task_graph_begin(struct trc_task_graph *g, struct trc_task *t);

/* The same for reading the next block alone. */
bool trc_task_graph_begin_read(struct trc_task_graph *g, struct trc_task *t);

/* Does the task; with `skip`, where one before it failed, only what does not depend on that. */
int trc_task_graph_run(struct trc_task_graph *g, const struct trc_task *t, bool skip,
                       struct trc_err *err) TRC_MUST_USE;

/* Notes that the task is done, or if `err` is not NULL that it failed. */
void trc_task_graph_end(struct trc_task_graph *g, const struct trc_task *t,
                        const struct trc_err *err);

/* True if a task of the same block that comes before `t` failed. */
bool trc_task_graph_failed(struct trc_task_graph *g, const struct trc_task *t);

/* Frees the place of block `k`, which was emptied. */
void trc_task_graph_empty(struct trc_task_graph *g, uint64_t k);

static inline struct trc_task_state *
trc_task_graph_state(struct trc_task_graph *g, uint64_t k)
{
	return &g->state[k % TRC_PACKED_MOST];
}

static inline struct trc_packed_block *
trc_task_graph_packed(struct trc_task_graph *g, uint64_t k)
{
	return &g->packed[k % TRC_PACKED_MOST];
}

/* True if block `k` can be emptied, or is known not to exist. */
static inline bool
trc_task_graph_ready(struct trc_task_graph *g, uint64_t k)
{
	return k < g->next && trc_task_graph_state(g, k)->done >> TRC_TASK_FINISH & 1;
}

#endif
