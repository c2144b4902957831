/* SPDX-License-Identifier: MIT */
#include "stage/space/lives.h"

#include "base/map_find.h"
#include "batch/event.h"

int
trc_lives_init(struct trc_lives *l, struct trc_err *err)
{
	return trc_map_init(&l->map, err);
}

void
trc_lives_release(struct trc_lives *l)
{
	trc_map_release(&l->map);
}

uint64_t
trc_lives_task(const struct trc_lives *l, uint32_t pid)
{
	const uint32_t value = trc_map_find(&l->map, 0, pid)->value;

	return value == TRC_MAP_NONE ? pid : (uint64_t)(value >> 1) << 32 | pid;
}

int
trc_lives_begin(struct trc_lives *l, uint32_t pid, struct trc_err *err)
{
	struct trc_map_entry *e = trc_map_find(&l->map, 0, pid);

	if (e->value == TRC_MAP_NONE)
		return trc_map_add(&l->map, 0, pid, 1, err);
	if (e->value >= TRC_MAP_NONE - 2)
		return trc_fail(err, "task %x was started too often", pid);
	e->value += 2;
	return 0;
}

int
trc_lives_end(struct trc_lives *l, uint32_t pid, struct trc_err *err)
{
	if (trc_map_find(&l->map, 0, pid)->value != TRC_MAP_NONE)
		return 0;
	return trc_map_add(&l->map, 0, pid, 1, err);
}

int
trc_lives_event(struct trc_lives *l, const char *text, struct trc_err *err)
{
	struct trc_event e;

	if (*text != 'F' && *text != 'T')
		return 0;
	if (trc_event_parse(&e, text, err))
		return -1;
	return *text == 'F' ? trc_lives_begin(l, (uint32_t)e.field[0], err) :
	                      trc_lives_end(l, (uint32_t)e.field[0], err);
}
