/* SPDX-License-Identifier: MIT
 *
 * A plugin of QEMU's user mode that records the raw reference trace of Laplace and its kernel event
 * trace, of all processes and threads that a program starts, for `trc split`:
 *
 *   qemu-ARCH -plugin libtrc-system.so,out=NAME[,limit=N] PROGRAM ARGUMENT...
 *
 * writes NAME.laplace and NAME.laplace-kernel. All processes share NAME.shared, which has the
 * clock, the lock and the lines that are not written yet: a reference or event is one tick, so both
 * files are in order of time. Processes that are forked are followed by themselves, programs that
 * are executed if the system runs them by an emulator with QEMU_PLUGIN in its environment
 * (binfmt_misc, or scripts in PATH that do).
 *
 * Events come from the system calls of the guest and their results. The emulator shares files and
 * memory with its host, so what a descriptor or an address stands for is asked of the host. What
 * copies a page on write is known from what was mapped: the first store to a page of a private file
 * mapping, or of private memory that was there before a fork. Each side of a fork is told to copy,
 * though the second would find the page its own.
 *
 * Written for the plugin interface of QEMU 7.2, version 1, whose header few distributions ship:
 * what is used of it is declared here.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct qemu_info {
	const char *target;
	int version[2];
	bool system;
};
typedef void (*tb_fn)(uint64_t id, struct qemu_plugin_tb *tb);
typedef void (*insn_fn)(unsigned vcpu, void *user);
typedef void (*mem_fn)(unsigned vcpu, uint32_t info, uint64_t addr, void *user);
typedef void (*call_fn)(uint64_t id, unsigned vcpu, int64_t number, uint64_t a, uint64_t b,
                        uint64_t c, uint64_t d, uint64_t e, uint64_t f, uint64_t g, uint64_t h);
typedef void (*ret_fn)(uint64_t id, unsigned vcpu, int64_t number, int64_t result);
typedef void (*exit_fn)(uint64_t id, void *user);

enum { CB_NO_REGS = 0, MEM_READ_WRITE = 3 };

void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, tb_fn fn);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, insn_fn fn, int regs,
                                            void *user);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn, mem_fn fn, int regs, int which,
                                      void *user);
void qemu_plugin_register_vcpu_syscall_cb(uint64_t id, call_fn fn);
void qemu_plugin_register_vcpu_syscall_ret_cb(uint64_t id, ret_fn fn);
void qemu_plugin_register_atexit_cb(uint64_t id, exit_fn fn, void *user);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t i);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
void *qemu_plugin_insn_haddr(const struct qemu_plugin_insn *insn);
unsigned qemu_plugin_mem_size_shift(uint32_t info);
bool qemu_plugin_mem_is_store(uint32_t info);

#define EXPORT __attribute__((visibility("default")))
EXPORT extern int qemu_plugin_version;
int qemu_plugin_version = 1;
EXPORT int qemu_plugin_install(uint64_t id, const struct qemu_info *info, int argc, char **argv);

/* ---- system calls ---- */

enum call {
	OTHER, MMAP, MMAP2, MUNMAP, MREMAP, BRK, SHMAT, SHMDT, OPEN, READ, WRITE, CLOSE, PREAD,
	PWRITE,
	UNLINK, UNLINKAT, TRUNCATE, EXIT, EXIT_GROUP, ACCEPT,
};

struct number {
	int number;
	enum call call;
};

static const struct number x86_64[] = {
	{ 9, MMAP },  { 11, MUNMAP }, { 25, MREMAP },  { 12, BRK },      { 30, SHMAT },
	{ 67, SHMDT }, { 2, OPEN },   { 257, OPEN },   { 85, OPEN },     { 0, READ },
	{ 1, WRITE }, { 3, CLOSE },   { 17, PREAD },   { 18, PWRITE },   { 87, UNLINK },
	{ 263, UNLINKAT }, { 77, TRUNCATE }, { 60, EXIT }, { 231, EXIT_GROUP }, { 43, ACCEPT },
	{ 288, ACCEPT }, { -1, OTHER },
};

