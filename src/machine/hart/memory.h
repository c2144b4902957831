/* SPDX-License-Identifier: MIT
 *
 * Guest memory: 4 KiB pages that exist once they were written or a processor accessed them; a byte
 * that was never written is 0. Addresses are physical, or virtual where one program runs in user
 * mode. Addresses outside the ranges of RAM belong to devices.
 *
 * The memory owns its pages. They do not move until it is released, so pointers to their bytes may
 * be kept. While a hart runs on the memory, write through trc_hart_write(): trc_memory_write() does
 * not drop decoded instructions.
 */
#ifndef TRC_MACHINE_HART_MEMORY_H
#define TRC_MACHINE_HART_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"

enum {
	TRC_GUEST_PAGE_BITS = 12,
	TRC_GUEST_PAGE = 1 << TRC_GUEST_PAGE_BITS,
	TRC_RAM_RANGES = 8,
};

/* The addresses from `first` to `last`, inclusive. */
struct trc_ram {
	uint64_t first, last;
};

/* A page of guest memory. */
struct trc_page {
	uint64_t number;          /* address >> TRC_GUEST_PAGE_BITS */
	uint8_t *byte;            /* TRC_GUEST_PAGE bytes */
	bool dirty;               /* written since this was last cleared; see trc_hart_flush() */
	struct trc_decoded *code; /* its decoded instructions; managed by the processor */
};

/* Guest memory. */
struct trc_memory {
	struct trc_map map;
	struct trc_page **page; /* in the order in which they were made */
	size_t n, cap;
	size_t most; /* limit of pages */
	struct trc_ram ram[TRC_RAM_RANGES];
	unsigned rams;
};

/* Makes a memory without RAM, limited to `bytes` bytes of pages. */
int trc_memory_init(struct trc_memory *m, uint64_t bytes, struct trc_err *err) TRC_MUST_USE;
void trc_memory_release(struct trc_memory *m);

/* Makes the addresses from `first` to `last` RAM; both must be at page boundaries. */
int trc_memory_add_ram(struct trc_memory *m, uint64_t first, uint64_t last,
                       struct trc_err *err) TRC_MUST_USE;
bool trc_memory_is_ram(const struct trc_memory *m, uint64_t addr);

/* Returns the page with this number; NULL if it was never written. */
struct trc_page *trc_memory_find(const struct trc_memory *m, uint64_t number);

/* Returns the page with this number, making one of zeros if necessary; NULL only on failure. */
struct trc_page *trc_memory_page(struct trc_memory *m, uint64_t number, struct trc_err *err);

/* Copies bytes out, and in; ranges may cross pages. */
void trc_memory_read(const struct trc_memory *m, uint64_t addr, void *dst, size_t len);
int trc_memory_write(struct trc_memory *m, uint64_t addr, const void *src, size_t len,
                     struct trc_err *err) TRC_MUST_USE;

#endif
