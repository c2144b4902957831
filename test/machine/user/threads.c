/* SPDX-License-Identifier: MIT
 *
 * Threads, in each way that programs have them: threads.c WAY [ROUNDS]. What it prints does not
 * depend on their order.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fenv.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 4 };

static int rounds = 300;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static atomic_long sum;
static long plain;

static void
start(pthread_t t[THREADS], void *(*work)(void *))
{
	for (uintptr_t i = 0; i < THREADS; i++)
		if (pthread_create(&t[i], NULL, work, (void *)i))
			abort();
}

static void
run(void *(*work)(void *))
{
	pthread_t t[THREADS];

	start(t, work);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
}

/* ---- a queue, by a mutex and a condition ---- */

static int queue[8], head, tail;

static void *
produce_or_consume(void *p)
{
	for (int i = 0; i < rounds; i++) {
		pthread_mutex_lock(&mutex);
		if ((uintptr_t)p % 2) {
			while (head - tail == 8)
				pthread_cond_wait(&changed, &mutex);
			queue[head++ % 8] = i;
		} else {
			while (head == tail)
				pthread_cond_wait(&changed, &mutex);
			plain += queue[tail++ % 8];
		}
		pthread_cond_broadcast(&changed);
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

/* ---- atomics of all sizes, a stack without locks ---- */

static _Atomic uint8_t small[16];
static _Atomic uint16_t medium[8];
static _Atomic uint32_t high;
static struct node {
	struct node *next;
	long value;
} * node[THREADS];
static _Atomic(struct node *) stack;

static void *
do_atomics(void *p)
{
	const uintptr_t id = (uintptr_t)p;

	node[id] = calloc((size_t)rounds, sizeof(*node[id]));
	for (int i = 0; i < rounds; i++) {
		struct node *n = &node[id][i];
		uint32_t was = atomic_load(&high);

		n->value = i;
		n->next = atomic_load(&stack);
		while (!atomic_compare_exchange_weak(&stack, &n->next, n))
			;
		atomic_fetch_add(&small[i % 16], 1);
		atomic_fetch_xor(&medium[i % 8], (uint16_t)(1 << id));
		while (was < (uint32_t)i && !atomic_compare_exchange_weak(&high, &was, (uint32_t)i))
			;
		atomic_fetch_add(&sum, i);
	}
	return NULL;
}

static void
print_atomics(void)
{
	long bytes = 0, nodes = 0;

	for (int i = 0; i < 16; i++)
		bytes += small[i];
	for (struct node *n = stack; n; n = n->next)
		nodes += n->value;
	printf("%ld %ld %u %ld %u\n", bytes, nodes, (unsigned)high, (long)sum, medium[1]);
}

/* ---- turns, by spinning ---- */

static volatile unsigned turn;

static void *
spin(void *p)
{
	for (int i = 0; i < rounds / 10; i++) {
		while (turn % THREADS != (uintptr_t)p)
			;
		turn++;
	}
	return NULL;
}

/* ---- a barrier; floating point with rounding modes of its own ---- */

static double part[THREADS];

static void *
meet(void *p)
{
	static const int mode[THREADS] = { FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO };
	const uintptr_t id = (uintptr_t)p;
	volatile double x = 1;

	fesetround(mode[id]);
	for (int i = 1; i < rounds; i++) {
		x += 1.0 / (i * 3);
		if (i % 20 == 0)
			pthread_barrier_wait(&barrier);
	}
	part[id] = x + fegetround();
	return NULL;
}

/* ---- pipes ---- */

static int pipes[THREADS + 1][2];

static void *
pass_on(void *p)
{
	const uintptr_t id = (uintptr_t)p;
	char c[7];
	ssize_t n;

	while ((n = read(pipes[id][0], c, sizeof(c))) > 0) {
		for (ssize_t i = 0; i < n; i++)
			c[i]++;
		if (write(pipes[id + 1][1], c, (size_t)n) != n)
			abort();
	}
	close(pipes[id + 1][1]);
	return NULL;
}

static void
do_pipes(void)
{
	pthread_t t[THREADS];
	char c[512];
	ssize_t n, all = 0;

	for (int i = 0; i <= THREADS; i++)
		if (pipe(pipes[i]))
			abort();
	start(t, pass_on);
	for (int i = 0; i < rounds; i++)
		if (write(pipes[0][1], "abcdef\n", 7) != 7)
			abort();
	close(pipes[0][1]);
	while ((n = read(pipes[THREADS][0], c, sizeof(c))) > 0)
		for (ssize_t i = 0; i < n; i++, all++)
			plain += c[i];
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	printf("%zd %ld\n", all, plain);
}

/* ---- signals: to threads that run, that wait in a call, for a lock ---- */

static atomic_int caught, ready;
static sem_t never;

static void
on_signal(int number)
{
	atomic_fetch_add(&caught, number == SIGUSR1);
}

static void *
get_signals(void *p)
{
	const uintptr_t id = (uintptr_t)p;
	volatile double x = 1.5;

	atomic_fetch_add(&ready, 1);
	while (atomic_load(&caught) < 20) {
		struct timespec moment = { .tv_nsec = 1000000 };

		if (id == 0)
			x = x * 1.25 + 3;
		else if (id == 1)
			nanosleep(&moment, NULL);
		else if (id == 2)
			sem_timedwait(&never, &moment);
		else
			getppid();
	}
	return NULL;
}

static void
do_signals(void)
{
	struct sigaction sa = { .sa_handler = on_signal };
	struct itimerval often = { { 0, 1000 }, { 0, 1000 } }, stop = { 0 };
	pthread_t t[THREADS];

	sem_init(&never, 0, 0);
	sigaction(SIGUSR1, &sa, NULL);
	sa.sa_flags = SA_RESTART;
	sigaction(SIGALRM, &sa, NULL);
	start(t, get_signals);
	while (ready < THREADS)
		sched_yield();
	setitimer(ITIMER_REAL, &often, NULL);
	for (int i = 0; atomic_load(&caught) < 20; i++) {
		pthread_kill(t[i % THREADS], SIGUSR1);
		usleep(500);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	setitimer(ITIMER_REAL, &stop, NULL);
	puts("caught");
}

static void *
wait_for_signals(void *p)
{
	sigset_t *set = p;
	int number;

	for (int i = 0; i < 10; i++) {
		sigwait(set, &number);
		atomic_fetch_add(&sum, number);
		sem_post(&never);
	}
	return NULL;
}

static void
do_sigwait(void)
{
	sigset_t set;
	pthread_t t;

	sem_init(&never, 0, 0);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	pthread_create(&t, NULL, wait_for_signals, &set);
	for (int i = 0; i < 10; i++) {
		pthread_kill(t, SIGUSR2);
		sem_wait(&never);
	}
	pthread_join(t, NULL);
	printf("%ld\n", (long)sum);
}

/* ---- ends ---- */

static _Noreturn void *
run_for_ever(void *p)
{
	for (;;)
		if ((uintptr_t)p == 1)
			sum++;
		else if ((uintptr_t)p == 2)
			pause();
		else
			pthread_mutex_lock(&mutex);
}

static void *
end_all(void *p)
{
	(void)p;
	usleep(2000);
	puts("ends");
	exit(5);
}

static void *
outlive(void *p)
{
	pthread_join(*(pthread_t *)p, NULL);
	puts("the first thread is gone");
	return NULL;
}

static int *volatile nowhere = (int *)8;

static void *
crash(void *p)
{
	usleep(2000);
	if (p)
		abort();
	*nowhere = 1;
	return p;
}

static void
end(void *(*how)(void *), void *arg)
{
	pthread_t t[THREADS];

	start(t, run_for_ever);
	pthread_create(&t[0], NULL, how, arg);
	pthread_join(t[0], NULL);
}

static void *
exec_echo(void *p)
{
	usleep(2000);
	execl("/bin/echo", "echo", "another program", NULL);
	return p;
}

static void
unlock(void *p)
{
	pthread_mutex_unlock(p);
}

static void *
be_cancelled(void *p)
{
	pthread_cleanup_push(unlock, &mutex);
	pthread_mutex_lock(&mutex);
	for (;;)
		pthread_cond_wait(&changed, &mutex);
	pthread_cleanup_pop(0);
	return p;
}

static void
do_cancel(void)
{
	pthread_t t[THREADS];
	void *result;

	start(t, be_cancelled);
	for (int i = 0; i < THREADS; i++) {
		pthread_cancel(t[i]);
		pthread_join(t[i], &result);
		plain += result == PTHREAD_CANCELED;
	}
	printf("%ld\n", plain);
}

/* ---- many short ones; processes of threads; memory ---- */

static void *
be_short(void *p)
{
	static __thread long own;

	own += (long)(uintptr_t)p;
	atomic_fetch_add(&sum, own);
	return NULL;
}

static void
do_many(void)
{
	enum { MANY = 150 };
	pthread_attr_t attr;
	pthread_t t;

	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	for (uintptr_t i = 0; i < MANY; i++)
		while (pthread_create(&t, &attr, be_short, (void *)i))
			sched_yield();
	while (atomic_load(&sum) < MANY * (MANY - 1) / 2)
		sched_yield();
	printf("%ld\n", (long)sum);
}

static void *
fork_some(void *p)
{
	for (int i = 0; i < 3; i++) {
		int status;
		const pid_t child = fork();

		if (child == 0)
			_exit((int)(uintptr_t)p + i);
		while (waitpid(child, &status, 0) < 0 && errno == EINTR)
			;
		atomic_fetch_add(&sum, WEXITSTATUS(status));
	}
	return NULL;
}

static void *
move_memory(void *p)
{
	size_t size = 1 << 14;
	char *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memset(at, 1 + (int)(uintptr_t)p, size);
	for (int i = 0; i < 6; i++) {
		at = mremap(at, size, 2 * size, MREMAP_MAYMOVE);
		if (at == MAP_FAILED)
			abort();
		memset(at + size, at[size - 1], size);
		size *= 2;
		sched_yield();
	}
	for (size_t i = 0; i < size; i += 64)
		atomic_fetch_add(&sum, at[i]);
	munmap(at, size);
	for (int i = 0; i < 20; i++) {
		char *block = malloc(5000 << i % 8);

		block[4000] = (char)i;
		atomic_fetch_add(&sum, block[4000]);
		free(block);
	}
	return NULL;
}

int
main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "";
	static pthread_t self;
	pthread_t t;

	rounds = argc > 2 ? atoi(argv[2]) : rounds;
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (strcmp(way, "queue") == 0) {
		run(produce_or_consume);
		printf("%ld\n", plain);
	} else if (strcmp(way, "atomics") == 0) {
		run(do_atomics);
		print_atomics();
	} else if (strcmp(way, "spin") == 0) {
		run(spin);
		printf("%u\n", turn);
	} else if (strcmp(way, "barrier") == 0) {
		pthread_barrier_init(&barrier, NULL, THREADS);
		run(meet);
		for (int i = 0; i < THREADS; i++)
			printf("%a\n", part[i]);
	} else if (strcmp(way, "pipes") == 0) {
		do_pipes();
	} else if (strcmp(way, "signals") == 0) {
		do_signals();
	} else if (strcmp(way, "sigwait") == 0) {
		do_sigwait();
	} else if (strcmp(way, "cancel") == 0) {
		do_cancel();
	} else if (strcmp(way, "many") == 0) {
		do_many();
	} else if (strcmp(way, "forks") == 0) {
		run(fork_some);
		printf("%ld\n", (long)sum);
	} else if (strcmp(way, "memory") == 0) {
		run(move_memory);
		printf("%ld\n", (long)sum);
	} else if (strcmp(way, "exit") == 0) {
		end(end_all, NULL);
	} else if (strcmp(way, "exec") == 0) {
		end(exec_echo, NULL);
	} else if (strcmp(way, "abort") == 0) {
		end(crash, &self);
	} else if (strcmp(way, "fault") == 0) {
		end(crash, NULL);
	} else if (strcmp(way, "outlive") == 0) {
		self = pthread_self();
		pthread_create(&t, NULL, outlive, &self);
		pthread_exit(NULL);
	} else {
		return 2;
	}
	return 0;
}