/* aarch64, riscv64, loongarch64 and others of late. */
static const struct number generic[] = {
	{ 222, MMAP }, { 215, MUNMAP }, { 216, MREMAP }, { 214, BRK },   { 196, SHMAT },
	{ 197, SHMDT }, { 56, OPEN },  { 63, READ },     { 64, WRITE },  { 57, CLOSE },
	{ 67, PREAD }, { 68, PWRITE }, { 35, UNLINKAT }, { 46, TRUNCATE }, { 93, EXIT },
	{ 94, EXIT_GROUP }, { 202, ACCEPT }, { 242, ACCEPT }, { -1, OTHER },
};

/* i386 and arm; their shmat differs. */
static const struct number old[] = {
	{ 192, MMAP2 }, { 91, MUNMAP }, { 163, MREMAP }, { 45, BRK },    { 5, OPEN },
	{ 295, OPEN },  { 322, OPEN },  { 3, READ },     { 4, WRITE },   { 6, CLOSE },
	{ 180, PREAD }, { 181, PWRITE }, { 10, UNLINK }, { 93, TRUNCATE }, { 1, EXIT },
	{ 252, EXIT_GROUP }, { 248, EXIT_GROUP }, { -1, OTHER },
};

static const struct number *numbers = generic;

/* ---- what all processes share ---- */

enum { LINES = 1 << 18, LINE = 4600, PIDS = 1 << 22 };

struct lines {
	char text[LINES];
	size_t n;
};

struct shared {
	pthread_mutex_t lock;
	uint64_t clock, refs;
	uint32_t running, spaces, segments;
	struct lines refs_out, events_out;
	uint8_t seen[PIDS / 8]; /* pids that an event told of */
};

static struct shared *shared;
static int refs_fd = -1, events_fd = -1;
static uint64_t limit = UINT64_MAX;

/* ---- this process ---- */

enum kind { ANONYMOUS, PRIVATE_FILE, SHARED_MAPPING };

struct range {
	uint64_t first, end; /* bytes */
	enum kind kind;
};

enum { RANGES = 1 << 14, TASKS = 1 << 12, COPIED = 1 << 20, RECENT = 1024, PAGE = 12 };

static uint32_t pid, space;
static bool forked;             /* there was a fork: private memory may be another's, too */
static uint64_t generation = 1; /* of mappings and forks */
static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER; /* what follows */
static struct range range[RANGES];
static size_t ranges;
static uint64_t *copied; /* pages + 1 that were copied on write; a hash table */
static size_t copies;
static uint32_t task[TASKS];
static size_t tasks;
static uint64_t brk_end, base;
static bool begun;
static char maps_before[1 << 16]; /* starts of mappings of the emulator itself */

/* This thread. */
static __thread uint32_t tid;
static __thread uint64_t argument[6];
static __thread struct stat closing;
static __thread struct {
	uint64_t page, generation;
} recent[RECENT];

