/* SPDX-License-Identifier: MIT
 *
 * Input that is a range of the bytes of a file.
 */
#include "base/io/in.h"

#include <stdlib.h>

#include <xxhash.h>

#include "base/interrupt.h"

enum { ROOM = 256 << 10 }; /* bytes hashed at once */

/* A range of the bytes of another stream. */
struct range_stream {
	struct trc_stream stream;
	struct trc_stream *inner;
	uint64_t at, to;
	uint64_t *sum; /* NULL: no hash is computed, and `state` is unused */
	XXH3_state_t *state;
};

static int
range_read(struct trc_stream *s, uint8_t *dst, size_t cap, size_t *got, struct trc_err *err)
{
	struct range_stream *r = (struct range_stream *)s;
	const uint64_t left = r->to - r->at;

	*got = left < cap ? (size_t)left : cap;
	if (*got > 0 && !r->inner->read_at(r->inner, r->at, dst, *got))
		return trc_fail(err, "was truncated while being read: byte %llu is missing",
		                (ull)(r->at + *got));
	if (r->sum)
		XXH3_64bits_update(r->state, dst, *got);
	r->at += *got;
	s->passed += *got;
	return 0;
}

static void
range_close(struct trc_stream *s)
{
	struct range_stream *r = (struct range_stream *)s;

	if (r->sum)
		*r->sum += XXH3_64bits_digest(r->state);
	XXH3_freeState(r->state);
	trc_stream_close(r->inner);
	free(r);
}

static struct range_stream *
range_open(struct trc_stream *inner, uint64_t from, uint64_t to, uint64_t *sum, struct trc_err *err)
{
	struct range_stream *r = trc_alloc(1, sizeof(*r), err);

	if (!r)
		return NULL;
	*r = (struct range_stream){
		{ .read = range_read, .close = range_close }, inner, from, to, sum, NULL
	};
	if (!sum)
		return r;
	r->state = XXH3_createState();
	if (!r->state) {
		free(r);
		trc_fail_as(err, TRC_NO_MEMORY, "out of memory");
		return NULL;
	}
	XXH3_64bits_reset_withSeed(r->state, from);
	return r;
}

int
trc_in_between(struct trc_in *in, uint64_t from, uint64_t to, uint64_t *sum, struct trc_err *err)
{
	struct range_stream *r = range_open(in->stream, from, to, sum, err);

	if (!r)
		return -1;
	trc_in_replace(in, &r->stream, from);
	in->raw_at = 0;
	in->raw_size = to - from;
	return 0;
}

int
trc_in_sum_between(struct trc_stream *file, uint64_t from, uint64_t to, uint64_t *sum,
                   struct trc_err *err)
{
	uint64_t added = 0;
	struct range_stream *r = range_open(file, from, to, &added, err);
	uint8_t *bytes = r ? trc_alloc(1, ROOM, err) : NULL;
	size_t got = 1;
	int ret = bytes ? 0 : -1;

	if (!r) {
		trc_stream_close(file);
		return -1;
	}
	while (ret == 0 && got > 0)
		ret = trc_interrupted(err) ? -1 : range_read(&r->stream, bytes, ROOM, &got, err);
	range_close(&r->stream);
	free(bytes);
	*sum += added;
	return ret;
}
