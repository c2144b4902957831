/* SPDX-License-Identifier: MIT
 *
 * speed PROGRAM [ARGUMENT...]: how fast a static riscv64 Linux program runs on the hart with all
 * of its rows produced, in instructions a second of user time, and without.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "guest.h"

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The seconds that the rows of these columns take; their number goes to *rows. */
static double
with_rows(int argc, char **argv, uint32_t have, uint64_t *insns, uint64_t *rows)
{
	struct trc_err err = { 0 };
	struct trc_source *src;
	struct trc_batch b;
	struct guest g;
	enum trc_flow flow;
	double start;

	guest_open(&g, argc, argv);
	src = trc_hart_source(g.h, have, &g.driver, &err);
	if (!src || trc_batch_init(&b, have, TRC_BATCH_ROWS, &err))
		exit(1);
	start = now();
	*rows = 0;
	while ((flow = trc_source_next(src, &b, &err)) == TRC_FLOW_ROWS)
		*rows += b.n;
	start = now() - start;
	if (flow == TRC_FLOW_FAILED)
		printf("%s\n", err.text);
	*insns = g.h->count;
	trc_batch_release(&b);
	trc_source_close(src);
	guest_close(&g);
	return start;
}

int
main(int argc, char **argv)
{
	uint64_t insns, rows;
	struct guest g;
	double t;

	if (argc < 2) {
		printf("skipped: no program to run\n");
		return 77;
	}
	t = with_rows(argc - 1, argv + 1, TRC_HART_HAS, &insns, &rows);
	printf("%" PRIu64 " instructions, %" PRIu64 " rows\n", insns, rows);
	printf("type, addr, size, insn        %7.1f M/s\n", (double)insns / t / 1e6);
	t = with_rows(argc - 1, argv + 1, TRC_HART_MAY_HAVE, &insns, &rows);
	printf("and pc, itime                 %7.1f M/s\n", (double)insns / t / 1e6);
	guest_open(&g, argc - 1, argv + 1);
	t = now();
	guest_run(&g);
	t = now() - t;
	printf("no rows                       %7.1f M/s\n", (double)insns / t / 1e6);
	printf("exit %d, %zu bytes printed\n", g.status, g.len);
	guest_close(&g);
	return 0;
}