static void
die(const char *what)
{
	fprintf(stderr, "trc-system: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void
write_lines(struct lines *l, int fd)
{
	for (size_t at = 0; at < l->n;) {
		const ssize_t n = write(fd, l->text + at, l->n - at);

		if (n < 0 && errno != EINTR)
			die("cannot write");
		at += n > 0 ? (size_t)n : 0;
	}
	l->n = 0;
}

static void
lock(void)
{
	if (pthread_mutex_lock(&shared->lock) == EOWNERDEAD)
		pthread_mutex_consistent(&shared->lock);
}

static void
unlock(void)
{
	pthread_mutex_unlock(&shared->lock);
}

/* An event: its tag, the time, and the rest. The lock is held. */
static void
put_event(char tag, const char *fmt, va_list args)
{
	struct lines *l = &shared->events_out;

	if (shared->refs >= limit)
		return;
	if (l->n + LINE > LINES)
		write_lines(l, events_fd);
	l->n += (size_t)sprintf(l->text + l->n, "%c %" PRIx64, tag, ++shared->clock);
	l->n += (size_t)vsnprintf(l->text + l->n, LINE - 64, fmt, args);
	for (char *p = l->text + l->n; p[-1] == '\n';)
		*--p = '?';
	l->text[l->n++] = '\n';
}

__attribute__((format(printf, 2, 3))) static void
event_locked(char tag, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	put_event(tag, fmt, args);
	va_end(args);
}

__attribute__((format(printf, 2, 3))) static void
event(char tag, const char *fmt, ...)
{
	va_list args;

	lock();
	va_start(args, fmt);
	put_event(tag, fmt, args);
	va_end(args);
	unlock();
}

static bool
see(uint32_t who)
{
	uint8_t *byte = &shared->seen[who % PIDS / 8];
	const bool before = *byte >> who % 8 & 1;

	*byte = (uint8_t)(*byte | 1 << who % 8);
	return before;
}

/* This thread's first appearance. */
static void
begin_thread(void)
{
	tid = (uint32_t)syscall(SYS_gettid);
	pthread_mutex_lock(&own);
	if (tasks < TASKS)
		task[tasks++] = tid;
	pthread_mutex_unlock(&own);
	if (tid == pid)
		return;
	lock();
	see(tid);
	event_locked('F', " %x %x", tid, pid);
	unlock();
}

/* ---- copies on write ---- */

static struct range *
find_range(uint64_t addr)
{
	for (size_t i = 0; i < ranges; i++)
		if (addr >= range[i].first && addr < range[i].end)
			return &range[i];
	return NULL;
}

static void
forget_copies(uint64_t first, uint64_t end)
{
	for (size_t i = 0; copies > 0 && i < COPIED; i++)
		if (copied[i] && copied[i] - 1 >= first >> PAGE && copied[i] - 1 < end >> PAGE)
			copied[i] = UINT64_MAX; /* of no page, but not free */
}

/* True if the page was not in the table; it is then. */
static bool
note_copy(uint64_t page)
{
	size_t at = (size_t)(page * UINT64_C(0x9e3779b97f4a7c15) >> 44) % COPIED;

	if (copies > COPIED / 2)
		return false;
	for (; copied[at] && copied[at] != page + 1; at = (at + 1) % COPIED)
		;
	if (copied[at])
		return false;
	copied[at] = page + 1;
	copies++;
	return true;
}

static void
note_store(uint64_t addr)
{
	const uint64_t page = addr >> PAGE;
	const size_t at = page % RECENT;
	const struct range *r;

	if (recent[at].page == page && recent[at].generation == generation)
		return;
	pthread_mutex_lock(&own);
	r = find_range(addr);
	recent[at].page = page;
	recent[at].generation = generation;
	if ((r ? r->kind == PRIVATE_FILE || (forked && r->kind == ANONYMOUS) : forked) &&
	    note_copy(page))
		event('C', " %x %" PRIx64, tid, page << PAGE);
	pthread_mutex_unlock(&own);
}

/* What is in [first, end) is of another kind, or with `gone` not there. */
static void
set_range(uint64_t first, uint64_t end, enum kind kind, bool gone)
{
	pthread_mutex_lock(&own);
	for (size_t i = 0; i < ranges; i++) {
		struct range *r = &range[i];

		if (r->end <= first || r->first >= end)
			continue;
		if (r->first < first && r->end > end && ranges < RANGES) {
			range[ranges++] = (struct range){ end, r->end, r->kind };
			r->end = first;
		} else if (r->first < first) {
			r->end = first;
		} else if (r->end > end) {
			r->first = end;
		} else {
			*r-- = range[--ranges];
			i--;
		}
	}
	if (!gone && ranges < RANGES)
		range[ranges++] = (struct range){ first, end, kind };
	forget_copies(first, end);
	generation++;
	pthread_mutex_unlock(&own);
}

/* ---- mappings that were there at the start ---- */

static void
name_of(int fd, char *name, size_t room)
{
	char link[64];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, name, room - 1);
	name[n > 0 ? n : 0] = 0;
}

/* Calls for the mappings of the host that were not there before; without `tell`, notes them. */
static void
look_at_maps(bool tell)
{
	FILE *f = fopen("/proc/self/maps", "r");
	char line[LINE], key[32], *name;
	uint64_t first, end, offset;
	unsigned major_, minor_;
	uint64_t inode;
	int at;

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %x:%x %" SCNu64 " %n", &first,
		           &end, &offset, &major_, &minor_, &inode, &at) != 6)
			continue;
		snprintf(key, sizeof(key), "|%" PRIx64 "|", first);
		if (!tell) {
			strncat(maps_before, key, sizeof(maps_before) - strlen(maps_before) - 1);
			continue;
		}
		if (strstr(maps_before, key) || first < base)
			continue;
		name = line + at;
		name[strcspn(name, "\n")] = 0;
		if (inode) {
			event('M', " %x %" PRIx64 " %" PRIx64 " %" PRIx64 " %x %x %" PRIx64 " %s", pid,
			      first - base, end - first, inode, major_, minor_, offset, name);
			set_range(first - base, end - base, PRIVATE_FILE, false);
		} else if (*name != '[') {
			event('m', " %x %" PRIx64 " %" PRIx64, pid, first - base, end - first);
			set_range(first - base, end - base, ANONYMOUS, false);
		}
	}
	if (f)
		fclose(f);
}

