/* SPDX-License-Identifier: MIT
 *
 * Temporary files for data that does not fit in memory, in TMPDIR or /tmp. They have no name, so
 * nothing is left of them in any case.
 */
#ifndef TRC_BASE_IO_SPILL_H
#define TRC_BASE_IO_SPILL_H

#include <stdint.h>

#include "base/base.h"

/* Returns the folder for temporary files. */
const char *trc_spill_folder(void);

/* Opens a temporary file; returns its descriptor, to be closed with close(), or -1. */
int trc_spill_open(struct trc_err *err) TRC_MUST_USE;

/* Write or read `n` bytes at `offset`. Reading more than was written fails. */
int trc_spill_write(int fd, const void *p, size_t n, uint64_t offset,
                    struct trc_err *err) TRC_MUST_USE;
int trc_spill_read(int fd, void *p, size_t n, uint64_t offset, struct trc_err *err) TRC_MUST_USE;

#endif
