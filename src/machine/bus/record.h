/* SPDX-License-Identifier: MIT
 *
 * Recording without a cache: a bus trace from all that a processor reads and writes, as it would
 * stand behind a cache that is large enough for everything. A line is filled if the processor reads
 * a byte of it that was not seen before or is not what it was; what the processor had written to
 * the line goes out just before, as a cache gives it up when another master writes.
 *
 * Nearly every access shows nothing new. trc_record_known() and trc_record_kept() find that out for
 * what an instruction loads or stores, without a call; where they cannot, trc_record_read() and
 * trc_record_write() do.
 */
#ifndef TRC_MACHINE_BUS_RECORD_H
#define TRC_MACHINE_BUS_RECORD_H

#include "base/bytes.h"
#include "machine/bus/bus.h"
#include "machine/bus/shadow.h"

enum {
	TRC_RECORD_LINE = 64,   /* bytes */
	TRC_RECORD_SLOTS = 1024 /* pages that are found at once, by their number */
};

/* What records an emulated processor: its view of memory, and that of the bus. */
struct trc_recorder {
	struct trc_bus_writer *bus;    /* the caller's */
	const uint8_t *memory;         /* the memory of the recorded machine, as it is now, from its
	                                * address 0 on */
	struct trc_shadow here, there; /* memory as the processor has it, and as the bus shows it */
	struct trc_shadow_page *slot[TRC_RECORD_SLOTS]; /* of `here`; NULL: none yet */
	uint64_t hash, rows;                            /* of the trace so far: bus.md, "Hashes" */
};

/* The caller sets `memory` before anything is read or written. */
int trc_recorder_init(struct trc_recorder *r, struct trc_bus_writer *bus,
                      struct trc_err *err) TRC_MUST_USE;
void trc_recorder_release(struct trc_recorder *r);

/* The processor reads, or has written, these bytes; `count` is that of the record. */
int trc_record_read(struct trc_recorder *r, uint64_t count, enum trc_bus_agent agent, uint64_t addr,
                    uint32_t len, struct trc_err *err) TRC_MUST_USE;
int trc_record_write(struct trc_recorder *r, uint64_t addr, uint32_t len,
                     struct trc_err *err) TRC_MUST_USE;

/* The same where memory may be different again: the read saw `data`, or the write left it there. */
int trc_record_saw(struct trc_recorder *r, uint64_t count, enum trc_bus_agent agent, uint64_t addr,
                   const uint8_t *data, uint32_t len, struct trc_err *err) TRC_MUST_USE;
int trc_record_left(struct trc_recorder *r, uint64_t addr, const uint8_t *data, uint32_t len,
                    struct trc_err *err) TRC_MUST_USE;

/* The page of `here` that has 8 bytes at addr, if that is seen at once. */
static inline struct trc_shadow_page *
trc_record_page(const struct trc_recorder *r, uint64_t addr)
{
	struct trc_shadow_page *p = r->slot[addr / TRC_SHADOW_PAGE % TRC_RECORD_SLOTS];

	return p && p->page == addr / TRC_SHADOW_PAGE &&
	                       addr % TRC_SHADOW_PAGE <= TRC_SHADOW_PAGE - 8 ?
	               p :
	               NULL;
}

/* True if a read of these up to 8 bytes is seen at once to show nothing new. */
static inline bool
trc_record_known(const struct trc_recorder *r, uint64_t addr, unsigned len)
{
	const struct trc_shadow_page *p = trc_record_page(r, addr);
	const uint64_t bits = (UINT64_C(1) << len) - 1;
	const unsigned i = addr % TRC_SHADOW_PAGE;

	return p && (p->known[i / 64] >> i % 64 & bits) == bits &&
	       (trc_le64(p->byte + i) ^ trc_le64(r->memory + addr)) << (64 - 8 * len) == 0;
}

/* True if a write of these up to 8 bytes could be noted at once. */
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

/* The kernel moved memory to another address, all of it whole pages. */
int trc_record_move(struct trc_recorder *r, uint64_t count, uint64_t from, uint64_t to,
                    uint64_t len, struct trc_err *err) TRC_MUST_USE;

/* References of the trace, for its hash: their addresses, in order, bit 63 flipped in those of
 * stores. */
void trc_record_rows(struct trc_recorder *r, const uint64_t *row, size_t n);

/* Writes back all that was written, then the E; the registers at the end have been put before. */
int trc_record_end(struct trc_recorder *r, uint64_t count, struct trc_err *err) TRC_MUST_USE;

#endif
