/* SPDX-License-Identifier: MIT
 *
 * watched FOLDER: what an observer of a replay sees, over all bus traces of the folder. Whether
 * each access is reported or only what may be new, the same bytes of memory are fetched, loaded,
 * stored, and walked through.
 */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "base/map_find.h"
#include "generate.h"
#include "machine/bus/extract.h"
#include "machine/bus/replay.h"

enum { PAGE = TRC_GUEST_PAGE, INSNS = 400000 };
#define MEMORY (UINT64_C(1) << 30)

/* Which accesses there were to each byte, a bit for each trc_seen. */
struct bytes {
	struct trc_replay_watch watch;
	struct trc_map map;
	struct page {
		uint64_t number;
		uint8_t byte[PAGE];
	} * page;
	size_t pages, cap;
	uint64_t fetched; /* bytes, those that come again, too */
	bool doubtful;
};

static struct page *
page_of(struct bytes *s, uint64_t number)
{
	const uint32_t i = trc_map_find(&s->map, 0, number)->value;
	struct trc_err err;

	if (i != TRC_MAP_NONE)
		return &s->page[i];
	CHECK(trc_map_add(&s->map, 0, number, (uint32_t)s->pages, &err) == 0 &&
	      trc_grow(&s->page, &s->cap, s->pages + 1, sizeof(*s->page), &err) == 0);
	s->page[s->pages] = (struct page){ .number = number };
	return &s->page[s->pages++];
}

static void
see(struct trc_replay_watch *w, const struct trc_hart *h, enum trc_seen what, uint64_t addr,
    unsigned size)
{
	struct bytes *s = (struct bytes *)w;
	struct page *p = page_of(s, addr / PAGE);

	(void)h;
	CHECK(addr % PAGE + size <= PAGE);
	for (uint64_t i = addr % PAGE; i < addr % PAGE + size; i++)
		p->byte[i] |= (uint8_t)(1 << what);
	s->fetched += what == TRC_SEEN_FETCH ? size : 0;
}

static void
see_rows(struct trc_replay_watch *w, const struct trc_hart *h, const struct trc_batch *b,
         size_t from)
{
	struct bytes *s = (struct bytes *)w;
	uint64_t pa;

	for (size_t i = from; i < b->n; i++) {
		const unsigned type = b->type[i] & TRC_TYPE_MASK;

		for (uint32_t k = 0; k < b->size[i] && type != TRC_FETCH; k++)
			if (trc_hart_physical(h, b->addr[i] + k, &pa))
				see(w, h, type == TRC_READ ? TRC_SEEN_LOAD : TRC_SEEN_STORE, pa, 1);
	}
	s->doubtful |= trc_hart_doubtful(h);
}

static void
due(struct trc_replay_watch *w, const struct trc_hart *h)
{
	(void)w, (void)h;
}

static void
watch(const struct trc_package *p, bool rows, struct bytes *s)
{
	const struct trc_replay_how how = { .limit = INSNS, .memory = MEMORY, .watch = &s->watch };
	struct trc_replay_report report;
	struct trc_err err;

	*s = (struct bytes){ .watch = { see, rows ? see_rows : NULL, due } };
	CHECK(trc_map_init(&s->map, &err) == 0);
	CHECK_MSG(trc_replay_all(p, &how, &report, &err) == 0, "%s", err.text);
	CHECK(!s->doubtful);
}

/* User mode has no walks, and no exact report. */
static void
compare(struct bytes *a, struct bytes *b)
{
	CHECK_MSG(a->pages == b->pages, "%zu pages and %zu", a->pages, b->pages);
	for (size_t i = 0; i < a->pages; i++)
		CHECK_MSG(memcmp(a->page[i].byte, page_of(b, a->page[i].number)->byte, PAGE) == 0,
		          "page %llx", (unsigned long long)a->page[i].number);
}

static void
release(struct bytes *s)
{
	trc_map_release(&s->map);
	free(s->page);
}

static void
check_trace(const char *path)
{
	struct bytes each, new;
	struct trc_extract_counts counts;
	struct trc_package p;
	struct trc_err err;
	struct trc_in *in = trc_in_open(path, &err);
	struct trc_bus *bus = in ? trc_bus_open(in, &err) : NULL;

	printf("%s\n", path);
	CHECK_MSG(bus && trc_extract(bus, &p, NULL, &counts, &err) == 0, "%s: %s", path, err.text);
	trc_bus_close(bus);
	watch(&p, false, &each);
	watch(&p, true, &new);
	compare(&each, &new);
	CHECK(new.fetched < each.fetched);
	release(&each);
	release(&new);
	trc_package_release(&p);
}

static const char *folder;

static void
the_same_bytes_are_reported(void)
{
	CHECK(test_each_file(folder, ".bus", check_trace) >= 4);
}

int
main(int argc, char **argv)
{
	folder = test_start_in(argc, argv);
	RUN(the_same_bytes_are_reported);
	return 0;
}
