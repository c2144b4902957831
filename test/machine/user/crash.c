/* SPDX-License-Identifier: MIT
 *
 * Ends in the way that its argument names, or waits to be ended.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile int sum, *volatile nowhere;

static int
recurse(int n)
{
	volatile char room[256];

	room[n % 256] = (char)n;
	return recurse(n + 1) + room[0];
}

static void
spin(void)
{
	static volatile int order[1 << 12];

	puts("ready");
	fflush(stdout);
	for (unsigned i = 0;; i = i * 5 + 1)
		order[i >> 20] = sum++;
}

static void
wait_for_input(void)
{
	char c;

	puts("ready");
	fflush(stdout);
	if (read(0, &c, 1) == 1)
		exit(0);
}

int
main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";

	for (int i = 0; i < 1000; i++)
		sum += i;
	if (strcmp(how, "null") == 0)
		return *nowhere;
	if (strcmp(how, "call") == 0)
		((void (*)(void))(void *)nowhere)();
	if (strcmp(how, "write") == 0)
		*(volatile char *)(void *)main = 0;
	if (strcmp(how, "abort") == 0)
		abort();
	if (strcmp(how, "kill") == 0)
		raise(SIGKILL);
	if (strcmp(how, "stack") == 0)
		return recurse(0);
	if (strcmp(how, "trap") == 0)
		__asm__ volatile("ebreak");
	if (strcmp(how, "illegal") == 0)
		__asm__ volatile(".word 0");
	if (strcmp(how, "register") == 0)
		__asm__ volatile("csrr t0, 0x300" : : : "t0");
	if (strcmp(how, "rounding") == 0)
		__asm__ volatile("fsrmi 5; fadd.d ft0, ft0, ft0" : : : "ft0");
	if (strcmp(how, "spin") == 0)
		spin();
	if (strcmp(how, "read") == 0)
		wait_for_input();
	return 7;
}
