/* SPDX-License-Identifier: MIT
 * Finds and creates spaces, tasks and objects; removes pages from spaces; assigns numbers. */
#include "stage/space/space_state.h"
#include "base/map_find.h"

#include <string.h>

/* ---- finding ---- */

uint32_t
trc_spaces_place(const struct trc_map *m, uint32_t space, uint64_t key)
{
	const uint32_t at = trc_map_find(m, space, key)->value;

	return at == TRC_MAP_NONE ? TRC_NO_PLACE : at;
}

uint32_t
trc_spaces_space(struct trc_spaces *s, uint32_t asid, struct trc_err *err)
{
	const uint32_t at = trc_spaces_place(&s->by_asid, 0, asid);

	if (at)
		return at;
	if (trc_grow(&s->space, &s->space_cap, s->spaces + 1, sizeof(*s->space), err) ||
	    trc_map_add(&s->by_asid, 0, asid, (uint32_t)s->spaces, err))
		return TRC_NO_PLACE;
	s->space[s->spaces] = (struct trc_space){ .asid = asid, .pages.id = ++s->tables };
	return (uint32_t)s->spaces++;
}

uint32_t
trc_spaces_task(struct trc_spaces *s, uint32_t pid, struct trc_err *err)
{
	const uint64_t id = trc_lives_task(&s->lives, pid);
	const uint32_t before = (uint32_t)(id >> 32);
	const uint32_t at = trc_spaces_place(&s->by_pid, before, pid);

	if (at)
		return at;
	if (trc_grow(&s->task, &s->task_cap, s->tasks + 1, sizeof(*s->task), err) ||
	    trc_map_add(&s->by_pid, before, pid, (uint32_t)s->tasks, err))
		return TRC_NO_PLACE;
	s->task[s->tasks] = (struct trc_task){ .id = id, .process = (uint32_t)s->tasks };
	return (uint32_t)s->tasks++;
}

uint32_t
trc_spaces_object(struct trc_spaces *s, uint32_t device, uint64_t inode, struct trc_err *err)
{
	const uint32_t at = trc_spaces_place(&s->by_inode, device, inode);

	if (at)
		return at;
	if (trc_grow(&s->object, &s->object_cap, s->objects + 1, sizeof(*s->object), err) ||
	    trc_map_add(&s->by_inode, device, inode, (uint32_t)s->objects, err))
		return TRC_NO_PLACE;
	s->object[s->objects] = (struct trc_space_object){ .pages.id = ++s->tables };
	return (uint32_t)s->objects++;
}

/* ---- pages ---- */

void
trc_spaces_forget(struct trc_spaces *s, uint32_t asid, uint64_t first, uint64_t last)
{
	if (last - first >= TRC_SPACES_RECENT / 4) {
		memset(s->recent, 0, sizeof(s->recent));
		return;
	}
	for (uint64_t page = first;; page++) {
		s->recent[trc_spaces_slot(asid, page)].number = 0;
		s->recent[trc_spaces_slot(asid, ~page)].number = 0;
		if (page == last)
			break;
	}
}

int
trc_spaces_unmap(struct trc_spaces *s, struct trc_space *x, uint64_t first, uint64_t last,
                 struct trc_err *err)
{
	trc_spaces_forget(s, x->asid, first, last);
	trc_tables_drop(&s->pages, &x->pages, first, last);
	return trc_ranges_cut(&x->ranges, first, last, err);
}

void
trc_spaces_unmap_all(struct trc_spaces *s, struct trc_space *x)
{
	trc_spaces_forget(s, x->asid, 0, UINT64_MAX);
	trc_tables_drop(&s->pages, &x->pages, 0, UINT64_MAX);
	x->ranges.n = 0;
}

uint32_t
trc_spaces_number(struct trc_spaces *s, uint64_t n, struct trc_err *err)
{
	const uint32_t first = s->numbers + 1;

	if (n > TRC_SPACES_FRESH - first) {
		trc_fail(err, "the trace touches more than %u pages", TRC_SPACES_FRESH - 1);
		return 0;
	}
	s->numbers += (uint32_t)n;
	return first;
}
