/* SPDX-License-Identifier: MIT
 *
 * Words for types of records: our names (trc_type_name of batch/batch.h), and what other programs,
 * their traces and their users call them.
 */
#ifndef TRC_BATCH_TYPE_H
#define TRC_BATCH_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The type that `len` letters name, whatever their case. Numbers are no names: 0 and 1, or 28 and
 * 2a, mean one thing here and another there. */
bool trc_type_of(const char *word, size_t len, uint8_t *type);

/* The types of a list like that of --only that the word names, a bit each; 0: none. "data" is
 * several. */
uint32_t trc_type_bits(const char *word, size_t len);

#endif
