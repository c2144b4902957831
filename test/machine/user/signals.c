/* SPDX-License-Identifier: MIT
 *
 * Signals of every kind, for the recorder: raised, timed, two at once, on a stack of their own,
 * nested, left by longjmp; of loads, stores, jumps and instructions that trap; calls that they
 * interrupt, and floating point beside them.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

enum { TICKS = 40 }; /* one more may come, which is not looked at */

static volatile int ticks, raised, traps;
static volatile double sum;
static sigjmp_buf back;
static char *volatile page;
static int ends[2];
static volatile int *volatile low = (volatile int *)16;

static void
on_tick(int number)
{
	(void)number;
	ticks = ticks + 1;
	if (ticks <= TICKS)
		sum = sum + 1.0 / ticks;
	if (ticks % 4 == 0)
		raise(SIGUSR1);
}

static void
on_raise(int number, siginfo_t *info, void *context)
{
	(void)context;
	raised = raised + number + (info->si_pid == getpid());
}

/* The instruction is done again, and works. */
static void
on_fault(int number, siginfo_t *info, void *context)
{
	(void)number, (void)context;
	traps = traps + 1;
	if ((char *)info->si_addr >= page && (char *)info->si_addr < page + 4096)
		mprotect(page, 4096, PROT_READ | PROT_WRITE);
	else
		siglongjmp(back, 1);
}

/* The instruction is passed over. */
static void
on_trap(int number, siginfo_t *info, void *context)
{
	ucontext_t *u = context;
	const unsigned short *pc = (unsigned short *)u->uc_mcontext.__gregs[0];

	(void)number, (void)info;
	traps = traps + 16;
	u->uc_mcontext.__gregs[0] += (*pc & 3) == 3 ? 4 : 2;
	u->uc_mcontext.__fpregs.__d.__f[18] += 0; /* fs2, looked at */
}

/* There is something to be read now. */
static void
on_write(int number)
{
	(void)number;
	if (write(ends[1], "x", 1) != 1)
		_exit(3);
}

static void
handle(int number, void (*simple)(int), void (*full)(int, siginfo_t *, void *), int flags)
{
	struct sigaction a;

	memset(&a, 0, sizeof(a));
	a.sa_flags = flags;
	if (full) {
		a.sa_flags |= SA_SIGINFO;
		a.sa_sigaction = full;
	} else {
		a.sa_handler = simple;
	}
	if (sigaction(number, &a, NULL))
		_exit(2);
}

static void
timer(int micro, int again)
{
	struct itimerval t = { { 0, again }, { 0, micro } };

	setitimer(ITIMER_REAL, &t, NULL);
}

static void
faults(void)
{
	page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	page[8] = 'a'; /* a store in the middle of a block */
	mprotect(page, 4096, PROT_NONE);
	printf("read %c\n", page[8]);
	mprotect(page, 4096, PROT_READ);
	__atomic_fetch_add((int *)(page + 64), 5, __ATOMIC_RELAXED);
	printf("atomic %d\n", *(int *)(page + 64));
	if (!sigsetjmp(back, 1))
		*low = 1;
	if (!sigsetjmp(back, 1))
		((void (*)(void))(uintptr_t)32)(); /* a fetch, which does not count */
	__asm__ volatile("ebreak");
	__asm__ volatile(".word 0xffffffff");
	__asm__ volatile("add a5, a5, a5\n\t.half 0" ::: "a5");
	printf("traps %d\n", traps);
}

/* Several signals wait, and come at once. */
static void
together(void)
{
	sigset_t all, old;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &old);
	raise(SIGUSR1);
	raise(SIGUSR2);
	kill(getpid(), SIGALRM);
	sigprocmask(SIG_SETMASK, &old, NULL);
	printf("raised %d\n", raised);
}

/* A call is interrupted: it begins again, or fails. */
static void
calls(void)
{
	char c = 0;

	if (pipe(ends))
		_exit(4);
	handle(SIGALRM, on_write, NULL, SA_RESTART);
	timer(20000, 0);
	printf("began again: %d", (int)read(ends[0], &c, 1));
	printf(" %c\n", c);
	handle(SIGALRM, on_write, NULL, 0);
	do /* until it comes while this reads */
		timer(20000, 0);
	while (read(ends[0], &c, 1) == 1);
	printf("failed\n");
	printf("read: %d\n", (int)read(ends[0], &c, 1));
}

int
main(void)
{
	static char room[65536];
	const stack_t own = { .ss_sp = room, .ss_size = sizeof(room) };
	volatile double x = 1;
	uint64_t n = 0;

	sigaltstack(&own, NULL);
	handle(SIGUSR1, NULL, on_raise, SA_ONSTACK);
	handle(SIGUSR2, NULL, on_raise, 0);
	handle(SIGSEGV, NULL, on_fault, 0);
	handle(SIGBUS, NULL, on_fault, 0);
	handle(SIGTRAP, NULL, on_trap, 0);
	handle(SIGILL, NULL, on_trap, SA_ONSTACK);
	handle(SIGALRM, on_tick, NULL, 0);
	raise(SIGUSR1);
	together();
	faults();
	timer(500, 500);
	while (ticks < TICKS) {
		x = x * 1.0000001 + 1e-9;
		n++;
	}
	timer(0, 0);
	printf("%d ticks in more than %d rounds, %.6f, %s\n", ticks >= TICKS ? TICKS : ticks, n > 0,
	       sum, x > 1 ? "ok" : "wrong");
	calls();
	return 0;
}
