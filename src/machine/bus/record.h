/* SPDX-License-Identifier: MIT
 *
 * Recording without a cache: makes a bus trace from all reads and writes of a processor, as if
 * after a cache large enough for everything. A line is filled if the processor reads a byte of it
 * that was not seen before or has changed. If the processor had written to the line, these bytes
 * are written back just before, as a cache does when another master writes.
 *
 * Nearly every access shows nothing new. trc_record_known() and trc_record_kept() detect that
 * inline; if they return false, call trc_record_read() and trc_record_write().
 */
#ifndef TRC_MACHINE_BUS_RECORD_H
#define TRC_MACHINE_BUS_RECORD_H

#include "base/bytes.h"
#include "machine/bus/bus.h"
#include "machine/bus/shadow.h"

enum {
	TRC_RECORD_LINE = 64,   /* bytes */
	TRC_RECORD_SLOTS = 1024 /* pages found by number without the map */
};

/* Records an emulated processor: its view of memory, and that of the bus. */
struct trc_recorder {
	struct trc_bus_writer *bus; /* owned by the caller */

	/* The current memory of the recorded machine, from its address 0 on. */
	const uint8_t *memory;

	/* Memory as the processor sees it, and as the bus has shown it. */
	struct trc_shadow here, there;
	struct trc_shadow_page *slot[TRC_RECORD_SLOTS]; /* pages of `here`; NULL: none yet */
	uint64_t hash, rows;                            /* of the trace so far: bus.md, "Hashes" */
};

/* Makes a recorder. The caller sets `memory` before the first access. */
int trc_recorder_init(struct trc_recorder *r, struct trc_bus_writer *bus,
                      struct trc_err *err) TRC_MUST_USE;
void trc_recorder_release(struct trc_recorder *r);

/* The processor reads these bytes, or has written them. `count` is that of the record. */
int trc_record_read(struct trc_recorder *r, uint64_t count, enum trc_bus_agent agent, uint64_t addr,
                    uint32_t len, struct trc_err *err) TRC_MUST_USE;
int trc_record_write(struct trc_recorder *r, uint64_t addr, uint32_t len,
                     struct trc_err *err) TRC_MUST_USE;

/* The same if memory may have changed since: the read returned `data`, or the write stored it. */
int trc_record_saw(struct trc_recorder *r, uint64_t count, enum trc_bus_agent agent, uint64_t addr,
                   const uint8_t *data, uint32_t len, struct trc_err *err) TRC_MUST_USE;
int trc_record_left(struct trc_recorder *r, uint64_t addr, const uint8_t *data, uint32_t len,
                    struct trc_err *err) TRC_MUST_USE;

/* Returns the page of `here` that has the 8 bytes at addr, if the direct-mapped table finds it. */
static inline struct trc_shadow_page *
trc_record_page(const struct trc_recorder *r, uint64_t addr)
{
	struct trc_shadow_page *p = r->slot[addr / TRC_SHADOW_PAGE % TRC_RECORD_SLOTS];

	return p && p->page == addr / TRC_SHADOW_PAGE &&
	                       addr % TRC_SHADOW_PAGE <= TRC_SHADOW_PAGE - 8 ?
	               p :
	               NULL;
}

/* Returns true if a read of up to 8 bytes certainly shows nothing new. */
static inline bool
trc_record_known(const struct trc_recorder *r, uint64_t addr, unsigned len)
{
	const struct trc_shadow_page *p = trc_record_page(r, addr);
	const uint64_t bits = (UINT64_C(1) << len) - 1;
	const unsigned i = addr % TRC_SHADOW_PAGE;

	return p && (p->known[i / 64] >> i % 64 & bits) == bits &&
	       (trc_le64(p->byte + i) ^ trc_le64(r->memory + addr)) << (64 - 8 * len) == 0;
}

/* Notes a write of up to 8 bytes; returns false if that needs trc_record_write(). */
static inline bool
trc_record_kept(struct trc_recorder *r, uint64_t addr, unsigned len)
{
	struct trc_shadow_page *p = trc_record_page(r, addr);
	const uint64_t bits = (UINT64_C(1) << len) - 1, mask = UINT64_MAX >> (64 - 8 * len);
	const unsigned i = addr % TRC_SHADOW_PAGE;
	uint64_t v;

	if (!p || i % 64 + len > 64)
		return false;
	v = trc_le64(p->byte + i);
	trc_put_le64(p->byte + i, v ^ ((v ^ trc_le64(r->memory + addr)) & mask));
	p->known[i / 64] |= bits << i % 64;
	return true;
}

/* The kernel moved memory to another address, in whole pages. */
int trc_record_move(struct trc_recorder *r, uint64_t count, uint64_t from, uint64_t to,
                    uint64_t len, struct trc_err *err) TRC_MUST_USE;

/* Adds references of the trace to its hash: their addresses, in order, with bit 63 flipped for
 * stores. */
void trc_record_rows(struct trc_recorder *r, const uint64_t *row, size_t n);

/* Writes back everything that was written, then the E record. The caller has put the registers at
 * the end before. */
int trc_record_end(struct trc_recorder *r, uint64_t count, struct trc_err *err) TRC_MUST_USE;

#endif
