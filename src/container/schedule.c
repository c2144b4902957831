/* SPDX-License-Identifier: MIT
 * Threads that run the task graph of blocks, and threads that consume the blocks. */
#include "container/schedule.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/pool.h"
#include "container/task_graph.h"

/* A task graph with a pool of threads and a lock. */
struct trc_schedule {
	struct trc_crew *crew;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	/* The lock protects all that follows: */
	struct trc_task_graph graph;
	uint64_t given; /* number of blocks given, which is the number of the next */
	uint64_t bad;   /* the first bad block; UINT64_MAX: none */
	struct trc_err why;
	bool stop;
};

/* ---- threads ---- */

/* Runs a task that has begun. The lock is held on entry and on return. */
static void
do_task(struct trc_schedule *s, const struct trc_graph_task *t)
{
	const bool skip = trc_task_graph_failed(&s->graph, t);
	struct trc_err err = { 0 };
	int ret;

	pthread_mutex_unlock(&s->lock);
	ret = trc_task_graph_run(&s->graph, t, skip, &err);
	pthread_mutex_lock(&s->lock);
	trc_task_graph_end(&s->graph, t, ret ? &err : NULL);
	pthread_cond_broadcast(&s->changed);
}

/* Runs a task, if there is one. The lock is held on entry and on return. */
static bool
work_once(struct trc_schedule *s)
{
	struct trc_graph_task t;

	if (!trc_task_graph_begin(&s->graph, &t))
		return false;
	do_task(s, &t);
	return true;
}

static void
work(void *arg)
{
	struct trc_schedule *s = arg;

	pthread_mutex_lock(&s->lock);
	while (!s->stop)
		if (!work_once(s))
			pthread_cond_wait(&s->changed, &s->lock);
	pthread_mutex_unlock(&s->lock);
}

/* ---- consuming blocks ---- */

/* Takes back block `k`, whose rows were consumed. */
static void
take_back(struct trc_schedule *s, uint64_t k)
{
	trc_task_graph_empty(&s->graph, k);
	pthread_cond_broadcast(&s->changed);
}

/* Takes back a block, as trc_schedule_return() does. The lock is held. */
static void
return_block(struct trc_schedule *s, const struct trc_row_block *block, const struct trc_err *err)
{
	uint64_t k = s->graph.oldest;

	if (!block)
		return;
	while (trc_task_graph_state(&s->graph, k)->block != block)
		k++;
	if (err && k < s->bad) {
		s->bad = k;
		s->why = *err;
	}
	take_back(s, k);
}

/* Gives the next block, which is ready; skips it and returns false if it is bad, in a salvage. */
static bool
hand_block(struct trc_schedule *s, enum trc_flow *flow, struct trc_row_block **block,
           struct trc_err *err)
{
	struct trc_task_state *state = trc_task_graph_state(&s->graph, s->given);
	struct trc_frames *frames = s->graph.frames;
	const bool salvage = frames->set.salvage && state->flow == TRC_FLOW_ROWS;

	if (!state->failed && salvage)
		state->failed = trc_frames_good(frames, trc_task_graph_packed(&s->graph, s->given),
		                                &state->err) != 0;
	if (state->failed && salvage && state->err.code == TRC_FAILED) {
		take_back(s, s->given++);
		return false;
	}
	*flow = state->failed ? TRC_FLOW_FAILED : state->flow;
	if (state->failed)
		*err = state->err;
	if (*flow == TRC_FLOW_ROWS) {
		*block = state->block;
		s->given++;
	}
	return true;
}

