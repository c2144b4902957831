/* SPDX-License-Identifier: MIT
 *
 * Atomics in a program that shares memory, which the emulator does in one piece: on what a child
 * wrote, on what the kernel wrote, with the old value used or not, at an address that was made just
 * before, with a reservation that is lost, and where there is no memory.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096, WORDS = 16 };

static sigjmp_buf back;
static int64_t *shared;

static void
change(int64_t by)
{
	const pid_t pid = fork();

	for (int i = 0; pid == 0 && i < WORDS; i++)
		shared[i] += by + i;
	if (pid == 0)
		_exit(0);
	waitpid(pid, NULL, 0);
}

/* The operation on a word that is 8 bytes behind *p; what it was, and without that. */
#define ATOMIC(name, p)                                                           \
	__extension__({                                                           \
		int64_t old_, with_ = 5;                                          \
		const int64_t *at_ = (p);                                         \
		__asm__ volatile("addi %1, %1, 8\n\tamo" name " %0, %2, (%1)\n\t" \
		                 "addi %1, %1, 8\n\tamo" name " zero, %2, (%1)"   \
		                 : "=&r"(old_), "+&r"(at_)                        \
		                 : "r"(with_)                                     \
		                 : "memory");                                     \
		old_;                                                             \
	})

static int64_t
all_of(const int64_t *p)
{
	int64_t sum = 0;

	sum = sum * 3 + ATOMIC("swap.w", p);
	sum = sum * 3 + ATOMIC("swap.d", p + 2);
	sum = sum * 3 + ATOMIC("add.w", p + 4);
	sum = sum * 3 + ATOMIC("and.d", p + 6);
	sum = sum * 3 + ATOMIC("or.w.aq", p + 7);
	sum = sum * 3 + ATOMIC("xor.d.rl", p + 9);
	sum = sum * 3 + ATOMIC("max.w.aqrl", p + 11);
	return sum * 3 + ATOMIC("minu.d", p + 13);
}

/* 0 if the word was stored; `kept` is written between load and store. */
static int
reserve(volatile int64_t *p, int64_t kept)
{
	int failed;

	__asm__ volatile("lr.d t0, (%1)\n\tsd %2, (%1)\n\taddi t0, t0, 1\n\tsc.d %0, t0, (%1)"
	                 : "=&r"(failed)
	                 : "r"(p), "r"(kept)
	                 : "t0", "memory");
	return failed;
}

static void
trapped(int number)
{
	siglongjmp(back, number);
}

static int
trap_of(int64_t *p)
{
	const int number = sigsetjmp(back, 1);

	if (number == 0)
		__atomic_fetch_add(p, 1, __ATOMIC_SEQ_CST);
	return number;
}

int
main(void)
{
	static int64_t alone = 3;
	int ends[2], segment;
	char *page;
	int64_t *more;

	printf("kept %d, ", reserve(&alone, 3));
	printf("lost %d, %lld\n", reserve(&alone, 7), (long long)alone);
	shared = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	page = mmap(NULL, 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	segment = shmget(IPC_PRIVATE, PAGE, IPC_CREAT | 0600);
	more = shmat(segment, NULL, 0);
	shmctl(segment, IPC_RMID, NULL);
	if (shared == MAP_FAILED || (void *)page == MAP_FAILED || more == (void *)-1 || pipe(ends))
		return 1;
	printf("unchanged %lld\n", (long long)all_of(shared));
	for (int i = 1; i < 4; i++) {
		change(i);
		printf("by a child %lld\n", (long long)all_of(shared));
		if (write(ends[1], shared, 128) != 128 || read(ends[0], more, 128) != 128)
			return 2;
		printf("by the kernel %lld\n", (long long)all_of(more));
	}
	more[0] = 3;
	printf("kept %d, ", reserve(more, 3));
	more[0] = 3;
	printf("lost %d, %lld\n", reserve(more, 7), (long long)more[0]);
	signal(SIGSEGV, trapped);
	signal(SIGBUS, trapped);
	printf("traps %d", trap_of((int64_t *)(void *)page));
	printf(" %d", trap_of((int64_t *)16));
	printf(" %d\n", trap_of((int64_t *)(void *)((char *)shared + 4)) != 0);
	return 0;
}
