/* SPDX-License-Identifier: MIT */
#include "machine/bus/image.h"

#include <stdlib.h>

#include "codec/stream/pack.h"

enum { ZEROS = 128 }; /* bytes in a stretch that takes more room than another run */

void
trc_image_release(struct trc_image *m)
{
	free(m->run);
	trc_buf_release(&m->bytes);
	*m = (struct trc_image){ 0 };
}

int
trc_image_put(struct trc_image *m, uint64_t addr, const uint8_t *data, uint32_t len,
              struct trc_err *err)
{
	struct trc_run_of_bytes *last = m->runs ? &m->run[m->runs - 1] : NULL;
	const size_t at = m->bytes.n;

	if (trc_buf_put(&m->bytes, data, len, err))
		return -1;
	if (last && last->addr + last->len == addr && last->len <= UINT32_MAX - len) {
		last->len += len;
		return 0;
	}
	if (trc_grow(&m->run, &m->runs_cap, m->runs + 1, sizeof(*m->run), err))
		return -1;
	m->run[m->runs++] = (struct trc_run_of_bytes){ addr, len, at };
	return 0;
}

static int
by_address(const void *a, const void *b)
{
	const struct trc_run_of_bytes *x = a, *y = b;

	return (x->addr > y->addr) - (x->addr < y->addr);
}

int
trc_image_sort(struct trc_image *m, struct trc_err *err)
{
	struct trc_run_of_bytes *run = m->run;
	const size_t runs = m->runs;
	struct trc_buf bytes = m->bytes;
	int ret = 0;

	if (runs == 0)
		return 0;
	qsort(run, runs, sizeof(*run), by_address);
	m->run = NULL;
	m->runs = m->runs_cap = 0;
	m->bytes = (struct trc_buf){ 0 };
	for (size_t i = 0; i < runs && ret == 0; i++)
		ret = trc_image_put(m, run[i].addr, bytes.p + run[i].at, run[i].len, err);
	free(run);
	trc_buf_release(&bytes);
	return ret;
}

/* Returns the end of the bytes from `at` on that precede a long stretch of zeros or the end. */
static uint32_t
end_of_bytes(const uint8_t *p, uint32_t at, uint32_t len)
{
	uint32_t end = at;

	for (; at < len && at - end < ZEROS; at++)
		if (p[at])
			end = at + 1;
	return end;
}

static int
put_without_zeros(struct trc_image *to, uint64_t addr, const uint8_t *p, uint32_t len,
                  struct trc_err *err)
{
	for (uint32_t at = 0, end; at < len; at = end) {
		end = end_of_bytes(p, at, len);
		if (end > at && trc_image_put(to, addr + at, p + at, end - at, err))
			return -1;
		while (end < len && p[end] == 0)
			end++;
	}
	return 0;
}

int
trc_image_remove_zeros(struct trc_image *m, struct trc_err *err)
{
	struct trc_image to = { 0 };
	int ret = 0;

	for (size_t i = 0; i < m->runs && ret == 0; i++)
		ret = put_without_zeros(&to, m->run[i].addr, m->bytes.p + m->run[i].at,
		                        m->run[i].len, err);
	trc_image_release(ret ? &to : m);
	if (ret == 0)
		*m = to;
	return ret;
}

int
trc_image_pack(const struct trc_image *m, int level, struct trc_buf *raw, struct trc_buf *out,
               struct trc_err *err)
{
	uint64_t end = 0;

	raw->n = 0;
	for (size_t i = 0; i < m->runs; i++) {
		if (trc_buf_put_num(raw, m->run[i].addr - end, err) ||
		    trc_buf_put_num(raw, m->run[i].len, err))
			return -1;
		end = m->run[i].addr + m->run[i].len;
	}
	return trc_pack(raw->p, raw->n, TRC_PACK_BYTES, level, out, err) ||
	                       trc_pack(m->bytes.p, m->bytes.n, TRC_PACK_BYTES, level, out, err) ?
	               -1 :
	               0;
}

int
trc_image_unpack(struct trc_image *m, struct trc_view *v, uint64_t runs, uint64_t most,
                 struct trc_buf *raw, struct trc_err *err)
{
	uint64_t end = 0, at = 0;
	struct trc_view gaps;

	if (trc_unpack(v, (size_t)most, raw, err) || trc_unpack(v, (size_t)most, &m->bytes, err) ||
	    runs > raw->n || /* each run takes several bytes there */
	    trc_grow(&m->run, &m->runs_cap, (size_t)runs, sizeof(*m->run), err))
		return -1;
	gaps = trc_buf_view(raw);
	for (; m->runs < runs; m->runs++) {
		uint64_t gap, len;

		if (!trc_view_num(&gaps, &gap) || !trc_view_num(&gaps, &len) || len == 0 ||
		    len > m->bytes.n - at || len > UINT32_MAX || gap > UINT64_MAX - end ||
		    len - 1 > UINT64_MAX - (end + gap))
			return -1;
		m->run[m->runs] = (struct trc_run_of_bytes){ end + gap, (uint32_t)len, (size_t)at };
		end += gap + len;
		at += len;
	}
	return gaps.p == gaps.end && at == m->bytes.n ? 0 : -1;
}
