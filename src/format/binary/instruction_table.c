/* SPDX-License-Identifier: MIT
 *
 * Instruction words: a map of all, and a direct-mapped table of recent ones with two entries for
 * each word, within limits.
 */
#include "format/binary/instruction_table.h"
#include "base/map_find.h"

#include <stdlib.h>

enum { PLACES = 1 << 12, PLACES_MOST = 1 << 20 };

/* Allocates a table of `places` recent words. An unused place has the pc of another place. */
static int
make_places(struct trc_insns *w, size_t places, struct trc_err *err)
{
	struct trc_insns_recent *more = trc_alloc(places, sizeof(*more), err);

	if (!more)
		return -1;
	more[0].pc = 4;
	for (size_t i = 0; i < w->places; i++)
		if (trc_insns_place(w->recent[i].pc, w->places) == i)
			more[trc_insns_place(w->recent[i].pc, places)] = w->recent[i];
	free(w->recent);
	w->recent = more;
	w->places = places;
	return 0;
}

int
trc_insns_init(struct trc_insns *w, struct trc_err *err)
{
	*w = (struct trc_insns){ 0 };
	return make_places(w, PLACES, err) || trc_map_init(&w->map, err) ? -1 : 0;
}

void
trc_insns_release(struct trc_insns *w)
{
	trc_map_release(&w->map);
	free(w->word);
	free(w->recent);
	*w = (struct trc_insns){ 0 };
}

static void
remember(struct trc_insns *w, uint64_t pc, uint64_t word)
{
	w->recent[trc_insns_place(pc, w->places)] = (struct trc_insns_recent){ pc, word };
}

int
trc_insns_put(struct trc_insns *w, uint64_t pc, uint64_t word, struct trc_err *err)
{
	const struct trc_map_entry *e = trc_map_find(&w->map, 0, pc);

	if (e->value != TRC_MAP_NONE) {
		w->word[e->value] = word;
	} else {
		if (trc_grow(&w->word, &w->cap, w->n + 1, sizeof(*w->word), err) ||
		    trc_map_add(&w->map, 0, pc, (uint32_t)w->n, err))
			return -1;
		w->word[w->n++] = word;
		if (w->n > w->places / 2 && w->places < PLACES_MOST &&
		    make_places(w, 2 * w->places, err))
			return -1;
	}
	remember(w, pc, word);
	return 0;
}

uint64_t
trc_insns_get(struct trc_insns *w, uint64_t pc)
{
	const struct trc_map_entry *e = trc_map_find(&w->map, 0, pc);
	const uint64_t word = e->value != TRC_MAP_NONE ? w->word[e->value] : 0;

	remember(w, pc, word);
	return word;
}
