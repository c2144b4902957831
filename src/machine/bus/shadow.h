/* SPDX-License-Identifier: MIT
 *
 * Shadow memory: what a bus trace shows of memory, byte by byte, each unknown or known (Rose and
 * Flanagan 1996, 3.1.2 and 3.1.3). Unknown bytes are 0.
 */
#ifndef TRC_MACHINE_BUS_SHADOW_H
#define TRC_MACHINE_BUS_SHADOW_H

#include "base/map.h"
#include "machine/bus/image.h"

enum { TRC_SHADOW_PAGE = 4096 }; /* bytes that are kept together */

/* A page of which some bytes are known. */
struct trc_shadow_page {
	uint64_t page;                        /* address / TRC_SHADOW_PAGE */
	uint64_t known[TRC_SHADOW_PAGE / 64]; /* a bit for each byte */
	uint8_t byte[TRC_SHADOW_PAGE];
};

/* Memory as far as it is known. */
struct trc_shadow {
	struct trc_map map;            /* page -> index */
	struct trc_shadow_page **page; /* allocated one by one, so that they stay where they are */
	size_t n, cap;
	struct trc_shadow_page *last; /* the one used last; NULL: none yet */
};

int trc_shadow_init(struct trc_shadow *s, struct trc_err *err) TRC_MUST_USE;
void trc_shadow_release(struct trc_shadow *s);

/* A run of bytes that a read showed: new if they were unknown, else other than they were. */
struct trc_shadow_run {
	bool known;
	uint64_t addr;
	const uint8_t *data;
	uint32_t len;
};

typedef int (*trc_shadow_fn)(void *user, const struct trc_shadow_run *run, struct trc_err *err);

/* The processor read `len` bytes at `addr`: they are known now. Calls `report` for each run of
 * bytes that were unknown, or known and different, in order of address. */
int trc_shadow_read(struct trc_shadow *s, uint64_t addr, const uint8_t *data, uint32_t len,
                    trc_shadow_fn report, void *user, struct trc_err *err) TRC_MUST_USE;

/* `len` bytes at `addr` were written: they are known now. */
int trc_shadow_write(struct trc_shadow *s, uint64_t addr, const uint8_t *data, uint32_t len,
                     struct trc_err *err) TRC_MUST_USE;

/* `len` bytes at `from` were moved to `to`, all three whole pages. All of them are known now. */
int trc_shadow_move(struct trc_shadow *s, uint64_t from, uint64_t to, uint64_t len,
                    struct trc_err *err) TRC_MUST_USE;

/* The page, or NULL if nothing of it is known. */
struct trc_shadow_page *trc_shadow_find(struct trc_shadow *s, uint64_t page);

static inline bool
trc_shadow_is_known(const struct trc_shadow_page *p, uint32_t i)
{
	return p->known[i / 64] >> i % 64 & 1;
}

/* True if all of the bytes are known to be these. */
bool trc_shadow_same(struct trc_shadow *s, uint64_t addr, const uint8_t *data, uint32_t len);

/* True if one of the bytes is known. */
bool trc_shadow_any(struct trc_shadow *s, uint64_t addr, uint32_t len);

/* Appends all bytes that are known to an image, not in order. */
int trc_shadow_image(const struct trc_shadow *s, struct trc_image *m,
                     struct trc_err *err) TRC_MUST_USE;

/* The digest of memory: bus.md, "Hashes". */
uint64_t trc_shadow_digest(const struct trc_shadow *s);

#endif
