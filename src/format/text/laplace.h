/* SPDX-License-Identifier: MIT
 *
 * The letters of Laplace for types: r w i in user mode, R W I in the kernel.
 */
#ifndef TRC_FORMAT_TEXT_LAPLACE_H
#define TRC_FORMAT_TEXT_LAPLACE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "batch/batch.h"

#define TRC_LAPLACE_LETTERS "rwiRWI"

/* Sets *type to the type of a letter; returns false if there is none. */
static inline bool
trc_laplace_type(uint8_t letter, uint8_t *type)
{
	static const char letters[] = TRC_LAPLACE_LETTERS;
	const char *p = letter ? strchr(letters, letter) : NULL;
	const unsigned i = p ? (unsigned)(p - letters) : 0;

	*type = (uint8_t)(i % 3 | (i >= 3 ? TRC_KERNEL : 0));
	return p;
}

/* Returns the letter of a type; 0 if there is none. */
static inline char
trc_laplace_letter(uint8_t type)
{
	const uint8_t kind = type & TRC_TYPE_MASK;

	return kind <= TRC_FETCH ? TRC_LAPLACE_LETTERS[kind + (type & TRC_KERNEL ? 3 : 0)] : 0;
}

#endif
