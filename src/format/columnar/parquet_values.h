/* SPDX-License-Identifier: MIT
 *
 * Reads the values of a Parquet page, some at a time. Up to TRC_UNPACK_SLACK bytes after those of
 * the page may be read.
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

/* Runs of small numbers (RLE): one number repeated, or packed groups of eight. */
struct trc_parquet_runs {
	struct trc_view v;
	unsigned width;
	uint64_t same, packed; /* remaining in the run */
	uint32_t value;        /* the repeated number */
	const uint8_t *bits;   /* the packed numbers */
	uint64_t bit;
};

/* Reads the next `n` numbers; returns false if there are fewer. */
bool trc_parquet_runs_take(struct trc_parquet_runs *r, size_t n, uint32_t *to);

/* Differences (DELTA_BINARY_PACKED): blocks of a few parts, each with its own bit width. */
struct trc_parquet_deltas {
	struct trc_view v;
	uint64_t left; /* remaining values; in this part */
	uint64_t part, part_left, value, least;
	uint64_t parts, part_at; /* parts per block; the next part */
	const uint8_t *widths, *bits;
	unsigned width;
	uint64_t bit;
};

/* The state of reading the values of a page. */
struct trc_parquet_values {
	enum trc_parquet_physical physical;
	enum trc_parquet_encoding encoding;
	bool has_sign;                    /* for 32-bit numbers */
	struct trc_view v;                /* the remaining bytes */
	struct trc_parquet_runs runs;     /* of indices in the dictionary, or of bits */
	struct trc_parquet_deltas deltas; /* of numbers, or of lengths */
	const union trc_datum *dictionary;
	size_t entries;
};

/* Begins to read `v->v`; the caller has set the other members that are known. Returns false if the
 * data is damaged. */
bool trc_parquet_values_begin(struct trc_parquet_values *v);

/* Reads the next `n` values, at most TRC_COLUMNAR_ROWS; returns false if there are fewer. */
bool trc_parquet_values_take(struct trc_parquet_values *v, size_t n, union trc_datum *to);

#endif
