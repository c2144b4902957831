/* SPDX-License-Identifier: MIT
 *
 * guest FILE: makes the calls that a recorder of systems logs, on a FILE of at least two pages, and
 * prints the events that are to be logged, without their times, and what was added to in atomics.
 * It is compiled for other processors.
 */
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096, ITEMS = 200 };

#define CHECK(c) ((c) ? (void)0 : fail(#c, __LINE__))

static char private_page[2 * PAGE] __attribute__((aligned(4096)));
static char file[64]; /* inode, major, minor */

static void
fail(const char *what, int line)
{
	printf("guest.c:%d: %s does not hold\n", line, what);
	exit(1);
}

static unsigned long
hex(const volatile void *p)
{
	return (unsigned long)(uintptr_t)p;
}

static void
name_file(int fd)
{
	struct stat st;

	CHECK(fstat(fd, &st) == 0);
	snprintf(file, sizeof(file), "%llx %x %x", (unsigned long long)st.st_ino,
	         (unsigned)major(st.st_dev), (unsigned)minor(st.st_dev));
}

static void
files(const char *name)
{
	char byte[100];
	struct iovec two[2] = { { byte, 10 }, { byte + 10, 20 } };
	const unsigned pid = (unsigned)getpid();
	int fd = open(name, O_RDONLY);

	CHECK(fd >= 0);
	name_file(fd);
	CHECK(read(fd, byte, 100) == 100 && pread(fd, byte, 50, PAGE) == 50);
	CHECK(readv(fd, two, 2) == 30);
	CHECK(close(fd) == 0);
	printf("( %x %s %s\n< %x %s 0 64\n< %x %s 1000 32\n< %x %s 64 1e\n) %x %s\n", pid, file,
	       name, pid, file, pid, file, pid, file, pid, file);

	fd = open("new", O_WRONLY | O_CREAT | O_TRUNC, 0666);
	CHECK(fd >= 0);
	name_file(fd);
	CHECK(write(fd, byte, 7) == 7 && pwrite(fd, byte, 9, 0x120001000) == 9);
	CHECK(ftruncate(fd, 0x110000000) == 0 && ftruncate(fd, 5) == 0 && close(fd) == 0);
	CHECK(rename("new", "newer") == 0 && unlink("newer") == 0);
	printf("t %s 0\n> %x %s 0 7\n> %x %s 120001000 9\n", file, pid, file, pid, file);
	printf("t %s 110000000\nt %s 5\n- %s\n", file, file, file);
}

static void
mappings(const char *name)
{
	const unsigned pid = (unsigned)getpid();
	const int fd = open(name, O_RDWR);
	volatile char *p = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	volatile char *s = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, PAGE);
	volatile char *a = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
	                        -1, 0);
	volatile char *b, *heap;

	CHECK(fd >= 0 && p != MAP_FAILED && s != MAP_FAILED && a != MAP_FAILED);
	name_file(fd);
	printf("M %x %lx 2000 %s 0 ", pid, hex(p), file);
	printf("%s\nM %x %lx 1000 %s 1000\n", name, pid, hex(s), file);
	printf("m %x %lx 4000\n", pid, hex(a));
	s[0] = p[PAGE];
	p[PAGE] = 1;
	printf("C %x %lx\n", pid, hex(p) + PAGE);
	a[0] = a[3 * PAGE] = 1;
	b = mremap((void *)(uintptr_t)a, 4 * PAGE, 64 * PAGE, MREMAP_MAYMOVE);
	CHECK(b != MAP_FAILED && b[3 * PAGE] == 1);
	printf("@ %x %lx 40000 %lx 4000\n", pid, hex(b), hex(a));
	CHECK(munmap((void *)(uintptr_t)(b + 2 * PAGE), 60 * PAGE) == 0);
	printf("U %x %lx 3c000\n", pid, hex(b) + 2 * PAGE);
	CHECK(munmap((void *)(uintptr_t)p, 2 * PAGE) == 0);
	printf("U %x %lx 2000\n", pid, hex(p));
	heap = sbrk(0);
	CHECK(sbrk(PAGE) == heap);
	heap[0] = heap[PAGE - 1] = 1;
	printf("m %x %lx 1000\n", pid, hex(heap));
	CHECK(sbrk(-PAGE) != (void *)-1);
	printf("U %x %lx 1000\n", pid, hex(heap));
}

