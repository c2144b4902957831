/* SPDX-License-Identifier: MIT
 *
 * oracleGeneral of libCacheSim: records of 24 bytes without a header, little-endian.
 *
 *   0   time in seconds, 4 bytes
 *   4   object, 8 bytes
 *   12  its size, 4 bytes
 *   16  number of the next request to the same object, counted from 1 for the first of the trace;
 *       -1 if there is none, 8 bytes; ignored when reading
 *
 * Requests to objects become reads of addresses, so there is no column of types. The bytes of an
 * object begin at its address; trc stat --mrc --objects counts objects of any size.
 */

/* The next request is only known after it came. So records are kept in blocks, all but the last in
 * a temporary file, and the numbers are filled in from the last record to the first. Memory holds
 * one block, and an entry for each object. */
#include <stdlib.h>
#include <unistd.h>

#include "base/map_find.h"
#include "base/io/spill.h"
#include "format/records.h"

enum { RECORD = 24, BLOCK = 1 << 18, BLOCK_BYTES = RECORD * BLOCK, PROBE_BITS = 20 };

#define NEXT_LIKELY (UINT64_C(1) << 40) /* more requests than any trace has */

static size_t
parse(const uint8_t *p, size_t n, struct trc_batch *b)
{
	for (size_t i = 0; i < n; i++, p += RECORD, b->n++) {
		b->time[b->n] = trc_le32(p);
		b->addr[b->n] = trc_le64(p + 4);
		b->size[b->n] = trc_le32(p + 12);
	}
	return n;
}

/* Returns how many of the records have the number of a later request to the same object, counted
 * from `first`; -1 if a number points back, or to another object. */
static int
count_links(const uint8_t *p, size_t records, uint64_t first)
{
	int links = 0;

	for (size_t i = 0; i < records; i++) {
		const uint8_t *r = p + RECORD * i;
		const uint64_t next = trc_le64(r + 16), at = next - first;

		if (next >= UINT64_MAX - 1 || next == INT64_MAX)
			continue;
		if (next < first || next > NEXT_LIKELY || at <= i ||
		    (at < records && trc_le64(p + RECORD * at + 4) != trc_le64(r + 4)))
			return -1;
		links += at < records && trc_le64(r + 4) != trc_le64(p + 4);
	}
	return links;
}

/* Only this format links requests to the next one for the same object. Without any link, the
 * records may be something else. Other formats use -2 for none, and count from 0; such numbers do
 * not occur in the first requests of a file. */
static unsigned
probe(const uint8_t *p, size_t n, bool whole)
{
	const size_t records = n / RECORD;
	int links = count_links(p, records, 1);

	if ((whole && n % RECORD != 0) || records == 0)
		return 0;
	if (links <= 0)
		links = links < 0 ? count_links(p, records, 0) : links;
	return links < 0 ? 0 :
	                   (unsigned)(links < TRC_BID_ROWS ? links : TRC_BID_ROWS) * PROBE_BITS + 2;
}

/* The writer. `next` is known from the end, so blocks first go to a temporary file. */
struct sink {
	struct trc_sink sink;
	struct trc_out *out;
	uint8_t *block; /* the last block */
	size_t n;       /* its records */
	uint64_t rows;
	int fd; /* file of the earlier blocks; -1: none */

	struct trc_map map; /* object -> index in `next` */
	uint64_t *next;
	size_t objects, cap;
};

static int
flush_block(struct sink *s, struct trc_err *err)
{
	if (s->fd < 0)
		s->fd = trc_spill_open(err);
	if (s->fd < 0 ||
	    trc_spill_write(s->fd, s->block, BLOCK_BYTES, (s->rows / BLOCK - 1) * BLOCK_BYTES, err))
		return -1;
	s->n = 0;
	return 0;
}

static int
put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct sink *s = (struct sink *)sink;

	for (size_t i = 0; i < b->n; i++) {
		uint8_t *p;

		if (s->n == BLOCK && flush_block(s, err))
			return -1;
		if (b->time[i] > UINT32_MAX) {
			trc_fail(err,
			         "record %llu: time %llu does not fit the 32-bit seconds of "
			         "oracle",
			         (unsigned long long)s->rows + 1, (unsigned long long)b->time[i]);
			err->unfit = true;
			return -1;
		}
		p = s->block + RECORD * s->n++;
		trc_put_le32(p, (uint32_t)b->time[i]);
		trc_put_le64(p + 4, b->addr[i]);
		trc_put_le32(p + 12, b->size[i]);
		s->rows++;
	}
	return 0;
}

