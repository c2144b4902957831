/* SPDX-License-Identifier: MIT
 *
 * Events of packages as columns: what goes in comes out, in both forms, whatever the numbers are;
 * what is damaged is refused or is another list, and needs no more memory than it may.
 */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "generate.h"
#include "machine/bus/event_columns.h"

static struct generator m;

enum { MOST = 1 << 28, CHUNK = 1 << 20, LEVEL = 2 };

static void
release(struct trc_events *e)
{
	for (int i = 0; i < TRC_EVENTS_STREAMS; i++)
		trc_buf_release(&e->stream[i]);
}

static bool
is_same(const struct trc_events *a, const struct trc_events *b)
{
	for (int i = 0; i < TRC_EVENTS_DATA; i++)
		if (a->stream[i].n != b->stream[i].n ||
		    (a->stream[i].n && memcmp(a->stream[i].p, b->stream[i].p, a->stream[i].n)))
			return false;
	return true;
}

static int
unpack(struct trc_view v, uint64_t n, uint64_t most, struct trc_events *e, struct trc_err *err)
{
	*e = (struct trc_events){ .n = n };
	*err = (struct trc_err){ 0 };
	return trc_event_columns_unpack(e, &v, most, err) || v.p != v.end ? -1 : 0;
}

/* Packs and unpacks; the first byte, which is the form, and the size. */
static unsigned
through_columns(const struct trc_events *e, size_t *size)
{
	struct trc_buf out = { 0 };
	struct trc_events back;
	struct trc_err err;
	unsigned form;

	CHECK_MSG(trc_event_columns_pack(e, LEVEL, &out, &err) == 0, "%s", err.text);
	CHECK_MSG(unpack(trc_buf_view(&out), e->n, MOST, &back, &err) == 0, "%s", err.text);
	CHECK(is_same(e, &back));
	release(&back);
	form = out.n ? out.p[0] : 0;
	*size = out.n;
	trc_buf_release(&out);
	return form;
}

static void
put(struct trc_events *e, const struct trc_bus_record *r)
{
	struct trc_err err;

	CHECK(trc_events_put(e, r, &err) == 0);
}

/* Numbers of all sizes, so that differences wrap. */
static uint64_t
any_number(void)
{
	return generate_random(&m) >> generate_below(&m, 64);
}

static void
put_random(struct trc_events *e, uint64_t *count)
{
	static const char types[] = "DMIROCYTSXNK";
	static const uint8_t data[64] = { 1, 2, 3 };
	struct trc_bus_record r = { .type = types[generate_below(&m, sizeof(types) - 1)],
		                    .data = data };
	const char *fields = trc_bus_fields(r.type);

	r.count = *count += generate_below(&m, 3) ? generate_below(&m, 9) : any_number() >> 20;
	r.key = strchr(fields, 'k') ? any_number() : 0;
	r.value = strchr(fields, 'v') ? any_number() : 0;
	r.len = strchr(fields, 'd') ? (uint32_t)generate_below(&m, generate_below(&m, 2) ? 9 : 60) :
	                              0;
	r.addr = strchr(fields, 'a') ? any_number() : 0;
	r.addr = r.addr > UINT64_MAX - r.len ? UINT64_MAX - r.len : r.addr;
	put(e, &r);
}

static void
any_events_come_back(void)
{
	static const size_t n[] = { 0, 1, 2, 100, 3000 };

	for (size_t i = 0; i < TRC_COUNT(n); i++) {
		struct trc_events e = { 0 };
		uint64_t count = 0;
		size_t size;

		for (size_t k = 0; k < n[i]; k++)
			put_random(&e, &count);
		through_columns(&e, &size);
		CHECK((size == 0) == (n[i] == 0));
		release(&e);
	}
}

/* Reads of 1 to 4 bytes into a buffer, by a program that calls at two places. */
static void
put_repeated(struct trc_events *e, size_t n)
{
	static const uint8_t data[4];

	for (size_t i = 0; e->n < n; i++) {
		const struct trc_bus_record call = { .type = TRC_BUS_CALL,
			                             .count = i * 40 + i % 4 * 3,
			                             .key = 63,
			                             .value = 1 + i % 4 };
		const struct trc_bus_record data_read = { .type = TRC_BUS_DMA,
			                                  .count = call.count + 1,
			                                  .addr = 0x4000 + i % 2,
			                                  .data = data,
			                                  .len = 1 + (uint32_t)(i % 4) };

		put(e, &call);
		put(e, &data_read);
	}
}

