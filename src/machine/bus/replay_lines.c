/* SPDX-License-Identifier: MIT */
#include "machine/bus/replay_lines.h"

#include <stdlib.h>

enum {
	LINE_MOST = 4096,  /* bytes of a line of a bus trace */
	WAITING_MOST = 32, /* lines moved by two consecutive instructions */
};

/* A line that was moved but does not match memory yet. */
struct waiting {
	uint64_t addr, count;
	uint32_t len;
	bool back;
	uint8_t data[LINE_MOST];
};

/* The fills and write-backs of a bus trace, which are compared with replayed memory. */
struct trc_replay_lines {
	struct trc_bus *bus;
	struct trc_bus_record line; /* the next fill or write-back */
	bool left;
	struct waiting waiting[WAITING_MOST];
	size_t waits;
};

static int
next_line(struct trc_replay_lines *l, struct trc_err *err)
{
	const struct trc_bus_record *r = &l->line;
	enum trc_flow flow;

	do
		flow = trc_bus_next(l->bus, &l->line, err);
	while (flow == TRC_FLOW_ROWS && r->type != TRC_BUS_FILL && r->type != TRC_BUS_BACK);
	l->left = flow == TRC_FLOW_ROWS;
	return flow == TRC_FLOW_FAILED ? -1 : 0;
}

/* Returns the count at which a line is compared: before the instruction that needed it. */
static uint64_t
line_due(const struct trc_bus_record *r)
{
	const bool fetched = r->type == TRC_BUS_FILL &&
	                     (r->key == TRC_BUS_FETCH || r->key == TRC_BUS_WALK_FETCH);

	return fetched || r->count == 0 ? r->count : r->count - 1;
}

struct trc_replay_lines *
trc_replay_lines_open(struct trc_bus *bus, uint64_t from, struct trc_err *err)
{
	struct trc_replay_lines *l = trc_alloc(1, sizeof(*l), err);
	int ret;

	if (!l)
		return NULL;
	l->bus = bus;
	do
		ret = next_line(l, err);
	while (ret == 0 && l->left && line_due(&l->line) < from);
	if (ret == 0)
		return l;
	free(l);
	return NULL;
}

void
trc_replay_lines_close(struct trc_replay_lines *l)
{
	free(l);
}

static bool
is_here(const struct trc_memory *mem, uint64_t addr, const uint8_t *data, uint32_t len)
{
	uint8_t here[LINE_MOST];

	trc_memory_read(mem, addr, here, len);
	return memcmp(here, data, len) == 0;
}

static int
fail_line(const struct waiting *w, struct trc_err *err)
{
	return trc_fail(err, "the line at %llx differs from when it was %s, at count %llx",
	                (unsigned long long)w->addr, w->back ? "written back" : "filled",
	                (unsigned long long)w->count);
}

/* A line may be moved in the middle of an instruction that wrote to it, or whose page walk marked
 * it. Such a line matches memory at one of the next two moments. */
static int
wait_for(struct trc_replay_lines *l, struct trc_err *err)
{
	const struct trc_bus_record *r = &l->line;
	struct waiting *w;

	if (l->waits == WAITING_MOST)
		return fail_line(&l->waiting[0], err);
	w = &l->waiting[l->waits++];
	w->addr = r->addr;
	w->count = r->count;
	w->len = r->len;
	w->back = r->type == TRC_BUS_BACK;
	memcpy(w->data, r->data, r->len);
	return 0;
}

static int
compare_waiting(struct trc_replay_lines *l, const struct trc_memory *mem, uint64_t count,
                uint64_t all, uint64_t *fills, uint64_t *backs, struct trc_err *err)
{
	size_t left = 0;

	for (size_t i = 0; i < l->waits; i++) {
		const struct waiting *w = &l->waiting[i];

		if (is_here(mem, w->addr, w->data, w->len))
			*(w->back ? backs : fills) += 1;
		else if (count > w->count + 1 || count == all)
			return fail_line(w, err);
		else
			l->waiting[left++] = *w;
	}
	l->waits = left;
	return 0;
}

int
trc_replay_lines_compare(struct trc_replay_lines *l, const struct trc_memory *mem, uint64_t count,
                         uint64_t all, uint64_t *fills, uint64_t *backs, struct trc_err *err)
{
	const struct trc_bus_record *r = &l->line;

	if (compare_waiting(l, mem, count, all, fills, backs, err))
		return -1;
	while (l->left && line_due(r) <= count) {
		if (r->len > LINE_MOST || is_here(mem, r->addr, r->data, r->len))
			*(r->type == TRC_BUS_BACK ? backs : fills) += r->len <= LINE_MOST;
		else if (wait_for(l, err))
			return -1;
		if (next_line(l, err))
			return -1;
	}
	return 0;
}

uint64_t
trc_replay_lines_due(const struct trc_replay_lines *l, uint64_t count)
{
	if (l->waits > 0)
		return count + 1;
	return l->left ? line_due(&l->line) : UINT64_MAX;
}
