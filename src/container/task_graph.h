/* SPDX-License-Identifier: MIT
 *
 * The tasks for blocks, and the order in which they run.
 *
 * Blocks are numbered from 0. Block k is packed in slot k of a ring, and its rows get one of a few
 * places, which blocks receive in order as they become free. So no block is held up by a later one,
 * and if threads consume blocks in parallel, a later block that was consumed first leaves its place
 * to the next one.
 */
#ifndef TRC_CONTAINER_TASK_GRAPH_H
#define TRC_CONTAINER_TASK_GRAPH_H

#include "container/frames.h"
#include "container/row_block.h"

/* In the order in which a single thread would run them, which is also the precedence of errors. */
enum trc_task_kind {
	TRC_TASK_NONE,
	TRC_TASK_READ,     /* read the frames of the next block */
	TRC_TASK_PROGRAM,  /* add the parts of the program before this block */
	TRC_TASK_STREAM,   /* unpack a stream; done when all are unpacked */
	TRC_TASK_FOLLOW,   /* read the path of a single block through the program */
	TRC_TASK_REFS,     /* begin its references */
	TRC_TASK_SECTIONS, /* unpack its sections */
	TRC_TASK_FINISH,   /* complete the block */
};

/* A node of the graph: a task for block `k`. */
struct trc_graph_task {
	enum trc_task_kind kind;
	uint64_t k;
	struct trc_row_block *block;
	size_t stream, version; /* the stream to unpack; the version of the program to extend */
	size_t tables;          /* bytes of memory for unpacking it */
};

/* The progress of one block: all its nodes. */
struct trc_task_state {
	enum trc_flow flow;          /* result of reading it */
	struct trc_row_block *block; /* where its rows are; NULL before it has a place and after it
	                              * was consumed */
	unsigned begun, done;        /* bit masks of task kinds */
	unsigned streams;            /* bit mask of unpacked streams */
	size_t streams_begun;
	size_t version;  /* of the program, with which the block is read */
	unsigned failed; /* position of the first task that failed; 0: none */
	struct trc_err err;
	bool emptied;
};

enum { TRC_PACKED_MOST = TRC_IN_FLIGHT_MOST + 1 }; /* one more than there are places */

/* A free list of places for the rows of blocks. */
struct trc_block_places {
	struct trc_row_block block[TRC_IN_FLIGHT_MOST];
	struct trc_row_block *free[TRC_IN_FLIGHT_MOST];
	size_t n;      /* number of free places */
	uint64_t next; /* the next block to receive a place */
};

/* A task graph as in dataflow scheduling; its nodes are the tasks of the blocks that are currently
 * known. It has no lock: the caller locks around trc_task_graph_begin() and trc_task_graph_end(),
 * but not around the task itself. */
struct trc_task_graph {
	struct trc_frames *frames;
	struct trc_packed_block packed[TRC_PACKED_MOST];
	struct trc_block_places places;
	struct trc_program_versions versions; /* as of block `turn` */

	struct trc_task_state state[TRC_PACKED_MOST];
	uint64_t oldest; /* the first block that is not yet consumed */
	uint64_t next;   /* the next block to read */
	bool reading;    /* a thread is reading that block */
	bool ended;      /* there are no more blocks */
	uint64_t turn;   /* the next block to which the program advances */
	size_t tables;   /* bytes used by tasks that are unpacking */
	bool eager;      /* read blocks before their rows are wanted */
	bool shared;     /* all threads consume blocks: the program comes first, rows last */
};

void trc_task_graph_init(struct trc_task_graph *g, struct trc_frames *frames);
void trc_task_graph_release(struct trc_task_graph *g);

/* Finds and begins the first task that can run now; returns false if there is none. */
bool trc_task_graph_begin(struct trc_task_graph *g, struct trc_graph_task *t);

/* Does the same, but only for the task that reads the next block. */
bool trc_task_graph_begin_read(struct trc_task_graph *g, struct trc_graph_task *t);

/* Runs a task. With `skip`, because an earlier task failed, does only what does not depend on that
 * one. */
int trc_task_graph_run(struct trc_task_graph *g, const struct trc_graph_task *t, bool skip,
                       struct trc_err *err) TRC_MUST_USE;

/* Records that a task is done or, if `err` is not NULL, that it failed. */
void trc_task_graph_end(struct trc_task_graph *g, const struct trc_graph_task *t,
                        const struct trc_err *err);

/* Returns true if an earlier task of the same block failed. */
bool trc_task_graph_failed(struct trc_task_graph *g, const struct trc_graph_task *t);

/* Frees the place of block `k`, whose rows were consumed. */
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

/* Returns true if block `k` can be consumed, has failed, or is known not to exist. */
static inline bool
trc_task_graph_ready(struct trc_task_graph *g, uint64_t k)
{
	return k < g->next && trc_task_graph_state(g, k)->done >> TRC_TASK_FINISH & 1;
}

#endif
