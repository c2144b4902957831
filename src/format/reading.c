/* SPDX-License-Identifier: MIT
 *
 * Proposals for reading data, with the rows that each would give.
 */
#include "format/reading.h"

#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "base/map.h"
#include "format/registry.h"

enum { ROWS_SHOWN = 3, ROW_ROOM = 1024, ROWS_READ = 512 /* one record may be 257 */ };

/* Prints some rows as csv. */
static void
print_rows(const struct trc_batch *b, char *dst, size_t room)
{
	const struct trc_print_format *csv = trc_format_named("csv")->print;
	struct trc_rows r = { .b = b, .have = b->have };
	uint8_t text[ROWS_SHOWN * ROW_ROOM];
	struct trc_err none;
	char names[128];
	uint8_t *end;

	r.stop = b->n < ROWS_SHOWN ? b->n : ROWS_SHOWN;
	end = csv->print(&r, text, &none);
	snprintf(dst, room, "%s\n%.*s", trc_columns_text(b->have, names, sizeof(names)),
	         end ? (int)(end - text) : 0, (const char *)text);
}

/* Returns a hash of the values of all rows. */
static uint64_t
hash_rows(const struct trc_batch *b)
{
	uint64_t hash = b->have;

	for (int c = 0; c < TRC_COLUMNS; c++)
		if (b->have >> c & 1)
			hash = XXH3_64bits_withSeed(trc_batch_column(b, (enum trc_column)c),
			                            trc_column[c].width * b->n, hash);
	return hash;
}

/* Reads the bytes with `from`, and prints the first rows; returns false if that fails. */
static bool
show(const char *from, const uint8_t *p, size_t n, uint64_t *all, char *dst, size_t room)
{
	const struct trc_format *f = trc_format_named(from);
	struct trc_err none;
	struct trc_stream *bytes = trc_stream_memory(p, n, n, &none);
	struct trc_in *in = bytes ? trc_in_window(bytes, n + 1, "", &none) : NULL;
	struct trc_source *src = in ? trc_format_source(f, trc_format_arguments(from), in, &none) :
	                              NULL;
	struct trc_batch b;
	bool shown = false;

	if (src && trc_batch_init(&b, src->have, ROWS_READ, &none) == 0) {
		shown = trc_source_next(src, &b, &none) == TRC_FLOW_ROWS;
		print_rows(&b, dst, room);
		*all = hash_rows(&b);
		trc_batch_release(&b);
	}
	if (src)
		trc_source_close(src);
	else if (in)
		trc_in_close(in);
	else
		trc_stream_close(bytes);
	return shown;
}

/* Returns true if another proposal gives the same rows: then there is nothing to choose. */
static bool
is_shown(const struct trc_err *err, const char *rows, uint64_t all)
{
	for (unsigned i = 0; err->readings > 1 && i < err->readings; i++)
		if (err->reading[i].all == all && strcmp(err->reading[i].rows, rows) == 0)
			return true;
	return false;
}

void
trc_reading_add(struct trc_err *err, const char *what, const char *from, const uint8_t *p, size_t n)
{
	struct trc_reading *r = &err->reading[err->readings];
	char rows[sizeof(r->rows)];
	uint64_t all;

	if (err->readings == TRC_READINGS || !show(from, p, n, &all, rows, sizeof(rows)) ||
	    is_shown(err, rows, all))
		return;
	trc_err_reading(err, what, from);
	r->all = all;
	memcpy(r->rows, rows, sizeof(rows));
}
