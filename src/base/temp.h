/* SPDX-License-Identifier: MIT
 *
 * A file without a name, that is gone with whoever has it open.
 */
#ifndef TRC_BASE_TEMP_H
#define TRC_BASE_TEMP_H

#include <stdint.h>

#include "base/base.h"

/* Opens one in the folder `dir`; returns its descriptor, or -1. */
int trc_temp_open(const char *dir, struct trc_err *err) TRC_MUST_USE;

/* All of `n` bytes at `offset`; fails if they cannot be written, or are not there. */
int trc_temp_write(int fd, const void *bytes, size_t n, uint64_t offset,
                   struct trc_err *err) TRC_MUST_USE;
int trc_temp_read(int fd, void *bytes, size_t n, uint64_t offset, struct trc_err *err) TRC_MUST_USE;

#endif
