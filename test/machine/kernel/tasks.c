/* SPDX-License-Identifier: MIT
 * The two tasks: one reads the keyboard and the disk and sorts, one computes in floating point.
 * Their code finds everything relative to itself, and their data are private pages. */
typedef unsigned long u64;
typedef unsigned char u8;

enum { SECTOR = 512, SECTORS = 8 };
enum { CALL_PUT = 1, CALL_READ = 2, CALL_EXIT = 3, CALL_GET = 4, CALL_TIME = 5 };

/* How long the second task computes: larger for systems that do little else. */
#ifndef ROUNDS
#define ROUNDS 2000
#endif

static u8 data[SECTOR * SECTORS];
static double root[64];

static u64
call(u64 number, u64 a, void *b)
{
	register u64 a0 __asm__("a0") = a, a1 __asm__("a1") = (u64)b, a7 __asm__("a7") = number;

	__asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a7) : "memory");
	return a0;
}

static void
put_number(u64 v)
{
	char digit[20];
	int n = 0;

	do
		digit[n++] = (char)('0' + v % 10);
	while (v /= 10);
	while (n > 0)
		call(CALL_PUT, (u64)digit[--n], 0);
	call(CALL_PUT, '\n', 0);
}

/* Sorts by sifting, as heaps do. */
static void
sift(u8 *p, u64 i, u64 n)
{
	for (u64 k; (k = 2 * i + 1) < n; i = k) {
		u8 byte;

		k += k + 1 < n && p[k] < p[k + 1];
		if (p[i] >= p[k])
			return;
		byte = p[i];
		p[i] = p[k];
		p[k] = byte;
	}
}

static void
sort(u8 *p, u64 n)
{
	for (u64 i = n / 2; i-- > 0;)
		sift(p, i, n);
	while (n-- > 1) {
		const u8 byte = p[0];

		p[0] = p[n];
		p[n] = byte;
		sift(p, 0, n);
	}
}

void
first_task(void)
{
	u64 sum = 0, times = 0;

	for (u64 c; (c = call(CALL_GET, 0, 0)) != '\n';)
		times = times * 10 + c - '0';
	for (u64 k = 0; k < times; k++) {
		for (u64 i = 0; i < SECTORS; i++)
			sum += call(CALL_READ, i + k * SECTORS, data + SECTOR * i);
		sort(data, sizeof(data));
		for (u64 i = 0; i < sizeof(data); i++)
			sum = sum * 31 + data[i];
	}
	put_number(sum);
	call(CALL_EXIT, 0, 0);
}

void
second_task(void)
{
	const u64 start = call(CALL_TIME, 0, 0);
	double sum = 0, sign = 1;

	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < 64; i++) {
			double r;

			__asm__("fsqrt.d %0, %1" : "=f"(r) : "f"((double)(round + i)));
			root[i] = r + root[(i + 1) % 64] / (double)(i + 2);
		}
		sum += sign * (double)4 / (double)(2 * round + 1);
		sign = -sign;
	}
	put_number((u64)(sum * (double)1000000));
	put_number((u64)(root[7] * (double)1000000));
	call(CALL_PUT, call(CALL_TIME, 0, 0) > start ? '+' : '-', 0);
	call(CALL_PUT, '\n', 0);
	call(CALL_EXIT, 0, 0);
}