/* ---- references ---- */

static void
reference(char type, unsigned size, uint64_t addr)
{
	struct lines *l = &shared->refs_out;

	if (!tid)
		begin_thread();
	if (type == 'w')
		note_store(addr);
	lock();
	if (shared->refs < limit) {
		if (shared->running != tid)
			event_locked('S', " %x", tid);
		shared->running = tid;
		if (l->n + 128 > LINES)
			write_lines(l, refs_fd);
		l->n += (size_t)sprintf(l->text + l->n, "%c %" PRIx64 " %x %x %" PRIx64 "\n", type,
		                        ++shared->clock, size, space, addr);
		shared->refs++;
	}
	unlock();
}

static void
executed(unsigned vcpu, void *user)
{
	const uint64_t v = (uint64_t)(uintptr_t)user;

	(void)vcpu;
	reference('i', (unsigned)(v >> 56), v & ((UINT64_C(1) << 56) - 1));
}

static void
accessed(unsigned vcpu, uint32_t info, uint64_t addr, void *user)
{
	(void)vcpu, (void)user;
	reference(qemu_plugin_mem_is_store(info) ? 'w' : 'r',
	          1u << qemu_plugin_mem_size_shift(info), addr);
}

static void
translate(uint64_t id, struct qemu_plugin_tb *tb)
{
	const size_t n = qemu_plugin_tb_n_insns(tb);

	(void)id;
	for (size_t i = 0; i < n; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		const uint64_t addr = qemu_plugin_insn_vaddr(insn);
		const uint64_t v = addr | (uint64_t)qemu_plugin_insn_size(insn) << 56;

		if (!begun) {
			begun = true;
			base = (uint64_t)(uintptr_t)qemu_plugin_insn_haddr(insn) - addr;
			look_at_maps(true);
		}
		qemu_plugin_register_vcpu_insn_exec_cb(insn, executed, CB_NO_REGS,
		                                       (void *)(uintptr_t)v);
		qemu_plugin_register_vcpu_mem_cb(insn, accessed, CB_NO_REGS, MEM_READ_WRITE, NULL);
	}
}

/* ---- calls ---- */

static enum call
call_of(int64_t number)
{
	const struct number *n = numbers;

	while (n->number >= 0 && n->number != number)
		n++;
	return n->call;
}

