/* SPDX-License-Identifier: MIT
 * Requests by many contexts: one code for both directions. */
#include "codec/column/requests.h"

#include <stdlib.h>

#include "codec/column/request_addresses.h"
#include "codec/entropy/corrupt.h"
#include "codec/mixing/number.h"
#include "codec/stream/pack.h"

#define H trc_hash
#define W trc_hash64

enum {
	LINE_BITS_MOST = 20,
	LINES_A_ROW = 24,
	SAME = 2, /* predictors */
	SIZE = 3,
	SAME_CONTEXTS = 3,
	SIZE_CONTEXTS = 9,
	UNIT_MOST = 16,
	PART = 1 << 19, /* rows */
	FAR = 0xffffff, /* the size, or more */
};

static const struct trc_predictor_row same_row = { SAME_CONTEXTS, 0, 1, { 1, 1, 1 }, { 1, 1 } };
static const struct trc_predictor_row size_row = { SIZE_CONTEXTS, 0, TRC_NUMBER_ROW };

/* The model of requests (our own). */
struct model {
	struct trc_predictors with;
	struct trc_request_addresses addresses;
	struct trc_predictor same;
	struct trc_number size;
	unsigned stays; /* bits: did addresses keep their sizes, the latest lowest */
	struct trc_buf far;
	size_t far_at; /* the next of these */
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
	trc_predictor_release(&m->same);
	trc_number_release(&m->size);
	trc_predictors_release(&m->with);
	trc_buf_release(&m->far);
	free(m);
}

