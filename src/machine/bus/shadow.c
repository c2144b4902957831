/* SPDX-License-Identifier: MIT */
#include "machine/bus/shadow.h"

#include <stdlib.h>

#include "base/map_find.h"
#include "machine/bus/truth.h"

int
trc_shadow_init(struct trc_shadow *s, struct trc_err *err)
{
	*s = (struct trc_shadow){ 0 };
	return trc_map_init(&s->map, err);
}

void
trc_shadow_release(struct trc_shadow *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->page[i]);
	free(s->page);
	trc_map_release(&s->map);
	*s = (struct trc_shadow){ 0 };
}

/* Returns the page, or NULL if none of its bytes is known. */
static struct trc_shadow_page *
find_page(struct trc_shadow *s, uint64_t page)
{
	uint32_t i;

	if (TRC_LIKELY(s->last && s->last->page == page))
		return s->last;
	i = trc_map_find(&s->map, 0, page)->value;
	if (i == TRC_MAP_NONE)
		return NULL;
	s->last = s->page[i];
	return s->last;
}

static struct trc_shadow_page *
make_page(struct trc_shadow *s, uint64_t page, struct trc_err *err)
{
	struct trc_shadow_page *p = find_page(s, page);

	if (p)
		return p;
	if (trc_grow(&s->page, &s->cap, s->n + 1, sizeof(*s->page), err))
		return NULL;
	p = trc_alloc(1, sizeof(*p), err);
	if (!p || trc_map_add(&s->map, 0, page, (uint32_t)s->n, err)) {
		free(p);
		return NULL;
	}
	p->page = page;
	s->page[s->n++] = p;
	s->last = p;
	return p;
}

/* Returns how many bytes of [addr, addr + len) lie in its page; sets *i to the offset of the
 * first. */
static uint32_t
in_page(uint64_t addr, uint32_t len, uint32_t *i)
{
	*i = addr % TRC_SHADOW_PAGE;
	return len < TRC_SHADOW_PAGE - *i ? len : TRC_SHADOW_PAGE - *i;
}

/* Returns true if all of [i, i + len) are known, or with `not` if none is. */
static bool
all_known(const struct trc_shadow_page *p, uint32_t i, uint32_t len, bool not )
{
	while (len > 0) {
		const uint32_t bit = i % 64, n = len < 64 - bit ? len : 64 - bit;
		const uint64_t mask = (n == 64 ? 0 : UINT64_C(1) << n) - 1;
		const uint64_t known = p->known[i / 64] >> bit & mask;

		if (known != (not ? 0 : mask))
			return false;
		i += n;
		len -= n;
	}
	return true;
}

static void
make_known(struct trc_shadow_page *p, uint32_t i, uint32_t len)
{
	while (len > 0) {
		const uint32_t bit = i % 64, n = len < 64 - bit ? len : 64 - bit;
		const uint64_t mask = (n == 64 ? 0 : UINT64_C(1) << n) - 1;

		p->known[i / 64] |= mask << bit;
		i += n;
		len -= n;
	}
}

/* Reports the runs of [i, i + len) in a page that a read changes. */
static int
report_runs(const struct trc_shadow_page *p, uint32_t i, const uint8_t *data, uint32_t len,
            trc_shadow_fn report, void *user, struct trc_err *err)
{
	for (uint32_t k = 0; k < len;) {
		struct trc_shadow_run run = { .known = trc_shadow_is_known(p, i + k) };
		uint32_t stop = k;

		while (stop < len && trc_shadow_is_known(p, i + stop) == run.known &&
		       (!run.known || data[stop] != p->byte[i + stop]))
			stop++;
		if (stop == k) {
			k++;
			continue;
		}
		run.addr = p->page * TRC_SHADOW_PAGE + i + k;
		run.data = data + k;
		run.len = stop - k;
		if (report(user, &run, err))
			return -1;
		k = stop;
	}
	return 0;
}

