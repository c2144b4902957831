/* SPDX-License-Identifier: MIT
 * Bus traces, what is extracted from them, and packages: what goes in comes out, the rules of the
 * paper on hand-made traces, and nothing damaged is taken for whole. */
#include <string.h>

#include "machine/bus/extract.h"
#include "machine/hart/hart.h"
#include "machine/bus/truth.h"
#include "generate.h"
#include "test.h"

enum { RECORDS = 3000, DATA_MOST = 200 };

static struct generator m;

/* ---- records ---- */

static const char types[] = "SFWPROICDYTXHMNK";

static void
random_record(struct trc_bus_record *r, uint64_t *count, uint8_t *data)
{
	const char *field;

	*count += generate_below(&m, 4) ? generate_below(&m, 3) : generate_below(&m, 1u << 20);
	*r = (struct trc_bus_record){ .type = types[generate_below(&m, sizeof(types) - 1)],
		                      .count = *count };
	for (field = trc_bus_fields(r->type); *field; field++) {
		const uint64_t v = generate_value(&m, 0, 64);

		if (*field == 'k')
			r->key = v % (r->type == TRC_BUS_FILL ? TRC_BUS_AGENTS : TRC_BUS_REGISTERS);
		else if (*field == 'v')
			r->value = v;
		else if (*field == 'a')
			r->addr = v & ~UINT64_C(0xffff);
		else
			r->len = 1 + (uint32_t)generate_below(&m, DATA_MOST - 1);
	}
	for (uint32_t i = 0; i < r->len; i++)
		data[i] = (uint8_t)generate_random(&m);
	r->data = data;
}

static bool
same_record(const struct trc_bus_record *a, const struct trc_bus_record *b)
{
	return a->type == b->type && a->count == b->count && a->key == b->key &&
	       a->value == b->value && a->addr == b->addr && a->len == b->len &&
	       (a->len == 0 || memcmp(a->data, b->data, a->len) == 0);
}

static const struct trc_bus_head some_head = {
	.isa = "rv64imafdc",
	.window = 0x10002000,
	.ram = { { 0x80000000, 0x8000000 } },
	.rams = 1,
	.io = { { 0, 0x1000 }, { 0x10000000, 0x2000 } },
	.ios = 2,
};

/* A bus trace of random records from `seed`, ended. */
static struct generate_bytes
write_random(uint64_t seed, bool text)
{
	const char *path = generate_path("bus");
	uint8_t data[DATA_MOST];
	struct trc_bus_record r;
	struct trc_bus_writer *w;
	uint64_t count = 0;
	struct trc_err err;
	struct trc_out *out = trc_out_open(path, true, &err);

	CHECK(out);
	w = trc_bus_create(out, &some_head, text, &err);
	CHECK_MSG(w, "%s", err.text);
	m.state = seed;
	for (int i = 0; i < RECORDS; i++) {
		random_record(&r, &count, data);
		CHECK(trc_bus_put(w, &r, &err) == 0);
	}
	r = (struct trc_bus_record){ .type = TRC_BUS_END, .count = count, .value = 7 };
	CHECK(trc_bus_put(w, &r, &err) == 0 && trc_bus_commit(w, &err) == 0);
	trc_bus_abandon(w);
	return generate_file_bytes(path);
}

static struct trc_bus *
open_bytes(const void *p, size_t len, size_t step, struct trc_err *err)
{
	struct trc_in *in = generate_in(p, len, step);
	struct trc_bus *bus = trc_bus_open(in, err);

	if (!bus)
		trc_in_close(in);
	return bus;
}

