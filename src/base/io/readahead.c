/* SPDX-License-Identifier: MIT
 *
 * Read-ahead: a thread fills a ring of buffers from the inner stream, and the reader empties them.
 *
 *   filled: buffers filled by the thread    emptied: buffers released by the reader
 *   the thread may write while filled - emptied < RING; the reader may read while they differ
 */
#include "base/io/stream.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"

enum { RING = 4, ROOM = 256 << 10 };

/* A stream that a thread reads ahead of its reader. */
struct ahead {
	struct trc_stream stream;
	struct trc_stream *inner;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t moved;
	/* Protected by `lock`. */
	unsigned filled, emptied;
	bool stop;
	/* A slot belongs to the thread until `filled` has passed it, then to the reader. */
	struct slot {
		uint8_t byte[ROOM];
		size_t len; /* 0: the stream ended here or failed */
		uint64_t passed;
		bool failed;
		struct trc_err err;
	} ring[RING];
	size_t at; /* position of the reader in its slot */
};

/* Fills a slot completely, so the reader is woken rarely; returns true if there is more. */
static bool
fill(struct ahead *a, struct slot *slot)
{
	size_t got = 1;

	slot->len = 0;
	slot->failed = false;
	while (slot->len < ROOM && got > 0) {
		if (a->inner->read(a->inner, slot->byte + slot->len, ROOM - slot->len, &got,
		                   &slot->err)) {
			slot->failed = true;
			return false;
		}
		slot->len += got;
		slot->passed = a->inner->passed;
	}
	return slot->len > 0;
}

static void *
run(void *arg)
{
	struct ahead *a = arg;
	bool more = true;

	while (more) {
		pthread_mutex_lock(&a->lock);
		while (a->filled - a->emptied == RING && !a->stop)
			pthread_cond_wait(&a->moved, &a->lock);
		more = !a->stop;
		pthread_mutex_unlock(&a->lock);
		if (!more)
			break;
		more = fill(a, &a->ring[a->filled % RING]);
		pthread_mutex_lock(&a->lock);
		a->filled++;
		pthread_cond_signal(&a->moved);
		pthread_mutex_unlock(&a->lock);
	}
	return NULL;
}

static int
ahead_read(struct trc_stream *s, uint8_t *dst, size_t cap, size_t *got, struct trc_err *err)
{
	struct ahead *a = (struct ahead *)s;
	struct slot *slot = &a->ring[a->emptied % RING];

	pthread_mutex_lock(&a->lock);
	while (a->filled == a->emptied)
		pthread_cond_wait(&a->moved, &a->lock);
	pthread_mutex_unlock(&a->lock);
	*got = slot->len - a->at < cap ? slot->len - a->at : cap;
	memcpy(dst, slot->byte + a->at, *got);
	a->at += *got;
	if (*got == 0 && slot->failed) {
		*err = slot->err;
		return -1;
	}
	/* The last slot, empty or failed, is kept to answer all further reads. */
	if (a->at == slot->len && slot->len > 0 && !slot->failed) {
		a->at = 0;
		s->passed = slot->passed;
		pthread_mutex_lock(&a->lock);
		a->emptied++;
		pthread_cond_signal(&a->moved);
		pthread_mutex_unlock(&a->lock);
	}
	return 0;
}

static void
ahead_close(struct trc_stream *s)
{
	struct ahead *a = (struct ahead *)s;

	pthread_mutex_lock(&a->lock);
	a->stop = true;
	pthread_cond_signal(&a->moved);
	pthread_mutex_unlock(&a->lock);
	pthread_join(a->thread, NULL);
	pthread_cond_destroy(&a->moved);
	pthread_mutex_destroy(&a->lock);
	trc_stream_close(a->inner);
	free(a);
}

struct trc_stream *
trc_stream_ahead(struct trc_stream *inner, struct trc_err *err)
{
	struct ahead *a = trc_alloc(1, sizeof(*a), err);
	int failed;

	if (!a)
		return NULL;
	a->stream = (struct trc_stream){ .read = ahead_read, .close = ahead_close };
	a->inner = inner;
	pthread_mutex_init(&a->lock, NULL);
	pthread_cond_init(&a->moved, NULL);
	failed = trc_thread_start(&a->thread, run, a);
	if (failed) {
		trc_fail_errno(err, failed, "cannot start a thread");
		pthread_cond_destroy(&a->moved);
		pthread_mutex_destroy(&a->lock);
		free(a);
		return NULL;
	}
	return &a->stream;
}
