/* SPDX-License-Identifier: MIT
 *
 * Any bytes as instructions, in every mode, with page tables and devices: the processor must do
 * the same in one go as a few instructions at a time, with rows or without.
 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "machine/hart/hart.h"

enum { RAM_LEN = 0x10000, TABLE = 0x8000, INSNS = 600, ROWS = 4096, DEVICE = 0x1000 };
#define RAM UINT64_C(0x80000000)

struct machine {
	struct trc_port port;
	struct trc_memory m;
	struct trc_hart *h;
	uint64_t inputs; /* read so far: each gives another value */
	struct trc_batch b;
	struct trc_err err;
};

static int
device_load(struct trc_port *p, const struct trc_hart *h, uint64_t addr, unsigned size,
            uint64_t *value, struct trc_err *err)
{
	struct machine *t = (struct machine *)p;

	(void)size, (void)err;
	*value = ++t->inputs * UINT64_C(0x9e3779b97f4a7c15) + h->count;
	return addr >> 12 != DEVICE >> 12;
}

static int
csr(struct trc_port *p, const struct trc_hart *h, unsigned number, uint64_t *value,
    struct trc_err *err)
{
	(void)h, (void)number, (void)err;
	*value += ++((struct machine *)p)->inputs;
	return 0;
}

static void
put64(struct machine *t, uint64_t addr, uint64_t v)
{
	uint8_t byte[8];

	trc_put_le64(byte, v);
	if (trc_memory_write(&t->m, addr, byte, 8, &t->err))
		abort();
}

/* The program, tables that map it to where it is and, page by page, to the first addresses, and
 * registers that point into it. */
static void
open_machine(struct machine *t, uint8_t kind, const uint8_t *p, size_t len)
{
	const unsigned flags = (kind & 8 ? TRC_HART_USER : 0) | (kind & 16 ? TRC_HART_LIVE : 0);

	*t = (struct machine){ .port = { .load = device_load, .csr = csr } };
	if (trc_memory_init(&t->m, 1 << 24, &t->err) ||
	    trc_memory_add_ram(&t->m, RAM, RAM + RAM_LEN - 1, &t->err) ||
	    trc_batch_init(&t->b, TRC_HART_MAY_HAVE, ROWS, &t->err) ||
	    trc_memory_write(&t->m, RAM, p, len < TABLE ? len : TABLE, &t->err))
		abort();
	put64(t, RAM + TABLE, (RAM + TABLE + 0x1000) >> 2 | 1);
	put64(t, RAM + TABLE + 8 * 2, RAM >> 2 | (kind & 32 ? 0x1f : 0x0f));
	put64(t, RAM + TABLE + 0x1000, (RAM + TABLE + 0x2000) >> 2 | 1);
	for (uint64_t i = 0; i < 16; i++)
		put64(t, RAM + TABLE + 0x2000 + 8 * i, (RAM + 0x1000 * i) >> 2 | (i & 16) | 0xf);
	t->h = trc_hart_open(&t->m, &t->port, flags, &t->err);
	if (!t->h)
		abort();
	t->h->pc = RAM;
	for (unsigned i = 1; i < 32; i++)
		t->h->x[i] = i == 31 ? DEVICE : i % 3 ? RAM + 0x7f8 * i : i;
	t->h->csr.mtvec = RAM + 0x104;
	t->h->csr.stvec = RAM + 0x208;
	t->h->csr.medeleg = kind & 64 ? 0xb1ff : 0;
	t->h->csr.mstatus |= (uint64_t)(kind >> 7) << 13;
	t->h->mode = kind & 8 ? TRC_MODE_USER : (enum trc_mode)(kind % 4 == 2 ? 3 : kind % 4);
	if (t->h->mode != TRC_MODE_MACHINE && !(kind & 8))
		t->h->csr.satp = UINT64_C(8) << 60 | (RAM + TABLE) >> 12;
	trc_hart_flush(t->h);
}

static void
close_machine(struct machine *t)
{
	trc_batch_release(&t->b);
	trc_hart_close(t->h);
	trc_memory_release(&t->m);
}

/* Runs on until `until`; false if the run cannot go on. */
static bool
go(struct machine *t, struct trc_batch *b, uint64_t until)
{
	while (t->h->count < until) {
		switch (trc_hart_run(t->h, b, until, &t->err)) {
		case TRC_RUN_FAILED:
		case TRC_RUN_ROOM:
		case TRC_RUN_TRAP: return false;
		case TRC_RUN_INTERRUPT:
			trc_hart_interrupt(t->h, (unsigned)trc_hart_pending(t->h));
			break;
		case TRC_RUN_UNTIL:
		case TRC_RUN_ECALL:
		case TRC_RUN_WFI: break;
		}
	}
	return true;
}

static void
same_state(const struct machine *a, const struct machine *b)
{
	uint64_t x, y;
	int reg = -1, other = -1;

	if (a->h->count != b->h->count || a->m.n != b->m.n || a->inputs != b->inputs)
		abort();
	while (trc_hart_each(a->h, &reg, &x))
		if (!trc_hart_each(b->h, &other, &y) || reg != other || x != y)
			abort();
	for (size_t i = 0; i < a->m.n; i++) {
		const struct trc_page *p = a->m.page[i], *q = trc_memory_find(&b->m, p->number);

		if (!q || memcmp(p->byte, q->byte, TRC_GUEST_PAGE))
			abort();
	}
}

static void
same_rows(const struct trc_batch *a, const struct trc_batch *b)
{
	if (a->n != b->n)
		abort();
	for (int c = 0; c < TRC_COLUMNS; c++)
		if (a->have >> c & 1 &&
		    memcmp(trc_batch_column(a, (enum trc_column)c),
		           trc_batch_column(b, (enum trc_column)c), a->n * trc_column[c].width))
			abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t len)
{
	struct machine whole, steps, blind;
	bool more = true;

	if (len < 2)
		return 0;
	open_machine(&whole, p[0], p + 1, len - 1);
	open_machine(&steps, p[0], p + 1, len - 1);
	open_machine(&blind, p[0], p + 1, len - 1);
	go(&whole, &whole.b, INSNS);
	for (uint64_t n = 0, step = p[1]; more && n < INSNS; step = step * 5 + 3) {
		n = n + 1 + step % 5 < INSNS ? n + 1 + step % 5 : INSNS;
		more = go(&steps, &steps.b, n);
	}
	go(&blind, NULL, INSNS);
	same_rows(&whole.b, &steps.b);
	same_state(&whole, &steps);
	same_state(&whole, &blind);
	close_machine(&whole);
	close_machine(&steps);
	close_machine(&blind);
	return 0;
}
