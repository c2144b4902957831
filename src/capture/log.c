/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "capture/log.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/shown.h"
#include "batch/recorded.h"

enum { LINE = TRC_LOG_NAME + 600, PIDS = 1 << 22 };

#define LINES sizeof(((struct trc_recorded_lines *)NULL)->text)

/* The data shared by all recorded processes, in shared memory. */
struct shared {
	/* The first; the form is described in batch/recorded.h. */
	struct trc_recorded_lines refs_out;
	pthread_mutex_t lock;

	/* There are several threads or processes; a single one needs no lock for a reference. */
	bool several;
	uint64_t clock;
	uint64_t counted; /* references, or instructions if these are limited */
	bool full;        /* the limit is reached */
	uint32_t running, spaces, segments;
	uint32_t processes;  /* number of processes that have not ended */
	uint32_t last_space; /* in a stream: space of the last reference */
	struct trc_recorded_lines events_out;
	uint8_t lives[PIDS / 8]; /* pids that began and have not ended */
};

static struct shared *shared;
static int refs_fd = -1, events_fd = -1;
static struct trc_log_limit limit;
static bool streams; /* both traces go to refs_fd, as words of batch/recorded.h */
static char shared_path[4096];

void
trc_log_die(const char *what)
{
	const char *why = strerror(errno);
	char shown[4096];

	snprintf(shown, sizeof(shown), "%s", what);
	trc_shown(shown);
	fprintf(stderr, "trc-system: %s: %s\n", shown, why);
	exit(1);
}

/* Ends the process while it has the lock, which the emulator's end would also take. There is no
 * message if the pipe has no reader any more: then the user stopped the recorder. */
_Noreturn static void
die_locked(void)
{
	if (errno != EPIPE)
		fprintf(stderr, "trc-system: cannot write: %s\n", strerror(errno));
	_exit(1);
}

/* A process may be killed while it waits for a pipe. Up to PIPE_BUF bytes are written completely or
 * not at all, so the next writer can continue after them. */
static void
write_lines(struct trc_recorded_lines *l, int fd)
{
	while (l->at < l->n) {
		const size_t left = l->n - l->at;
		const ssize_t n = write(fd, l->text + l->at,
		                        streams && left > PIPE_BUF ? PIPE_BUF : left);

		if (n < 0 && errno != EINTR)
			die_locked();
		l->at += n > 0 ? (size_t)n : 0;
	}
	l->n = l->at = 0;
}

void
trc_log_lock(void)
{
	if (pthread_mutex_lock(&shared->lock) == EOWNERDEAD)
		pthread_mutex_consistent(&shared->lock);
}

void
trc_log_unlock(void)
{
	pthread_mutex_unlock(&shared->lock);
}

/* Writes events first, so that a process that is killed does not leave references without the
 * events before them. */
static void
write_all(void)
{
	if (!streams)
		write_lines(&shared->events_out, events_fd);
	write_lines(&shared->refs_out, refs_fd);
}

void
trc_log_flush(void)
{
	trc_log_lock();
	write_all();
	trc_log_unlock();
}

void
trc_log_share(void)
{
	shared->several = true;
}

void
trc_log_enter(void)
{
	trc_log_lock();
	shared->processes++;
	trc_log_unlock();
}

void
trc_log_leave(void)
{
	trc_log_lock();
	write_all();
	if (--shared->processes == 0)
		unlink(shared_path);
	trc_log_unlock();
}

static void
stream_event(char tag, const char *fmt, va_list args)
{
	struct trc_recorded_lines *l = &shared->refs_out;
	char *text;
	uint64_t word;
	size_t n;

	if (l->n + LINE > LINES)
		write_all();
	text = l->text + l->n + sizeof(word);
	shared->clock++;
	text[0] = tag;
	n = 1 + (size_t)vsnprintf(text + 1, LINE - 64, fmt, args);
	for (char *p = text + n; p[-1] == '\n';)
		*--p = '?';
	memset(text + n, 0, sizeof(word));
	word = trc_recorded_word(TRC_RECORDED_EVENT, 0, n);
	memcpy(l->text + l->n, &word, sizeof(word));
	l->n += sizeof(word) + (n + sizeof(word) - 1) / sizeof(word) * sizeof(word);
}

static void
put_event(char tag, const char *fmt, va_list args)
{
	struct trc_recorded_lines *l = &shared->events_out;

	if (shared->full)
		return;
	if (streams) {
		stream_event(tag, fmt, args);
		return;
	}
	if (l->n + LINE > LINES)
		write_lines(l, events_fd);
	l->n += (size_t)sprintf(l->text + l->n, "%c %" PRIx64, tag, ++shared->clock);
	l->n += (size_t)vsnprintf(l->text + l->n, LINE - 64, fmt, args);
	for (char *p = l->text + l->n; p[-1] == '\n';)
		*--p = '?';
	l->text[l->n++] = '\n';
}

void
trc_log_event_locked(char tag, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	put_event(tag, fmt, args);
	va_end(args);
}

void
trc_log_event(char tag, const char *fmt, ...)
{
	va_list args;

	trc_log_lock();
	va_start(args, fmt);
	put_event(tag, fmt, args);
	va_end(args);
	trc_log_unlock();
}

/* Prints a blank and a number; every reference has four. */
static char *
put_hex(char *to, uint64_t v)
{
	unsigned shift = 0;

	while (shift < 60 && v >> shift >> 4)
		shift += 4;
	*to++ = ' ';
	for (;; shift -= 4) {
		*to++ = "0123456789abcdef"[v >> shift & 15];
		if (shift == 0)
			return to;
	}
}

