/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "capture/bus/baton.h"

#include <pthread.h>
#include <time.h>

enum { MOMENT = 5000000 }; /* nanoseconds */

/* A thread that waits for the baton. */
struct waiter {
	unsigned vcpu;
	uint64_t ticket;
	bool has;
	pthread_cond_t has_it;
	struct waiter *next;
};

static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER; /* of what follows */
static struct waiter *first;                            /* all that wait, in order of tickets */
static uint64_t tickets;
static bool dropped;

atomic_uint trc_baton_holder;
static atomic_uint waiting;

static void
enqueue(struct waiter *w)
{
	struct waiter **at = &first;

	while (*at && (*at)->ticket < w->ticket)
		at = &(*at)->next;
	w->next = *at;
	*at = w;
	atomic_fetch_add(&waiting, 1);
}

static void
dequeue(const struct waiter *w)
{
	struct waiter **at = &first;

	while (*at != w)
		at = &(*at)->next;
	*at = w->next;
	atomic_fetch_sub(&waiting, 1);
}

/* Waits until the waiter has the baton; returns false if a moment passed before. */
static bool
wait(struct waiter *w, bool moment)
{
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += MOMENT;
	if (until.tv_nsec >= 1000000000) {
		until.tv_nsec -= 1000000000;
		until.tv_sec++;
	}
	while (!w->has && !dropped) {
		if (!moment)
			pthread_cond_wait(&w->has_it, &own);
		else if (pthread_cond_clockwait(&w->has_it, &own, CLOCK_MONOTONIC, &until))
			break;
	}
	return w->has || dropped;
}

bool
trc_baton_take(unsigned vcpu, uint64_t *ticket, bool moment)
{
	struct waiter w = { .vcpu = vcpu, .has_it = PTHREAD_COND_INITIALIZER };
	bool has = true;

	pthread_mutex_lock(&own);
	if (*ticket == 0)
		*ticket = ++tickets;
	w.ticket = *ticket;
	if (!dropped && !first && atomic_load(&trc_baton_holder) == 0) {
		atomic_store(&trc_baton_holder, vcpu + 1);
	} else {
		enqueue(&w);
		has = wait(&w, moment);
		if (!w.has)
			dequeue(&w);
	}
	pthread_mutex_unlock(&own);
	if (has)
		*ticket = 0;
	return has;
}

void
trc_baton_give(void)
{
	struct waiter *next;

	pthread_mutex_lock(&own);
	next = first;
	atomic_store(&trc_baton_holder, next ? next->vcpu + 1 : 0);
	if (next) {
		dequeue(next);
		next->has = true;
		pthread_cond_signal(&next->has_it);
	}
	pthread_mutex_unlock(&own);
}

bool
trc_baton_wanted(void)
{
	return atomic_load_explicit(&waiting, memory_order_relaxed) > 0;
}

void
trc_baton_drop(void)
{
	pthread_mutex_lock(&own);
	dropped = true;
	for (struct waiter *w = first; w; w = w->next)
		pthread_cond_signal(&w->has_it);
	pthread_mutex_unlock(&own);
}
