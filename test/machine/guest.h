/* SPDX-License-Identifier: MIT
 *
 * A static program for riscv64 Linux on the hart: its stack, and enough of the kernel for
 * programs that compute and print. What it prints is kept. No file but standard input, output and
 * error exists.
 */
#ifndef TRC_TEST_MACHINE_GUEST_H
#define TRC_TEST_MACHINE_GUEST_H

#include "machine/hart/hart.h"
#include "machine/hart/extensions.h"

struct guest {
	struct trc_driver driver; /* of a source of its rows; its close() does nothing */
	struct trc_port port;
	struct trc_memory m;
	struct trc_hart *h;
	uint64_t brk, mmap; /* where the heap and the next mapping end */
	char *out;
	size_t len, cap;
	const char *in; /* what it reads; may be NULL */
	size_t in_len;
	bool exited;
	int status;
	uint64_t limit; /* instructions at most */
};

/* Loads argv[0] as the program, with these arguments; ends the test if it cannot. */
void guest_open(struct guest *g, int argc, char **argv);
void guest_close(struct guest *g);

/* Runs it to its end, without rows. */
void guest_run(struct guest *g);

#endif
