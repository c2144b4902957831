/* SPDX-License-Identifier: MIT
 *
 * Apache Parquet: a trace as a table, for DuckDB, pandas, Polars, Spark and others. Types are
 * words, addresses unsigned numbers; kernel events and the markers of DynamoRIO are a column of
 * texts, null in rows of references.
 *
 *   duckdb -c "SELECT task, event, count(*) FROM 'app.parquet'
 *     WHERE event LIKE '! syscall%' GROUP BY ALL"
 *
 * A table whose columns have these names is read back unchanged. Tables of other programs are read
 * with the names of their columns, in the syntax of csv ('trc help csv'):
 *
 *   trc stat --from parquet:time=ts,addr=lba*512,size=bytes a.parquet
 *
 * Rows then count as lines of csv, after a line of names. Pages may be compressed with Snappy, gzip
 * or zstd. Nulls are refused, except in rows of events. Input from a pipe is copied to a temporary
 * file first, since the metadata of a Parquet file is at its end.
 *
 * Texts must be UTF-8. Lists, structs, decimals, numbers of more than 64 bits and encrypted files
 * are not read.
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