static struct model *
model_open(const struct trc_requests *r, unsigned bits, unsigned unit, struct trc_err *err)
{
	struct model *m = trc_alloc(1, sizeof(*m), err);

	if (!m)
		return NULL;
	if (trc_predictors_init(&m->with, line_bits(r->n), err) ||
	    trc_request_addresses_init(&m->addresses, &m->with, r, bits, unit, err) ||
	    trc_predictor_init(&m->same, &m->with, SAME, &same_row, err) ||
	    trc_number_init(&m->size, &m->with, SIZE, &size_row, err)) {
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
	       trc_request_addresses_memory(rows) + trc_predictor_memory(&same_row) +
	       trc_predictor_memory(&size_row) + 4 * rows;
}

/* ---- sizes ---- */

/* Codes whether the size is `last`, that of the row before with this address. */
static unsigned
code_same(struct model *m, uint32_t last, unsigned same)
{
	const uint32_t context[SAME_CONTEXTS] = {
		trc_context(W(m->addresses.now[0].addr, 0), 1),
		trc_context(H(last, 1), 1),
		trc_context(H(m->stays % 256, 2), 1),
	};

	trc_predictor_find(&m->same, context);
	same = trc_predictor_code(&m->same, 0, &(struct trc_select){ 0 }, same);
	m->stays = m->stays << 1 | same;
	return same;
}

static uint32_t
code_number(struct model *m, bool known, uint32_t v)
{
	const struct trc_request_addresses *a = &m->addresses;
	const struct trc_request *n = a->now;
	const uint64_t addr = n[0].addr, block = trc_request_block(a, addr);
	const uint32_t none[1] = { 0 };
	const bool next = addr == n[1].addr + (n[1].size >> a->unit);
	const uint32_t context[SIZE_CONTEXTS] = {
		0,
		H(n[1].size, next),
		H(n[1].size, H(n[2].size, next)),
		H(addr % 8, H(next, 3)),
		W(block / 8, 4),
		W(block / 1024, H(n[1].size, 5)),
		W(addr - n[1].addr, H(n[1].size, 6)),
		H(n[1].size, H(n[2].size, H(n[3].size, 7))),
		W(addr, 8),
	};

	return trc_number_code(&m->size, context, 4 * known + 2 * next + a->hits % 2, none, v);
}

/* Codes the size of the request whose address is in now[0], to there; false if data has none. */
static bool
code_size(struct model *m, bool writes, uint32_t size)
{
	struct trc_request *n = m->addresses.now;
	const uint32_t *last = trc_request_size(&m->addresses, n->addr);

	n->size = last ? *last : 0;
	if (last && code_same(m, *last, writes && size == *last))
		return true;
	n->size = code_number(m, last != NULL, size < FAR ? size : FAR);
	if (writes)
		n->size = size;
	if (n->size < FAR || writes)
		return true;
	if (n->size > FAR || m->far_at + 4 > m->far.n)
		return false;
	n->size = trc_be32(m->far.p + m->far_at);
	m->far_at += 4;
	return true;
}

/* ---- rows ---- */

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

/* The unit in which most rows are right behind the one before. */
static unsigned
find_unit(const struct trc_requests *r)
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
find_bits(const struct trc_requests *r)
{
	uint64_t all = 1;

	for (size_t i = 0; i < r->n; i++)
		all |= r->addr[i];
	return 64 - (unsigned)trc_clz64(all);
}

/* Appends a size that does not fit a number; the one that is coded next. */
static int
put_far(struct model *m, uint32_t size, struct trc_err *err)
{
	const uint32_t *last = trc_request_size(&m->addresses, m->addresses.now[0].addr);

	if (size < FAR || (last && *last == size))
		return 0;
	if (trc_buf_room(&m->far, 4, err))
		return -1;
	trc_buf_be32(&m->far, size);
	return 0;
}

/* Writes rows to `coded`, and their far sizes to m->far. */
static int
write_rows(struct model *m, const struct trc_requests *r, struct trc_buf *coded,
           struct trc_err *err)
{
	trc_rc_write(&m->with.rc, coded);
	for (size_t i = 0; i < r->n; i++) {
		trc_request_address_code(&m->addresses, true, r->addr[i]);
		if (put_far(m, r->size[i], err))
			return -1;
		code_size(m, true, r->size[i]);
		trc_request_addresses_add(&m->addresses, i);
	}
	return trc_rc_finish(&m->with.rc, err);
}

static int
write_part(const struct trc_requests *r, int level, struct trc_buf *out, struct trc_err *err)
{
	const unsigned bits = find_bits(r), unit = find_unit(r);
	struct model *m = model_open(r, bits, unit, err);
	struct trc_buf coded = { 0 };
	int ret = m ? write_rows(m, r, &coded, err) : -1;

	if (ret == 0 &&
	    (trc_buf_put_byte(out, bits, err) || trc_buf_put_byte(out, unit, err) ||
	     trc_pack(m->far.p, m->far.n, TRC_PACK_WORDS4, level, out, err) ||
	     trc_buf_put_num(out, coded.n, err) || trc_buf_put(out, coded.p, coded.n, err)))
		ret = -1;
	trc_buf_release(&coded);
	model_close(m);
	return ret;
}

/* The rows of a part that begins with row `at`. */
static struct trc_requests
part_of(const struct trc_requests *r, size_t at)
{
	const size_t n = r->n - at;

	return (struct trc_requests){ n < PART ? n : PART, r->addr + at, r->size + at };
}

int
trc_requests_write(const struct trc_requests *r, int level, struct trc_buf *out,
                   struct trc_err *err)
{
	for (size_t at = 0; at < r->n; at += PART) {
		const struct trc_requests part = part_of(r, at);

		if (write_part(&part, level, out, err))
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
read_rows(struct model *m, struct trc_requests *r, size_t first, struct trc_err *err)
{
	for (size_t i = 0; i < first; i++) {
		trc_request_address_code(&m->addresses, false, 0);
		if (!code_size(m, false, 0) || trc_rc_overrun(&m->with.rc))
			return damaged(err);
		r->addr[i] = m->addresses.now[0].addr;
		r->size[i] = m->addresses.now[0].size;
		trc_request_addresses_add(&m->addresses, i);
	}
	return first < r->n || (trc_rc_ended(&m->with.rc) && m->far_at == m->far.n) ? 0 :
	                                                                              damaged(err);
}

static int
read_part(struct trc_requests *r, struct trc_view *in, size_t first, struct trc_err *err)
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
	ret = trc_unpack(in, 4 * r->n, &m->far, err);
	if (ret == 0 && trc_view_num(in, &len) && len <= SIZE_MAX / 2)
		p = trc_view_bytes(in, (size_t)len);
	if (ret == 0 && !p)
		ret = damaged(err);
	if (ret == 0) {
		trc_rc_read(&m->with.rc, p, p + len);
		ret = read_rows(m, r, first, err);
	}
	model_close(m);
	return ret;
}

int
trc_requests_read(struct trc_requests *r, struct trc_view *in, size_t first, struct trc_err *err)
{
	for (size_t at = 0; at < r->n; at += PART) {
		struct trc_requests part = part_of(r, at);
		const size_t here = at > first ? 0 : first - at < part.n ? first - at : part.n;

		if (read_part(&part, in, here, err))
			return -1;
	}
	return 0;
}
