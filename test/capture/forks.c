/* SPDX-License-Identifier: MIT
 *
 * Which stores copy a page after a fork: those of a process while another has the page. Prints the
 * first page, how many there are, and how often the parent and how often children copy one. With
 * argument "limited": a fork that fails.
 */
#define _GNU_SOURCE /* setresuid() */
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096, PAGES = 64, ROUNDS = 10 };

static char page[PAGES * PAGE] __attribute__((aligned(4096)));
static int to[2], back[2];

static void
store(int first, int n)
{
	for (int i = first; i < first + n; i++)
		((volatile char *)page)[i * PAGE]++;
}

static void
go_on(int fd)
{
	if (write(fd, "", 1) != 1)
		exit(2);
}

static void
wait_for(int fd)
{
	char byte;

	if (read(fd, &byte, 1) != 1)
		exit(3);
}

/* A child that stores to n pages and ends, in one way or another. */
static void
child(int n, int way)
{
	const pid_t pid = fork();

	if (pid == 0) {
		store(0, n);
		if (way == 1)
			kill(getpid(), SIGKILL);
		if (way == 2)
			execl("/proc/self/exe", "forks", "nothing", (char *)NULL);
		_exit(way != 0);
	}
	waitpid(pid, NULL, 0);
}

/* Both live: who stores first gets a copy. */
static void
together(void)
{
	const pid_t pid = fork();

	if (pid == 0) {
		wait_for(to[0]);
		store(0, 5); /* 3 of them are its own now */
		go_on(back[1]);
		wait_for(to[0]);
		_exit(0);
	}
	store(0, 3);
	go_on(to[1]);
	wait_for(back[0]);
	store(0, 8); /* 5 are its own */
	go_on(to[1]);
	waitpid(pid, NULL, 0);
	store(8, PAGES - 8);
}

/* Forks while the user may have no processes; root always may. Returns 0 if the fork fails. */
static int
limited(void)
{
	enum { USER = 12345 };
	const bool root = geteuid() == 0;
	struct rlimit was;
	pid_t pid;

	if (getrlimit(RLIMIT_NPROC, &was) ||
	    setrlimit(RLIMIT_NPROC, &(struct rlimit){ 0, was.rlim_max }) ||
	    (root && setresuid(USER, USER, (uid_t)-1)))
		return 4;
	pid = fork();
	if (pid == 0)
		_exit(0);
	if (pid > 0)
		waitpid(pid, NULL, 0);
	if ((root && setresuid(0, 0, (uid_t)-1)) || setrlimit(RLIMIT_NPROC, &was))
		return 5;
	return pid > 0 ? 6 : 0;
}

int
main(int argc, char **argv)
{
	if (argc > 1)
		return strcmp(argv[1], "limited") == 0 ? limited() : 0;
	if (pipe(to) || pipe(back))
		return 1;
	store(0, PAGES);
	for (int i = 0; i < ROUNDS; i++) {
		child(2, i % 3);
		store(0, PAGES);
	}
	together();
	printf("%lx %x %d %d\n", (unsigned long)(uintptr_t)page, PAGES, 3 + 3, 2 * ROUNDS + 2);
	return 0;
}
