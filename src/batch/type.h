/* SPDX-License-Identifier: MIT
 *
 * Names of record types: ours (trc_type_name of batch/batch.h), and those of other programs, their
 * traces and their users.
 */
#ifndef TRC_BATCH_TYPE_H
#define TRC_BATCH_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Finds the type named by the first `len` characters, in any case. Numbers are not names, because 0
 * and 1, or 28 and 2a, have different meanings in different programs. */
bool trc_type_of(const char *word, size_t len, uint8_t *type);

/* Returns the types that a word in a list like that of --only names, one bit each; 0: unknown.
 * "data" is several types. */
uint32_t trc_type_bits(const char *word, size_t len);

#endif
