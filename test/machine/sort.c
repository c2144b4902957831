/* SPDX-License-Identifier: MIT
 * A program of user mode without a library, for the bus trace test/data/sort.bus: reads bytes,
 * three times into the same place, sorts them, takes the mean of their square roots, and writes
 * all that out.
 *
 *   riscv64-unknown-elf-gcc -O1 -march=rv64gc -mabi=lp64d -static -nostdlib -ffreestanding
 *       -mcmodel=medany -Wl,--no-relax sort.c -o sort
 *   printf 'the quick brown fox jumps over the lazy dog' |
 *       qemu-riscv64 -plugin libtrc-bus.so,out=sort.bus,text=on sort
 */
enum { ROOM = 24, READ = 63, WRITE = 64, EXIT = 93 };

static long
call(long number, long a, const void *b, long c)
{
	register long a0 __asm__("a0") = a, a1 __asm__("a1") = (long)b, a2 __asm__("a2") = c,
	                 a7 __asm__("a7") = number;

	__asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
	return a0;
}

static void
sort(unsigned char *p, long n)
{
	for (long i = 1; i < n; i++)
		for (long k = i; k > 0 && p[k] < p[k - 1]; k--) {
			const unsigned char byte = p[k];

			p[k] = p[k - 1];
			p[k - 1] = byte;
		}
}

static double
mean_root(const unsigned char *p, long n)
{
	double sum = 0;

	for (long i = 0; i < n; i++) {
		double root;

		__asm__("fsqrt.d %0, %1" : "=f"(root) : "f"((double)p[i]));
		sum += root;
	}
	return n ? sum / (double)n : 0;
}

void
_start(void)
{
	static unsigned char line[ROOM];
	long n;

	while ((n = call(READ, 0, line, ROOM)) > 0) {
		const int hundredths = (int)(mean_root(line, n) * 100);
		unsigned char end[6] = { ' ' };

		sort(line, n);
		call(WRITE, 1, line, n);
		for (int i = 4, v = hundredths; i > 0; i--, v /= 10)
			end[i] = (unsigned char)('0' + v % 10);
		end[5] = '\n';
		call(WRITE, 1, end, sizeof(end));
	}
	call(EXIT, 0, 0, 0);
}
