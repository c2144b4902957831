/* SPDX-License-Identifier: MIT
 *
 * What has to be done for a block are tasks (unpack.h says which may run beside each other).
 * Every thread takes the first task of the oldest block that can be done now; so the block that is
 * waited for comes first, the program, which has to go from block to block, goes as early as it
 * can, and no thread rests while there is something to do for the blocks in sight. Where all
 * threads empty blocks, the program comes first, and rows last.
 *
 * Blocks have numbers, from 0. Block k is raw in place k of a ring, and laid out in one of `ahead`
 * places, which blocks get in order as they become free. So none is held up by a younger one, and
 * where threads empty blocks side by side, a younger one that was emptied first leaves its place to
 * the next.
 */
#include "container/schedule.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/pool.h"

enum {
	RAW_MOST = TRC_SCHEDULE_MOST + 1, /* one more is unpacked, but not laid out */

	/* What the other columns may take to be unpacked: the largest dictionary. */
	SECTIONS_TABLES = 64 << 20,
};

/* In the order in which a single thread would do them. */
enum task {
	NOTHING,
	READ,     /* the frames of the next block */
	PROGRAM,  /* goes on to this block */
	STREAM,   /* is unpacked */
	WALK,     /* through the program; of a block that is plain */
	REFS,     /* begin; then the program can go on, which a plain block does not hold up */
	SECTIONS, /* are unpacked */
	FINISH,
};

_Static_assert((int)TRC_VERSIONS_MOST >= (int)RAW_MOST, "each block may know another program");

/* In which order streams are unpacked: first what the walk waits for, then what takes longest. */
enum { CHOICES = 2 };
static const uint8_t in_order[TRC_REFS_STREAMS + 1] = {
	TRC_REFS_PATH,
	TRC_REFS_FAR,
	TRC_REFS_LITERAL,
	TRC_REFS_TOKEN,
	TRC_REFS_HIGH,
	TRC_REFS_CONSTANT,
	TRC_REFS_FIRST,
	TRC_REFS_STATE,
	TRC_REFS_SUCCESSOR,
	TRC_REFS_FORM,
	0, /* behind the last */
};

/* How far a block is. */
struct state {
	enum trc_flow flow;              /* of reading it */
	struct trc_block *block;         /* its place; NULL before it has one, and when emptied */
	unsigned failed;                 /* the first task that did, by its place in order */
	struct trc_err err;              /* (place()); 0: none */
	size_t begun, unpacked, streams; /* streams: begun, done, all */
	size_t version;                  /* of the program, that it is read by */
	bool program, walk, refs, sections, finish;         /* begun, */
	bool programmed, walked, followed, laid_out, ready; /* and done */
	unsigned choices;                                   /* streams of them that are unpacked */
	bool emptied;
};

struct trc_schedule {
	struct trc_frames *frames;
	struct trc_raw raw[RAW_MOST];
	struct trc_block block[TRC_SCHEDULE_MOST];
	struct trc_growing growing; /* of the thread that has its turn */
	struct trc_crew *crew;

	pthread_mutex_t lock;
	pthread_cond_t changed;
	/* All under the lock: */
	struct state state[RAW_MOST];
	uint64_t now;                              /* the first block that was not emptied yet, */
	uint64_t give;                             /* and the first that was not given out for it */
	uint64_t placed;                           /* the first block that had no place yet, */
	struct trc_block *free[TRC_SCHEDULE_MOST]; /* and the places for it */
	size_t n_free;
	uint64_t bad; /* the first block that somebody found bad; UINT64_MAX: none */
	struct trc_err why;
	uint64_t next; /* the block to be read, */
	bool reading;  /* which somebody does, */
	bool ended;    /* or there is none */
	uint64_t turn; /* the block that the program has to go on to, or to be left by */
	size_t tables; /* bytes that what is unpacked now may take */
	bool go, shared, stop;
};

/* What is to be done: of block `k`, for STREAM its stream `i`. */
struct job {
	enum task task;
	uint64_t k;
	struct trc_block *block;
	size_t i, tables, version;
};

/* True if it has streams to unpack, and a walk of its own: when it is followed is no matter to the
 * next. */
static bool
is_plain(const struct state *s)
{
	return s->streams > 0;
}

/* The place of a task among those of its block, from 1. */
static unsigned
place(const struct job *job)
{
	return (unsigned)job->task * TRC_REFS_STREAMS + (unsigned)job->i;
}

static struct state *
state_of(struct trc_schedule *a, uint64_t k)
{
	return &a->state[k % RAW_MOST];
}