static void
records_come_back_in_both_forms(void)
{
	static const size_t step[] = { 1, 7, 4096 };

	for (size_t k = 0; k < 2 * TRC_COUNT(step); k++) {
		const uint64_t seed = test_seed + k;
		const struct generate_bytes bytes = write_random(seed, k % 2);
		uint8_t data[DATA_MOST];
		struct trc_bus_record want, got;
		uint64_t count = 0;
		struct trc_err err;
		struct trc_bus *bus = open_bytes(bytes.p, bytes.len, step[k / 2], &err);

		CHECK_MSG(bus, "%s", err.text);
		CHECK(trc_bus_head(bus)->rams == 1 && trc_bus_head(bus)->ios == 2 &&
		      strcmp(trc_bus_head(bus)->isa, some_head.isa) == 0 &&
		      trc_bus_head(bus)->window == some_head.window);
		m.state = seed;
		for (int i = 0; i < RECORDS; i++) {
			random_record(&want, &count, data);
			CHECK_MSG(trc_bus_next(bus, &got, &err) == TRC_FLOW_ROWS, "%s", err.text);
			CHECK_MSG(same_record(&want, &got), "record %d", i);
		}
		CHECK(trc_bus_next(bus, &got, &err) == TRC_FLOW_ROWS && got.type == TRC_BUS_END);
		CHECK(trc_bus_next(bus, &got, &err) == TRC_FLOW_END);
		CHECK(trc_bus_next(bus, &got, &err) == TRC_FLOW_END);
		trc_bus_close(bus);
		free(bytes.p);
	}
}

/* Reads to the end; -1 if something was refused. */
static int
read_all(const void *p, size_t len)
{
	struct trc_bus_record r;
	enum trc_flow flow;
	struct trc_err err;
	struct trc_bus *bus = open_bytes(p, len, 4096, &err);

	if (!bus)
		return -1;
	while ((flow = trc_bus_next(bus, &r, &err)) == TRC_FLOW_ROWS)
		;
	trc_bus_close(bus);
	return flow == TRC_FLOW_END ? 0 : -1;
}

static void
every_cut_and_every_flip_is_found(void)
{
	const struct generate_bytes bytes = write_random(test_seed, false);

	CHECK(read_all(bytes.p, bytes.len) == 0);
	for (size_t cut = 0; cut < bytes.len; cut += 1 + generate_below(&m, 4999))
		CHECK_MSG(read_all(bytes.p, cut) < 0, "cut at %zu", cut);
	for (size_t at = 0; at < bytes.len; at += 1 + generate_below(&m, 4999)) {
		const uint8_t bit = (uint8_t)(1 << generate_below(&m, 8));

		bytes.p[at] ^= bit;
		CHECK_MSG(read_all(bytes.p, bytes.len) < 0, "flipped at %zu", at);
		bytes.p[at] ^= bit;
	}
	free(bytes.p);
}

/* ---- extraction ---- */

#define HEAD "bus 1\nisa rv64imafdc\nline 8\nram 80000000 10000\nio 1000 1000\n"
#define START "S 0 40 80000000\nS 0 1 5\nG 0\n"

static int
extract(const char *text, struct trc_package *p, struct trc_extract_counts *k, struct trc_err *err)
{
	struct trc_bus *bus = open_bytes(text, strlen(text), 4096, err);
	int ret;

	if (!bus)
		return -1;
	ret = trc_extract(bus, p, NULL, k, err);
	trc_bus_close(bus);
	return ret;
}

static void
the_first_read_of_a_byte_is_its_image(void)
{
	struct trc_extract_counts k;
	struct trc_package p;
	struct trc_err err;

	CHECK_MSG(extract(HEAD START
	                  "F 0 0 80000008 0102030405060708\n" /* fetched: image */
	                  "W 1 80000008 1112030405060708\n"   /* its own write */
	                  "F 0 1 80000008 1112030405060708\n" /* reads what it wrote */
	                  "P 1 80000010 aabb\n"               /* written first: no image */
	                  "F 1 1 80000010 aabb000000000000\n" /* but for the rest of the line */
	                  "F 1 1 80000000 0000000000000009\n"
	                  "S 0 40 80000004\nE 1 0\n",
	                  &p, &k, &err) == 0,
	          "%s", err.text);
	CHECK(p.count == 5 && k.fills == 4 && k.backs == 1 && k.image == 22 && k.dma_runs == 0);
	CHECK(p.image.runs == 2 && p.image.run[0].addr == 0x80000000 && p.image.run[0].len == 16 &&
	      p.image.run[1].addr == 0x80000012 && p.image.run[1].len == 6);
	CHECK(p.image.bytes.n == 22 && memcmp(p.image.bytes.p + 7, "\x09\x01\x02", 3) == 0);
	CHECK(p.first.n == 2 && p.first.r[0].reg == TRC_REG_PC && p.last.n == 1 &&
	      p.last.r[0].value == 0x80000004);
	trc_package_release(&p);
}

