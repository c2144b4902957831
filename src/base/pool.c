/* SPDX-License-Identifier: MIT */
#if defined(__linux__)
#define _GNU_SOURCE /* sched_getcpu() and affinity of threads */
#endif
#include "base/pool.h"

#include <assert.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/cores.h"

/* A list of items, each processed by one thread. */
struct list {
	int (*work)(void *arg, size_t i, struct trc_err *err);
	void *arg;
	size_t n;
	atomic_size_t next;

	pthread_mutex_t lock;
	size_t failed; /* the first item that failed; n: none */
	struct trc_err err;
};

static void
note_failure(struct list *list, size_t i, const struct trc_err *err)
{
	pthread_mutex_lock(&list->lock);
	if (i < list->failed) {
		list->failed = i;
		list->err = *err;
	}
	pthread_mutex_unlock(&list->lock);
}

static void *
run_list(void *arg)
{
	struct list *list = arg;
	size_t i;

	while ((i = atomic_fetch_add(&list->next, 1)) < list->n) {
		struct trc_err err = { 0 };

		if (list->work(list->arg, i, &err))
			note_failure(list, i, &err);
	}
	return NULL;
}

#if defined(__linux__) && defined(__GLIBC__)
/* Starts a thread on another processor. Linux may start a new thread on the processor of its
 * creator although another is idle, and move it only at the next load balancing, up to 4 ms later.
 * So the thread starts with a mask without that processor, and gets the full mask immediately. This
 * is the mask of the first thread, since that of its creator may still be restricted. */
static int
create_elsewhere(pthread_t *thread, void *(*run)(void *), void *arg)
{
	const int here = sched_getcpu();
	cpu_set_t allowed, others;
	pthread_attr_t attr;
	int failed;

	if (here < 0 || sched_getaffinity(getpid(), sizeof(allowed), &allowed))
		return -1;
	others = allowed;
	CPU_CLR((size_t)here, &others);
	if (CPU_COUNT(&others) == 0 || pthread_attr_init(&attr))
		return -1;
	failed = pthread_attr_setaffinity_np(&attr, sizeof(others), &others) ||
	         pthread_create(thread, &attr, run, arg);
	pthread_attr_destroy(&attr);
	if (!failed)
		pthread_setaffinity_np(*thread, sizeof(allowed), &allowed);
	return failed;
}
#else
static int
create_elsewhere(pthread_t *thread, void *(*run)(void *), void *arg)
{
	(void)thread, (void)run, (void)arg;
	return -1;
}
#endif

int
trc_thread_start(pthread_t *thread, void *(*run)(void *), void *arg)
{
	sigset_t all, old;
	int failed = 0;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	if (create_elsewhere(thread, run, arg))
		failed = pthread_create(thread, NULL, run, arg);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return failed;
}

int
trc_pool_run(int threads, int (*work)(void *arg, size_t i, struct trc_err *err), void *arg,
             size_t n, struct trc_err *err)
{
	struct list list = { .work = work, .arg = arg, .n = n, .failed = n };
	pthread_t thread[TRC_THREADS_MOST];
	int started = 0;

	pthread_mutex_init(&list.lock, NULL);
	while (started + 1 < threads && started < TRC_THREADS_MOST && (size_t)started + 1 < n &&
	       trc_thread_start(&thread[started], run_list, &list) == 0)
		started++;
	run_list(&list);
	while (started > 0)
		pthread_join(thread[--started], NULL);
	pthread_mutex_destroy(&list.lock);
	if (list.failed == n)
		return 0;
	*err = list.err;
	return -1;
}

/* Items processed in any order and consumed in order. */
struct ordered {
	void (*work)(void *arg, size_t i);
	void *arg;
	size_t n, window;

	/* Protected by `lock`: */
	pthread_mutex_t lock;
	pthread_cond_t finished, taken;
	size_t next, done;           /* the next item to start; the number consumed */
	bool ready[TRC_POOL_WINDOW]; /* at i % window */
	bool stop;
};

/* Returns the next item to process, or n if there is none. */
static size_t
begin_item(struct ordered *o)
{
	size_t i = o->n;

	pthread_mutex_lock(&o->lock);
	while (!o->stop && o->next < o->n && o->next >= o->done + o->window)
		pthread_cond_wait(&o->taken, &o->lock);
	if (!o->stop && o->next < o->n)
		i = o->next++;
	pthread_mutex_unlock(&o->lock);
	return i;
}

