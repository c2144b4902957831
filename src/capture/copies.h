/* SPDX-License-Identifier: MIT
 *
 * Which store copies a page on write. No system call shows it, but it follows from what is mapped:
 * the first store to a page of a private file mapping, or to private memory that another process
 * has since a fork. Who is the last to have such a page stores to the page itself.
 */
#ifndef TRC_CAPTURE_COPIES_H
#define TRC_CAPTURE_COPIES_H

#include <stdbool.h>
#include <stdint.h>

enum trc_mapped { TRC_MAPPED_ANONYMOUS, TRC_MAPPED_PRIVATE_FILE, TRC_MAPPED_SHARED };

/* A mapping of the guest. */
struct trc_mapping {
	uint64_t first, end; /* bytes */
	enum trc_mapped kind;
	uint64_t since; /* the moment when it was mapped */
};

/* Before all others; ends the process if there is no memory. */
void trc_copies_open(void);

/* [first, end) is mapped as `kind`, or nothing is mapped there. */
void trc_copies_map(uint64_t first, uint64_t end, enum trc_mapped kind);
void trc_copies_unmap(uint64_t first, uint64_t end);

/* What is mapped in [first, end) is moved to [to, to_end). */
void trc_copies_move(uint64_t first, uint64_t end, uint64_t to, uint64_t to_end);

/* The mapping that holds `addr`, or NULL; valid until the next change. */
const struct trc_mapping *trc_copies_find(uint64_t addr);

/* A task stores to `addr`: logs the copy if that makes one. */
void trc_copies_store(uint32_t task, uint64_t addr);

/* Around a fork, for nothing may change meanwhile: private memory is another's, too, afterwards. */
void trc_copies_before_fork(void);
void trc_copies_after_fork(bool child);

#endif
