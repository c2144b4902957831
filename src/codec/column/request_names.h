/* SPDX-License-Identifier: MIT
 *
 * Names: addresses that requests had before. They are numbered as they came first, so that names
 * without order, as those of objects in a cache, have short numbers; and what is often asked for
 * shows in how often a number came. SPEC.md has it ("Requests").
 */
#ifndef TRC_CODEC_COLUMN_REQUEST_NAMES_H
#define TRC_CODEC_COLUMN_REQUEST_NAMES_H

#include "codec/mixing/predictor.h"

enum { TRC_REQUEST_NAME_BITS = 21 }; /* of a number */

#define TRC_REQUEST_NEW UINT32_MAX /* in place of a number: no name */

/* An address, and what is known of its rows. */
struct trc_request_name {
	uint64_t addr;
	uint32_t size;  /* of the last one */
	uint8_t stayed; /* bits: was the size that of the row before, the latest lowest */
};

/* All of them, as a hash table, and a binary tree of counts, a Fenwick tree's kin (our own). */
struct trc_request_names {
	struct trc_request_name *name;
	uint32_t n;
	unsigned bits;   /* of numbers */
	uint32_t *place; /* 1 + a number, by the hash of the address; 0: free */
	size_t mask;
	uint32_t *
	        count; /* of each path through the bits of a number behind a 1: how often it came */
	struct trc_predictor bit;
	uint32_t last, far[2]; /* number of the row before; of rows that were no candidates */
};

/* Prepares zeroed memory for the names of so many rows; its predictor is `number`. What fails is
 * released all the same. */
int trc_request_names_init(struct trc_request_names *s, struct trc_predictors *with,
                           unsigned number, size_t rows, struct trc_err *err) TRC_MUST_USE;
void trc_request_names_release(struct trc_request_names *s);

/* Bytes that they take, at most. */
size_t trc_request_names_memory(size_t rows);

/* The number of an address, or TRC_REQUEST_NEW. */
uint32_t trc_request_name_find(const struct trc_request_names *s, uint64_t addr);

/* Codes a number, where there are names: writes `number`, or reads it. */
uint32_t trc_request_name_code(struct trc_request_names *s, uint32_t number);

/* Takes note of a row: gives its address a number if it is new. `far`: no candidate was right. */
void trc_request_name_add(struct trc_request_names *s, uint64_t addr, uint32_t size, bool far);

#endif
