/* SPDX-License-Identifier: MIT
 *
 * Names are the known addresses of requests. They are numbered in order of first appearance, so
 * that addresses without order, such as those of objects in a cache, get short numbers; the count
 * of each number shows which are requested often. SPEC.md, "Requests", specifies it.
 */
#ifndef TRC_CODEC_COLUMN_REQUEST_NAMES_H
#define TRC_CODEC_COLUMN_REQUEST_NAMES_H

#include "codec/mixing/predictor.h"

enum { TRC_REQUEST_NAME_BITS = 21 }; /* bits of a number */

#define TRC_REQUEST_NEW UINT32_MAX /* instead of a number: not a name */

/* An address, and what is known about its rows. */
struct trc_request_name {
	uint64_t addr;
	uint32_t size;  /* of its last row */
	uint8_t stayed; /* bits, the latest lowest: the size was that of the previous row */
};

/* All names: a hash table, and a binary tree of counts similar to a Fenwick tree (our own). */
struct trc_request_names {
	struct trc_request_name *name;
	uint32_t n;
	unsigned bits;   /* in a number */
	uint32_t *place; /* 1 + number, by the hash of the address; 0: free */
	size_t mask;
	uint32_t *count; /* for each prefix of a number, after a leading 1: how often it occurred */
	struct trc_predictor bit;
	uint32_t last, far[2]; /* number of the previous row; of rows that were not candidates */
};

/* Initialises zeroed memory for the names of `rows` rows; uses predictor `number`. Must be released
 * even if it failed. */
int trc_request_names_init(struct trc_request_names *s, struct trc_predictors *with,
                           unsigned number, size_t rows, struct trc_err *err) TRC_MUST_USE;
void trc_request_names_release(struct trc_request_names *s);

/* Returns the most bytes that names need. */
size_t trc_request_names_memory(size_t rows);

/* Returns the number of an address, or TRC_REQUEST_NEW. */
uint32_t trc_request_name_find(const struct trc_request_names *s, uint64_t addr);

/* Codes a number, if there are names: writes `number`, or reads and returns it. */
uint32_t trc_request_name_code(struct trc_request_names *s, uint32_t number);

/* Records a row: gives its address a number if it is new. `far` is true if no candidate was
 * right. */
void trc_request_name_add(struct trc_request_names *s, uint64_t addr, uint32_t size, bool far);

#endif