static void
inconsistent_reads_are_writes_by_another_master(void)
{
	struct trc_extract_counts k;
	struct trc_bus_record r;
	struct trc_events_at at;
	struct trc_package p;
	struct trc_err err;

	CHECK_MSG(extract(HEAD START
	                  "F 1 1 80000008 0102030405060708\n"
	                  "F 4 1 80000008 01ff030405eeee08\n" /* count 5: before instruction 5 */
	                  "F 1 0 80000008 00ff030405eeee08\n" /* a fetch: behind instruction 6 */
	                  "E 4 0\n",
	                  &p, &k, &err) == 0,
	          "%s", err.text);
	CHECK(k.dma_runs == 2 && k.dma_bytes == 7 && p.events.n == 2);
	trc_events_begin(&p.events, &at);
	CHECK(trc_events_next(&at, &r, &err) == TRC_FLOW_ROWS && r.type == TRC_BUS_DMA &&
	      r.count == 4 && r.addr == 0x80000009 && r.len == 6 && r.data[0] == 0xff &&
	      r.data[5] == 0xee);
	CHECK(trc_events_next(&at, &r, &err) == TRC_FLOW_ROWS && r.count == 6 &&
	      r.addr == 0x80000008 && r.len == 1 && r.data[0] == 0);
	CHECK(trc_events_next(&at, &r, &err) == TRC_FLOW_END);
	trc_package_release(&p);
}

static void
what_the_processor_asks_for_is_due_before_its_instruction(void)
{
	struct trc_extract_counts k;
	struct trc_bus_record r;
	struct trc_events_at at;
	struct trc_package p;
	struct trc_err err;

	CHECK_MSG(extract(HEAD START "R 3 1005 60\n" /* of instruction 3 */
	                             "O 0 1000 41\n"
	                             "I 2 7 80000100\n"    /* behind instruction 5 */
	                             "C 1 c01 12345\n"     /* of instruction 6 */
	                             "D 0 80000020 0102\n" /* behind instruction 6 */
	                             "E 1 0\n",
	                  &p, &k, &err) == 0,
	          "%s", err.text);
	trc_events_begin(&p.events, &at);
	CHECK(trc_events_next(&at, &r, &err) == TRC_FLOW_ROWS && r.type == 'R' && r.count == 2 &&
	      r.addr == 0x1005 && r.len == 1 && r.data[0] == 0x60);
	CHECK(trc_events_next(&at, &r, &err) == TRC_FLOW_ROWS && r.type == 'O' && r.count == 2);
	CHECK(trc_events_next(&at, &r, &err) == TRC_FLOW_ROWS && r.type == 'I' && r.count == 5 &&
	      r.key == 7 && r.value == 0x80000100);
	CHECK(trc_events_next(&at, &r, &err) == TRC_FLOW_ROWS && r.type == 'C' && r.count == 5 &&
	      r.key == 0xc01 && r.value == 0x12345);
	CHECK(trc_events_next(&at, &r, &err) == TRC_FLOW_ROWS && r.type == 'D' && r.count == 6);
	trc_package_release(&p);
}

