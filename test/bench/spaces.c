/* SPDX-License-Identifier: MIT
 *
 * spaces RUNS [MAPPINGS [PAGES]]: how fast references get their canonical pages, in one thread,
 * with MAPPINGS mappings, 10,000 if not given, of PAGES pages together, a million if not given, all
 * of which were touched before. Prints the fastest of RUNS runs, in time of the processor, without
 * that of making the references, which are of three kinds:
 *
 *   near    a step of 8 bytes, and at one of 64 another place: most are to the page before
 *   some    to any of 2,000 pages, which is more than most programs touch in a while
 *   any     to any page
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "stage/space/space.h"
#include "stage/stage.h"

enum { PAGE_BITS = 12, BATCHES = 4096, KINDS = 3, SOME_PAGES = 2000, NEAR = 64 };

/* References at random to what is mapped, made a batch at a time. */
struct made {
	struct trc_source src;
	uint64_t seed, at;
	uint64_t pages, each, mappings; /* of all; of a mapping, with a hole of as many behind it */
	int kind;
	size_t left; /* batches */
};

static void
die(const struct trc_err *err)
{
	fprintf(stderr, "spaces: %s\n", err->text);
	exit(1);
}

static uint64_t
any(struct made *m, uint64_t below)
{
	m->seed = m->seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (m->seed >> 33) % below;
}

static uint64_t
address_of(const struct made *m, uint64_t page)
{
	return (page / m->each * 2 * m->each + page % m->each) << PAGE_BITS;
}

static enum trc_flow
made_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct made *m = (struct made *)src;

	(void)err;
	if (m->left == 0)
		return TRC_FLOW_END;
	m->left--;
	for (b->n = 0; b->n < b->cap; b->n++) {
		m->at += 8;
		if (m->kind > 0 || any(m, NEAR) == 0)
			m->at = address_of(m, m->kind == 1 ? any(m, SOME_PAGES) * 499 % m->pages :
			                                     any(m, m->pages));
		b->addr[b->n] = m->at;
		b->type[b->n] = TRC_READ;
		b->size[b->n] = 8;
		b->asid[b->n] = 1;
		b->time[b->n] = 1;
	}
	return TRC_FLOW_ROWS;
}

static void
made_close(struct trc_source *src)
{
	(void)src;
}

/* Takes everything from `src`; the seconds of the processor that this took. */
static double
drain(struct trc_source *src)
{
	struct timespec start, end;
	enum trc_flow flow;
	struct trc_batch b;
	struct trc_err err;

	if (trc_batch_init(&b, src->have, TRC_BATCH_ROWS, &err))
		die(&err);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
	while ((flow = trc_source_next(src, &b, &err)) == TRC_FLOW_ROWS)
		;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
	if (flow == TRC_FLOW_FAILED)
		die(&err);
	trc_batch_release(&b);
	return (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) * 1e-9;
}

static void
apply_event(struct trc_spaces *s, const char *text)
{
	struct trc_err err;
	uint32_t task;

	if (trc_spaces_event(s, text, &task, &err))
		die(&err);
}

static struct trc_spaces *
map_all(const struct made *m)
{
	struct trc_err err;
	struct trc_spaces *s = trc_spaces_open(PAGE_BITS, &err);
	char text[96];

	if (!s)
		die(&err);
	apply_event(s, "A 1 1");
	apply_event(s, "S 1");
	for (uint64_t i = 0; i < m->mappings; i++) {
		/* One of two is a file; none goes on where the one before ends. */
		snprintf(text, sizeof(text), i % 2 ? "m 1 %llx %llx" : "M 1 %llx %llx 1 2 3 %llx x",
		         (unsigned long long)(2 * i * m->each) << PAGE_BITS,
		         (unsigned long long)m->each << PAGE_BITS,
		         (unsigned long long)(i * m->each) << PAGE_BITS);
		apply_event(s, text);
	}
	for (uint64_t page = 0; page < m->pages; page++)
		if (!trc_spaces_translate(s, 1, address_of(m, page) >> PAGE_BITS, false, &err))
			die(&err);
	return s;
}

static double
run_once(struct made *m, struct trc_spaces *s)
{
	struct trc_err err;
	struct trc_source *src = trc_stage_canonical(&m->src, PAGE_BITS, s, &err);
	double seconds;

	if (!src)
		die(&err);
	seconds = drain(src);
	trc_source_close(src);
	return seconds;
}

int
main(int argc, char **argv)
{
	static const char *const name[KINDS] = { "near", "some", "any" };
	const int runs = argc > 1 ? atoi(argv[1]) : 0;
	const double refs = (double)BATCHES * TRC_BATCH_ROWS;
	struct made m = { .seed = 1 };
	struct trc_spaces *s;

	m.mappings = argc > 2 ? strtoull(argv[2], NULL, 10) : 10000;
	m.pages = argc > 3 ? strtoull(argv[3], NULL, 10) : 1000000;
	if (runs < 1 || m.mappings < 1 || m.pages < m.mappings) {
		fprintf(stderr, "usage: spaces RUNS [MAPPINGS [PAGES]]\n");
		return 2;
	}
	m.each = m.pages / m.mappings;
	m.pages = m.each * m.mappings;
	m.src = (struct trc_source){ .have = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE |
		                             TRC_HAS_ASID | TRC_HAS_TIME,
		                     .next = made_next,
		                     .close = made_close };
	s = map_all(&m);
	printf("%llu mappings, %llu pages\n  %-8s %8s %8s   %s\n", (unsigned long long)m.mappings,
	       (unsigned long long)m.pages, "", "M refs/s", "ns", "of these to make them");
	for (m.kind = 0; m.kind < KINDS; m.kind++) {
		double all = 0, making = 0;

		for (int run = 0; run < runs; run++) {
			double now;

			m.left = BATCHES;
			now = drain(&m.src);
			making = run == 0 || now < making ? now : making;
			m.left = BATCHES;
			now = run_once(&m, s);
			all = run == 0 || now < all ? now : all;
		}
		printf("  %-8s %8.1f %8.1f   %.1f\n", name[m.kind], refs / (all - making) / 1e6,
		       all / refs * 1e9, making / refs * 1e9);
	}
	trc_spaces_close(s);
	return 0;
}
