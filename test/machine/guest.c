/* SPDX-License-Identifier: MIT
 * The stack of a new process, and the few system calls that static programs make. */
#include "guest.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/bytes.h"
#include "elf.h"

#define STACK_TOP UINT64_C(0x4000800000)
#define MAPPINGS UINT64_C(0x4000000000) /* they grow downwards from here */
#define ENOSYS_RESULT ((uint64_t)-38)
#define ENOENT_RESULT ((uint64_t)-2)
#define ENOTTY_RESULT ((uint64_t)-25)

enum {
	SYS_ioctl = 29,
	SYS_openat = 56,
	SYS_close = 57,
	SYS_lseek = 62,
	SYS_read = 63,
	SYS_write = 64,
	SYS_writev = 66,
	SYS_readlinkat = 78,
	SYS_newfstatat = 79,
	SYS_fstat = 80,
	SYS_exit = 93,
	SYS_exit_group = 94,
	SYS_set_tid_address = 96,
	SYS_set_robust_list = 99,
	SYS_clock_gettime = 113,
	SYS_rt_sigaction = 134,
	SYS_rt_sigprocmask = 135,
	SYS_getpid = 172,
	SYS_gettid = 178,
	SYS_brk = 214,
	SYS_munmap = 215,
	SYS_mmap = 222,
	SYS_mprotect = 226,
	SYS_prlimit64 = 261,
	SYS_getrandom = 278,
};

static void
need(bool done, const struct trc_err *err)
{
	if (!done) {
		fprintf(stderr, "guest: %s\n", err->text);
		exit(1);
	}
}

static void
put(struct guest *g, uint64_t addr, const void *src, size_t len)
{
	struct trc_err err = { 0 };

	need(!trc_hart_write(g->h, addr, src, len, &err), &err);
}

static void
put64(struct guest *g, uint64_t addr, uint64_t v)
{
	uint8_t byte[8];

	trc_put_le64(byte, v);
	put(g, addr, byte, sizeof(byte));
}

static uint64_t
get64(const struct guest *g, uint64_t addr)
{
	uint8_t byte[8];

	trc_memory_read(&g->m, addr, byte, sizeof(byte));
	return trc_le64(byte);
}

static uint64_t
print(struct guest *g, uint64_t addr, uint64_t len)
{
	struct trc_err err = { 0 };

	need(!trc_grow(&g->out, &g->cap, g->len + len + 1, 1, &err), &err);
	trc_memory_read(&g->m, addr, g->out + g->len, len);
	g->len += len;
	g->out[g->len] = 0;
	return len;
}

static uint64_t
print_vector(struct guest *g, uint64_t addr, uint64_t n)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < n; i++)
		sum += print(g, get64(g, addr + 16 * i), get64(g, addr + 16 * i + 8));
	return sum;
}

static uint64_t
take(struct guest *g, uint64_t addr, uint64_t len)
{
	const size_t n = len < g->in_len ? len : g->in_len;

	put(g, addr, g->in, n);
	g->in += n;
	g->in_len -= n;
	return n;
}

/* A character device, which makes output come line by line. */
static uint64_t
status(struct guest *g, uint64_t addr)
{
	uint8_t s[128] = { 0 };

	trc_put_le32(s + 16, 020620);
	trc_put_le32(s + 20, 1);
	trc_put_le32(s + 56, 1024);
	put(g, addr, s, sizeof(s));
	return 0;
}

static uint64_t
call(struct guest *g, uint64_t number, const uint64_t *a)
{
	switch (number) {
	case SYS_ioctl: return ENOTTY_RESULT;
	case SYS_openat:
	case SYS_readlinkat: return ENOENT_RESULT;
	case SYS_read: return take(g, a[1], a[2]);
	case SYS_write: return print(g, a[1], a[2]);
	case SYS_writev: return print_vector(g, a[1], a[2]);
	case SYS_fstat: return status(g, a[1]);
	case SYS_newfstatat: return status(g, a[2]);
	case SYS_lseek: return (uint64_t)-29;
	case SYS_exit:
	case SYS_exit_group:
		g->exited = true;
		g->status = (int)(a[0] & 255);
		return 0;
	case SYS_set_tid_address:
	case SYS_getpid:
	case SYS_gettid: return 4711;
	case SYS_clock_gettime:
		put64(g, a[1], g->h->count / 1000000000);
		put64(g, a[1] + 8, g->h->count % 1000000000);
		return 0;
	case SYS_brk:
		if (a[0] >= g->brk && a[0] < MAPPINGS / 2)
			g->brk = a[0];
		return g->brk;
	case SYS_mmap: return g->mmap -= (a[1] + 4095) & ~UINT64_C(4095);
	case SYS_getrandom:
		for (uint64_t i = 0; i < a[1]; i++)
			put(g, a[0] + i, "\x5a", 1);
		return a[1];
	case SYS_close:
	case SYS_set_robust_list:
	case SYS_rt_sigaction:
	case SYS_rt_sigprocmask:
	case SYS_munmap:
	case SYS_mprotect:
	case SYS_prlimit64: return 0;
	}
	return ENOSYS_RESULT;
}

