/* SPDX-License-Identifier: MIT
 *
 * A time is a use of a page; repeated uses of the most recently used page are left out, since they
 * change nothing. For each time, the number of free places is known: how many more pages a memory
 * of m pages could have held then. That is m - 1 at first, and one less for each hit of a page that
 * was used before that time and is used again after it. A time without free places is full: pages
 * used before it cannot hit any more, so earlier times do not matter.
 *
 * A hit takes a place from all times after the last use of its page, up to now. So if a time loses
 * a place, all later times lose one, too, and a time does not matter once a later one has as few
 * places. The remaining times are the ends of blocks of times. Each has more places than the one
 * before, and the difference is what is stored: its places. Then a hit takes one place, from the
 * block that contains the first time after the last use, and gives it to its own time, which
 * becomes a block by itself. A block without places has as few as the block before it, and is
 * merged with that; if there is none, its end is full. A miss takes nothing, so its time becomes
 * the end of the last block.
 *
 * A time within a block points to the end, or towards it, and a search for the end shortens the
 * path (union-find). When there is no room for more times, the times that are the last use of a
 * page are renumbered, in more room if they fill three quarters of it.
 */
#include "stage/simulate/policy/opt_sizes.h"

#include <stdlib.h>
#include <string.h>

#include "base/hugepages.h"

enum {
	RUN = 256,
	TIMES_FIRST = 512,
	BEGIN = 3, /* time of the first use; earlier times are those of an empty memory */
	PAGES_MOST = 1 << 30,
};

#define NONE UINT32_MAX

/* A reference to a page other than the most recently used one. */
struct use {
	uint32_t id, was; /* time of its previous use; 0: none */
	bool write;
};

static int
grow(struct trc_opt_sizes *s, size_t times, struct trc_err *err)
{
	size_t owners = s->times;

	if (trc_grow(&s->owner, &owners, times, sizeof(*s->owner), err))
		return -1;
	trc_hugepages_advise(s->owner, owners * sizeof(*s->owner));
	for (size_t k = 0; k < s->n; k++) {
		struct trc_opt_size *z = &s->size[k];

		if (trc_grow(&z->block, &z->cap, times, sizeof(*z->block), err))
			return -1;
		trc_hugepages_advise(z->block, z->cap * sizeof(*z->block));
	}
	s->times = times;
	return 0;
}

/* Returns true if renumbering keeps time t: the last use of a page, or one of the latest two, whose
 * pages may be deleted. With two, the last block does not lose its end to the block before. */
static inline bool
keeps(const uint32_t *owner, uint32_t t, uint32_t times)
{
	return owner[t] != NONE || t + 2 >= times;
}

/* Moves the blocks to the new numbers, from 1 on, of the times that are kept. The places of a
 * block without such times go to the next block. */
static void
move_blocks(struct trc_opt_size *z, const uint32_t *owner, uint32_t times)
{
	struct trc_opt_block *b = z->block;
	uint32_t to = 1, last = 0, more = 0;

	for (uint32_t t = 1; t < times; t++) {
		const uint32_t places = b[t].places;

		if (places > 0 && to == last) {
			more += places;
		} else if (places > 0) {
			for (uint32_t k = last + 1; k < to; k++)
				b[k] = (struct trc_opt_block){ 0, to };
			b[to] = (struct trc_opt_block){ places + more, last };
			if (t == z->full)
				z->full = to;
			last = to;
			more = 0;
		}
		to += keeps(owner, t, times);
	}
}

/* Gives the times that are kept the next numbers from 1 on. Makes room for RUN more times, or many
 * more. */
static int
renumber(struct trc_opt_sizes *s, struct trc_err *err)
{
	const uint32_t times = s->next;
	size_t room = s->times;
	uint32_t next = 1;

	for (uint32_t t = 1; t < times; t++)
		if (s->owner[t] != NONE && s->used[s->owner[t]] != t)
			s->owner[t] = NONE;
	for (size_t k = 0; k < s->n; k++)
		move_blocks(&s->size[k], s->owner, times);
	for (uint32_t t = 1; t < times; t++)
		if (keeps(s->owner, t, times)) {
			if (s->owner[t] != NONE)
				s->used[s->owner[t]] = next;
			s->owner[next++] = s->owner[t];
		}
	s->next = next;
	while (next + RUN > room || next > room / 4 * 3)
		room *= 2;
	return room > s->times ? grow(s, room, err) : 0;
}

/* Returns the end of the block that contains time t. */
static inline uint32_t
end_of(struct trc_opt_block *b, uint32_t t)
{
	while (b[t].places == 0) {
		const uint32_t next = b[t].at;

		b[t].at = b[next].places > 0 ? next : b[next].at;
		t = b[t].at;
	}
	return t;
}

/* Processes `n` references in one memory, the first at time `t`. */
static void
refer(struct trc_opt_size *z, uint8_t *dirty, uint8_t bit, const struct use *u, size_t n,
      uint32_t t)
{
	struct trc_opt_block *b = z->block;
	uint32_t full = z->full;

	for (; n > 0; n--, u++, t++) {
		if (u->was >= full) {
			const uint32_t end = end_of(b, u->was + 1), before = b[end].at;

			if (--b[end].places == 0) {
				b[end] = b[before];
				b[before] = (struct trc_opt_block){ 0, end };
				full = before == full ? end : full;
			}
			b[t] = (struct trc_opt_block){ 1, t - 1 };
		} else {
			b[t] = b[t - 1];
			b[t - 1] = (struct trc_opt_block){ 0, t };
			full = t - 1 == full ? t : full;
			z->misses++;
			z->writebacks += (dirty[u->id] & bit) != 0;
			dirty[u->id] &= (uint8_t)~bit;
		}
		if (u->write)
			dirty[u->id] |= bit;
	}
	z->full = full;
}

