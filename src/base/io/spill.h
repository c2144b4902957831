/* SPDX-License-Identifier: MIT
 *
 * A temporary file for what does not fit in memory, in TMPDIR or /tmp. It has no name, so nothing
 * is left of it whatever happens.
 */
#ifndef TRC_BASE_IO_SPILL_H
#define TRC_BASE_IO_SPILL_H

#include <stdint.h>

#include "base/base.h"

/* The folder for these and for others like them. */
const char *trc_spill_folder(void);

/* Opens one: a file descriptor, or -1. Close it with close(). */
int trc_spill_open(struct trc_err *err) TRC_MUST_USE;

/* Writes and reads `n` bytes at `offset`; reading more than was written fails. */
int trc_spill_write(int fd, const void *p, size_t n, uint64_t offset,
                    struct trc_err *err) TRC_MUST_USE;
int trc_spill_read(int fd, void *p, size_t n, uint64_t offset, struct trc_err *err) TRC_MUST_USE;

#endif