static void
end_process(void)
{
	for (size_t i = tasks; i-- > 0;)
		event('T', " %x", task[i]);
	event('u', " %x", space);
}

static void
end_thread(void)
{
	pthread_mutex_lock(&own);
	for (size_t i = 0; i < tasks; i++)
		if (task[i] == tid)
			task[i--] = task[--tasks];
	pthread_mutex_unlock(&own);
	event('T', " %x", tid);
}

static void
removed(int at, uint64_t path)
{
	struct stat st;

	if (fstatat(at, (const char *)(uintptr_t)(base + path), &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    S_ISREG(st.st_mode) && st.st_nlink == 1)
		event('-', " %" PRIx64 " %x %x", (uint64_t)st.st_ino, major(st.st_dev),
		      minor(st.st_dev));
}

static void
called(uint64_t id, unsigned vcpu, int64_t number, uint64_t a, uint64_t b, uint64_t c, uint64_t d,
       uint64_t e, uint64_t f, uint64_t g, uint64_t h)
{
	(void)id, (void)vcpu, (void)g, (void)h;
	if (!tid)
		begin_thread();
	argument[0] = a;
	argument[1] = b;
	argument[2] = c;
	argument[3] = d;
	argument[4] = e;
	argument[5] = f;
	switch (call_of(number)) {
	case CLOSE:
		if (fstat((int)a, &closing) != 0)
			closing.st_mode = 0;
		break;
	case UNLINK: removed(AT_FDCWD, a); break;
	case UNLINKAT: removed((int)a, b); break;
	case EXIT: end_thread(); break;
	case EXIT_GROUP: end_process(); break;
	default: break;
	}
}

/* After "pid address length": the file, or nothing. */
static void
mapped(uint64_t addr, uint64_t length, int flags, int fd, uint64_t offset)
{
	enum { SHARED_FLAG = 1, ANONYMOUS_FLAG = 32 };
	const bool share = flags & SHARED_FLAG;
	char name[LINE - 600];
	struct stat st;

	if (flags & ANONYMOUS_FLAG || fstat(fd, &st) != 0) {
		lock();
		if (share)
			event_locked('s', " %x %" PRIx64 " %" PRIx64 " %x", tid, addr, length,
			             0x80000000u + ++shared->segments);
		else
			event_locked('m', " %x %" PRIx64 " %" PRIx64, tid, addr, length);
		unlock();
	} else {
		name_of(fd, name, sizeof(name));
		event('M', " %x %" PRIx64 " %" PRIx64 " %" PRIx64 " %x %x %" PRIx64 " %s", tid, addr,
		      length, (uint64_t)st.st_ino, major(st.st_dev), minor(st.st_dev), offset,
		      name);
	}
	set_range(addr, addr + (length + 4095) / 4096 * 4096,
	          share                      ? SHARED_MAPPING
	          : flags & ANONYMOUS_FLAG ? ANONYMOUS
	                                     : PRIVATE_FILE,
	          false);
}

static void
moved_brk(uint64_t now)
{
	if (brk_end && now > brk_end) {
		event('m', " %x %" PRIx64 " %" PRIx64, tid, brk_end, now - brk_end);
		set_range(brk_end, now, ANONYMOUS, false);
	} else if (brk_end && now < brk_end) {
		event('U', " %x %" PRIx64 " %" PRIx64, tid, now, brk_end - now);
		set_range(now, brk_end, ANONYMOUS, true);
	}
	brk_end = now;
}

static void
transferred(char tag, int fd, uint64_t length, bool at, uint64_t offset)
{
	struct stat st;
	off_t end;

	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		return;
	end = at ? (off_t)(offset + length) : lseek(fd, 0, SEEK_CUR);
	event(tag, " %x %" PRIx64 " %x %x %" PRIx64 " %" PRIx64, tid, (uint64_t)st.st_ino,
	      major(st.st_dev), minor(st.st_dev), (uint64_t)end - length, length);
}

static void
opened(int fd)
{
	char name[LINE - 600];
	struct stat st;

	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		return;
	name_of(fd, name, sizeof(name));
	event('(', " %x %" PRIx64 " %x %x %s", tid, (uint64_t)st.st_ino, major(st.st_dev),
	      minor(st.st_dev), name);
}

static void
attached(uint64_t addr)
{
	struct shmid_ds ds;

	if (shmctl((int)argument[0], IPC_STAT, &ds) != 0)
		return;
	event('s', " %x %" PRIx64 " %" PRIx64 " %x", tid, addr, (uint64_t)ds.shm_segsz,
	      (unsigned)argument[0]);
	set_range(addr, addr + (ds.shm_segsz + 4095) / 4096 * 4096, SHARED_MAPPING, false);
}

static void
detached(void)
{
	const struct range *r = find_range(argument[0]);

	if (!r)
		return;
	event('U', " %x %" PRIx64 " %" PRIx64, tid, r->first, r->end - r->first);
	set_range(r->first, r->end, ANONYMOUS, true);
}

static void
returned(uint64_t id, unsigned vcpu, int64_t number, int64_t result)
{
	const uint64_t r = (uint64_t)result, *a = argument;
	struct stat st;

	(void)id, (void)vcpu;
	if (r >= (uint64_t)-4095 || (numbers == old && (uint32_t)r >= (uint32_t)-4095))
		return;
	switch (call_of(number)) {
	case MMAP: mapped(r, a[1], (int)a[3], (int)a[4], a[5]); break;
	case MMAP2: mapped((uint32_t)r, a[1], (int)a[3], (int)a[4], a[5] * 4096); break;
	case MUNMAP:
		event('U', " %x %" PRIx64 " %" PRIx64, tid, a[0], a[1]);
		set_range(a[0], a[0] + (a[1] + 4095) / 4096 * 4096, ANONYMOUS, true);
		break;
	case MREMAP:
		event('@', " %x %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64, tid, r, a[2], a[0],
		      a[1]);
		set_range(a[0], a[0] + (a[1] + 4095) / 4096 * 4096, ANONYMOUS, true);
		set_range(r, r + (a[2] + 4095) / 4096 * 4096, ANONYMOUS, false);
		break;
	case BRK: moved_brk(r); break;
	case SHMAT: attached(r); break;
	case SHMDT: detached(); break;
	case OPEN: opened((int)r); break;
	case READ: transferred('<', (int)a[0], r, false, 0); break;
	case WRITE: transferred('>', (int)a[0], r, false, 0); break;
	case PREAD: transferred('<', (int)a[0], r, true, a[3]); break;
	case PWRITE: transferred('>', (int)a[0], r, true, a[3]); break;
	case CLOSE:
		if (S_ISREG(closing.st_mode))
			event(')', " %x %" PRIx64 " %x %x", tid, (uint64_t)closing.st_ino,
			      major(closing.st_dev), minor(closing.st_dev));
		break;
	case TRUNCATE:
		if (fstat((int)a[0], &st) == 0)
			event('t', " %" PRIx64 " %x %x %" PRIx64, (uint64_t)st.st_ino,
			      major(st.st_dev), minor(st.st_dev), a[1]);
		break;
	case ACCEPT: event('a', " %x", tid); break;
	default: break;
	}
}

/* ---- processes ---- */

static void
before_fork(void)
{
	pthread_mutex_lock(&own);
	lock();
}

static void
in_parent(void)
{
	forked = true;
	generation++;
	memset(copied, 0, COPIED * sizeof(*copied));
	copies = 0;
	unlock();
	pthread_mutex_unlock(&own);
}

static void
in_child(void)
{
	const uint32_t parent = pid, from = space;

	/* The lock is the parent's to give back. */
	pthread_mutex_init(&own, NULL);
	pid = tid = (uint32_t)getpid();
	forked = true;
	generation++;
	memset(copied, 0, COPIED * sizeof(*copied));
	copies = 0;
	task[0] = tid;
	tasks = 1;
	lock();
	see(pid);
	space = ++shared->spaces;
	event_locked('F', " %x %x", pid, parent);
	event_locked('A', " %x %x", pid, space);
	event_locked('D', " %x %x 0 ffffffffffffffff", from, space);
	unlock();
}

static void
flush_all(uint64_t id, void *user)
{
	(void)id, (void)user;
	lock();
	write_lines(&shared->refs_out, refs_fd);
	write_lines(&shared->events_out, events_fd);
	unlock();
}

static int
open_out(const char *name, const char *ending, int flags)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s%s", name, ending);
	fd = open(path, flags | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0)
		die(path);
	/* Out of the way of the guest, whose descriptors are those of the emulator. */
	return fcntl(fd, F_DUPFD_CLOEXEC, 900);
}

