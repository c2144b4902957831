/* SPDX-License-Identifier: MIT
 * Packs requests by mixing many contexts; the same code serves both directions. */
#include "codec/column/requests.h"

#include <stdlib.h>

#include "codec/column/request_sizes.h"
#include "codec/entropy/corrupt.h"

enum {
	LINE_BITS_MOST = 14, /* lines that stay in a cache; more would hardly predict better */
	LINES_A_ROW = 24,
	SIZE = 4, /* number of a predictor */
	UNIT_MOST = 16,
	PART = 1 << TRC_REQUEST_NAME_BITS, /* rows per part */
};

/* The model of requests (our own). */
struct model {
	struct trc_predictors with;
	struct trc_request_addresses addresses;
	struct trc_request_sizes sizes;
};

/* ---- setting up ---- */

static unsigned
line_bits(size_t rows)
{
	return trc_table_bits(LINES_A_ROW * rows, LINE_BITS_MOST);
}

static void
model_close(struct model *m)
{
	if (!m)
		return;
	trc_request_addresses_release(&m->addresses);
	trc_request_sizes_release(&m->sizes);
	trc_predictors_release(&m->with);
	free(m);
}

static struct model *
model_open(const struct trc_request_rows *r, unsigned bits, unsigned unit, struct trc_err *err)
{
	struct model *m = trc_alloc(1, sizeof(*m), err);

	if (!m)
		return NULL;
	if (trc_predictors_init(&m->with, line_bits(r->n), err) ||
	    trc_request_addresses_init(&m->addresses, &m->with, r->n, bits, unit, err) ||
	    trc_request_sizes_init(&m->sizes, &m->with, &m->addresses, SIZE, err)) {
		model_close(m);
		return NULL;
	}
	return m;
}

size_t
trc_requests_memory(size_t n)
{
	const size_t rows = n < PART ? n : PART;

	return sizeof(struct model) + trc_predictors_memory(line_bits(rows)) +
	       trc_request_addresses_memory(rows) + trc_request_sizes_memory();
}

/* ---- rows ---- */

/* Codes a row: writes it, or reads it if not `writes`; returns false if the data is invalid. */
static bool
code_row(struct model *m, bool writes, uint64_t *addr, uint32_t *size)
{
	struct trc_request_coded *now = m->addresses.now;

	if (!trc_request_address_code(&m->addresses, writes, *addr) ||
	    !trc_request_size_code(&m->sizes, writes, size))
		return false;
	*addr = now->addr;
	now->size = *size;
	trc_request_addresses_add(&m->addresses);
	return true;
}

static bool
is_instructions(uint32_t size)
{
	enum { WIDEST = 64 };

	return size <= WIDEST && (size & (size - 1)) == 0;
}

bool
trc_are_requests(const uint32_t *size, size_t n)
{
	size_t other = 0;

	for (size_t i = 0; i < n; i++)
		other += !is_instructions(size[i]);
	return other > n / 2;
}

/* Finds the unit of sizes with which most rows directly follow the row before. */
static unsigned
find_unit(const struct trc_request_rows *r)
{
	size_t best = 0;
	unsigned unit = 0;

	for (unsigned u = 0; u <= UNIT_MOST; u++) {
		size_t next = 0;

		for (size_t i = 1; i < r->n; i++)
			next += r->size[i - 1] >> u != 0 &&
			        r->addr[i] == r->addr[i - 1] + (r->size[i - 1] >> u);
		if (next > best) {
			best = next;
			unit = u;
		}
	}
	return unit;
}

static unsigned
find_bits(const struct trc_request_rows *r)
{
	uint64_t all = 1;

	for (size_t i = 0; i < r->n; i++)
		all |= r->addr[i];
	return 64 - (unsigned)trc_clz64(all);
}

/* Writes rows to `coded`. */
static int
write_rows(struct model *m, const struct trc_request_rows *r, struct trc_buf *coded,
           struct trc_err *err)
{
	trc_rc_write(&m->with.rc, coded);
	for (size_t i = 0; i < r->n; i++) {
		uint64_t addr = r->addr[i];
		uint32_t size = r->size[i];

		(void)code_row(m, true, &addr, &size);
	}
	return trc_rc_finish(&m->with.rc, err);
}

static int
write_part(const struct trc_request_rows *r, struct trc_buf *out, struct trc_err *err)
{
	const unsigned bits = find_bits(r), unit = find_unit(r);
	struct model *m = model_open(r, bits, unit, err);
	struct trc_buf coded = { 0 };
	int ret = m ? write_rows(m, r, &coded, err) : -1;

	if (ret == 0 && (trc_buf_put_byte(out, bits, err) || trc_buf_put_byte(out, unit, err) ||
	                 trc_buf_put_counted(out, coded.p, coded.n, err)))
		ret = -1;
	trc_buf_release(&coded);
	model_close(m);
	return ret;
}

/* Returns the rows of the part that begins with row `at`. */
static struct trc_request_rows
part_of(const struct trc_request_rows *r, size_t at)
{
	const size_t n = r->n - at;

	return (struct trc_request_rows){ n < PART ? n : PART, r->addr + at, r->size + at };
}

int
trc_requests_write(const struct trc_request_rows *r, struct trc_buf *out, struct trc_err *err)
{
	for (size_t at = 0; at < r->n; at += PART) {
		const struct trc_request_rows part = part_of(r, at);

		if (write_part(&part, out, err))
			return -1;
	}
	return 0;
}

static int
damaged(struct trc_err *err)
{
	return trc_corrupt(err, "requests are damaged");
}

static int
read_rows(struct model *m, struct trc_request_rows *r, size_t first, struct trc_err *err)
{
	for (size_t i = 0; i < first; i++)
		if (!code_row(m, false, &r->addr[i], &r->size[i]) || trc_rc_overrun(&m->with.rc))
			return damaged(err);
	return first < r->n || trc_rc_ended(&m->with.rc) ? 0 : damaged(err);
}

static int
read_part(struct trc_request_rows *r, struct trc_view *in, size_t first, struct trc_err *err)
{
	const uint8_t *head = trc_view_bytes(in, 2), *p = NULL;
	struct model *m;
	uint64_t len;
	int ret;

	if (!head || head[0] < 1 || head[0] > TRC_REQUEST_ADDRESS_BITS || head[1] > UNIT_MOST)
		return damaged(err);
	m = model_open(r, head[0], head[1], err);
	if (!m)
		return -1;
	if (trc_view_num(in, &len) && len <= SIZE_MAX / 2)
		p = trc_view_bytes(in, (size_t)len);
	if (p) {
		trc_rc_read(&m->with.rc, p, p + len);
		ret = read_rows(m, r, first, err);
	} else {
		ret = damaged(err);
	}
	model_close(m);
	return ret;
}

int
trc_requests_read(struct trc_request_rows *r, struct trc_view *in, size_t first,
                  struct trc_err *err)
{
	for (size_t at = 0; at < r->n; at += PART) {
		struct trc_request_rows part = part_of(r, at);
		const size_t here = at > first ? 0 : first - at < part.n ? first - at : part.n;

		if (read_part(&part, in, here, err))
			return -1;
	}
	return 0;
}