int
trc_shadow_read(struct trc_shadow *s, uint64_t addr, const uint8_t *data, uint32_t len,
                trc_shadow_fn report, void *user, struct trc_err *err)
{
	while (len > 0) {
		uint32_t i;
		const uint32_t n = in_page(addr, len, &i);
		struct trc_shadow_page *p = make_page(s, addr / TRC_SHADOW_PAGE, err);

		if (!p)
			return -1;
		if (!report || memcmp(p->byte + i, data, n) != 0 || !all_known(p, i, n, false)) {
			if (report && report_runs(p, i, data, n, report, user, err))
				return -1;
			memcpy(p->byte + i, data, n);
			make_known(p, i, n);
		}
		addr += n;
		data += n;
		len -= n;
	}
	return 0;
}

int
trc_shadow_write(struct trc_shadow *s, uint64_t addr, const uint8_t *data, uint32_t len,
                 struct trc_err *err)
{
	return trc_shadow_read(s, addr, data, len, NULL, NULL, err);
}

int
trc_shadow_move(struct trc_shadow *s, uint64_t from, uint64_t to, uint64_t len, struct trc_err *err)
{
	for (uint64_t i = 0; i < len; i += TRC_SHADOW_PAGE) {
		struct trc_shadow_page *src = make_page(s, (from + i) / TRC_SHADOW_PAGE, err);
		struct trc_shadow_page *dst = make_page(s, (to + i) / TRC_SHADOW_PAGE, err);

		if (!src || !dst)
			return -1;
		memset(src->known, 0xff, sizeof(src->known));
		memcpy(dst->known, src->known, sizeof(dst->known));
		memcpy(dst->byte, src->byte, sizeof(dst->byte));
	}
	return 0;
}

struct trc_shadow_page *
trc_shadow_find(struct trc_shadow *s, uint64_t page)
{
	return find_page(s, page);
}

static bool
is_same(const struct trc_shadow_page *p, uint32_t i, const uint8_t *data, uint32_t len)
{
	return p && memcmp(p->byte + i, data, len) == 0 && all_known(p, i, len, false);
}

static bool
is_unknown(const struct trc_shadow_page *p, uint32_t i, const uint8_t *data, uint32_t len)
{
	(void)data;
	return !p || all_known(p, i, len, true);
}

/* Returns true if the test holds in all pages of the bytes. `data` may be NULL if the test ignores
 * it. */
static inline bool
holds(struct trc_shadow *s, uint64_t addr, const uint8_t *data, uint32_t len,
      bool (*test)(const struct trc_shadow_page *, uint32_t, const uint8_t *, uint32_t))
{
	while (len > 0) {
		uint32_t i;
		const uint32_t n = in_page(addr, len, &i);

		if (!test(find_page(s, addr / TRC_SHADOW_PAGE), i, data, n))
			return false;
		addr += n;
		data = data ? data + n : NULL;
		len -= n;
	}
	return true;
}

bool
trc_shadow_same(struct trc_shadow *s, uint64_t addr, const uint8_t *data, uint32_t len)
{
	return holds(s, addr, data, len, is_same);
}

bool
trc_shadow_any(struct trc_shadow *s, uint64_t addr, uint32_t len)
{
	return !holds(s, addr, NULL, len, is_unknown);
}

int
trc_shadow_image(const struct trc_shadow *s, struct trc_image *m, struct trc_err *err)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct trc_shadow_page *p = s->page[i];

		for (uint32_t k = 0, len; k < TRC_SHADOW_PAGE; k += len) {
			const bool known = trc_shadow_is_known(p, k);

			len = 1;
			while (k + len < TRC_SHADOW_PAGE &&
			       trc_shadow_is_known(p, k + len) == known)
				len++;
			if (known &&
			    trc_image_put(m, p->page * TRC_SHADOW_PAGE + k, p->byte + k, len, err))
				return -1;
		}
	}
	return 0;
}

uint64_t
trc_shadow_digest(const struct trc_shadow *s)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < s->n; i++)
		sum += trc_truth_page(s->page[i]->page * TRC_SHADOW_PAGE, s->page[i]->byte,
		                      TRC_SHADOW_PAGE);
	return sum;
}
