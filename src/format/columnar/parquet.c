/* SPDX-License-Identifier: MIT
 *
 * Apache Parquet: a trace as a table, for DuckDB, pandas, Polars, Spark and their like. Types are
 * words, addresses unsigned numbers; kernel events and the markers of DynamoRIO are a column of
 * texts, null where a row is a reference.
 *
 *   duckdb -c "SELECT task, event, count(*) FROM 'app.parquet'
 *     WHERE event LIKE '! syscall%' GROUP BY ALL"
 *
 * A table whose columns have these names is read back as it stands, other programs' tables with
 * the names of their columns, in the language of csv ('trc help csv'):
 *
 *   trc stat --from parquet:time=ts,addr=lba*512,size=bytes a.parquet
 *
 * Rows then count as lines of csv, the names before the first. Pages may be packed by Snappy, gzip
 * or zstd. Nulls are refused, except in rows of events. What comes through a pipe is put into a
 * temporary file first, since a Parquet file begins at its end.
 *
 * Not in the format: texts that are no UTF-8. Not read: lists, structs, decimals, numbers of more
 * than 64 bits, encrypted files.
 */
#include "format/columnar/parquet.h"

static unsigned
probe(const uint8_t *p, size_t n, bool whole)
{
	(void)whole;
	return n >= 4 && memcmp(p, "PAR1", 4) == 0 ? TRC_BID_MOST : 0;
}

static const struct trc_opt opts[] = {
	{ 0, "pack", "zst|gz|none", "compression of pages", TRC_OPT_CHOICE, TRC_WORDS_NONE,
	  offsetof(struct trc_parquet_to, codec) },
};

static const struct trc_format_args to = { opts, TRC_COUNT(opts) };

const struct trc_format trc_family_parquet[] = {
	{
	        .name = "parquet",
	        .doc = "table of Apache Parquet, for DuckDB and pandas",
	        .ending = ".parquet",
	        .holds = TRC_HAS_ALL,
	        .binary = true,
	        .source = trc_parquet_source,
	        .sink = trc_parquet_sink,
	        .from = &trc_csv_args,
	        .to = &to,
	        .check_from = trc_columnar_check,
	        .probe = probe,
	},
	{ .name = NULL },
};
