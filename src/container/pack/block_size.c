/* SPDX-License-Identifier: MIT
 * Keeps recent lines and steps, each in a table with one entry per hash value. */
#include "container/pack/block_size.h"

#include <stdlib.h>

#include "base/buf.h"

enum {
	LINE_BITS = 6,
	LINES = 16,        /* bits: entries for lines; adjacent lines have adjacent entries */
	STEPS = 12,        /* bits */
	KNOWN = 8,         /* bits of a step that unexamined data may predict */
	ROW = 16,          /* assumed bytes per row until a block was packed */
	LARGEST = 1 << 30, /* the most bytes in a block, so that products of two fit in 64 bits */
	MIXED = 4,         /* factor if most rows have a pattern: models start anew */
	MORE = 2,          /* a block counts as at most this many times as large as estimated */
	SEEN = 18,         /* bits: addresses without a pattern that are remembered */
	OFTEN = 16,        /* addresses without a pattern come again: this part of them */
};

struct trc_block_size {
	uint64_t most;              /* bytes per block */
	bool all;                   /* count rows, not only addresses */
	unsigned every;             /* one in this many steps is examined, and counts for all */
	uint64_t rows, noise;       /* of this block: all, and those without a pattern */
	uint64_t again;             /* of those: to an address that came before */
	uint64_t now, before;       /* estimates: bits of this block, bytes of the previous one */
	uint64_t packed, estimated; /* of the last block for which both are known */
	uint64_t last;              /* previous address */
	uint32_t line[1 << LINES];  /* the other bits of the line number, folded */
	uint32_t step[1 << STEPS];
	uint32_t seen[1 << SEEN];
};

struct trc_block_size *
trc_block_size_open(uint64_t bytes, unsigned every, struct trc_err *err)
{
	struct trc_block_size *s = trc_alloc(1, sizeof(*s), err);

	if (!s)
		return NULL;
	s->all = bytes > 0;
	s->every = every;
	s->most = bytes == 0 ? TRC_BLOCK_BYTES : bytes < LARGEST ? bytes : LARGEST;
	s->packed = s->estimated = 1;
	return s;
}

void
trc_block_size_close(struct trc_block_size *s)
{
	free(s);
}

/* ---- addresses ---- */

static uint32_t *
line_at(struct trc_block_size *s, uint64_t line)
{
	return &s->line[line % TRC_COUNT(s->line)];
}

static uint32_t
rest_of(uint64_t line)
{
	return (uint32_t)(line >> LINES ^ line >> (LINES + 32));
}

/* Returns true if the line of an address or an adjacent one was referenced recently, and records
 * it. */
static bool
renew_line(struct trc_block_size *s, uint64_t addr)
{
	const uint64_t line = addr >> LINE_BITS;
	const bool known = *line_at(s, line) == rest_of(line) ||
	                   *line_at(s, line + 1) == rest_of(line + 1) ||
	                   *line_at(s, line - 1) == rest_of(line - 1);

	*line_at(s, line) = rest_of(line);
	return known;
}

/* Returns true if a table of 1 << bits entries has a value, which it has from then on. */
static bool
renew(uint32_t *table, unsigned bits, uint64_t value)
{
	const uint64_t hash = value * UINT64_C(0x9e3779b97f4a7c15);
	uint32_t *at = &table[hash >> (64 - bits)];
	const bool known = *at == (uint32_t)hash;

	*at = (uint32_t)hash;
	return known;
}

/* Counts addresses without a pattern and their bits. */
static void
add_noise(struct trc_block_size *s, const uint64_t *addr, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const uint64_t step = addr[i] - s->last;
		const unsigned len = 64 - (unsigned)trc_clz64(trc_zigzag(step));
		const bool line = renew_line(s, addr[i]);

		s->last = addr[i];
		if (renew(s->step, STEPS, step) || line || len <= KNOWN)
			continue;
		s->now += (uint64_t)(len - KNOWN) * s->every;
		s->noise += s->every;
		if (renew(s->seen, SEEN, addr[i]))
			s->again += s->every * s->every; /* as often is what it had not examined */
	}
}

/* ---- blocks ---- */

bool
trc_block_size_add(struct trc_block_size *s, const struct trc_batch *b, size_t at, size_t n)
{
	const bool looks = s->rows / TRC_BLOCK_STEP % s->every == 0;
	uint64_t most = s->most;

	s->rows += n;
	if (s->all)
		s->now += 8 * n * ROW;
	else if (b->addr && looks)
		add_noise(s, b->addr + at, n);
	if (!s->all && s->noise <= s->rows / 2)
		most *= MIXED;
	if (s->rows % TRC_BLOCK_STEP != 0 || s->now / 8 * s->packed < most * s->estimated)
		return false;
	return s->all || s->again <= s->noise / OFTEN || s->rows >= TRC_BLOCK_NAMES;
}

void
trc_block_size_next(struct trc_block_size *s, uint64_t packed)
{
	/* With few addresses without a pattern, the estimate does not cover the other columns. */
	if (packed && s->before && (s->all || s->before >= s->most / 4)) {
		s->estimated = s->before;
		s->packed = s->all || packed < MORE * s->before ? packed : MORE * s->before;
	}
	s->before = s->now / 8;
	s->now = s->rows = s->noise = s->again = 0;
}