static void
what_cannot_be_is_refused_where_it_shows(void)
{
	static const struct {
		const char *text, *message;
	} bad[] = {
		{ "", "not a bus trace" },
		{ "bus 2\n" START "E 0 0\n", "version 2" },
		{ "bus 1\nisa mips\n" START "E 0 0\n", "only rv64imafdc is supported" },
		{ "bus 1\n" START "E 0 0\n", "does not name a processor" },
		{ "bus 1\nhello\n", ":2: 'hello' is not a header line" },
		{ "bus 1\nram 80000000\n", ":2: expected 'ram START LENGTH'" },
		{ HEAD START, "ends without its end record" },
		{ HEAD "F 0 0 80000000 0000000000000000\n", "before the G" },
		{ HEAD "G 0\nE 0 0\n", "has no pc" },
		{ HEAD START "G 0\n", "a second time" },
		{ HEAD START "Q 0\n", "'Q 0' is not a bus trace record" },
		{ HEAD START "F 0 0 80000000\n", "expected 'F COUNT NUMBER ADDRESS DATA'" },
		{ HEAD START "F 0 0 80000000 000\n", "expected 'F COUNT" },
		{ HEAD START "F 0 0 80000000 00\n", "not one cache line (8 bytes)" },
		{ HEAD START "F 0 0 80000004 0000000000000000\n", "not one cache line (8 bytes)" },
		{ HEAD START "F 0 4 80000000 0000000000000000\n", "by agent 4" },
		{ HEAD START "F 0 1 80000000 0000000000000000\n", "before the first one" },
		{ HEAD START "F 1 0 1000 0000000000000000\n", "which is not cacheable" },
		{ HEAD START "W 1 80000000 0000000000000000\n", "neither filled nor written" },
		{ HEAD START "R 1 1000 000000\n", "of 3 bytes" },
		{ HEAD START "R 0 1000 00\n", "before the first one" },
		{ HEAD START "P 1 fffffffffffffff8 000000000000000000\n", "past the last address" },
		{ HEAD START "S 0 2000 0\n", "register 2000 does not exist" },
		{ HEAD START "D 3 80000000 01\nR 0 1000 00\nE 0 0\n", "out of order" },
		{ HEAD START "H 1 1 0\nH 1 1 1\nE 0 0\n", "some do not" },
		{ HEAD START "P 0 80000000 01\nE 0 1234\n", "a write-back is missing" },
	};

	for (size_t i = 0; i < TRC_COUNT(bad); i++) {
		struct trc_extract_counts k;
		struct trc_package p;
		struct trc_err err;

		CHECK_MSG(extract(bad[i].text, &p, &k, &err) < 0, "%s", bad[i].text);
		CHECK_MSG(strstr(err.text, bad[i].message), "%s: %s", bad[i].text, err.text);
	}
}

/* ---- packages ---- */

static void
random_package(struct trc_package *p)
{
	uint8_t data[DATA_MOST];
	struct trc_bus_record r;
	uint64_t addr = 0, count = 0;
	struct trc_err err;

	*p = (struct trc_package){ .head = some_head,
		                   .digest = generate_random(&m),
		                   .pruned = generate_below(&m, 2) };
	for (uint32_t i = 0; i < 70; i++)
		CHECK(trc_register_set_put(generate_below(&m, 2) ? &p->first : &p->last, i,
		                           generate_random(&m), &err) == 0);
	for (uint64_t i = generate_below(&m, 50); i > 0; i--) {
		const uint32_t len = 1 + (uint32_t)generate_below(&m, DATA_MOST - 1);

		addr += generate_below(&m, 10000);
		for (uint32_t k = 0; k < len; k++)
			data[k] = (uint8_t)generate_below(&m, 3);
		CHECK(trc_image_put(&p->image, addr, data, len, &err) == 0);
		addr += len;
	}
	for (uint64_t i = generate_below(&m, 500); i > 0; i--) {
		random_record(&r, &count, data);
		if (!strchr("FWPH", (int)r.type))
			CHECK(trc_events_put(&p->events, &r, &err) == 0);
	}
	p->count = count + generate_below(&m, 100);
	for (uint64_t at = 0; p->truths < 20 && at <= p->count;
	     at += generate_below(&m, 1u << 18)) {
		const struct trc_truth t = { at, (uint32_t)generate_random(&m) };

		CHECK(trc_package_truth(p, &t, &err) == 0);
	}
}