/* Chunks end at 2^20 events, and the one after them goes on with the last addresses. */
static void
events_that_repeat_have_a_table(void)
{
	static const size_t n[] = { 5000, CHUNK - 1, CHUNK, CHUNK + 2 };

	for (size_t i = 0; i < TRC_COUNT(n); i += test_step_most(2)) {
		struct trc_events e = { 0 };
		size_t size;

		put_repeated(&e, n[i]);
		CHECK(through_columns(&e, &size) == 1);
		CHECK_MSG(size < 300, "%zu bytes", size);
		release(&e);
	}
}

static void
more_places_than_a_table_has_come_back(void)
{
	struct trc_events e = { 0 };
	size_t size;

	for (uint64_t i = 0; i < (1 << 16) + 2; i++) {
		const struct trc_bus_record r = { .type = TRC_BUS_TRAP, .count = i, .key = i };

		put(&e, &r);
	}
	CHECK(through_columns(&e, &size) == 0);
	release(&e);
}

/* The events of a mutant are refused, or are of types that there are, and are read by who reads
 * events, who may refuse them. */
static void
read_mutant(struct trc_view v, uint64_t n)
{
	struct trc_events e;
	struct trc_events_at at;
	struct trc_bus_record r;
	struct trc_err err;
	enum trc_flow flow = TRC_FLOW_FAILED;

	if (unpack(v, n, MOST, &e, &err) == 0) {
		trc_events_begin(&e, &at);
		while ((flow = trc_events_next(&at, &r, &err)) == TRC_FLOW_ROWS)
			;
	}
	CHECK(flow == TRC_FLOW_END || err.code == TRC_OK || *err.text);
	release(&e);
}

static void
mutants_are_refused_or_other_lists(void)
{
	for (int round = 0; round < 4; round++) {
		struct trc_events e = { 0 };
		struct trc_buf out = { 0 };
		uint64_t count = 0;
		struct trc_err err;

		if (round % 2)
			put_repeated(&e, 300);
		count = e.count;
		for (size_t k = 0; k < 200; k++)
			put_random(&e, &count);
		CHECK(trc_event_columns_pack(&e, LEVEL, &out, &err) == 0);
		for (size_t i = (size_t)round; i < out.n; i += test_step()) {
			const uint8_t was = out.p[i];
			struct trc_events cut;

			out.p[i] ^= (uint8_t)(1 + generate_below(&m, 255));
			read_mutant(trc_buf_view(&out), e.n);
			out.p[i] = was;
			CHECK(unpack((struct trc_view){ out.p, out.p + i }, e.n, MOST, &cut, &err) <
			      0);
			release(&cut);
		}
		read_mutant(trc_buf_view(&out), e.n + 1);
		read_mutant(trc_buf_view(&out), e.n - 1);
		trc_buf_release(&out);
		release(&e);
	}
}

/* A chunk of events that are all alike is a few bytes. */
static void
few_bytes_do_not_become_too_many_events(void)
{
	struct trc_events e = { 0 }, back;
	struct trc_buf out = { 0 };
	struct trc_err err;

	for (int i = 0; i < 2 * CHUNK; i++)
		put(&e, &(struct trc_bus_record){ .type = TRC_BUS_SIGNAL, .count = 1 });
	CHECK(trc_event_columns_pack(&e, LEVEL, &out, &err) == 0);
	CHECK(out.n < 100);
	CHECK(unpack(trc_buf_view(&out), e.n, 3 * CHUNK, &back, &err) < 0);
	CHECK(strstr(err.text, "--memory"));
	release(&back);
	release(&e);
	trc_buf_release(&out);
}

int
main(void)
{
	test_start();
	m.state = test_seed;
	RUN(any_events_come_back);
	RUN(events_that_repeat_have_a_table);
	RUN(more_places_than_a_table_has_come_back);
	RUN(mutants_are_refused_or_other_lists);
	RUN(few_bytes_do_not_become_too_many_events);
	return 0;
}