static void
open_shared(const char *name)
{
	const int fd = open_out(name, ".shared", O_RDWR);
	struct stat st;

	if (fstat(fd, &st) != 0 || (st.st_size == 0 && ftruncate(fd, sizeof(*shared)) != 0))
		die("cannot make the shared file");
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (shared == MAP_FAILED)
		die("cannot map the shared file");
	if (st.st_size == 0) {
		pthread_mutexattr_t attr;

		pthread_mutexattr_init(&attr);
		pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
		pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
		pthread_mutex_init(&shared->lock, &attr);
	}
	close(fd);
}

/* The program of this process: the emulator's first argument that is a file, as it opened it. */
static void
tell_program(void)
{
	char name[512] = "";
	struct stat st = { 0 };
	FILE *f = fopen("/proc/self/cmdline", "r");
	char *word = NULL;
	size_t room = 0;

	/* Behind the options of the emulator, each of which takes a value here. */
	while (f && getdelim(&word, &room, 0, f) > 0)
		if (strchr(word, '/') && stat(word, &st) == 0 && S_ISREG(st.st_mode) &&
		    !strstr(word, "qemu")) {
			snprintf(name, sizeof(name), "%s", word);
			break;
		}
	free(word);
	if (f)
		fclose(f);
	lock();
	if (!see(pid))
		event_locked('F', " %x %x", pid, (unsigned)getppid());
	space = ++shared->spaces;
	event_locked('X', " %x %" PRIx64 " %x %x %s", pid, (uint64_t)st.st_ino, major(st.st_dev),
	             minor(st.st_dev), name);
	event_locked('A', " %x %x", pid, space);
	unlock();
}

