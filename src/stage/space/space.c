/* SPDX-License-Identifier: MIT
 * Translates the pages of address spaces to canonical pages. */
#include "stage/space/space.h"

#include <stdlib.h>

#include "stage/space/space_state.h"

uint32_t
trc_spaces_translate(struct trc_spaces *s, uint32_t asid, uint64_t page, bool kernel,
                     struct trc_err *err)
{
	const uint64_t key = kernel ? ~page : page;
	const uint32_t at = trc_spaces_space(s, asid, err);
	struct trc_page_table *t = at ? &s->space[at].pages : NULL;
	uint32_t number = t ? trc_tables_get(&s->pages, t, page) : 0;
	const struct trc_range *range;

	if (!at)
		return 0;
	if (number == 0 || number == TRC_SPACES_FRESH) {
		range = trc_ranges_find(&s->space[at].ranges, page);
		if (kernel && !range && number != TRC_SPACES_FRESH) {
			t = &s->kernel;
			number = trc_tables_get(&s->pages, t, page);
		}
		if (range && range->object && number != TRC_SPACES_FRESH)
			number = trc_spaces_object_page(s, range->object,
			                                range->index + (page - range->first), err);
		else if (number == 0 || number == TRC_SPACES_FRESH)
			number = trc_spaces_number(s, 1, err);
		if (!number || trc_tables_set(&s->pages, t, page, number, err))
			return 0;
	}
	s->recent[trc_spaces_slot(asid, key)] = (struct trc_spaces_recent){ key, asid, number };
	return number;
}

uint32_t
trc_spaces_running(const struct trc_spaces *s, bool *known)
{
	*known = s->runs;
	return s->running;
}

uint64_t
trc_spaces_process(const struct trc_spaces *s, uint64_t task)
{
	const uint32_t at = trc_spaces_place(&s->by_pid, (uint32_t)(task >> 32), (uint32_t)task);

	return at ? s->task[s->task[at].process].id : task;
}

const struct trc_spaces_recent *
trc_spaces_recent(const struct trc_spaces *s)
{
	return s->recent;
}

struct trc_spaces *
trc_spaces_open(unsigned page_bits, struct trc_err *err)
{
	struct trc_spaces *s = trc_alloc(1, sizeof(*s), err);

	if (!s)
		return NULL;
	s->bits = page_bits;
	s->spaces = s->tasks = s->objects = 1;
	s->kernel.id = ++s->tables;
	if (trc_tables_init(&s->pages, err) || trc_lives_init(&s->lives, err) ||
	    trc_map_init(&s->by_asid, err) || trc_map_init(&s->by_pid, err) ||
	    trc_map_init(&s->devices, err) || trc_map_init(&s->by_inode, err) ||
	    trc_grow(&s->space, &s->space_cap, 1, sizeof(*s->space), err) ||
	    trc_grow(&s->task, &s->task_cap, 1, sizeof(*s->task), err)) {
		trc_spaces_close(s);
		return NULL;
	}
	s->space[TRC_NO_PLACE] = (struct trc_space){ .tasks = 1 };
	return s;
}

void
trc_spaces_close(struct trc_spaces *s)
{
	if (!s)
		return;
	for (size_t i = 1; i < s->spaces; i++)
		trc_ranges_release(&s->space[i].ranges);
	for (size_t i = 1; i < s->objects; i++) {
		trc_ranges_release(&s->object[i].runs);
		trc_ranges_release(&s->object[i].read);
	}
	free(s->space);
	free(s->task);
	free(s->object);
	trc_lives_release(&s->lives);
	trc_map_release(&s->by_asid);
	trc_map_release(&s->by_pid);
	trc_map_release(&s->devices);
	trc_map_release(&s->by_inode);
	trc_tables_release(&s->pages);
	free(s);
}