/* Processes at most RUN references, for which there is room. */
static void
take_refs(struct trc_opt_sizes *s, const uint32_t *id, const uint8_t *type, uint8_t write, size_t n)
{
	struct use use[1 + RUN];
	uint32_t uses = 0;

	use[0] = (struct use){ s->newest, 0, false };
	for (size_t i = 0; i < n; i++) {
		if (id[i] != use[uses].id) {
			use[++uses] = (struct use){ id[i], s->used[id[i]], false };
			s->used[id[i]] = s->next + uses - 1;
			s->owner[s->next + uses - 1] = id[i];
		}
		use[uses].write |= type[i] == write;
	}
	if (use[0].write)
		s->dirty[s->newest] = UINT8_MAX;
	for (size_t k = 0; k < s->n; k++)
		refer(&s->size[k], s->dirty, (uint8_t)(1u << k), use + 1, uses, s->next);
	s->newest = use[uses].id;
	s->next += uses;
}

int
trc_opt_sizes_init(struct trc_opt_sizes *s, const uint64_t *size, size_t n, struct trc_err *err)
{
	*s = (struct trc_opt_sizes){ .n = n, .newest = NONE, .next = BEGIN };
	if (grow(s, TIMES_FIRST, err))
		return -1;
	memset(s->owner, 0xff, BEGIN * sizeof(*s->owner));
	for (size_t k = 0; k < n; k++) {
		const uint32_t m = size[k] < PAGES_MOST ? (uint32_t)size[k] : PAGES_MOST;
		struct trc_opt_size *z = &s->size[k];

		z->full = m > 1 ? BEGIN - 2 : BEGIN - 1;
		z->block[BEGIN - 2] = (struct trc_opt_block){ 0, BEGIN - 1 };
		z->block[BEGIN - 1] = (struct trc_opt_block){ m - 1, BEGIN - 2 };
		z->block[z->full].places = NONE;
	}
	return 0;
}

void
trc_opt_sizes_release(struct trc_opt_sizes *s)
{
	for (size_t k = 0; k < s->n; k++)
		free(s->size[k].block);
	free(s->used);
	free(s->dirty);
	free(s->owner);
	*s = (struct trc_opt_sizes){ .n = 0 };
}

int
trc_opt_sizes_refer(struct trc_opt_sizes *s, const uint32_t *id, const uint8_t *type, uint8_t write,
                    size_t n, uint32_t pages, struct trc_err *err)
{
	const size_t old = s->uses, olds = s->dirts;

	if (trc_grow(&s->used, &s->uses, pages, sizeof(*s->used), err) ||
	    trc_grow(&s->dirty, &s->dirts, pages, sizeof(*s->dirty), err))
		return -1;
	if (s->uses > old)
		memset(s->used + old, 0, (s->uses - old) * sizeof(*s->used));
	if (s->dirts > olds)
		memset(s->dirty + olds, 0, (s->dirts - olds) * sizeof(*s->dirty));
	for (size_t i = 0, run; i < n; i += run) {
		run = n - i < RUN ? n - i : RUN;
		if (s->next + run > s->times && renumber(s, err))
			return -1;
		take_refs(s, id + i, type + i, write, run);
	}
	return 0;
}

void
trc_opt_sizes_remove(struct trc_opt_sizes *s, uint32_t id)
{
	if (id >= s->uses || s->used[id] == 0)
		return;
	for (size_t k = 0; k < s->n && id != s->newest; k++)
		s->size[k].writebacks += s->dirty[id] >> k & (s->used[id] < s->size[k].full);
	if (id == s->newest)
		s->newest = NONE;
	s->used[id] = s->dirty[id] = 0;
}

/* Counts write-backs as if each page were used once more, the least recently used first: pages that
 * are missed were evicted. The first of them replaces the most recently used page, which all
 * memories hold. */
int
trc_opt_sizes_end(struct trc_opt_sizes *s, struct trc_err *err)
{
	static const uint8_t reads[RUN] = { 0 };
	uint32_t *id = trc_alloc_room(s->next, sizeof(*id), err);
	uint64_t misses[TRC_OPT_SIZES_MOST];
	size_t pages = 0, run;
	int ret = id ? 0 : -1;

	for (size_t k = 0; k < s->n; k++)
		misses[k] = s->size[k].misses;
	for (uint32_t t = BEGIN - 2; id && t < s->next; t++)
		if (s->owner[t] != NONE && s->owner[t] != s->newest && s->used[s->owner[t]] == t)
			id[pages++] = s->owner[t];
	for (size_t i = 0; i < pages && ret == 0; i += run) {
		run = pages - i < RUN ? pages - i : RUN;
		ret = trc_opt_sizes_refer(s, id + i, reads, 1, run, 0, err);
	}
	for (size_t k = 0; k < s->n; k++)
		s->size[k].misses = misses[k];
	free(id);
	return ret;
}