/* Fills in `next` of `n` records, the first of which has number `first`, from the last to the
 * first: later records are in the map already. */
static int
fill_in(struct sink *s, uint8_t *block, size_t n, uint64_t first, struct trc_err *err)
{
	while (n-- > 0) {
		uint8_t *p = block + RECORD * n;
		const struct trc_map_entry *e = trc_map_find(&s->map, 0, trc_le64(p + 4));
		uint32_t at = e->value;

		if (at == TRC_MAP_NONE) {
			at = (uint32_t)s->objects;
			if (at == TRC_MAP_NONE)
				return trc_fail(err, "oracle: more than 2^32 - 1 objects");
			if (trc_grow(&s->next, &s->cap, s->objects + 1, sizeof(*s->next), err) ||
			    trc_map_add(&s->map, 0, trc_le64(p + 4), at, err))
				return -1;
			s->next[s->objects++] = UINT64_MAX;
		}
		trc_put_le64(p + 16, s->next[at]);
		s->next[at] = first + n;
	}
	return 0;
}

static int
finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	struct sink *s = (struct sink *)sink;
	const uint64_t blocks = (s->rows - s->n) / BLOCK; /* in the file */
	uint8_t *block;
	int ret = -1;

	(void)meta;
	if (fill_in(s, s->block, s->n, blocks * BLOCK + 1, err))
		return -1;
	if (blocks == 0)
		return trc_out_put(s->out, s->block, RECORD * s->n, err) ?
		               -1 :
		               trc_out_commit(s->out, err);
	block = trc_alloc(BLOCK_BYTES, 1, err);
	if (!block)
		return -1;
	for (uint64_t i = blocks; i-- > 0;)
		if (trc_spill_read(s->fd, block, BLOCK_BYTES, i * BLOCK_BYTES, err) ||
		    fill_in(s, block, BLOCK, i * BLOCK + 1, err) ||
		    trc_spill_write(s->fd, block, BLOCK_BYTES, i * BLOCK_BYTES, err))
			goto out;
	for (uint64_t i = 0; i < blocks; i++)
		if (trc_spill_read(s->fd, block, BLOCK_BYTES, i * BLOCK_BYTES, err) ||
		    trc_out_put(s->out, block, BLOCK_BYTES, err))
			goto out;
	if (trc_out_put(s->out, s->block, RECORD * s->n, err) == 0)
		ret = trc_out_commit(s->out, err);
out:
	free(block);
	return ret;
}

static void
close_sink(struct trc_sink *sink)
{
	struct sink *s = (struct sink *)sink;

	trc_out_close(s->out);
	if (s->fd >= 0)
		close(s->fd);
	trc_map_release(&s->map);
	free(s->next);
	free(s->block);
	free(s);
}

static struct trc_sink *
open_sink(struct trc_out *out, uint32_t have, const struct trc_meta *meta, const void *settings,
          struct trc_err *err)
{
	struct sink *s = trc_alloc(1, sizeof(*s), err);

	(void)have, (void)meta, (void)settings;
	if (!s)
		return NULL;
	s->fd = -1;
	s->block = trc_alloc(BLOCK_BYTES, 1, err);
	if (!s->block || trc_map_init(&s->map, err)) {
		close_sink(&s->sink);
		return NULL;
	}
	s->sink = (struct trc_sink){ .put = put, .finish = finish, .close = close_sink };
	s->out = out;
	return &s->sink;
}

#define HELD (TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_TIME)

const struct trc_format trc_family_oracle[] = {
	{
	        .name = "oracle",
	        .doc = "oracleGeneral of libCacheSim: requests with what is next",
	        .ending = ".oracleGeneral.bin",
	        .known = ".oracleGeneral .oracle",
	        .second = 1,
	        .holds = HELD,
	        .needs = HELD,
	        .binary = true,
	        .objects = true,
	        .record = &(const struct trc_record_format){ RECORD, PROBE_BITS, parse },
	        .sink = open_sink,
	        .probe = probe,
	},
	{ .name = NULL },
};
