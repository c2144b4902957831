/* SPDX-License-Identifier: MIT
 *
 * Polls memory that another process writes all the time: loads of all sizes, stores and atomics, at
 * whose values the path and the addresses of all else depend. Memory is a mapping, a segment, or a
 * mapping that this process only reads. From time to time, it is not accessed for a while.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <unistd.h>

enum { WORDS = 64, ROUNDS = 4000 };

static volatile uint64_t *shared;
static unsigned seen[256];

static void
write_always(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (uint64_t i = 1;; i++) {
		shared[i * 7 % WORDS] += i * UINT64_C(0x9e3779b97f4a7c15);
		shared[i % 8] = i;
		__atomic_fetch_add(&shared[8], 3, __ATOMIC_SEQ_CST);
	}
}

static void
note(uint64_t v)
{
	if (v & 1)
		seen[v >> 1 & 255]++;
	else
		seen[0] += seen[v >> 3 & 255];
}

/* Loads what follows p to the register that has p; another access follows in its block. */
static uint64_t
load_over(const volatile uint64_t *p)
{
	uint64_t v = (uint64_t)p;

	__asm__ volatile("ld %0, 8(%0)\n\tld t0, 0(sp)" : "+r"(v)::"t0", "memory");
	return v;
}

static void
read_once(unsigned i)
{
	const volatile uint64_t *p = &shared[i % WORDS];

	note(load_over(p));
	note(*(const volatile uint8_t *)p);
	note((uint64_t) * (const volatile int16_t *)p);
	note((uint64_t) * (const volatile int32_t *)p);
	note(*p);
	note((uint64_t)(int64_t) * (const volatile float *)p == 0);
}

static void
write_once(unsigned i)
{
	uint64_t want = shared[9];

	shared[i % 16] = i;
	note(shared[i % 16]);
	*(volatile uint16_t *)&shared[i % 16 + 3] = (uint16_t)i;
	note(shared[i % 16 + 3]);
	note(__atomic_fetch_add(&shared[8], 5, __ATOMIC_SEQ_CST));
	note(__atomic_exchange_n((volatile int32_t *)&shared[i % 8], (int32_t)i, __ATOMIC_SEQ_CST));
	note(__atomic_fetch_or(&shared[i % 8], i, __ATOMIC_SEQ_CST));
	note(__atomic_compare_exchange_n(&shared[9], &want, i, 0, __ATOMIC_SEQ_CST,
	                                 __ATOMIC_SEQ_CST));
}

int
main(int argc, char **argv)
{
	const size_t len = WORDS * sizeof(*shared) + 4096;
	const char *how = argc > 1 ? argv[1] : "";
	const int file = memfd_create("shared", 0);
	const bool reads = strcmp(how, "reader") == 0;

	if (ftruncate(file, (off_t)len))
		return 1;
	if (strcmp(how, "segment") == 0)
		shared = shmat(shmget(IPC_PRIVATE, len, IPC_CREAT | 0600), NULL, 0);
	else
		shared = mmap(NULL, len, reads ? PROT_READ : PROT_READ | PROT_WRITE, MAP_SHARED,
		              file, 0);
	if (fork() == 0) {
		if (reads)
			shared = mmap(NULL, len, PROT_WRITE, MAP_SHARED, file, 0);
		write_always();
	}
	while (!load_over(shared))
		;
	for (unsigned i = 0; i < ROUNDS; i++) {
		read_once(i);
		if (!reads)
			write_once(i);
		for (unsigned k = 0; i % 64 == 0 && k < 1000; k++)
			note(k);
	}
	puts("polled");
	fflush(stdout);
	return 0;
}
