/* SPDX-License-Identifier: MIT
 * Instructions of the championships: read the same with room behind them, where all of a record is
 * looked at at once, and at the end of the data, where each byte may be missing. */
#include <string.h>

#include "base/bytes.h"
#include "generate.h"
#include "test.h"

enum { RECORDS = 4000, RECORD_MOST = 512 };

struct form {
	const char *name;
	bool cbp;
	unsigned classes, registers;
};

static const struct form forms[] = { { "cvp1", false, 9, 65 }, { "cbp2025", true, 12, 66 } };

static uint8_t *
put_registers(struct generator *m, const struct form *f, uint8_t *dst, bool values, uint32_t *regs)
{
	const unsigned n = (unsigned)generate_below(m, generate_below(m, 8) ? 5 : 17);
	size_t bytes = 0;

	*regs = 0;
	*dst++ = (uint8_t)n;
	for (unsigned i = 0; i < n; i++) {
		const unsigned name =
		        (unsigned)generate_below(m, generate_below(m, 4) ? 32 : f->registers);

		*dst++ = (uint8_t)name;
		bytes += name >= 32 && name < 64 ? 16 : 8;
		*regs |= i < 4 ? (name + 1) << 8 * i : 0;
	}
	for (size_t i = 0; values && i < bytes; i++)
		*dst++ = (uint8_t)generate_random(m);
	return dst;
}

static uint8_t *
put_record(struct generator *m, const struct form *f, uint8_t *dst, struct trc_batch *b)
{
	const unsigned class = (unsigned)generate_below(m, f->classes);
	const size_t n = b->n++;
	uint32_t read, written;

	b->type[n] = TRC_FETCH;
	b->size[n] = 4;
	b->addr[n] = generate_random(m);
	b->branch[n] = 0;
	trc_put_le64(dst, b->addr[n]);
	dst[8] = (uint8_t) class;
	dst += 9;
	if (class == 1 || class == 2) {
		b->type[n + 1] = class == 1 ? TRC_READ : TRC_WRITE;
		b->addr[n + 1] = generate_random(m);
		b->size[n + 1] = 1 + (uint32_t)generate_below(m, 64);
		b->branch[n + 1] = 0;
		b->regs[n + 1] = 0;
		trc_put_le64(dst, b->addr[n + 1]);
		dst[8] = (uint8_t)b->size[n + 1];
		dst += 9;
		for (unsigned i = 0; f->cbp && i < class; i++)
			*dst++ = (uint8_t)generate_below(m, 2);
		b->n++;
	} else if ((class >= 3 && class <= 5) || class >= 9) {
		static const uint8_t kind[] = {
			TRC_BRANCH_COND, TRC_BRANCH_JUMP,          TRC_BRANCH_INDIRECT, 0, 0, 0,
			TRC_BRANCH_CALL, TRC_BRANCH_INDIRECT_CALL, TRC_BRANCH_RETURN
		};
		const unsigned taken = (unsigned)generate_below(m, 2);

		b->branch[n] = (uint8_t)(TRC_BRANCH | kind[class - 3] |
		                         (taken ? TRC_BRANCH_TAKEN : 0));
		*dst++ = (uint8_t)taken;
		trc_put_le64(dst, generate_random(m));
		dst += 8 * taken;
	}
	dst = put_registers(m, f, dst, false, &read);
	dst = put_registers(m, f, dst, true, &written);
	b->regs[n] = written | (uint64_t)read << 32;
	return dst;
}

static void
check_records(const struct form *f)
{
	struct generator m = { test_seed };
	uint8_t *const p = malloc(RECORDS * RECORD_MOST), *end = p;
	struct trc_batch want = generate_zeros(TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE |
	                                               TRC_HAS_BRANCH | TRC_HAS_REGS,
	                                       2 * RECORDS);
	struct trc_batch rows;
	struct trc_err err;
	char why[256];

	CHECK(p);
	want.n = 0;
	for (size_t i = 0; i < RECORDS; i++)
		end = put_record(&m, f, end, &want);
	for (size_t pull = 1; pull < 5000; pull = pull * 9 + 1) {
		CHECK_MSG(generate_collect(generate_read_as(f->name, p, (size_t)(end - p), 777,
		                                            &err),
		                           pull, &rows, NULL, &err) == 0,
		          "%s", err.text);
		CHECK_MSG(generate_same(&want, &rows, want.have, why, sizeof(why)), "%s", why);
		trc_batch_release(&rows);
	}
	trc_batch_release(&want);
	free(p);
}

static void
records_are_read_as_they_were_made(void)
{
	check_records(&forms[0]);
	check_records(&forms[1]);
}

/* A load with one bad byte, alone and with others before and behind it. */
static void
check_bad(const struct form *f, size_t at, uint8_t value)
{
	enum { LEN = 32, MANY = 40, BAD = 20 };
	uint8_t p[MANY * LEN] = { 0 }, *bad = p + BAD * LEN;
	const size_t len = f->cbp ? 32 : 31;
	char why[64];
	struct trc_batch rows;
	struct trc_err err;

	for (size_t i = 0; i < MANY; i++) {
		uint8_t *r = p + i * len, *q = r + 18 + f->cbp;

		r[8] = 1;
		r[17] = 8;
		memcpy(q, "\2\37\1\1\5", 5); /* registers 31 and 1 read, 5 written */
		if (i == BAD)
			bad = r;
	}
	for (int alone = 0; alone < 2; alone++) {
		const uint8_t *from = alone ? bad : p;
		const size_t n = alone ? len : MANY * len;

		bad[at] = value;
		CHECK(generate_collect(generate_read_as(f->name, from, n, 777, &err), 9, &rows,
		                       NULL, &err));
		trc_batch_release(&rows);
		snprintf(why, sizeof(why), "byte %zu: no %s record stands here",
		         (size_t)(bad - from), f->name);
		CHECK_MSG(strstr(err.text, why), "%zu: %s", at, err.text);
	}
}

static void
bad_records_are_refused_where_they_stand(void)
{
	for (size_t i = 0; i < 2; i++) {
		const struct form *f = &forms[i];

		check_bad(f, 8, (uint8_t)f->classes);
		check_bad(f, 8, 255);
		check_bad(f, 17, 0);
		check_bad(f, 17, 65);
		check_bad(f, 18u + f->cbp, 17);
		check_bad(f, 19u + f->cbp, (uint8_t)f->registers);
		check_bad(f, 20u + f->cbp, 255);
		check_bad(f, 22u + f->cbp, 128);
	}
	check_bad(&forms[1], 18, 2);
}

int
main(void)
{
	test_start();
	RUN(records_are_read_as_they_were_made);
	RUN(bad_records_are_refused_where_they_stand);
	return 0;
}