static struct trc_raw *
raw_of(struct trc_schedule *a, uint64_t k)
{
	return &a->raw[k % RAW_MOST];
}

/* Blocks that were read get the places that are free. */
static void
give_places(struct trc_schedule *a)
{
	while (a->n_free > 0 && a->placed < a->next)
		state_of(a, a->placed++)->block = a->free[--a->n_free];
}

/* ---- which task comes next ---- */

/* True if there is memory for what a task takes to unpack; one task may always run. */
static bool
reserve(struct trc_schedule *a, struct job *job, size_t tables)
{
	job->tables = tables;
	return a->tables == 0 || a->tables + tables <= raw_of(a, job->k)->room.tables;
}

/* True if a block before `k` was not followed yet and, unless `any`, is read by the version of the
 * program. */
static bool
is_known(struct trc_schedule *a, uint64_t k, size_t version, bool any)
{
	for (uint64_t i = a->now; i < k; i++) {
		const struct state *s = state_of(a, i);

		if (!s->followed && (any || s->version == version))
			return true;
	}
	return false;
}

/* Finds the version of the program that can grow before block `k`, whose turn it is: that so far
 * or, if blocks are still read by that, another that is free. False if there is none in the memory
 * for them. */
static bool
find_version(struct trc_schedule *a, uint64_t k, size_t *version)
{
	const struct trc_growing *g = &a->growing;
	size_t bytes, v = 0;

	*version = g->at;
	if (!is_plain(state_of(a, k)))
		return !is_known(a, k, 0, true);
	if (!raw_of(a, k)->grows || !is_known(a, k, g->at, false))
		return true;
	bytes = trc_program_memory(&g->program[g->at]);
	while (v < TRC_VERSIONS_MOST && (v == g->at || is_known(a, k, v, false)))
		v++;
	*version = v;
	return v < TRC_VERSIONS_MOST && bytes <= raw_of(a, k)->room.programs / TRC_VERSIONS_MOST;
}

/* What can be done of block `k` so that the program can go on to the next. */
static enum task
chain_task(struct trc_schedule *a, struct job *job, uint64_t k)
{
	const struct state *s = state_of(a, k);

	if (s->flow != TRC_FLOW_ROWS)
		return NOTHING;
	if (!s->program)
		return a->turn == k && find_version(a, k, &job->version) ? PROGRAM : NOTHING;
	if (!s->programmed || !s->block)
		return NOTHING;
	if (is_plain(s) && !s->walk)
		return s->choices == CHOICES ? WALK : NOTHING;
	return s->walked && s->unpacked == s->streams && !s->refs ? REFS : NOTHING;
}

/* The first task of block `k` that can be done. */
static enum task
first_task(struct trc_schedule *a, struct job *job, uint64_t k)
{
	struct state *s = state_of(a, k);
	enum task chain;
	size_t stream;

	*job = (struct job){ .task = NOTHING, .k = k };
	chain = chain_task(a, job, k);
	if (s->flow != TRC_FLOW_ROWS || chain != NOTHING)
		return chain;
	stream = in_order[s->begun];
	if (s->begun < s->streams &&
	    reserve(a, job, trc_packed_memory(&raw_of(a, k)->packed[stream]))) {
		job->i = stream;
		return STREAM;
	}
	if (!s->sections && s->block && reserve(a, job, SECTIONS_TABLES))
		return SECTIONS;
	job->tables = 0;
	return s->followed && s->laid_out && !s->finish ? FINISH : NOTHING;
}

/* Blocks are read ahead when rows are wanted, and not in a salvage, which has to know whether a
 * block is good before it goes on. */
static bool
may_read(const struct trc_schedule *a)
{
	const uint64_t sight = a->go && !a->frames->salvage ? (uint64_t)a->frames->ahead : 0;

	return !a->ended && !a->reading && a->next <= a->now + sight;
}

/* What leads the program on. Where all threads empty blocks, that comes first: each of them would
 * wait for it later. */
static enum task
leading_task(struct trc_schedule *a, struct job *job)
{
	*job = (struct job){ .task = NOTHING, .k = a->turn };
	if (!a->shared)
		return NOTHING;
	return a->turn < a->next ? chain_task(a, job, a->turn) : may_read(a) ? READ : NOTHING;
}

/* The first task that can be done now. */
static void
find_task(struct trc_schedule *a, struct job *job)
{
	enum task task = leading_task(a, job);

	for (uint64_t k = a->now; k < a->next && task == NOTHING; k++)
		task = first_task(a, job, k);
	if (task == NOTHING && may_read(a)) {
		*job = (struct job){ .k = a->next };
		task = READ;
	}
	job->task = task;
}