int
qemu_plugin_install(uint64_t id, const struct qemu_info *info, int argc, char **argv)
{
	const char *name = NULL;

	for (int i = 0; i < argc; i++)
		if (strncmp(argv[i], "out=", 4) == 0)
			name = argv[i] + 4;
		else if (strncmp(argv[i], "limit=", 6) == 0)
			limit = strtoull(argv[i] + 6, NULL, 10);
	if (!name || info->system) {
		fprintf(stderr, "trc-system: of the user mode, and needs out=NAME\n");
		return -1;
	}
	numbers = strcmp(info->target, "x86_64") == 0 ? x86_64
	          : strcmp(info->target, "i386") == 0 || strcmp(info->target, "arm") == 0 ? old
	                                                                                 : generic;
	copied = calloc(COPIED, sizeof(*copied));
	if (!copied)
		die("no memory");
	pid = (uint32_t)getpid();
	open_shared(name);
	refs_fd = open_out(name, ".laplace", O_WRONLY | O_APPEND);
	events_fd = open_out(name, ".laplace-kernel", O_WRONLY | O_APPEND);
	pthread_atfork(before_fork, in_parent, in_child);
	tell_program();
	look_at_maps(false);
	qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
	qemu_plugin_register_vcpu_syscall_cb(id, called);
	qemu_plugin_register_vcpu_syscall_ret_cb(id, returned);
	qemu_plugin_register_atexit_cb(id, flush_all, NULL);
	return 0;
}
