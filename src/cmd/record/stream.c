/* SPDX-License-Identifier: MIT */
#include "cmd/record/stream.h"

#include <stdlib.h>

#include "base/map_find.h"
#include "batch/event.h"
#include "batch/provenance.h"
#include "batch/recorded.h"

enum { WORD = TRC_RECORDED_WORD, FAR_WORDS = 3, CODE_WORDS = 3 };

/* An instruction. */
struct insn {
	uint64_t word;
	bool replaced; /* another one was at its address before */
};

/* The instructions by space and address. A forked process has those of its parent as well, which
 * the emulator does not translate again. */
struct code {
	struct trc_map at;     /* indices in `insn` */
	struct trc_map parent; /* space of the parent by that of a forked process, page 0 */
	struct insn *insn;
	size_t n, cap;
};

/* The source, and its position in the stream. */
struct stream {
	struct trc_source src;
	struct trc_in *in;
	uint64_t clock;
	uint32_t space;
	struct code code;
	struct trc_buf provenance;
};

static uint64_t
word_at(const uint8_t *p)
{
	uint64_t word;

	memcpy(&word, p, sizeof(word));
	return word;
}

/* Returns the number of bytes of the record at `p`, which begins with `word`. */
static size_t
bytes_of(uint64_t word)
{
	if ((word & TRC_RECORDED_KIND) == TRC_RECORDED_EVENT)
		return WORD + ((size_t)(word >> TRC_RECORDED_VALUE_SHIFT) + WORD - 1) / WORD * WORD;
	if ((word & TRC_RECORDED_KIND) == TRC_RECORDED_SPACE)
		return WORD;
	if ((word & TRC_RECORDED_KIND) == TRC_RECORDED_CODE)
		return CODE_WORDS * WORD;
	return (word >> TRC_RECORDED_SIZE_SHIFT & TRC_RECORDED_FAR) == TRC_RECORDED_FAR ?
	               FAR_WORDS * WORD :
	               WORD;
}

/* Notes an instruction, which may replace another one. */
static int
take_code(struct stream *s, const uint8_t *p, struct trc_err *err)
{
	struct code *c = &s->code;
	const uint64_t addr = word_at(p + WORD);
	uint32_t i = trc_map_find(&c->at, s->space, addr)->value;

	if (i == TRC_MAP_NONE) {
		i = (uint32_t)c->n;
		if (trc_grow(&c->insn, &c->cap, c->n + 1, sizeof(*c->insn), err) ||
		    trc_map_add(&c->at, s->space, addr, i, err))
			return -1;
		c->insn[c->n++] = (struct insn){ word_at(p + 2 * WORD), false };
	}
	c->insn[i].replaced |= c->insn[i].word != word_at(p + 2 * WORD);
	c->insn[i].word = word_at(p + 2 * WORD);
	return 0;
}

/* Notes the parent of a forked process. */
static int
take_fork(struct stream *s, const char *text, struct trc_err *err)
{
	struct trc_event e;

	if (trc_event_parse(&e, text, err))
		return -1;
	if (trc_map_find(&s->code.parent, (uint32_t)e.field[1], 0)->value != TRC_MAP_NONE)
		return 0;
	return trc_map_add(&s->code.parent, (uint32_t)e.field[1], 0, (uint32_t)e.field[0], err);
}

/* Returns the word of a fetch; 0 if it is unknown, as where a parent replaced it, maybe later. */
static uint64_t
insn_of(const struct stream *s, const struct trc_batch *b)
{
	const struct code *c = &s->code;
	const struct trc_map_entry *e;
	uint32_t space = s->space;

	if (b->type[b->n] != TRC_FETCH)
		return 0;
	while ((e = trc_map_find(&c->at, space, b->addr[b->n]))->value == TRC_MAP_NONE) {
		space = trc_map_find(&c->parent, space, 0)->value;
		if (space == TRC_MAP_NONE)
			return 0;
	}
	return space != s->space && c->insn[e->value].replaced ? 0 : c->insn[e->value].word;
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
	if (s->src.have & TRC_HAS_INSN)
		b->insn[b->n] = insn_of(s, b);
	b->event[b->n++] = 0;
}

static int
take_event(struct stream *s, struct trc_batch *b, uint64_t word, const uint8_t *p,
           struct trc_err *err)
{
	b->type[b->n] = TRC_EVENT;
	b->addr[b->n] = 0;
	b->size[b->n] = b->asid[b->n] = 0;
	b->time[b->n] = ++s->clock;
	if (s->src.have & TRC_HAS_INSN)
		b->insn[b->n] = 0;
	trc_batch_put_event(b, b->n, (const char *)p + WORD,
	                    (size_t)(word >> TRC_RECORDED_VALUE_SHIFT));
	b->n++;
	return s->code.at.entry && p[WORD] == 'D' ?
	               take_fork(s, trc_batch_event(b, b->n - 1), err) :
	               0;
}

static int
damaged(const struct stream *s, struct trc_err *err)
{
	return trc_fail(err, "%s: the recorder's output is damaged at time %llx", s->in->name,
	                (ull)s->clock);
}

/* Converts the complete records in the window to rows. */
static int
take_records(struct stream *s, struct trc_batch *b, struct trc_err *err)
{
	const uint8_t *p = s->in->p, *const end = s->in->end;

	while (b->n < b->cap && (size_t)(end - p) >= WORD) {
		const uint64_t word = word_at(p);
		const unsigned kind = word & TRC_RECORDED_KIND;
		const size_t bytes = bytes_of(word);

		if (kind > TRC_RECORDED_CODE || bytes > WORD + TRC_EVENT_MOST)
			return damaged(s, err);
		if ((size_t)(end - p) < bytes)
			break;
		if (kind == TRC_RECORDED_EVENT) {
			if (take_event(s, b, word, p, err))
				return -1;
		} else if (kind == TRC_RECORDED_SPACE)
			s->space = (uint32_t)(word >> TRC_RECORDED_VALUE_SHIFT);
		else if (kind == TRC_RECORDED_CODE && s->code.at.entry) {
			if (take_code(s, p, err))
				return -1;
		} else if (kind != TRC_RECORDED_CODE)
			take_reference(s, b, word, p);
		p += bytes;
	}
	s->in->p = p;
	return 0;
}

/* If a process was killed, the last record may be incomplete. */
static enum trc_flow
stream_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct stream *s = (struct stream *)src;

	while (b->n == 0) {
		const size_t had = (size_t)(s->in->end - s->in->p);

		if (take_records(s, b, err))
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
	trc_map_release(&s->code.at);
	trc_map_release(&s->code.parent);
	free(s->code.insn);
	trc_buf_release(&s->provenance);
	free(s);
}

struct trc_source *
trc_record_stream(struct trc_in *in, const char *isa, bool words, struct trc_err *err)
{
	struct stream *s = trc_alloc(1, sizeof(*s), err);

	if (!s)
		return NULL;
	s->src = (struct trc_source){ .have = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE |
		                              TRC_HAS_TIME | TRC_HAS_ASID | TRC_HAS_EVENT |
		                              (words ? TRC_HAS_INSN : 0),
		                      .next = stream_next,
		                      .close = stream_close };
	if (trc_provenance_text(&s->provenance, "isa", isa, err) ||
	    (words && (trc_map_init(&s->code.at, err) || trc_map_init(&s->code.parent, err)))) {
		trc_map_release(&s->code.at);
		trc_buf_release(&s->provenance);
		free(s);
		return NULL;
	}
	s->src.meta.provenance = trc_buf_view(&s->provenance);
	s->in = in;
	return &s->src;
}
