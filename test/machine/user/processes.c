/* SPDX-License-Identifier: MIT
 *
 * What the recorder has to distinguish: a fork, of which the parent is recorded; a program executed
 * in place of this one; calls that the emulator answers by itself;
 * atomics on what the kernel wrote; memory that the kernel moves; a counter that is read; an
 * instruction that processors may lack, and one that replay lacks; a file, page by page.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static int shared[1 << 14];

static int
child_of(int parent)
{
	int status = 0;
	const pid_t pid = fork();

	for (int i = 0; i < 1 << 14; i++)
		shared[i] = i * (pid ? 3 : 5);
	if (pid == 0) {
		printf("the child of %d\n", parent);
		exit(7);
	}
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status);
}

/* What is read lies behind an address that is made in the same block. */
static void
atomics(void)
{
	static int word[16];
	int ends[2], got = 0;
	long left = 3;

	if (pipe(ends))
		exit(2);
	for (int i = 0; i < 4; i++) {
		const int value = 1000 + i;

		if (write(ends[1], &value, sizeof(value)) != sizeof(value) ||
		    read(ends[0], &word[i + 3], sizeof(value)) != sizeof(value))
			exit(3);
		got += __atomic_fetch_add(&word[i + 3], 7, __ATOMIC_SEQ_CST);
		got += __atomic_exchange_n(&word[i + 3], 9, __ATOMIC_SEQ_CST);
	}
	while (!__atomic_compare_exchange_n(&word[3], &(int){ 9 }, 11, 0, __ATOMIC_SEQ_CST,
	                                    __ATOMIC_SEQ_CST) &&
	       left-- > 0)
		;
	__asm__ volatile("sc.w %0, zero, (%1)" : "=r"(left) : "r"(&word[5]) : "memory");
	printf("atomics %d %d, %d\n", got, word[3], left != 0);
}

/* Instructions are written, and written over. */
static void
code(void)
{
	static uint32_t made[2] __attribute__((aligned(4096))) = { 0, 0x00008067 };
	int sum = 0;

	__asm__ volatile("li a7, 226\n\tmv a0, %0\n\tli a1, 4096\n\tli a2, 7\n\tecall" ::"r"(made)
	                 : "a0", "a1", "a2", "a7", "memory");
	for (uint32_t i = 1; i < 4; i++) {
		((volatile uint32_t *)made)[0] = 0x00000513 | i << 20; /* li a0, i */
		__builtin___clear_cache((char *)made, (char *)made + sizeof(made));
		sum = sum * 10 + ((int (*)(void))(uintptr_t)made)();
	}
	printf("code %d\n", sum);
}

static void
counters(void)
{
	uint64_t a, b;

	__asm__ volatile("rdcycle %0\n\trdcycle %1\n\trdtime zero" : "=r"(a), "=r"(b));
	printf("counters %d\n", b >= a);
}

/* Some of what is moved was stored, some read from a file, some never seen; then the place before
 * is used again. */
static void
moved(void)
{
	enum { LEN = 3 << 12 };
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS;
	char *a = mmap(NULL, LEN, PROT_READ | PROT_WRITE, flags, -1, 0), *b;
	FILE *f = fopen("/proc/self/cmdline", "rb");
	int sum = 0;

	for (int i = 0; i < 100; i++)
		a[i * 8] = (char)i;
	if (!f || fread(a + 5000, 1, 3, f) != 3 || fread(a + LEN - 9, 1, 3, f) != 3)
		exit(4);
	sum = a[5001];
	b = mremap(a, LEN, 8 * LEN, MREMAP_MAYMOVE | MREMAP_FIXED, a + 64 * LEN);
	if (b != a + 64 * LEN ||
	    mmap(a, LEN, PROT_READ | PROT_WRITE, flags | MAP_FIXED, -1, 0) != a)
		exit(5);
	for (int i = 0; i < 8 * LEN; i++)
		sum += b[i];
	for (int i = 0; i < LEN; i++)
		sum += a[i];
	printf("moved %d\n", sum);
}

/* An instruction of the extension Zba, where there is one. */
static sigjmp_buf back;

static void
lacks(int number)
{
	(void)number;
	siglongjmp(back, 1);
}

static void
beyond(void)
{
	long sum = 0;

	signal(SIGILL, lacks);
	if (sigsetjmp(back, 1) == 0)
		__asm__ volatile("li t0, 3\n\t.insn r 0x33, 2, 0x10, %0, t0, t0" /* sh1add */
		                 : "=r"(sum)::"t0");
	printf("%ld with sh1add\n", sum);
}

/* Loads a number of 16 bits (Zfh). */
static void
half(void)
{
	static const short one = 0x3c00;

	signal(SIGILL, lacks);
	if (sigsetjmp(back, 1) == 0)
		__asm__ volatile(".insn i 0x07, 1, t0, 0(%0)" : : "r"(&one) : "ft5");
	puts("half");
}

/* Sets the length of vectors. */
static void
vector(void)
{
	__asm__ volatile(".insn i 0x57, 7, x0, 0(t0)" : : : "t0");
	puts("vector");
}

static void
file(const char *name)
{
	static unsigned char buffer[4096];
	FILE *f = fopen(name, "rb");
	unsigned sum = 0;
	size_t n;

	while (f && (n = fread(buffer, 1, sizeof(buffer), f)) > 0)
		for (size_t i = 0; i < n; i++)
			sum = sum * 31 + buffer[i];
	printf("file %d\n", f && sum);
}

int
main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (strcmp(what, "exec") == 0) {
		execl("/none/such", "such", NULL);
		printf("so another\n");
		fflush(stdout);
		execl(argv[2], argv[2], argv[3], NULL);
	}
	if (strcmp(what, "wait") == 0) {
		signal(SIGTERM, SIG_IGN);
		printf("%d\n", (int)getpid());
		fflush(stdout);
		for (;;)
			pause();
	}
	if (strcmp(what, "beyond") == 0) {
		beyond();
		return 0;
	}
	if (strcmp(what, "vector") == 0) {
		vector();
		return 0;
	}
	if (strcmp(what, "vlenb") == 0) {
		__asm__ volatile("csrr t0, 0xc22" : : : "t0");
		return 0;
	}
	if (strcmp(what, "half") == 0) {
		half();
		return 0;
	}
	printf("exit %d\n", child_of(argc));
	printf("%d\n", shared[100]);
	atomics();
	code();
	counters();
	moved();
	file(argc > 1 ? what : argv[0]);
	return 3;
}
