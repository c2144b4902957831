/* SPDX-License-Identifier: MIT
 *
 * The letters of Laplace for types: r w i by a user, R W I by the kernel.
 */
#ifndef TRC_FORMAT_TEXT_LAPLACE_H
#define TRC_FORMAT_TEXT_LAPLACE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "batch/batch.h"

#define TRC_LAPLACE_LETTERS "rwiRWI"

/* The type that a letter stands for; false if it stands for none. */
static inline bool
trc_laplace_type(uint8_t letter, uint8_t *type)
{
	static const char letters[] = TRC_LAPLACE_LETTERS;
	const char *p = letter ? strchr(letters, letter) : NULL;
	const unsigned i = p ? (unsigned)(p - letters) : 0;

	*type = (uint8_t)(i % 3 | (i >= 3 ? TRC_KERNEL : 0));
	return p;
}

/* The letter of a type, 0 if it has none. */
static inline char
trc_laplace_letter(uint8_t type)
{
	const uint8_t kind = type & TRC_TYPE_MASK;

	return kind <= TRC_FETCH ? TRC_LAPLACE_LETTERS[kind + (type & TRC_KERNEL ? 3 : 0)] : 0;
}

#endif
