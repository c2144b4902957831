/* SPDX-License-Identifier: MIT */
#include "stage/simulate/cache/cache_sweep.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { COUNTS = sizeof(struct trc_cache_counts) / sizeof(uint64_t) };

static_assert(COUNTS * sizeof(uint64_t) == sizeof(struct trc_cache_counts), "nothing but counts");

/* A snapshot of a sweep: the lines of all levels, and their counts. */
struct state {
	uint64_t *entry;
	struct trc_cache_counts count[TRC_CACHES_MOST];
};

static size_t
lines_of(const struct trc_ways *w)
{
	return (size_t)(w->set_mask + 1) * w->ways;
}

/* Returns the number of lines of all levels. */
static size_t
all_lines(const struct trc_sweep *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->levels; i++)
		n += lines_of(s->level[i].ways);
	return n;
}

/* Returns the number of lines of the sweep after which each level uses the same sets again. */
static uint64_t
period_of(const struct trc_sweep *s)
{
	uint64_t period = 1;

	for (size_t i = 0; i < s->levels; i++) {
		const uint64_t sets = s->level[i].ways->set_mask + 1;
		const uint64_t lines = sets << s->level[i].line_bits >> s->level[0].line_bits;

		period = lines > period ? lines : period;
	}
	return period;
}

/* Returns the number of lines of the sweep with as many bytes as all levels together. */
static uint64_t
room_of(const struct trc_sweep *s)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < s->levels; i++)
		bytes += (uint64_t)lines_of(s->level[i].ways) << s->level[i].line_bits;
	return bytes >> s->level[0].line_bits;
}

static bool
only_line_by_line(const struct trc_sweep *s)
{
	for (size_t i = 0; i < s->levels; i++)
		if (s->level[i].ways->policy != TRC_CACHE_LRU &&
		    s->level[i].ways->policy != TRC_CACHE_FIFO)
			return true;
	return false;
}

static void
take_state(const struct trc_sweep *s, struct state *state)
{
	uint64_t *entry = state->entry;

	for (size_t i = 0; i < s->levels; i++) {
		trc_ways_copy(s->level[i].ways, entry);
		entry += lines_of(s->level[i].ways);
		state->count[i] = *s->level[i].count;
	}
}

/* Converts a number of lines of the sweep to lines of level `i`. */
static uint64_t
in_lines_of(const struct trc_sweep *s, size_t i, uint64_t lines)
{
	return lines << s->level[0].line_bits >> s->level[i].line_bits;
}

/* Returns true if `now` is `before` with all lines moved by `lines` lines of the sweep. */
static bool
has_moved(const struct trc_sweep *s, const struct state *before, const struct state *now,
          uint64_t lines)
{
	size_t k = 0;

	for (size_t i = 0; i < s->levels; i++) {
		const uint64_t more = in_lines_of(s, i, lines) << TRC_WAY_SHIFT;

		for (size_t n = lines_of(s->level[i].ways); n > 0; n--, k++)
			if (now->entry[k] != (before->entry[k] ? before->entry[k] + more : 0))
				return false;
	}
	return true;
}

/* Skips `periods` periods that repeat the last one. */
static void
skip(const struct trc_sweep *s, const struct state *before, uint64_t period, uint64_t periods)
{
	for (size_t i = 0; i < s->levels; i++) {
		uint64_t old[COUNTS], now[COUNTS];

		memcpy(old, &before->count[i], sizeof(old));
		memcpy(now, s->level[i].count, sizeof(now));
		for (size_t k = 0; k < COUNTS; k++)
			now[k] += (now[k] - old[k]) * periods;
		memcpy(s->level[i].count, now, sizeof(now));
		trc_ways_move(s->level[i].ways, in_lines_of(s, i, period * periods));
	}
}

/* Compares states each time the number of lines has doubled. */
static void
sweep(const struct trc_sweep *s, struct state *before, struct state *now)
{
	const uint64_t period = period_of(s), room = room_of(s);
	uint64_t done = 0, next = room > period ? room : period;

	while (s->lines - done > next + 2 * period) {
		s->refer(s->what, s->first + done, next);
		take_state(s, before);
		s->refer(s->what, s->first + done + next, period);
		take_state(s, now);
		done += next + period;
		if (has_moved(s, before, now, period)) {
			const uint64_t periods = (s->lines - done) / period;

			skip(s, before, period, periods);
			done += periods * period;
			break;
		}
		next = done;
	}
	s->refer(s->what, s->first + done, s->lines - done);
}

int
trc_cache_sweep(const struct trc_sweep *s, struct trc_err *err)
{
	struct state before, now;

	if (only_line_by_line(s) || s->lines <= 2 * room_of(s)) {
		s->refer(s->what, s->first, s->lines);
		return 0;
	}
	before.entry = trc_alloc(all_lines(s), sizeof(*before.entry), err);
	now.entry = before.entry ? trc_alloc(all_lines(s), sizeof(*now.entry), err) : NULL;
	if (now.entry)
		sweep(s, &before, &now);
	free(before.entry);
	free(now.entry);
	return now.entry ? 0 : -1;
}
