/* SPDX-License-Identifier: MIT */
#include "cmd/record/stream.h"

#include <stdlib.h>

#include "batch/recorded.h"

enum { WORD = TRC_RECORDED_WORD, FAR_WORDS = 3 };

/* The source, and where the stream is. */
struct stream {
	struct trc_source src;
	struct trc_in *in;
	uint64_t clock;
	uint32_t space;
};

static uint64_t
word_at(const uint8_t *p)
{
	uint64_t word;

	memcpy(&word, p, sizeof(word));
	return word;
}

/* How many bytes the record at `p` has, which begins with `word`. */
static size_t
bytes_of(uint64_t word)
{
	if ((word & TRC_RECORDED_KIND) == TRC_RECORDED_EVENT)
		return WORD + ((size_t)(word >> TRC_RECORDED_VALUE_SHIFT) + WORD - 1) / WORD * WORD;
	if ((word & TRC_RECORDED_KIND) == TRC_RECORDED_SPACE)
		return WORD;
	return (word >> TRC_RECORDED_SIZE_SHIFT & TRC_RECORDED_FAR) == TRC_RECORDED_FAR ?
	               FAR_WORDS * WORD :
	               WORD;
}

static void
take_reference(struct stream *s, struct trc_batch *b, uint64_t word, const uint8_t *p)
{
	const uint32_t size = word >> TRC_RECORDED_SIZE_SHIFT & TRC_RECORDED_FAR;
	const bool far = size == TRC_RECORDED_FAR;

	b->type[b->n] = word & TRC_RECORDED_KIND;
	b->addr[b->n] = far ? word_at(p + WORD) : word >> TRC_RECORDED_VALUE_SHIFT;
	b->size[b->n] = far ? (uint32_t)word_at(p + 2 * WORD) : size;
	b->time[b->n] = ++s->clock;
	b->asid[b->n] = s->space;
	b->event[b->n++] = 0;
}

static void
take_event(struct stream *s, struct trc_batch *b, uint64_t word, const uint8_t *p)
{
	b->type[b->n] = TRC_EVENT;
	b->addr[b->n] = 0;
	b->size[b->n] = b->asid[b->n] = 0;
	b->time[b->n] = ++s->clock;
	trc_batch_put_event(b, b->n, (const char *)p + WORD,
	                    (size_t)(word >> TRC_RECORDED_VALUE_SHIFT));
	b->n++;
}

static int
damaged(const struct stream *s, struct trc_err *err)
{
	return trc_fail(err, "%s: the recorder's output is damaged at time %llx", s->in->name,
	                (unsigned long long)s->clock);
}

/* Takes the records that are whole in the window. */
static int
take(struct stream *s, struct trc_batch *b, struct trc_err *err)
{
	const uint8_t *p = s->in->p, *const end = s->in->end;

	while (b->n < b->cap && (size_t)(end - p) >= WORD) {
		const uint64_t word = word_at(p);
		const unsigned kind = word & TRC_RECORDED_KIND;
		const size_t bytes = bytes_of(word);

		if (kind > TRC_RECORDED_SPACE || bytes > WORD + TRC_EVENT_MOST)
			return damaged(s, err);
		if ((size_t)(end - p) < bytes)
			break;
		if (kind == TRC_RECORDED_EVENT)
			take_event(s, b, word, p);
		else if (kind == TRC_RECORDED_SPACE)
			s->space = (uint32_t)(word >> TRC_RECORDED_VALUE_SHIFT);
		else
			take_reference(s, b, word, p);
		p += bytes;
	}
	s->in->p = p;
	return 0;
}

/* Who is killed may leave a part of a record at the end. */
static enum trc_flow
stream_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct stream *s = (struct stream *)src;

	while (b->n == 0) {
		const size_t had = (size_t)(s->in->end - s->in->p);

		if (take(s, b, err))
			return TRC_FLOW_FAILED;
		if (b->n > 0)
			break;
		if (s->in->eof && (size_t)(s->in->end - s->in->p) == had)
			break;
		if (trc_in_fill(s->in, 2 * WORD + TRC_EVENT_MOST, err))
			return TRC_FLOW_FAILED;
	}
	return b->n > 0 ? TRC_FLOW_ROWS : TRC_FLOW_END;
}

static void
stream_close(struct trc_source *src)
{
	struct stream *s = (struct stream *)src;

	trc_in_close(s->in);
	free(s);
}

struct trc_source *
trc_record_stream(struct trc_in *in, struct trc_err *err)
{
	struct stream *s = trc_alloc(1, sizeof(*s), err);

	if (!s)
		return NULL;
	s->src = (struct trc_source){ .have = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE |
		                              TRC_HAS_TIME | TRC_HAS_ASID | TRC_HAS_EVENT,
		                      .next = stream_next,
		                      .close = stream_close };
	s->in = in;
	return &s->src;
}