/* A child sees shared memory, and copies what is private. */
static void
shares(void)
{
	const unsigned pid = (unsigned)getpid();
	const int segment = shmget(IPC_PRIVATE, 3 * PAGE, IPC_CREAT | 0600);
	volatile char *s = shmat(segment, NULL, 0);
	pid_t child;

	CHECK(segment >= 0 && s != (void *)-1);
	CHECK(shmctl(segment, IPC_RMID, NULL) == 0);
	printf("s %x %lx 3000 %x\n/ %x %x\n", pid, hex(s), (unsigned)segment, pid,
	       (unsigned)segment);
	private_page[PAGE] = 1;
	fflush(stdout);
	child = fork();
	if (child == 0) {
		private_page[PAGE] = 2;
		s[PAGE] = 3;
		_exit(0);
	}
	CHECK(waitpid(child, NULL, 0) == child);
	CHECK(s[PAGE] == 3 && private_page[PAGE] == 1);
	printf("F %x %x\nC %x %lx\nT %x\n", (unsigned)child, pid, (unsigned)child,
	       hex(private_page) + PAGE, (unsigned)child);
	CHECK(shmdt((const void *)(uintptr_t)s) == 0);
	printf("U %x %lx 3000\n", pid, hex(s));
}

static int items[2][ITEMS];

static int
compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void *
sort(void *arg)
{
	int *item = arg;

	for (int i = 0; i < ITEMS; i++)
		item[i] = i * 7919 % ITEMS;
	qsort(item, ITEMS, sizeof(*item), compare);
	printf("F %x %x\nT %x\n", (unsigned)syscall(SYS_gettid), (unsigned)getpid(),
	       (unsigned)syscall(SYS_gettid));
	return NULL;
}

/* What is added at once is read and written. */
static void
add(int *word)
{
	for (int i = 0; i < ITEMS; i++)
		__atomic_fetch_add(word, 1, __ATOMIC_SEQ_CST);
	CHECK(*word == ITEMS);
	printf("adds %d %lx\n", ITEMS, hex(word));
}

static void
threads(void)
{
	static int word;
	pthread_t thread[2];

	for (int i = 0; i < 2; i++)
		CHECK(pthread_create(&thread[i], NULL, sort, items[i]) == 0);
	for (int i = 0; i < 2; i++)
		CHECK(pthread_join(thread[i], NULL) == 0);
	CHECK(memcmp(items[0], items[1], sizeof(items[0])) == 0);
	add(&word);
}

/* One child becomes this program once more, another ends by a signal. */
static void
programs(char *self)
{
	char *const argument[] = { self, NULL };
	int status;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child == 0) {
		execv(self, argument);
		_exit(1);
	}
	CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && !WEXITSTATUS(status));
	printf("F %x %x\nX %x \nT %x\n", (unsigned)child, (unsigned)getpid(), (unsigned)child,
	       (unsigned)child);
	fflush(stdout);
	child = fork();
	if (child == 0)
		raise(SIGKILL);
	CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
	printf("F %x %x\nT %x\n", (unsigned)child, (unsigned)getpid(), (unsigned)child);
}

int
main(int argc, char **argv)
{
	if (argc < 2)
		return 0;
	printf("X %x \n", (unsigned)getpid());
	files(argv[1]);
	mappings(argv[1]);
	shares();
	threads();
	programs(argv[0]);
	printf("T %x\n", (unsigned)getpid());
	return 0;
}
