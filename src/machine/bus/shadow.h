/* SPDX-License-Identifier: MIT
 *
 * Shadow memory: the contents of memory that a bus trace has shown so far; each byte is unknown or
 * known (Rose and Flanagan 1996, 3.1.2 and 3.1.3). Unknown bytes are 0.
 */
#ifndef TRC_MACHINE_BUS_SHADOW_H
#define TRC_MACHINE_BUS_SHADOW_H

#include "base/map.h"
#include "machine/bus/image.h"

enum { TRC_SHADOW_PAGE = 4096 }; /* bytes of a page */

/* A page with at least one known byte. */
struct trc_shadow_page {
	uint64_t page;                        /* address / TRC_SHADOW_PAGE */
	uint64_t known[TRC_SHADOW_PAGE / 64]; /* a bit for each byte */
	uint8_t byte[TRC_SHADOW_PAGE];
};

/* The known bytes of memory. */
struct trc_shadow {
	struct trc_map map;            /* page -> index */
	struct trc_shadow_page **page; /* allocated one by one, so that they do not move */
	size_t n, cap;
	struct trc_shadow_page *last; /* the page used last; NULL: none yet */
};

int trc_shadow_init(struct trc_shadow *s, struct trc_err *err) TRC_MUST_USE;
void trc_shadow_release(struct trc_shadow *s);

/* A run of bytes that a read showed: they were unknown, or known and different. */
struct trc_shadow_run {
	bool known;
	uint64_t addr;
	const uint8_t *data;
	uint32_t len;
};

typedef int (*trc_shadow_fn)(void *user, const struct trc_shadow_run *run, struct trc_err *err);

/* The processor read `len` bytes at `addr`, which are known from now on. Calls `report` for each
 * run of bytes that were unknown, or known and different, in order of address; NULL: for none. */
int trc_shadow_read(struct trc_shadow *s, uint64_t addr, const uint8_t *data, uint32_t len,
                    trc_shadow_fn report, void *user, struct trc_err *err) TRC_MUST_USE;

/* `len` bytes at `addr` were written, and are known from now on. */
int trc_shadow_write(struct trc_shadow *s, uint64_t addr, const uint8_t *data, uint32_t len,
                     struct trc_err *err) TRC_MUST_USE;

/* `len` bytes at `from` were moved to `to`; all three are whole pages. All of these bytes are known
 * from now on. */
int trc_shadow_move(struct trc_shadow *s, uint64_t from, uint64_t to, uint64_t len,
                    struct trc_err *err) TRC_MUST_USE;

/* Returns the page, or NULL if none of its bytes is known. */
struct trc_shadow_page *trc_shadow_find(struct trc_shadow *s, uint64_t page);

static inline bool
trc_shadow_is_known(const struct trc_shadow_page *p, uint32_t i)
{
	return p->known[i / 64] >> i % 64 & 1;
}

/* Returns true if all of the bytes are known to have these values. */
bool trc_shadow_same(struct trc_shadow *s, uint64_t addr, const uint8_t *data, uint32_t len);

/* Returns true if any of the bytes is known. */
bool trc_shadow_any(struct trc_shadow *s, uint64_t addr, uint32_t len);

/* Appends all known bytes to an image, in no particular order. */
int trc_shadow_image(const struct trc_shadow *s, struct trc_image *m,
                     struct trc_err *err) TRC_MUST_USE;

/* Returns the digest of memory: bus.md, "Hashes". */
uint64_t trc_shadow_digest(const struct trc_shadow *s);

#endif
