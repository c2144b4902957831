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

/* Registers of one side, as they stand in a record. */
struct side {
	uint8_t name[16];
	unsigned n;
};

static uint8_t *
put_registers(struct generator *m, const struct form *f, uint8_t *dst, bool values, struct side *s)
{
	const unsigned n = (unsigned)generate_below(m, generate_below(m, 8) ? 5 : 17);
	size_t bytes = 0;

	*dst++ = (uint8_t)n;
	s->n = n;
	for (unsigned i = 0; i < n; i++) {
		const unsigned of = generate_below(m, 4) ? 32 : f->registers;

		s->name[i] = generate_below(m, 6) ? (uint8_t)generate_below(m, of) : 30;
		*dst++ = s->name[i];
		bytes += s->name[i] >= 32 && s->name[i] < 64 ? 16 : 8;
	}
	for (size_t i = 0; values && i < bytes; i++)
		*dst++ = (uint8_t)generate_random(m);
	return dst;
}

static bool
among(const struct side *s, unsigned n, uint8_t name)
{
	for (unsigned i = 0; i < n && i < s->n; i++)
		if (s->name[i] == name)
			return true;
	return false;
}

/* How many registers a load or store of CVP moves. */
static unsigned
moved(bool store, const struct side *r, const struct side *w)
{
	unsigned vectors = 0, base = 0;

	for (unsigned i = 0; i < r->n; i++) {
		vectors += r->name[i] >= 32 && r->name[i] < 64;
		base |= among(w, 16, r->name[i]);
	}
	if (store && r->n < 3)
		return 1;
	if (store)
		return vectors ? vectors : base ? r->n - 1 : 1;
	return w->n > 1 ? w->n - base : 1;
}

enum { SP = 6, FLAGS = 25, IP = 26 }; /* as ChampSim numbers them */

/* Adds a number to those of a side, while there is room. */
static void
add(uint32_t *regs, unsigned *n, unsigned number)
{
	if (*n < 4)
		*regs |= (uint32_t)number << 8 * (*n)++;
}

/* Adds the registers of a side as they are numbered: those of a branch are not SP, and FLAGS only
 * what a condition reads. */
static void
add_side(uint32_t *regs, unsigned *n, const struct side *s, bool sp, bool flags)
{
	for (unsigned i = 0; i < s->n && i < 4; i++)
		add(regs, n,
		    s->name[i] == 31 && sp    ? SP :
		    s->name[i] == 64 && flags ? FLAGS :
		                                s->name[i] + 32u);
}

static uint64_t
regs_of(uint8_t branch, const struct side *r, const struct side *w)
{
	const uint8_t kind = branch & TRC_BRANCH_KIND;
	const bool stack = kind >= TRC_BRANCH_CALL;
	const bool others = kind != TRC_BRANCH_JUMP && kind != TRC_BRANCH_CALL;
	uint32_t written = 0, read = 0;
	unsigned nw = 0, nr = 0;

	if (branch)
		add(&written, &nw, IP);
	if (branch && stack)
		add(&written, &nw, SP);
	add_side(&written, &nw, w, !branch, !branch);
	if (branch && kind != TRC_BRANCH_INDIRECT && kind != TRC_BRANCH_RETURN)
		add(&read, &nr, IP);
	if (branch && stack)
		add(&read, &nr, SP);
	if (!branch || others)
		add_side(&read, &nr, r, !branch, !branch || kind == TRC_BRANCH_COND);
	if (branch && others && r->n == 0)
		add(&read, &nr, kind == TRC_BRANCH_COND ? FLAGS : 1);
	return written | (uint64_t)read << 32;
}

/* Of CVP, whose classes are less. */
static uint8_t
kind_of(uint8_t kind, const struct side *r, const struct side *w)
{
	if (kind == TRC_BRANCH_COND)
		return kind;
	if (among(w, 4, 30))
		return kind == TRC_BRANCH_JUMP ? TRC_BRANCH_CALL : TRC_BRANCH_INDIRECT_CALL;
	return kind == TRC_BRANCH_INDIRECT && r->n == 1 && r->name[0] == 30 && w->n == 0 ?
	               TRC_BRANCH_RETURN :
	               kind;
}

/* How ChampSim classifies an instruction when it reads its registers; 0: as no branch. */
static uint8_t
champsim_kind(uint64_t regs)
{
	bool r[4] = { false }, w[4] = { false }; /* IP, SP, FLAGS, others */

	for (unsigned i = 0; i < 64; i += 8) {
		const unsigned reg = regs >> i & 255;

		if (reg)
			(i < 32 ? w : r)[reg == IP    ? 0 :
			                 reg == SP    ? 1 :
			                 reg == FLAGS ? 2 :
			                                3] = true;
	}
	if (!w[0])
		return 0;
	if (!r[1] && !r[2] && !r[3])
		return TRC_BRANCH_JUMP;
	if (!r[1] && !r[0] && !r[2])
		return TRC_BRANCH_INDIRECT;
	if (!r[1] && r[0] && !w[1])
		return TRC_BRANCH_COND;
	if (r[1] && r[0] && w[1] && !r[2])
		return r[3] ? TRC_BRANCH_INDIRECT_CALL : TRC_BRANCH_CALL;
	return r[1] && !r[0] && w[1] ? TRC_BRANCH_RETURN : TRC_BRANCH_KIND;
}

static uint8_t *
put_record(struct generator *m, const struct form *f, uint8_t *dst, struct trc_batch *b)
{
	const unsigned class = (unsigned)generate_below(m, f->classes);
	const size_t n = b->n++;
	struct side read, written;

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
	if (b->n > n + 1 && !f->cbp)
		b->size[n + 1] *= moved(class == 2, &read, &written);
	if (b->branch[n] && !f->cbp)
		b->branch[n] = (uint8_t)(b->branch[n] & ~TRC_BRANCH_KIND) |
		               kind_of(b->branch[n] & TRC_BRANCH_KIND, &read, &written);
	b->regs[n] = regs_of(b->branch[n], &read, &written);
	if (!f->cbp && (class == 0 || class == 6) && written.n == 0)
		b->regs[n] |= FLAGS; /* of a comparison, which CVP does not list */
	CHECK_MSG(champsim_kind(b->regs[n]) == (b->branch[n] & TRC_BRANCH_KIND), "%u: %llx",
	          b->branch[n], (unsigned long long)b->regs[n]);
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
		snprintf(why, sizeof(why), "byte %zu: expected a %s record here",
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
