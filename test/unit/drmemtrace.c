/* SPDX-License-Identifier: MIT
 * Entries of drmemtrace: rows have the columns that a slow reader gives them, instruction words
 * above all, however many instructions there are. */
#include <string.h>

#include "base/bytes.h"
#include "generate.h"
#include "test.h"

enum { ENTRIES = 120000, ENTRY = 12, CODE = 30000 };

enum {
	INSTR = 10,
	CONDITIONAL = 13,
	THREAD = 22,
	PROCESS = 24,
	HEADER = 25,
	MARKER = 28,
	NO_FETCH = 29,
	ENCODING = 47,
	TAKEN = 48
};

struct model {
	uint8_t *end;
	struct trc_batch b;
	uint64_t pc, time;
	uint32_t task, asid;
	uint64_t encoding; /* of the next instruction */
	unsigned bytes;
	uint64_t word[CODE];
};

/* Some 4 bytes apart, others anywhere, and one at 0. */
static uint64_t
pc_of(size_t i)
{
	if (i == 0)
		return 0;
	return i < CODE / 2 ? 0x400000 + 4 * i : 0x7f0000001000 + i * i;
}

static void
put(struct model *m, unsigned type, unsigned size, uint64_t v)
{
	trc_put_le16(m->end, (uint16_t)type);
	trc_put_le16(m->end + 2, (uint16_t)size);
	trc_put_le64(m->end + 4, v);
	m->end += ENTRY;
}

static void
add(struct model *m, uint8_t type, uint64_t addr, uint32_t size, uint8_t branch, uint64_t word)
{
	const size_t n = m->b.n++;

	m->b.type[n] = type;
	m->b.addr[n] = addr;
	m->b.size[n] = size;
	m->b.pc[n] = m->pc;
	m->b.branch[n] = branch;
	m->b.insn[n] = word;
	m->b.time[n] = m->time;
	m->b.task[n] = m->task;
	m->b.asid[n] = m->asid;
}

static void
put_fetch(struct model *m, struct generator *make)
{
	static const uint8_t branch[] = { 0, TRC_BRANCH | TRC_BRANCH_UNKNOWN | TRC_BRANCH_COND,
		                          TRC_BRANCH | TRC_BRANCH_COND | TRC_BRANCH_TAKEN };
	static const unsigned type[] = { INSTR, CONDITIONAL, TAKEN };
	const size_t i = (size_t)generate_below(make, generate_below(make, 4) ? 300 : CODE);
	const unsigned k = (unsigned)generate_below(make, 3);
	const unsigned size = generate_below(make, 20) ? 1 + (unsigned)generate_below(make, 15) : 0;

	put(m, type[k], size, pc_of(i));
	m->pc = pc_of(i);
	if (size > 0 && m->bytes > 0)
		m->word[i] = m->encoding;
	m->bytes = 0;
	m->encoding = 0;
	if (size > 0)
		add(m, TRC_FETCH, m->pc, size, branch[k], m->word[i]);
}

static void
put_encoding(struct model *m, struct generator *make)
{
	const unsigned n = 1 + (unsigned)generate_below(make, 8);
	const uint64_t bytes = generate_random(make) >> (64 - 8 * n);

	put(m, ENCODING, n, bytes);
	m->encoding |= m->bytes < 8 ? bytes << 8 * m->bytes : 0;
	m->bytes += n;
}

static void
put_any(struct model *m, struct generator *make)
{
	const uint64_t v = generate_random(make) >> generate_below(make, 64);
	const unsigned size = (unsigned)generate_below(make, 65);

	switch (generate_below(make, 40)) {
	case 0:
	case 1:
	case 2: put_encoding(m, make); break;
	case 3: put(m, MARKER, 2, m->time += 5); break;
	case 4:
		put(m, THREAD, 4, 7);
		m->task = 7;
		put(m, PROCESS, 4, v & 255);
		m->asid = v & 255;
		break;
	case 5:
		put(m, NO_FETCH, size, v);
		m->pc = v;
		m->bytes = 0;
		m->encoding = 0;
		break;
	default:
		if (generate_below(make, 3)) {
			put_fetch(m, make);
			break;
		}
		put(m, (unsigned)generate_below(make, 2), size, v);
		add(m, m->end[-ENTRY] ? TRC_WRITE : TRC_READ, v, size, 0, 0);
	}
}

static void
instruction_words_are_the_latest(void)
{
	const uint32_t have = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_TIME |
	                      TRC_HAS_ASID | TRC_HAS_TASK | TRC_HAS_PC | TRC_HAS_INSN |
	                      TRC_HAS_BRANCH;
	struct generator make = { test_seed };
	struct model *m = calloc(1, sizeof(*m));
	uint8_t *p = malloc((2 * ENTRIES + 8) * ENTRY);
	struct trc_batch rows;
	struct trc_err err;
	char why[256];

	CHECK(m && p);
	m->end = p;
	m->b = generate_zeros(have, ENTRIES);
	m->b.n = 0;
	m->time = 1000;
	put(m, HEADER, 0, 8);
	put(m, MARKER, 2, m->time);
	put(m, MARKER, 9, 0x200); /* there are encodings */
	add(m, TRC_EVENT, 0, 0, 0, 0);
	for (size_t i = 0; i < ENTRIES; i++)
		put_any(m, &make);
	for (size_t pull = 20; pull < 5000; pull = pull * 9 + 1) {
		CHECK_MSG(generate_collect(generate_read_as("drmemtrace", p, (size_t)(m->end - p),
		                                            7777, &err),
		                           pull, &rows, NULL, &err) == 0,
		          "%s", err.text);
		CHECK_MSG(generate_same(&m->b, &rows, have, why, sizeof(why)), "%s", why);
		trc_batch_release(&rows);
	}
	trc_batch_release(&m->b);
	free(m);
	free(p);
}

int
main(void)
{
	test_start();
	RUN(instruction_words_are_the_latest);
	return 0;
}