enum trc_flow
trc_schedule_next(struct trc_schedule *s, struct trc_row_block **block, struct trc_err *err)
{
	const int threads = s->graph.frames->set.threads;
	enum trc_flow flow = TRC_FLOW_FAILED;
	bool taken = false;

	if (!s->crew && !s->graph.shared && threads > 1)
		s->crew = trc_crew_start(threads - 1, work, s);
	pthread_mutex_lock(&s->lock);
	return_block(s, *block, NULL);
	*block = NULL;
	while (!taken) {
		if (s->bad != UINT64_MAX) {
			*err = s->why;
			taken = true;
		} else if (s->graph.shared && work_once(s)) {
			/* Consuming comes last, so that at the end each thread has a block to
			 * consume. */
		} else if (trc_task_graph_ready(&s->graph, s->given)) {
			taken = hand_block(s, &flow, block, err);
		} else if (!work_once(s)) {
			pthread_cond_wait(&s->changed, &s->lock);
		}
	}
	pthread_mutex_unlock(&s->lock);
	return flow;
}

enum trc_flow
trc_schedule_find(struct trc_schedule *s, uint64_t k)
{
	struct trc_task_graph *g = &s->graph;
	struct trc_graph_task t;
	bool there;

	pthread_mutex_lock(&s->lock);
	while (g->next <= k && !g->ended)
		if (trc_task_graph_begin_read(g, &t))
			do_task(s, &t);
		else
			pthread_cond_wait(&s->changed, &s->lock);
	there = k < g->next && trc_task_graph_state(g, k)->flow != TRC_FLOW_END;
	pthread_mutex_unlock(&s->lock);
	return there ? TRC_FLOW_ROWS : TRC_FLOW_END;
}

/* Works until block `k` is ready; returns at once if it was consumed already. The lock is held. */
static void
prepare(struct trc_schedule *s, uint64_t k)
{
	while (k >= s->graph.oldest && !trc_task_graph_ready(&s->graph, k))
		if (!work_once(s))
			pthread_cond_wait(&s->changed, &s->lock);
}

void
trc_schedule_prepare(struct trc_schedule *s, uint64_t k)
{
	pthread_mutex_lock(&s->lock);
	prepare(s, k);
	pthread_mutex_unlock(&s->lock);
}

enum trc_flow
trc_schedule_take(struct trc_schedule *s, uint64_t k, struct trc_row_block **block,
                  struct trc_err *err)
{
	const struct trc_task_state *state;
	enum trc_flow flow;

	pthread_mutex_lock(&s->lock);
	prepare(s, k);
	state = trc_task_graph_state(&s->graph, k);
	flow = state->failed ? TRC_FLOW_FAILED : state->flow;
	if (flow == TRC_FLOW_FAILED)
		*err = state->err;
	*block = flow == TRC_FLOW_ROWS ? state->block : NULL;
	pthread_mutex_unlock(&s->lock);
	return flow;
}

void
trc_schedule_return(struct trc_schedule *s, const struct trc_row_block *block,
                    const struct trc_err *err)
{
	pthread_mutex_lock(&s->lock);
	return_block(s, block, err);
	pthread_mutex_unlock(&s->lock);
}

void
trc_schedule_share(struct trc_schedule *s)
{
	s->graph.shared = s->graph.eager = true;
}

void
trc_schedule_read_ahead(struct trc_schedule *s)
{
	pthread_mutex_lock(&s->lock);
	s->graph.eager = true;
	pthread_cond_broadcast(&s->changed);
	pthread_mutex_unlock(&s->lock);
}

struct trc_schedule *
trc_schedule_open(struct trc_frames *frames, struct trc_err *err)
{
	struct trc_schedule *s = trc_alloc(1, sizeof(*s), err);

	if (!s)
		return NULL;
	trc_task_graph_init(&s->graph, frames);
	s->bad = UINT64_MAX;
	pthread_mutex_init(&s->lock, NULL);
	pthread_cond_init(&s->changed, NULL);
	return s;
}

void
trc_schedule_close(struct trc_schedule *s)
{
	if (!s)
		return;
	pthread_mutex_lock(&s->lock);
	s->stop = true;
	pthread_cond_broadcast(&s->changed);
	pthread_mutex_unlock(&s->lock);
	trc_crew_wait(s->crew);
	trc_task_graph_release(&s->graph);
	pthread_cond_destroy(&s->changed);
	pthread_mutex_destroy(&s->lock);
	free(s);
}
