/* SPDX-License-Identifier: MIT
 *
 * The first process of the Linux of linux.sh, and its only program: three forks that compute with
 * floating point while they take turns, a thread whose pages are copied while it writes to them,
 * a read of the disk, and power off. It is static and has no library. What it prints does not
 * depend on how long anything takes.
 */
#include <stddef.h>
#include <stdint.h>

enum {
	CALL_MOUNT = 40,
	CALL_OPENAT = 56,
	CALL_READ = 63,
	CALL_WRITE = 64,
	CALL_EXIT = 93,
	CALL_SCHED_YIELD = 124,
	CALL_REBOOT = 142,
	CALL_MKDIRAT = 34,
	CALL_MUNMAP = 215,
	CALL_CLONE = 220,
	CALL_MMAP = 222,
	CALL_WAIT4 = 260,

	SIGCHLD = 17,
	HERE = -100, /* AT_FDCWD */
	CHILDREN = 3,
	STEPS = 400000,
	YIELD_EVERY = 4096,
	DISK = 1 << 20,

	CLONE_VM = 0x100,
	PAGE = 4096,
	PAGES = 16,
	COPIES = 40,
};

static long
call(long number, long a, long b, long c, long d, long e)
{
	register long a0 __asm__("a0") = a;
	register long a1 __asm__("a1") = b;
	register long a2 __asm__("a2") = c;
	register long a3 __asm__("a3") = d;
	register long a4 __asm__("a4") = e;
	register long a5 __asm__("a5") = 0;
	register long a7 __asm__("a7") = number;

	__asm__ volatile("ecall"
	                 : "+r"(a0)
	                 : "r"(a1), "r"(a2), "r"(a3), "r"(a4), "r"(a5), "r"(a7)
	                 : "memory");
	return a0;
}

static void
print(const char *text)
{
	size_t n = 0;

	while (text[n])
		n++;
	call(CALL_WRITE, 1, (long)text, (long)n, 0, 0);
}

static void
print_number(const char *what, uint64_t value)
{
	static const char digits[] = "0123456789abcdef";
	char text[64];
	size_t n = 0;

	for (; *what; what++)
		text[n++] = *what;
	for (int shift = 60; shift >= 0; shift -= 4)
		text[n++] = digits[value >> shift & 15];
	text[n++] = '\n';
	text[n] = 0;
	print(text);
}

static uint64_t
bits(double v)
{
	union {
		double d;
		uint64_t u;
	} as = { v };

	return as.u;
}

/* The logistic map and a sum of roots, in doubles and floats: its digits are all rounding. */
static uint64_t
compute(int which)
{
	double x = 0.3 + 0.1 * which, sum = 0;
	float y = 1.0f + (float)which;

	for (int i = 1; i <= STEPS; i++) {
		double root;

		x = 3.99 * x * (1.0 - x);
		__asm__("fsqrt.d %0, %1" : "=f"(root) : "f"(x + i));
		sum += root / (1.0 + x);
		y = y * 1.0001f + (float)x;
		if (i % YIELD_EVERY == 0)
			call(CALL_SCHED_YIELD, 0, 0, 0, 0, 0);
	}
	return bits(sum) ^ bits(x) ^ bits((double)y);
}

/* Each child exits with part of its result, which is compared with what it is without others
 * around. */
static void
fork_children(void)
{
	long pid[CHILDREN];
	int status;

	for (int i = 0; i < CHILDREN; i++) {
		pid[i] = call(CALL_CLONE, SIGCHLD, 0, 0, 0, 0);
		if (pid[i] == 0)
			call(CALL_EXIT, (long)(compute(i) & 0x7f), 0, 0, 0, 0);
	}
	for (int i = 0; i < CHILDREN; i++) {
		const uint64_t result = compute(i);

		status = -1;
		call(CALL_WAIT4, pid[i], (long)&status, 0, 0, 0);
		print_number(status == (int)(result & 0x7f) << 8 ? "init: computed " :
		                                                   "init: a child is wrong about ",
		             result);
	}
}

static volatile uint64_t page[PAGES][PAGE / 8] __attribute__((aligned(PAGE)));
static volatile uint64_t added, ends;
static uint8_t stack[PAGE] __attribute__((aligned(16)));

/* Counts in all pages until it is to end. */
__attribute__((used)) static void
count(void)
{
	while (!ends || added < PAGES)
		page[added++ % PAGES][0]++;
}

/* Runs count() in a thread; returns its number. */
static long
start_thread(void)
{
	register long a0 __asm__("a0") = CLONE_VM | SIGCHLD;
	register void *a1 __asm__("a1") = stack + sizeof(stack);
	register long a2 __asm__("a2") = 0, a3 __asm__("a3") = 0, a4 __asm__("a4") = 0;
	register long a7 __asm__("a7") = CALL_CLONE;

	__asm__ volatile("ecall\n"
	                 "bnez a0, 1f\n"
	                 "call count\n"
	                 "li a0, 0\n"
	                 "li a7, 93\n"
	                 "ecall\n"
	                 "1:\n"
	                 : "+r"(a0), "+r"(a1), "+r"(a2), "+r"(a3), "+r"(a4), "+r"(a7)
	                 :
	                 : "memory", "ra");
	return a0;
}

/* Each fork makes the pages read-only in the tables of all harts, and each unmapping asks all harts
 * to forget. What the thread adds meanwhile must not be lost. */
static void
share_memory(void)
{
	enum { READ_WRITE = 3, PRIVATE_ANONYMOUS = 0x22 };
	const long thread = start_thread();
	uint64_t sum = 0;

	for (int i = 0; i < COPIES; i++) {
		const long fork = call(CALL_CLONE, SIGCHLD, 0, 0, 0, 0);
		const long at = call(CALL_MMAP, 0, PAGE, READ_WRITE, PRIVATE_ANONYMOUS, -1);

		if (fork == 0)
			call(CALL_EXIT, 0, 0, 0, 0, 0);
		*(volatile char *)at = 1;
		call(CALL_MUNMAP, at, PAGE, 0, 0, 0);
		call(CALL_WAIT4, fork, 0, 0, 0, 0);
	}
	ends = 1;
	call(CALL_WAIT4, thread, 0, 0, 0, 0);
	for (int i = 0; i < PAGES; i++)
		sum += page[i][0];
	print(sum == added ? "init: nothing was lost\n" : "init: additions were lost\n");
}

static void
read_disk(void)
{
	static unsigned char data[1 << 14];
	const long fd = call(CALL_OPENAT, HERE, (long)"/dev/vda", 0, 0, 0);
	uint64_t sum = UINT64_C(14695981039346656037), all = 0;

	while (fd >= 0 && all < DISK) {
		const long n = call(CALL_READ, fd, (long)data, sizeof(data), 0, 0);

		if (n <= 0)
			break;
		all += (uint64_t)n;
		for (long i = 0; i < n; i++)
			sum = (sum ^ data[i]) * UINT64_C(1099511628211);
	}
	print_number("init: bytes of the disk ", all);
	print_number("init: their sum ", sum);
}

void
_start(void)
{
	print("init: begins\n");
	fork_children();
	share_memory();
	call(CALL_MKDIRAT, HERE, (long)"/dev", 0755, 0, 0);
	call(CALL_MOUNT, (long)"dev", (long)"/dev", (long)"devtmpfs", 0, 0);
	read_disk();
	print("init: ends\n");
	call(CALL_REBOOT, (long)0xfee1dead, 672274793, 0x4321fedc, 0, 0);
	for (;;)
		;
}
