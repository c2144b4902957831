/* SPDX-License-Identifier: MIT
 *
 * Guest memory: a hash map from page numbers to pages. It is only used on a miss of the translation
 * cache.
 */
#include "machine/hart/memory.h"
#include "base/map_find.h"

#include <inttypes.h>
#include <stdlib.h>

int
trc_memory_init(struct trc_memory *m, uint64_t bytes, struct trc_err *err)
{
	*m = (struct trc_memory){ .most = TRC_MAP_NONE - 1 };
	if (bytes / TRC_GUEST_PAGE < m->most)
		m->most = (size_t)(bytes / TRC_GUEST_PAGE);
	return trc_map_init(&m->map, err);
}

void
trc_memory_release(struct trc_memory *m)
{
	for (size_t i = 0; i < m->n; i++)
		free(m->page[i]);
	free(m->page);
	trc_map_release(&m->map);
	*m = (struct trc_memory){ 0 };
}

int
trc_memory_add_ram(struct trc_memory *m, uint64_t first, uint64_t last, struct trc_err *err)
{
	if (first > last || first % TRC_GUEST_PAGE || (last + 1) % TRC_GUEST_PAGE)
		return trc_fail(err,
		                "RAM from 0x%" PRIx64 " to 0x%" PRIx64
		                " does not begin and end at pages of %d bytes",
		                first, last, TRC_GUEST_PAGE);
	if (m->rams == TRC_RAM_RANGES)
		return trc_fail(err, "more than %d ranges of RAM", TRC_RAM_RANGES);
	m->ram[m->rams++] = (struct trc_ram){ first, last };
	return 0;
}

bool
trc_memory_is_ram(const struct trc_memory *m, uint64_t addr)
{
	for (unsigned i = 0; i < m->rams; i++)
		if (addr >= m->ram[i].first && addr <= m->ram[i].last)
			return true;
	return false;
}

struct trc_page *
trc_memory_find(const struct trc_memory *m, uint64_t number)
{
	const struct trc_map_entry *e = trc_map_find(&m->map, 0, number);

	return e->value == TRC_MAP_NONE ? NULL : m->page[e->value];
}

static struct trc_page *
add_page(struct trc_memory *m, uint64_t number, struct trc_err *err)
{
	struct trc_page *page;

	if (m->n >= m->most) {
		const bool small = m->most >> (20 - TRC_GUEST_PAGE_BITS) == 0;

		trc_fail_as(err, TRC_NO_MEMORY,
		            "the machine uses more than %zu %s of memory; raise that with "
		            "--memory",
		            small ? m->most << (TRC_GUEST_PAGE_BITS - 10) :
		                    m->most >> (20 - TRC_GUEST_PAGE_BITS),
		            small ? "KiB" : "MiB");
		return NULL;
	}
	if (trc_grow(&m->page, &m->cap, m->n + 1, sizeof(*m->page), err))
		return NULL;
	page = trc_alloc(1, sizeof(*page) + TRC_GUEST_PAGE, err);
	if (!page)
		return NULL;
	page->number = number;
	page->byte = (uint8_t *)(page + 1);
	if (trc_map_add(&m->map, 0, number, (uint32_t)m->n, err)) {
		free(page);
		return NULL;
	}
	return m->page[m->n++] = page;
}

struct trc_page *
trc_memory_page(struct trc_memory *m, uint64_t number, struct trc_err *err)
{
	struct trc_page *page = trc_memory_find(m, number);

	return page ? page : add_page(m, number, err);
}

/* Returns how many of the `len` bytes at `addr` lie in its page. */
static size_t
in_page(uint64_t addr, size_t len)
{
	const size_t left = TRC_GUEST_PAGE - addr % TRC_GUEST_PAGE;

	return len < left ? len : left;
}

void
trc_memory_read(const struct trc_memory *m, uint64_t addr, void *dst, size_t len)
{
	uint8_t *at = dst;

	while (len) {
		const size_t n = in_page(addr, len);
		const struct trc_page *page = trc_memory_find(m, addr >> TRC_GUEST_PAGE_BITS);

		if (page)
			memcpy(at, page->byte + addr % TRC_GUEST_PAGE, n);
		else
			memset(at, 0, n);
		at += n, addr += n, len -= n;
	}
}

int
trc_memory_write(struct trc_memory *m, uint64_t addr, const void *src, size_t len,
                 struct trc_err *err)
{
	const uint8_t *at = src;

	while (len) {
		const size_t n = in_page(addr, len);
		struct trc_page *page = trc_memory_page(m, addr >> TRC_GUEST_PAGE_BITS, err);

		if (!page)
			return -1;
		memcpy(page->byte + addr % TRC_GUEST_PAGE, at, n);
		page->dirty = true;
		at += n, addr += n, len -= n;
	}
	return 0;
}