static struct generate_bytes
write_package(struct trc_package *p)
{
	const char *path = generate_path("package");
	struct trc_err err;
	struct trc_out *out = trc_out_open(path, true, &err);

	CHECK(out && trc_package_write(p, TRC_PACKAGE_LEVEL, out, &err) == 0);
	trc_out_close(out);
	return generate_file_bytes(path);
}

static bool
same_registers(const struct trc_register_set *a, const struct trc_register_set *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (a->r[i].reg != b->r[i].reg || a->r[i].value != b->r[i].value)
			return false;
	return true;
}

static bool
same_bytes(const struct trc_buf *a, const struct trc_buf *b)
{
	return a->n == b->n && (a->n == 0 || memcmp(a->p, b->p, a->n) == 0);
}

static void
packages_come_back(void)
{
	for (int round = 0; round < 5; round++) {
		struct trc_package p, back;
		struct generate_bytes bytes;
		struct trc_err err;
		struct trc_in *in;

		random_package(&p);
		bytes = write_package(&p);
		in = generate_in(bytes.p, bytes.len, 100);
		CHECK(trc_package_probe(bytes.p, bytes.len));
		CHECK_MSG(trc_package_read(&back, in, 1 << 24, &err) == 0, "%s", err.text);
		trc_in_close(in);
		CHECK(back.count == p.count && back.digest == p.digest && back.pruned == p.pruned);
		CHECK(same_registers(&back.first, &p.first) && same_registers(&back.last, &p.last));
		CHECK(back.image.runs == p.image.runs &&
		      same_bytes(&back.image.bytes, &p.image.bytes));
		for (size_t i = 0; i < p.image.runs; i++)
			CHECK(back.image.run[i].addr == p.image.run[i].addr &&
			      back.image.run[i].len == p.image.run[i].len);
		CHECK(back.events.n == p.events.n);
		for (int i = 0; i < TRC_EVENTS_STREAMS; i++)
			CHECK(same_bytes(&back.events.stream[i], &p.events.stream[i]));
		CHECK(back.truths == p.truths);
		for (size_t i = 0; i < p.truths; i++)
			CHECK(back.truth[i].count == p.truth[i].count &&
			      back.truth[i].hash == p.truth[i].hash);
		trc_package_release(&p);
		trc_package_release(&back);
		free(bytes.p);
	}
}

static int
read_package(const uint8_t *bytes, size_t len)
{
	struct trc_in *in = generate_in(bytes, len, 4096);
	struct trc_package p;
	struct trc_err err;
	const int ret = trc_package_read(&p, in, 1 << 24, &err);

	trc_in_close(in);
	if (ret == 0)
		trc_package_release(&p);
	return ret;
}

static void
packages_that_are_damaged_are_refused(void)
{
	struct trc_package p;
	struct generate_bytes bytes;

	random_package(&p);
	bytes = write_package(&p);
	CHECK(read_package(bytes.p, bytes.len) == 0);
	for (size_t cut = 0; cut < bytes.len; cut += 1 + generate_below(&m, bytes.len / 20))
		CHECK_MSG(read_package(bytes.p, cut) < 0, "cut at %zu", cut);
	for (size_t at = 0; at < bytes.len; at += 1 + generate_below(&m, bytes.len / 20)) {
		const uint8_t bit = (uint8_t)(1 << generate_below(&m, 8));

		bytes.p[at] ^= bit;
		CHECK_MSG(read_package(bytes.p, bytes.len) < 0, "flipped at %zu", at);
		bytes.p[at] ^= bit;
	}
	free(bytes.p);
	trc_package_release(&p);
}

int
main(void)
{
	test_start();
	m.state = test_seed;
	RUN(records_come_back_in_both_forms);
	RUN(every_cut_and_every_flip_is_found);
	RUN(the_first_read_of_a_byte_is_its_image);
	RUN(inconsistent_reads_are_writes_by_another_master);
	RUN(what_the_processor_asks_for_is_due_before_its_instruction);
	RUN(what_cannot_be_is_refused_where_it_shows);
	RUN(packages_come_back);
	RUN(packages_that_are_damaged_are_refused);
	return 0;
}