/* Argument strings, then the words that the kernel puts below them. */
static void
make_stack(struct guest *g, const struct elf *e, int argc, char **argv)
{
	uint64_t strings = STACK_TOP - 4096, random = strings - 16;
	const uint64_t aux[] = { 3,  e->phdr, 4,  56, 5,  e->phnum, 6,  4096, 9,  e->entry, 11, 0,
		                 12, 0,       13, 0,  14, 0,        23, 0,    25, random,   0,  0 };
	const uint64_t words = (uint64_t)argc + 3 + TRC_COUNT(aux); /* argc, and two that are 0 */
	const uint64_t sp = (random - 8 * words) & ~UINT64_C(15);
	uint64_t at = sp;

	put64(g, at, (uint64_t)argc);
	for (int i = 0; i < argc; i++) {
		put64(g, at += 8, strings);
		put(g, strings, argv[i], strlen(argv[i]) + 1);
		strings += strlen(argv[i]) + 1;
	}
	put64(g, at += 8, 0);
	put64(g, at += 8, 0);
	for (size_t i = 0; i < TRC_COUNT(aux); i++)
		put64(g, at += 8, aux[i]);
	put(g, random, "0123456789abcdef", 16);
	g->h->x[2] = sp;
}

static int
no_load(struct trc_port *p, const struct trc_hart *h, uint64_t addr, unsigned size, uint64_t *value,
        struct trc_err *err)
{
	(void)p, (void)h, (void)addr, (void)size, (void)value, (void)err;
	return 1;
}

static enum trc_flow
due(struct trc_driver *d, struct trc_hart *h, enum trc_run_end why, uint64_t *until,
    struct trc_err *err)
{
	struct guest *g = (struct guest *)d;

	*until = g->limit;
	switch (why) {
	case TRC_RUN_ECALL:
		h->x[10] = call(g, h->x[17], h->x + 10);
		return g->exited ? TRC_FLOW_END : TRC_FLOW_ROWS;
	case TRC_RUN_UNTIL: return h->count >= g->limit ? TRC_FLOW_END : TRC_FLOW_ROWS;
	default:
		trc_fail(err, "pc %" PRIx64 ": trap %" PRIu64 ", %" PRIx64, h->pc, h->cause,
		         h->tval);
		return TRC_FLOW_FAILED;
	}
}

static void
close_nothing(struct trc_driver *d)
{
	(void)d;
}

void
guest_open(struct guest *g, int argc, char **argv)
{
	const unsigned flags = TRC_HART_USER | TRC_EXTENSIONS_ALL << TRC_HART_EXTENSIONS;
	struct trc_err err = { 0 };
	struct elf e;

	*g = (struct guest){ .driver = { .due = due, .close = close_nothing },
		             .port = { .load = no_load } };
	need(!trc_memory_init(&g->m, UINT64_C(1) << 30, &err), &err);
	need(!trc_memory_add_ram(&g->m, 0, UINT64_MAX, &err), &err);
	elf_load(&e, argv[0], &g->m);
	g->h = trc_hart_open(&g->m, &g->port, flags, &err);
	need(g->h, &err);
	g->h->pc = e.entry;
	g->brk = (e.end + 4095) & ~UINT64_C(4095);
	g->mmap = MAPPINGS;
	g->limit = UINT64_MAX;
	make_stack(g, &e, argc, argv);
	elf_release(&e);
}

void
guest_close(struct guest *g)
{
	trc_hart_close(g->h);
	trc_memory_release(&g->m);
	free(g->out);
}

void
guest_run(struct guest *g)
{
	struct trc_err err = { 0 };
	enum trc_run_end why = TRC_RUN_UNTIL;
	enum trc_flow flow;
	uint64_t until;

	while ((flow = due(&g->driver, g->h, why, &until, &err)) == TRC_FLOW_ROWS) {
		why = trc_hart_run(g->h, NULL, until, &err);
		need(why != TRC_RUN_FAILED, &err);
	}
	need(flow == TRC_FLOW_END, &err);
}