static void *
run_ordered(void *arg)
{
	struct ordered *o = arg;
	size_t i;

	while ((i = begin_item(o)) < o->n) {
		o->work(o->arg, i);
		pthread_mutex_lock(&o->lock);
		o->ready[i % o->window] = true;
		pthread_cond_signal(&o->finished);
		pthread_mutex_unlock(&o->lock);
	}
	return NULL;
}

/* Consumes the items in order as they finish. */
static void
take_all(struct ordered *o, bool (*done)(void *arg, size_t i))
{
	for (size_t i = 0; i < o->n && !o->stop; i++) {
		bool go_on;

		pthread_mutex_lock(&o->lock);
		while (!o->ready[i % o->window])
			pthread_cond_wait(&o->finished, &o->lock);
		pthread_mutex_unlock(&o->lock);
		go_on = done(o->arg, i);
		pthread_mutex_lock(&o->lock);
		o->ready[i % o->window] = false;
		o->done = i + 1;
		o->stop = !go_on;
		pthread_cond_broadcast(&o->taken);
		pthread_mutex_unlock(&o->lock);
	}
}

void
trc_pool_ordered(int threads, size_t window, void (*work)(void *arg, size_t i),
                 bool (*done)(void *arg, size_t i), void *arg, size_t n)
{
	struct ordered o = { .work = work, .arg = arg, .n = n, .window = window };
	pthread_t thread[TRC_THREADS_MOST];
	int started = 0;

	assert(n == 0 || (window > 0 && window <= TRC_POOL_WINDOW));
	pthread_mutex_init(&o.lock, NULL);
	pthread_cond_init(&o.finished, NULL);
	pthread_cond_init(&o.taken, NULL);
	while (threads > 1 && started < threads && started < TRC_THREADS_MOST &&
	       (size_t)started < n && trc_thread_start(&thread[started], run_ordered, &o) == 0)
		started++;
	if (started > 0)
		take_all(&o, done);
	for (size_t i = 0; started == 0 && i < n; i++) {
		work(arg, i);
		if (!done(arg, i))
			break;
	}
	while (started > 0)
		pthread_join(thread[--started], NULL);
	pthread_cond_destroy(&o.taken);
	pthread_cond_destroy(&o.finished);
	pthread_mutex_destroy(&o.lock);
}

/* The threads of a crew. */
struct trc_crew {
	pthread_t thread[TRC_THREADS_MOST];
	int threads;
	void (*work)(void *arg);
	void *arg;
};

static void *
run_crew(void *arg)
{
	struct trc_crew *crew = arg;

	crew->work(crew->arg);
	return NULL;
}

struct trc_crew *
trc_crew_start(int threads, void (*work)(void *arg), void *arg)
{
	struct trc_crew *crew = calloc(1, sizeof(*crew));

	if (!crew)
		return NULL;
	crew->work = work;
	crew->arg = arg;
	while (crew->threads < threads && crew->threads < TRC_THREADS_MOST &&
	       trc_thread_start(&crew->thread[crew->threads], run_crew, crew) == 0)
		crew->threads++;
	return crew;
}

void
trc_crew_wait(struct trc_crew *crew)
{
	if (!crew)
		return;
	while (crew->threads > 0)
		pthread_join(crew->thread[--crew->threads], NULL);
	free(crew);
}

static void *
run_helper(void *arg)
{
	struct trc_helper *h = arg;

	h->work(h->arg);
	return NULL;
}

void
trc_helper_start(struct trc_helper *h, bool threaded, void (*work)(void *arg), void *arg)
{
	trc_helper_wait(h);
	h->work = work;
	h->arg = arg;
	h->running = threaded && trc_thread_start(&h->thread, run_helper, h) == 0;
	h->waiting = !h->running;
}

void
trc_helper_wait(struct trc_helper *h)
{
	if (h->running)
		pthread_join(h->thread, NULL);
	if (h->waiting)
		h->work(h->arg);
	h->running = h->waiting = false;
}

void
trc_helper_cancel(struct trc_helper *h)
{
	h->waiting = false;
	trc_helper_wait(h);
}