/* Finds a task, and says that it has begun. */
static bool
begin(struct trc_schedule *a, struct job *job)
{
	struct state *s;

	find_task(a, job);
	s = state_of(a, job->k);
	switch (job->task) {
	case NOTHING: return false;
	case READ: a->reading = true; break;
	case PROGRAM:
		s->program = true;
		s->version = job->version;
		break;
	case STREAM: s->begun++; break;
	case WALK: s->walk = true; break;
	case REFS: s->refs = true; break;
	case SECTIONS: s->sections = true; break;
	case FINISH: s->finish = true; break;
	}
	job->block = s->block;
	a->tables += job->tables;
	return true;
}

/* ---- doing it ---- */

static int
read_raw(struct trc_schedule *a, struct state *s, struct trc_raw *raw, struct trc_err *err)
{
	*s = (struct state){ .flow = trc_frames_next(a->frames, raw, err) };
	if (s->flow == TRC_FLOW_ROWS && trc_raw_complete(raw, err))
		s->flow = TRC_FLOW_FAILED;
	s->streams = s->flow == TRC_FLOW_ROWS && raw->plain ? TRC_REFS_STREAMS : 0;
	s->walked = !is_plain(s);
	s->ready = s->flow != TRC_FLOW_ROWS;
	return s->flow == TRC_FLOW_FAILED ? -1 : 0;
}

/* Without the lock. `failed`: what comes before failed. */
static int
run(struct trc_schedule *a, const struct job *job, bool failed, struct trc_err *err)
{
	struct trc_raw *raw = raw_of(a, job->k);

	switch (job->task) {
	case READ: return read_raw(a, state_of(a, job->k), raw, err);
	case PROGRAM:
		return trc_growing_go_on(&a->growing, job->version, err) ?
		               -1 :
		               trc_block_program(&a->growing, raw, err);
	case STREAM: return trc_raw_unpack(raw, job->i, err);
	case WALK: return failed ? 0 : trc_block_walk(raw, job->block, err);
	case REFS: return failed ? 0 : trc_block_refs(&a->growing, raw, job->block, err);
	case SECTIONS: return trc_block_sections(raw, job->block, err);
	case FINISH: return failed ? 0 : trc_block_finish(raw, job->block, err);
	case NOTHING: break;
	}
	return 0;
}

static void
note_done(struct trc_schedule *a, const struct job *job)
{
	struct state *s = state_of(a, job->k);

	switch (job->task) {
	case READ:
		a->reading = false;
		a->ended = s->flow != TRC_FLOW_ROWS;
		a->next++;
		give_places(a);
		break;
	case PROGRAM:
		s->programmed = true;
		a->turn += is_plain(s);
		break;
	case STREAM:
		s->unpacked++;
		s->choices += job->i == TRC_REFS_PATH || job->i == TRC_REFS_FAR;
		break;
	case WALK: s->walked = true; break;
	case REFS:
		s->followed = true;
		a->turn += !is_plain(s);
		break;
	case SECTIONS: s->laid_out = true; break;
	case FINISH: s->ready = true; break;
	case NOTHING: break;
	}
	a->tables -= job->tables;
}

/* Does one task, if there is one; called and left with the lock. */
static bool
work_once(struct trc_schedule *a)
{
	struct trc_err err = { 0 };
	struct state *s;
	struct job job;
	bool failed;
	int ret;

	if (!begin(a, &job))
		return false;
	s = state_of(a, job.k);
	failed = job.task != READ && s->failed && s->failed < place(&job);
	pthread_mutex_unlock(&a->lock);
	ret = run(a, &job, failed, &err);
	pthread_mutex_lock(&a->lock);
	/* Whatever order they were done in, the error is that which one thread would meet first. */
	if (ret && (!s->failed || place(&job) < s->failed)) {
		s->failed = place(&job);
		s->err = err;
	}
	note_done(a, &job);
	pthread_cond_broadcast(&a->changed);
	return true;
}

static void
work(void *arg)
{
	struct trc_schedule *a = arg;

	pthread_mutex_lock(&a->lock);
	while (!a->stop)
		if (!work_once(a))
			pthread_cond_wait(&a->changed, &a->lock);
	pthread_mutex_unlock(&a->lock);
}

/* ---- who takes blocks ---- */

/* Takes back block `k`, which was emptied. */
static void
take_back(struct trc_schedule *a, uint64_t k)
{
	struct state *s = state_of(a, k);

	a->free[a->n_free++] = s->block;
	s->block = NULL;
	s->emptied = true;
	while (a->now < a->give && state_of(a, a->now)->emptied)
		a->now++;
	give_places(a);
	pthread_cond_broadcast(&a->changed);
}

