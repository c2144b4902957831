/* SPDX-License-Identifier: MIT
 *
 * The cache between a recorded processor and its bus: set-associative, LRU, write-back and
 * write-allocate, unified for instructions and data. It stores no data, since memory has them: a
 * line that is filled or written back has the bytes of memory at that moment.
 */
#ifndef TRC_MACHINE_BUS_BUS_CACHE_H
#define TRC_MACHINE_BUS_BUS_CACHE_H

#include "machine/bus/bus.h"
#include "machine/hart/memory.h"
#include "machine/bus/shadow.h"

/* A line of the cache. */
struct trc_bus_cache_line {
	uint64_t tag;  /* address / line size */
	uint64_t used; /* time of the last use, for LRU; 0: the line is empty */
	bool dirty;
};

/* The cache. Its fills and write-backs go to a bus trace. */
struct trc_bus_cache {
	const struct trc_memory *mem; /* owned by the caller, like bus and shown */
	struct trc_bus_writer *bus;
	struct trc_shadow *shown; /* the contents of memory that the bus has shown */
	uint32_t line, ways;      /* bytes of a line, at most 4096; lines of a set */
	uint64_t sets, clock;
	struct trc_bus_cache_line *way; /* ways * sets */
	uint64_t fills, backs;
};

/* Makes an empty cache of `bytes` bytes in lines of `line` bytes; all sizes are powers of two. */
int trc_bus_cache_init(struct trc_bus_cache *c, uint64_t bytes, uint32_t ways, uint32_t line,
                       const struct trc_memory *mem, struct trc_bus_writer *bus,
                       struct trc_shadow *shown, struct trc_err *err) TRC_MUST_USE;
void trc_bus_cache_release(struct trc_bus_cache *c);

/* The processor reads these bytes, or is about to write them. */
int trc_bus_cache_access(struct trc_bus_cache *c, uint64_t count, enum trc_bus_agent agent,
                         uint64_t addr, uint32_t len, bool store, struct trc_err *err) TRC_MUST_USE;

/* Another master reads these bytes, or is about to write them: dirty lines are written back, and
 * before a write the lines are invalidated. */
int trc_bus_cache_snoop(struct trc_bus_cache *c, uint64_t count, uint64_t addr, uint64_t len,
                        bool write, struct trc_err *err) TRC_MUST_USE;

/* Writes back all dirty lines. */
int trc_bus_cache_flush(struct trc_bus_cache *c, uint64_t count, struct trc_err *err) TRC_MUST_USE;

#endif
