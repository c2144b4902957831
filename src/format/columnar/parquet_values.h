/* SPDX-License-Identifier: MIT
 *
 * The values of a page of Parquet, some at a time. Behind the bytes of a page TRC_UNPACK_SLACK
 * bytes may be read.
 */
#ifndef TRC_FORMAT_COLUMNAR_PARQUET_VALUES_H
#define TRC_FORMAT_COLUMNAR_PARQUET_VALUES_H

#include "format/columnar/columnar.h"

enum trc_parquet_physical {
	TRC_PARQUET_BOOLEAN,
	TRC_PARQUET_INT32,
	TRC_PARQUET_INT64,
	TRC_PARQUET_INT96,
	TRC_PARQUET_FLOAT,
	TRC_PARQUET_DOUBLE,
	TRC_PARQUET_BYTE_ARRAY,
	TRC_PARQUET_FIXED,
};

enum trc_parquet_encoding {
	TRC_PARQUET_PLAIN = 0,
	TRC_PARQUET_PLAIN_DICTIONARY = 2,
	TRC_PARQUET_RLE = 3,
	TRC_PARQUET_DELTA_BINARY_PACKED = 5,
	TRC_PARQUET_DELTA_LENGTH_BYTE_ARRAY = 6,
	TRC_PARQUET_RLE_DICTIONARY = 8,
};

/* Numbers of few bits: a run is one of them again and again, or some groups of eight. */
struct trc_parquet_runs {
	struct trc_view v;
	unsigned width;
	uint64_t same, packed; /* left of the run */
	uint32_t value;        /* that is the same */
	const uint8_t *bits;   /* of those that are packed */
	uint64_t bit;
};

/* The next `n` of them; false if there are not as many. */
bool trc_parquet_runs_take(struct trc_parquet_runs *r, size_t n, uint32_t *to);

/* Differences: blocks of a few parts, each of as many bits as it needs. */
struct trc_parquet_deltas {
	struct trc_view v;
	uint64_t left; /* values, or in this part */
	uint64_t part, part_left, value, least;
	uint64_t parts, part_at; /* of a block; the next one */
	const uint8_t *widths, *bits;
	unsigned width;
	uint64_t bit;
};

/* How the values of a page are read. */
struct trc_parquet_values {
	enum trc_parquet_physical physical;
	enum trc_parquet_encoding encoding;
	bool has_sign;                    /* of numbers of 32 bits */
	struct trc_view v;                /* what is left */
	struct trc_parquet_runs runs;     /* of places in the dictionary, or of bits */
	struct trc_parquet_deltas deltas; /* of numbers, or of lengths */
	const union trc_datum *dictionary;
	size_t entries;
};

/* Begins with `v->v`; false if what is there is damaged. `v` has what else is known. */
bool trc_parquet_values_begin(struct trc_parquet_values *v);

/* Takes the next `n` values, at most TRC_COLUMNAR_ROWS; false if there are not as many. */
bool trc_parquet_values_take(struct trc_parquet_values *v, size_t n, union trc_datum *to);

#endif
