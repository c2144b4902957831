/* SPDX-License-Identifier: MIT
 *
 * Reads and writes Parquet; parquet.c describes the format.
 */
#ifndef TRC_FORMAT_COLUMNAR_PARQUET_H
#define TRC_FORMAT_COLUMNAR_PARQUET_H

#include "format/columnar/columnar.h"

/* The arguments of the writer. */
struct trc_parquet_to {
	unsigned codec; /* 1 zst, 2 gz, 3 none */
};

/* The members `source` and `sink` of the format. */
struct trc_source *trc_parquet_source(struct trc_in *in, const void *settings, struct trc_err *err);
struct trc_sink *trc_parquet_sink(struct trc_out *out, uint32_t have, const struct trc_meta *meta,
                                  const void *settings, struct trc_err *err);

#endif