/* The number of a block that was given out. */
static uint64_t
number_of(struct trc_schedule *a, const struct trc_block *block)
{
	uint64_t k = a->now;

	while (state_of(a, k)->block != block)
		k++;
	return k;
}

/* Gives the next block, which is ready; false if it was not good, and is left out. */
static bool
give(struct trc_schedule *a, enum trc_flow *flow, struct trc_err *err)
{
	struct state *s = state_of(a, a->give);

	*flow = s->flow;
	if (!s->failed && s->flow == TRC_FLOW_ROWS && a->frames->salvage &&
	    trc_frames_good(a->frames, raw_of(a, a->give), &s->err))
		s->failed = FINISH * TRC_REFS_STREAMS;
	if (!s->failed) {
		a->give += s->flow == TRC_FLOW_ROWS;
		return true;
	}
	if (s->flow == TRC_FLOW_ROWS && a->frames->salvage && s->err.code == TRC_FAILED) {
		take_back(a, a->give++);
		return false;
	}
	*err = s->err;
	*flow = TRC_FLOW_FAILED;
	return true;
}

/* With the lock. */
static void
return_block(struct trc_schedule *a, const struct trc_block *block, const struct trc_err *err)
{
	if (!block)
		return;
	const uint64_t k = number_of(a, block);

	if (err && k < a->bad) {
		a->bad = k;
		a->why = *err;
	}
	take_back(a, k);
}

enum trc_flow
trc_schedule_next(struct trc_schedule *a, struct trc_block **block, struct trc_err *err)
{
	enum trc_flow flow = TRC_FLOW_FAILED;
	bool taken = false;

	if (!a->crew && !a->shared && a->frames->threads > 1)
		a->crew = trc_crew_start(a->frames->threads - 1, work, a);
	pthread_mutex_lock(&a->lock);
	return_block(a, *block, NULL);
	while (!taken) {
		if (a->bad != UINT64_MAX) {
			*err = a->why;
			taken = true;
		} else if (a->shared && work_once(a)) {
			/* Rows come last, so that at the end each thread has a block of them. */
		} else if (a->give < a->next && state_of(a, a->give)->ready) {
			taken = give(a, &flow, err);
		} else if (!work_once(a)) {
			pthread_cond_wait(&a->changed, &a->lock);
		}
	}
	*block = flow == TRC_FLOW_ROWS ? state_of(a, a->give - 1)->block : NULL;
	pthread_mutex_unlock(&a->lock);
	return flow;
}

void
trc_schedule_return(struct trc_schedule *a, const struct trc_block *block,
                    const struct trc_err *err)
{
	pthread_mutex_lock(&a->lock);
	return_block(a, block, err);
	pthread_mutex_unlock(&a->lock);
}

void
trc_schedule_share(struct trc_schedule *a)
{
	a->shared = a->go = true;
}

void
trc_schedule_go(struct trc_schedule *a)
{
	pthread_mutex_lock(&a->lock);
	if (!a->go) {
		a->go = true;
		pthread_cond_broadcast(&a->changed);
	}
	pthread_mutex_unlock(&a->lock);
}

struct trc_schedule *
trc_schedule_open(struct trc_frames *frames, struct trc_err *err)
{
	struct trc_schedule *a = trc_alloc(1, sizeof(*a), err);

	if (!a)
		return NULL;
	a->frames = frames;
	a->bad = UINT64_MAX;
	while (a->n_free < (size_t)frames->ahead) {
		a->free[a->n_free] = &a->block[a->n_free];
		a->n_free++;
	}
	pthread_mutex_init(&a->lock, NULL);
	pthread_cond_init(&a->changed, NULL);
	return a;
}

void
trc_schedule_close(struct trc_schedule *a)
{
	if (!a)
		return;
	pthread_mutex_lock(&a->lock);
	a->stop = true;
	pthread_cond_broadcast(&a->changed);
	pthread_mutex_unlock(&a->lock);
	trc_crew_wait(a->crew);
	for (size_t i = 0; i < RAW_MOST; i++)
		trc_raw_release(&a->raw[i]);
	for (size_t i = 0; i < TRC_SCHEDULE_MOST; i++)
		trc_block_release(&a->block[i]);
	trc_growing_release(&a->growing);
	pthread_cond_destroy(&a->changed);
	pthread_mutex_destroy(&a->lock);
	free(a);
}