/* Adds words as a whole, so that a process that is killed leaves all of them or none. */
static void
put_words(struct trc_recorded_lines *l, const uint64_t *word, size_t n)
{
	memcpy(l->text + l->n, word, n * sizeof(*word));
	l->n += n * sizeof(*word);
}

/* Makes room for a record, after its space if that changes. The caller has the lock. */
static void
stream_space(struct trc_recorded_lines *l, uint32_t space)
{
	const uint64_t to = trc_recorded_word(TRC_RECORDED_SPACE, 0, space);

	if (l->n + 4 * sizeof(to) > LINES)
		write_all();
	if (space != shared->last_space)
		put_words(l, &to, 1);
	shared->last_space = space;
}

/* The caller has the lock. */
static void
stream_reference(char type, unsigned size, uint32_t space, uint64_t addr)
{
	const unsigned kind = type == 'r' ? TRC_READ : type == 'w' ? TRC_WRITE : TRC_FETCH;
	const bool far = size >= TRC_RECORDED_FAR || addr >> (64 - TRC_RECORDED_VALUE_SHIFT);
	const uint64_t word[] = {
		trc_recorded_word(kind, far ? TRC_RECORDED_FAR : size, far ? 0 : addr), addr, size
	};
	struct trc_recorded_lines *l = &shared->refs_out;

	stream_space(l, space);
	put_words(l, word, far ? 3 : 1);
}

/* The caller has the lock. */
static void
print_reference(char type, unsigned size, uint32_t space, uint64_t addr)
{
	struct trc_recorded_lines *l = &shared->refs_out;
	char *to;

	if (l->n + 128 > LINES)
		write_all();
	to = l->text + l->n;
	*to++ = type;
	to = put_hex(to, shared->clock);
	to = put_hex(to, size);
	to = put_hex(to, space);
	to = put_hex(to, addr);
	*to++ = '\n';
	l->n = (uint64_t)(to - l->text);
}

/* Counts a reference; the last one, or the instruction after the last one, ends the trace. Returns
 * false if it is not in the trace. */
static bool
count(char type)
{
	if (shared->full || (limit.insns && type != 'i'))
		return !shared->full;
	if (limit.insns && shared->counted == limit.most)
		shared->full = true;
	if (shared->full)
		return false;
	shared->full = ++shared->counted == limit.most && !limit.insns;
	return true;
}

/* The caller has the lock, or is alone. */
static void
put_reference(char type, unsigned size, uint32_t task, uint32_t space, uint64_t addr)
{
	if (!count(type))
		return;
	if (shared->running != task)
		trc_log_event_locked('S', " %x", task);
	shared->running = task;
	shared->clock++;
	if (streams)
		stream_reference(type, size, space, addr);
	else
		print_reference(type, size, space, addr);
}

void
trc_log_reference(char type, unsigned size, uint32_t task, uint32_t space, uint64_t addr)
{
	if (streams && !shared->several) {
		put_reference(type, size, task, space, addr);
		return;
	}
	trc_log_lock();
	put_reference(type, size, task, space, addr);
	trc_log_unlock();
}

void
trc_log_code(uint32_t space, uint64_t addr, uint64_t bytes)
{
	const uint64_t word[] = { trc_recorded_word(TRC_RECORDED_CODE, 0, 0), addr, bytes };

	trc_log_lock();
	if (!shared->full) {
		stream_space(&shared->refs_out, space);
		put_words(&shared->refs_out, word, 3);
	}
	trc_log_unlock();
}

void
trc_log_begin(uint32_t who)
{
	shared->lives[who % PIDS / 8] |= (uint8_t)(1 << who % 8);
}

void
trc_log_end(uint32_t who)
{
	shared->lives[who % PIDS / 8] &= (uint8_t)(~(1 << who % 8));
}

bool
trc_log_lives(uint32_t who)
{
	return shared->lives[who % PIDS / 8] >> who % 8 & 1;
}

uint32_t
trc_log_new_space(void)
{
	return ++shared->spaces;
}

uint32_t
trc_log_new_segment(void)
{
	return 0x80000000u + ++shared->segments;
}

/* Opens NAME with `ending`, which exists with `join`, and otherwise is created. */
static int
open_out(const char *name, const char *ending, int flags, bool join)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s%s", name, ending);
	fd = open(path, flags | O_CLOEXEC | (join ? 0 : O_CREAT | O_EXCL), 0666);
	if (fd < 0) {
		const char *why = errno == EEXIST ? "exists; remove it, or choose another name "
		                                    "with out=" :
		                                    strerror(errno);

		trc_shown(path);
		fprintf(stderr, "trc-system: '%s' %s\n", path, why);
		exit(1);
	}
	/* With a high number, since the descriptors of the guest are those of the emulator. */
	return fcntl(fd, F_DUPFD_CLOEXEC, 900);
}

static void
open_shared(const char *name, bool join)
{
	const int fd = open_out(name, ".shared", O_RDWR, join);
	pthread_mutexattr_t attr;

	if (!join && ftruncate(fd, sizeof(*shared)) != 0)
		trc_log_die("cannot create the shared file");
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (shared == MAP_FAILED)
		trc_log_die("cannot map the shared file");
	close(fd);
	snprintf(shared_path, sizeof(shared_path), "%s.shared", name);
	if (join)
		return;
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&shared->lock, &attr);
	shared->processes = 1;
	shared->full = limit.most == 0;
}

void
trc_log_open(const char *name, struct trc_log_limit most, bool join, enum trc_log_to to)
{
	limit = most;
	streams = to == TRC_LOG_STREAM;
	refs_fd = open_out(name, ".laplace", O_WRONLY | O_APPEND, join || to != TRC_LOG_FILES);
	if (!streams)
		events_fd = open_out(name, ".laplace-kernel", O_WRONLY | O_APPEND, join);
	open_shared(name, join);
}
