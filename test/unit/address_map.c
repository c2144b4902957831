/* SPDX-License-Identifier: MIT
 *
 * Maps of addresses against time, by their definition: what every reference touches in its span,
 * for the spans and granules that the map came to, on traces that make these of many sizes.
 */
#include "stage/profile/address_map.h"

#include <stdlib.h>
#include <string.h>

#include "generate.h"
#include "test.h"

static const struct trc_address_map_row *
row_of(const struct trc_address_map *m, uint32_t space, uint64_t granule)
{
	size_t low = 0, high = m->rows;

	while (low < high) {
		const size_t middle = (low + high) / 2;
		const struct trc_address_map_row *r = &m->row[middle];

		if (r->space < space || (r->space == space && r->granule < granule))
			low = middle + 1;
		else
			high = middle;
	}
	return low < m->rows && m->row[low].space == space && m->row[low].granule == granule ?
	               &m->row[low] :
	               NULL;
}

/* What the map should hold, made row by row; checks it, and that it holds nothing else. */
static void
check_map(const struct trc_address_map *m, const struct trc_batch *b)
{
	static const uint8_t how[TRC_TYPES] = { 1, 2, 4, 3, 1 };
	uint8_t *want = calloc(m->rows + 1, TRC_ADDRESS_MAP_SPANS);
	uint64_t refs = 0;

	CHECK(want != NULL);
	for (size_t i = 0; i < b->n; i++) {
		const uint8_t type = b->type[i] & TRC_TYPE_MASK;
		const uint64_t size = b->size[i] ? b->size[i] : 1,
		               last = b->addr[i] + (size - 1) < b->addr[i] ?
		                              UINT64_MAX :
		                              b->addr[i] + (size - 1);

		if (!how[type])
			continue;
		for (int k = 0; k < (type == TRC_MODIFY ? 2 : 1); k++, refs++)
			for (uint64_t g = b->addr[i] >> m->bits; g <= last >> m->bits; g++) {
				const struct trc_address_map_row *r = row_of(m, b->asid[i], g);

				CHECK_MSG(r != NULL, "granule 0x%llx", (unsigned long long)g);
				want[(size_t)(r - m->row) * TRC_ADDRESS_MAP_SPANS +
				     refs / m->span] |= how[type];
			}
	}
	CHECK(refs == m->refs && m->spans == (refs + m->span - 1) / m->span);
	for (size_t r = 0; r < m->rows; r++)
		CHECK(memcmp(m->row[r].touch, want + r * TRC_ADDRESS_MAP_SPANS,
		             TRC_ADDRESS_MAP_SPANS) == 0);
	free(want);
}

static void
check_trace(const struct trc_batch *b)
{
	struct trc_source *src = generate_source(b, 1000);
	struct trc_address_map map;
	struct trc_err err;
	struct trc_sink *sink = trc_address_map_sink(&map, src->have, &err);

	CHECK(sink && trc_pump(src, sink, TRC_BATCH_ROWS, NULL, &err) == 0);
	trc_sink_close(sink);
	trc_source_close(src);
	check_map(&map, b);
	CHECK(map.spans <= TRC_ADDRESS_MAP_SPANS && map.rows <= TRC_ADDRESS_MAP_GRANULES);
	trc_address_map_release(&map);
}

/* References of all types, near each other and now and then as far as `bits` allow. */
static struct trc_batch
rows_for(struct generator *m, size_t n, unsigned bits, unsigned sizes)
{
	struct trc_batch b =
	        generate_zeros(TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_ASID, n);
	uint64_t at = 0;

	for (size_t i = 0; i < n; i++) {
		if (generate_below(m, 3) == 0)
			at = generate_random(m) >> (64 - bits);
		b.type[i] = (uint8_t)generate_below(m, TRC_TYPES - 1);
		b.asid[i] = (uint32_t)generate_below(m, 3);
		b.size[i] = (uint32_t)generate_below(m, (uint64_t)1 << sizes);
		b.addr[i] = at += generate_below(m, 200);
	}
	return b;
}

static void
maps_are_what_references_touch(void)
{
	static const struct {
		size_t n;
		unsigned bits, sizes;
	} of[] = {
		{ 0, 8, 3 },      { 1, 64, 4 },      { 2048, 20, 5 },  { 2049, 20, 5 },
		{ 30000, 16, 6 }, { 60000, 24, 4 },  { 60000, 40, 4 }, { 60000, 64, 4 },
		{ 5000, 64, 24 }, { 40000, 30, 12 },
	};

	for (size_t i = 0; i < TRC_COUNT(of); i++) {
		struct generator m = { test_seed + i };
		struct trc_batch b = rows_for(&m, of[i].n, of[i].bits, of[i].sizes);

		check_trace(&b);
		trc_batch_release(&b);
	}
}

/* One more space than rows, which no size of granules can hold. */
static void
more_spaces_than_rows_are_refused(void)
{
	struct trc_batch b = generate_zeros(TRC_HAS_ADDR | TRC_HAS_ASID,
	                                    TRC_ADDRESS_MAP_GRANULES + 1);
	struct trc_source *src;
	struct trc_address_map map;
	struct trc_err err;
	struct trc_sink *sink;

	for (size_t i = 0; i < b.n; i++)
		b.asid[i] = (uint32_t)i;
	src = generate_source(&b, 1000);
	sink = trc_address_map_sink(&map, src->have, &err);
	CHECK(sink && trc_pump(src, sink, TRC_BATCH_ROWS, NULL, &err) != 0);
	CHECK(strstr(err.text, "address spaces"));
	trc_sink_close(sink);
	trc_source_close(src);
	trc_address_map_release(&map);
	trc_batch_release(&b);
}

int
main(void)
{
	test_start();
	RUN(maps_are_what_references_touch);
	RUN(more_spaces_than_rows_are_refused);
	return 0;
}
