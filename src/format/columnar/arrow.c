/* SPDX-License-Identifier: MIT
 *
 * Apache Arrow streams: a trace goes into a data frame without a file, and back. Columns are those
 * of parquet: types are words of a dictionary, numbers are unsigned, events are texts that may be
 * null.
 *
 *   trc decode --to arrow app.trc | python3 -c 'import sys, pyarrow
 *     print(pyarrow.ipc.open_stream(sys.stdin.buffer).read_pandas())'
 *
 * A table whose columns have these names is read back unchanged. Tables of other programs are read
 * with the names of their columns, in the syntax of csv ('trc help csv'), with rows as its lines:
 *
 *   ... | trc stat --from arrow:time=ts,addr=lba*512,size=bytes -
 *
 * Files (Feather 2, ARROW1) are read as the stream that they contain; buffers may be compressed
 * with zstd. A batch of rows is held in memory as a whole; batches are written with 65,536 rows.
 * Nulls are refused, except in rows of events.
 *
 * Texts must be UTF-8. Nested columns, decimals, buffers compressed with LZ4, delta dictionaries
 * and big-endian values are not read.
 */
#include "format/columnar/arrow.h"

static unsigned
probe(const uint8_t *p, size_t n, bool whole)
{
	struct trc_flatbuffer message;

	(void)whole;
	if (n >= 8 && memcmp(p, TRC_ARROW_FILE, 8) == 0)
		return TRC_BID_MOST;
	return n > 8 && trc_le32(p) == TRC_ARROW_CONTINUED &&
	                       trc_flatbuffer_root(p + 8, n - 8, &message) &&
	                       trc_flatbuffer_number(&message, 1, 1, 0) == TRC_ARROW_SCHEMA ?
	               TRC_BID_MOST :
	               0;
}

const struct trc_format trc_family_arrow[] = {
	{
	        .name = "arrow",
	        .doc = "stream of Apache Arrow, for data frames",
	        .ending = ".arrow",
	        .known = ".arrows .feather .ipc",
	        .holds = TRC_HAS_ALL,
	        .binary = true,
	        .piped = true,
	        .source = trc_arrow_source,
	        .sink = trc_arrow_sink,
	        .from = &trc_csv_args,
	        .check_from = trc_columnar_check,
	        .probe = probe,
	},
	{ .name = NULL },
};
