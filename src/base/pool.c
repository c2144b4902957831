/* SPDX-License-Identifier: MIT */
#include "base/pool.h"

#include <signal.h>
#include <stdatomic.h>

enum { THREADS_MOST = 64 };

struct list {
	void (*work)(void *arg, size_t i);
	void *arg;
	size_t n;
	atomic_size_t next;
};

static void *
run_list(void *arg)
{
	struct list *list = arg;
	size_t i;

	while ((i = atomic_fetch_add(&list->next, 1)) < list->n)
		list->work(list->arg, i);
	return NULL;
}

/* Starts a thread that no signal interrupts: signals are the main thread's business. */
static int
start(pthread_t *thread, void *(*run)(void *), void *arg)
{
	sigset_t all, old;
	int failed;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	failed = pthread_create(thread, NULL, run, arg);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return failed;
}

void
trc_pool_run(int threads, void (*work)(void *arg, size_t i), void *arg, size_t n)
{
	struct list list = { work, arg, n, 0 };
	pthread_t thread[THREADS_MOST];
	int started = 0;

	while (started + 1 < threads && started < THREADS_MOST && (size_t)started + 1 < n &&
	       start(&thread[started], run_list, &list) == 0)
		started++;
	run_list(&list);
	while (started > 0)
		pthread_join(thread[--started], NULL);
}

static void *
run_helper(void *arg)
{
	struct trc_helper *h = arg;

	h->work(h->arg);
	return NULL;
}

void
trc_helper_start(struct trc_helper *h, bool beside, void (*work)(void *arg), void *arg)
{
	trc_helper_wait(h);
	h->work = work;
	h->arg = arg;
	h->running = beside && start(&h->thread, run_helper, h) == 0;
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
