/* SPDX-License-Identifier: MIT
 *
 * The LRU stack of write-around, against memories of every size one by one: the position of a page
 * is the smallest memory that holds it, and all larger ones do, too.
 */
#include "stage/simulate/policy/around_stack.h"

#include <string.h>

#include "generate.h"
#include "test.h"

enum { MOST = 200 };

/* A memory: when each of its pages was used last; 0: it does not hold it. */
struct memory {
	uint32_t used[MOST], n;
};

static void
use(struct memory *m, uint32_t size, uint32_t id, bool write, uint32_t now)
{
	uint32_t oldest = MOST;

	if (m->used[id] || !write) {
		for (uint32_t k = 0; k < MOST && !m->used[id] && m->n == size; k++)
			if (m->used[k] && (oldest == MOST || m->used[k] < m->used[oldest]))
				oldest = k;
		if (oldest < MOST)
			m->used[oldest] = 0;
		m->n += !m->used[id] && oldest == MOST;
		m->used[id] = now;
	}
}

static uint32_t
smallest(const struct memory *m, uint32_t pages, uint32_t id)
{
	uint32_t size = 1;

	while (size <= pages && !m[size].used[id])
		size++;
	for (uint32_t k = size; k <= pages; k++)
		CHECK(m[k].used[id]);
	return size <= pages ? size : 0;
}

struct spec {
	uint32_t pages, refs, writes, deletes; /* the last two of a hundred references */
};

static void
compare(const struct spec *spec, uint64_t seed)
{
	static struct memory memory[MOST + 1];
	struct trc_around_stack s = { 0 };
	struct generator g = { seed };
	struct trc_err err = { 0 };

	memset(memory, 0, sizeof(memory));
	for (uint32_t now = 1; now <= spec->refs; now++) {
		const uint32_t most = (uint32_t)generate_below(&g, spec->pages) + 1;
		const uint32_t id = (uint32_t)generate_below(&g, most);
		const uint32_t kind = (uint32_t)generate_below(&g, 100);
		const bool write = kind < spec->writes, gone = kind >= 100 - spec->deletes;
		const uint32_t want = smallest(memory, spec->pages, id);
		uint32_t found;

		for (uint32_t size = 1; size <= spec->pages && !gone; size++)
			use(&memory[size], size, id, write, now);
		for (uint32_t size = 1; size <= spec->pages && gone; size++) {
			memory[size].n -= memory[size].used[id] > 0;
			memory[size].used[id] = 0;
		}
		if (gone) {
			CHECK(trc_around_stack_remove(&s, id, &err) == 0);
			continue;
		}
		CHECK(trc_around_stack_refer(&s, id, write, spec->pages, &found, &err) == 0);
		CHECK_MSG(found == want, "seed %u, reference %u: %u, not %u", (unsigned)seed,
		          (unsigned)now, (unsigned)found, (unsigned)want);
	}
	trc_around_stack_release(&s);
}

static void
a_position_is_the_smallest_memory_with_the_page(void)
{
	const uint32_t writes[] = { 0, 10, 40, 80, 95 }, deletes[] = { 0, 2, 20 };
	struct spec spec = { .pages = 12, .refs = 300 };

	for (uint64_t seed = 0; seed < 150; seed++) {
		spec.writes = writes[seed % 5];
		spec.deletes = deletes[seed % 3] < 100 - spec.writes ? deletes[seed % 3] : 2;
		compare(&spec, seed);
	}
}

static void
many_references_move_slots_together(void)
{
	const struct spec few = { 15, 60000, 40, 1 }, many = { MOST, 2500, 50, 1 };

	compare(&few, 1);
	compare(&many, 2);
}

int
main(void)
{
	test_start();
	RUN(a_position_is_the_smallest_memory_with_the_page);
	RUN(many_references_move_slots_together);
	return 0;
}
