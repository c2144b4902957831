/* SPDX-License-Identifier: MIT
 *
 * Detects which stores copy a page on write. No system call shows that, but it follows from the
 * mappings: the first store to a page of a private file mapping, or to private memory that is
 * shared with another process since a fork. The last process that has such a page stores to the
 * page itself.
 */
#ifndef TRC_CAPTURE_COPIES_H
#define TRC_CAPTURE_COPIES_H

#include <stdbool.h>
#include <stdint.h>

enum trc_mapping_kind { TRC_MAPPED_ANONYMOUS, TRC_MAPPED_PRIVATE_FILE, TRC_MAPPED_SHARED };

/* A mapping of the guest. */
struct trc_mapping {
	uint64_t first, end; /* bytes */
	enum trc_mapping_kind kind;
	uint64_t since; /* generation in which it was mapped */
};

/* Call it before all others; ends the process if memory runs out. */
void trc_copies_open(void);

/* [first, end) is now mapped as `kind`, or unmapped. */
void trc_copies_map(uint64_t first, uint64_t end, enum trc_mapping_kind kind);
void trc_copies_unmap(uint64_t first, uint64_t end);

/* The mappings in [first, end) are moved to [to, to_end). */
void trc_copies_move(uint64_t first, uint64_t end, uint64_t to, uint64_t to_end);

/* Returns the mapping that contains `addr`, or NULL; valid until the next change. */
const struct trc_mapping *trc_copies_find(uint64_t addr);

/* A task stores to `addr`: logs the copy if there is one. */
void trc_copies_store(uint32_t task, uint64_t addr);

/* Call these around a fork, during which nothing may change: then private memory is shared with the
 * child. */
void trc_copies_before_fork(void);
void trc_copies_after_fork(bool child);

#endif
