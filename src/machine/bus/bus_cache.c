/* SPDX-License-Identifier: MIT */
#include "machine/bus/bus_cache.h"

#include <stdlib.h>

enum { LINE_MOST = 4096 };

int
trc_bus_cache_init(struct trc_bus_cache *c, uint64_t bytes, uint32_t ways, uint32_t line,
                   const struct trc_memory *mem, struct trc_bus_writer *bus,
                   struct trc_shadow *shown, struct trc_err *err)
{
	*c = (struct trc_bus_cache){ mem, bus, shown, line, ways, 0, 0, NULL, 0, 0 };
	if (line < 8 || line > LINE_MOST || line & (line - 1) || ways == 0 ||
	    bytes % ((uint64_t)line * ways) || bytes == 0)
		return trc_fail_as(err, TRC_USAGE,
		                   "a cache cannot have %llu bytes in %u ways and lines of %u",
		                   (unsigned long long)bytes, (unsigned)ways, (unsigned)line);
	c->sets = bytes / line / ways;
	if (c->sets & (c->sets - 1))
		return trc_fail_as(err, TRC_USAGE, "%llu sets is not a power of two",
		                   (unsigned long long)c->sets);
	c->way = trc_alloc((size_t)(c->sets * ways), sizeof(*c->way), err);
	return c->way ? 0 : -1;
}

void
trc_bus_cache_release(struct trc_bus_cache *c)
{
	free(c->way);
	*c = (struct trc_bus_cache){ 0 };
}

static struct trc_bus_cache_line *
set_of(const struct trc_bus_cache *c, uint64_t tag)
{
	return &c->way[(tag & (c->sets - 1)) * c->ways];
}

/* Returns the line with this tag, or NULL. */
static struct trc_bus_cache_line *
find_line(const struct trc_bus_cache *c, uint64_t tag)
{
	struct trc_bus_cache_line *set = set_of(c, tag);

	for (uint32_t w = 0; w < c->ways; w++)
		if (set[w].used && set[w].tag == tag)
			return &set[w];
	return NULL;
}

static int
put(struct trc_bus_cache *c, enum trc_bus_type type, uint64_t count, enum trc_bus_agent agent,
    uint64_t tag, struct trc_err *err)
{
	uint8_t data[LINE_MOST];
	const struct trc_bus_record r = { .type = type,
		                          .count = count,
		                          .key = agent,
		                          .addr = tag * c->line,
		                          .data = data,
		                          .len = c->line };

	trc_memory_read(c->mem, r.addr, data, c->line);
	if (trc_shadow_write(c->shown, r.addr, data, c->line, err))
		return -1;
	return trc_bus_put(c->bus, &r, err);
}

static int
put_back(struct trc_bus_cache *c, uint64_t count, struct trc_bus_cache_line *line,
         struct trc_err *err)
{
	if (!line->used || !line->dirty)
		return 0;
	line->dirty = false;
	c->backs++;
	return put(c, TRC_BUS_BACK, count, TRC_BUS_DATA, line->tag, err);
}

/* Replaces the least recently used line of the set. */
static int
fill(struct trc_bus_cache *c, uint64_t count, enum trc_bus_agent agent, uint64_t tag,
     struct trc_bus_cache_line **line, struct trc_err *err)
{
	struct trc_bus_cache_line *set = set_of(c, tag), *oldest = set;

	for (uint32_t w = 1; w < c->ways; w++)
		if (set[w].used < oldest->used)
			oldest = &set[w];
	if (put_back(c, count, oldest, err))
		return -1;
	*oldest = (struct trc_bus_cache_line){ .tag = tag };
	*line = oldest;
	c->fills++;
	return put(c, TRC_BUS_FILL, count, agent, tag, err);
}

int
trc_bus_cache_access(struct trc_bus_cache *c, uint64_t count, enum trc_bus_agent agent,
                     uint64_t addr, uint32_t len, bool store, struct trc_err *err)
{
	for (uint64_t tag = addr / c->line; tag <= (addr + len - 1) / c->line; tag++) {
		struct trc_bus_cache_line *line = find_line(c, tag);

		if (!line && fill(c, count, agent, tag, &line, err))
			return -1;
		line->used = ++c->clock;
		line->dirty |= store;
	}
	return 0;
}

int
trc_bus_cache_snoop(struct trc_bus_cache *c, uint64_t count, uint64_t addr, uint64_t len,
                    bool write, struct trc_err *err)
{
	for (uint64_t tag = addr / c->line; len && tag <= (addr + len - 1) / c->line; tag++) {
		struct trc_bus_cache_line *line = find_line(c, tag);

		if (!line)
			continue;
		if (put_back(c, count, line, err))
			return -1;
		if (write)
			line->used = 0;
	}
	return 0;
}

int
trc_bus_cache_flush(struct trc_bus_cache *c, uint64_t count, struct trc_err *err)
{
	for (uint64_t i = 0; i < c->sets * c->ways; i++)
		if (put_back(c, count, &c->way[i], err))
			return -1;
	return 0;
}
