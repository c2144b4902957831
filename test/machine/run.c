/* SPDX-License-Identifier: MIT
 * run PROGRAM [ARGUMENT...]: what a static riscv64 Linux program prints, on the hart. */
#include <inttypes.h>
#include <stdio.h>

#include "guest.h"

int
main(int argc, char **argv)
{
	struct guest g;
	int status;

	if (argc < 2) {
		printf("skipped: no program to run\n");
		return 77;
	}
	guest_open(&g, argc - 1, argv + 1);
	guest_run(&g);
	fwrite(g.out, 1, g.len, stdout);
	fprintf(stderr, "%" PRIu64 " instructions\n", g.h->count);
	status = g.status;
	guest_close(&g);
	return status;
}
