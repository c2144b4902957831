/* SPDX-License-Identifier: MIT
 *
 * Windows over time, and pages by who shares them, against counting record by record.
 */
#include <string.h>

#include "generate.h"
#include "stage/profile/windows.h"
#include "stage/space/shared.h"
#include "test.h"

enum { BITS = 12, PAGES = 40, RECORDS = 300 };

static struct trc_batch
make_records(struct generator *m)
{
	static const uint8_t type[] = { TRC_READ,   TRC_WRITE,    TRC_FETCH,
		                        TRC_MODIFY, TRC_PREFETCH, TRC_MISC };
	struct trc_batch b = generate_zeros(TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE |
	                                            TRC_HAS_ASID,
	                                    (size_t)generate_below(m, RECORDS));

	for (size_t i = 0; i < b.n; i++) {
		b.type[i] = type[generate_below(m, 6)];
		b.addr[i] = generate_below(m, (PAGES - 4) << BITS);
		b.size[i] = (uint32_t)generate_below(m, generate_below(m, 9) ? 9 : 3 << BITS);
		b.asid[i] = (uint32_t)generate_below(m, 2);
	}
	return b;
}

/* Whether records [from, to) touch a page of a space. */
static bool
touch(const struct trc_batch *b, size_t from, size_t to, uint64_t page, uint32_t space)
{
	for (size_t i = from; i < to; i++) {
		const uint64_t last = b->addr[i] + (b->size[i] ? b->size[i] - 1 : 0);

		if (b->type[i] != TRC_PREFETCH && b->asid[i] == space &&
		    b->addr[i] >> BITS <= page && page <= last >> BITS)
			return true;
	}
	return false;
}

static size_t
count(const struct trc_batch *b, size_t from, size_t to, uint8_t type)
{
	size_t n = 0;

	for (size_t i = from; i < to; i++)
		n += b->type[i] == type;
	return n;
}

static void
check_window(const struct trc_batch *b, const struct trc_window *w)
{
	const size_t from = (size_t)w->from, to = (size_t)w->to;
	const size_t modifies = count(b, from, to, TRC_MODIFY);
	uint64_t pages = 0, first = 0;

	for (uint64_t page = 0; page < PAGES; page++)
		for (uint32_t space = 0; space < 2; space++)
			if (touch(b, from, to, page, space)) {
				pages++;
				first += !touch(b, 0, from, page, space);
			}
	CHECK(w->fetches == count(b, from, to, TRC_FETCH));
	CHECK(w->writes == count(b, from, to, TRC_WRITE) + modifies);
	CHECK(w->reads == count(b, from, to, TRC_READ) + count(b, from, to, TRC_MISC) + modifies);
	CHECK(w->refs == w->fetches + w->writes + w->reads);
	CHECK_MSG(w->pages == pages && w->first == first, "records %u to %u: %u, %u, not %u, %u",
	          (unsigned)from, (unsigned)to, (unsigned)w->pages, (unsigned)w->first,
	          (unsigned)pages, (unsigned)first);
}

static void
windows_have_what_their_records_touch(void)
{
	struct generator m = { test_seed };

	for (int round = 0; round < 60; round++) {
		struct trc_batch b = make_records(&m);
		struct trc_windows w = { .every = 1 + generate_below(&m, 90) };
		struct trc_source *src = generate_source(&b, 1 + generate_below(&m, 60));
		struct trc_sink *sink;
		struct trc_err err;
		uint64_t at;

		at = w.warmup = generate_below(&m, 3) ? 0 : generate_below(&m, b.n + 1);
		sink = trc_windows_sink(&w, b.have, BITS, &err);
		CHECK(sink && trc_pump(src, sink, 50, NULL, &err) == 0);
		for (size_t k = 0; k < w.n; k++) {
			CHECK(w.window[k].from == at);
			CHECK(w.window[k].to == (at + w.every < b.n ? at + w.every : b.n));
			at = w.window[k].to;
			check_window(&b, &w.window[k]);
		}
		CHECK(at == b.n && w.seen == b.n);
		trc_sink_close(sink);
		trc_source_close(src);
		trc_windows_release(&w);
		trc_batch_release(&b);
	}
}

static void
pages_are_shared_by_those_who_touch_them(void)
{
	enum { CPNS = 30, SPACES = 6, N = 150 };
	struct generator m = { test_seed };

	for (int round = 0; round < 30; round++) {
		struct trc_batch b =
		        generate_zeros(TRC_HAS_TYPE | TRC_HAS_VPN | TRC_HAS_CPN | TRC_HAS_ASID, N);
		struct trc_shared_by by[SPACES + 1] = { { 0, 0, 0 } };
		struct trc_source *src = generate_source(&b, 7);
		struct trc_shared shared;
		struct trc_sink *sink;
		struct trc_err err;

		for (size_t i = 0; i < N; i++) {
			b.cpn[i] = generate_below(&m, 1 + generate_below(&m, CPNS));
			b.asid[i] = (uint32_t)generate_below(&m, SPACES) - 1;
			b.type[i] = generate_below(&m, 4) ? TRC_READ : TRC_MODIFY;
		}
		for (uint64_t page = 0; page < CPNS; page++) {
			struct trc_shared_by one = { 1, 0, 0 };
			size_t spaces = 0;

			for (uint32_t s = 0; s < SPACES; s++) {
				bool any = false;

				for (size_t i = 0; i < N; i++)
					any |= b.cpn[i] == page && b.asid[i] == s - 1;
				spaces += any;
			}
			for (size_t i = 0; i < N; i++)
				if (b.cpn[i] == page) {
					one.refs += b.type[i] == TRC_MODIFY ? 2 : 1;
					one.written |= b.type[i] == TRC_MODIFY;
				}
			by[spaces].pages += spaces > 0;
			by[spaces].written += one.written;
			by[spaces].refs += one.refs;
		}
		sink = trc_shared_sink(&shared, &err);
		CHECK(sink && trc_pump(src, sink, 20, NULL, &err) == 0);
		CHECK(shared.n <= SPACES + 1);
		CHECK(memcmp(shared.by, by, shared.n * sizeof(*by)) == 0);
		trc_sink_close(sink);
		trc_source_close(src);
		trc_shared_release(&shared);
		trc_batch_release(&b);
	}
}

int
main(void)
{
	test_start();
	RUN(windows_have_what_their_records_touch);
	RUN(pages_are_shared_by_those_who_touch_them);
	return 0;
}
