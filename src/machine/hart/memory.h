/* SPDX-License-Identifier: MIT
 *
 * Guest memory: pages of 4 KiB that are there once somebody wrote them, or a processor looked at
 * them; a byte that nobody wrote is 0. Addresses are physical, or virtual where a program of user
 * mode is all there is. What lies in no range of RAM belongs to devices.
 *
 * The memory owns its pages. They stay where they are until it is released, so pointers to their
 * bytes may be kept. Whoever runs a hart on the memory writes through trc_hart_write() instead,
 * since decoded instructions would not see what trc_memory_write() does.
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
	uint8_t *byte;            /* TRC_GUEST_PAGE of them */
	bool dirty;               /* written since this was last cleared; see trc_hart_flush() */
	struct trc_decoded *code; /* what is decoded of it: the processor's */
};

/* Guest memory. */
struct trc_memory {
	struct trc_map map;
	struct trc_page **page; /* in the order in which they came */
	size_t n, cap;
	size_t most; /* pages: more is refused */
	struct trc_ram ram[TRC_RAM_RANGES];
	unsigned rams;
};

/* Empty, without RAM; at most `bytes` of pages will be made. */
int trc_memory_init(struct trc_memory *m, uint64_t bytes, struct trc_err *err) TRC_MUST_USE;
void trc_memory_release(struct trc_memory *m);

/* Makes RAM of the addresses from `first` to `last`, both at the edges of pages. */
int trc_memory_add_ram(struct trc_memory *m, uint64_t first, uint64_t last,
                       struct trc_err *err) TRC_MUST_USE;
bool trc_memory_is_ram(const struct trc_memory *m, uint64_t addr);

/* The page with this number, or NULL if nobody wrote it. */
struct trc_page *trc_memory_find(const struct trc_memory *m, uint64_t number);

/* The same, but made, full of zeros, if it is not there; NULL only on failure. */
struct trc_page *trc_memory_page(struct trc_memory *m, uint64_t number, struct trc_err *err);

/* Copies bytes out, and in; ranges may cross pages. */
void trc_memory_read(const struct trc_memory *m, uint64_t addr, void *dst, size_t len);
int trc_memory_write(struct trc_memory *m, uint64_t addr, const void *src, size_t len,
                     struct trc_err *err) TRC_MUST_USE;

#endif
