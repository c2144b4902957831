/* SPDX-License-Identifier: MIT */
#include "cmd/record/code.h"

#include <elf.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stage/wrap.h"

enum {
	NOTES = 8192, /* at most; after the last, no more words are known */
	LINE = 4352,  /* the longest line of valgrind, which has a path */
	TURNS = 4096, /* in a chunk */
	CHUNKS = 4096,
	THREADS_MOST = 1 << 16,
	WORD = 8,
	HEADERS_MOST = 256,
	CODE_MOST = 1 << 30,
};

/* The content of a line of valgrind, and its position: the number of records before it. */
struct note {
	uint64_t row;
	char *file;      /* mapped at its own addresses plus `lo`; NULL: a file was unmapped */
	uint64_t lo, hi; /* if unmapped, the addresses [lo, hi) */
};

/* From this record on, another thread runs. */
struct turn {
	uint64_t row;
	uint32_t thread; /* from 1, in order of their starts */
};

/* The reader of the stream appends notes and turns, then increments their number. Rows may be made
 * on another thread, which reads that number first. */
struct trc_record_code {
	struct note note[NOTES];
	struct turn *turn[CHUNKS];
	atomic_size_t notes, turns;
	atomic_uint threads; /* besides the first one of a program */
	atomic_bool crashed;
	struct trc_tracee_insn unknown; /* used after the end of the stream */
};

/* The stream. */
struct watch {
	struct trc_stream stream, *pipe;
	struct trc_record_code *code;
	uint64_t rows;
	bool start, own; /* the next byte begins a line; the current line is valgrind's own */
	char line[LINE], file[LINE];
	size_t n;
	uint32_t *number; /* of threads, by valgrind's number, which it uses again */
	size_t numbers, cap;
	uint32_t started, running;
	struct trc_err *err; /* of the current read, set if `failed` */
	bool failed;
};

/* Addresses [lo, hi), whose bytes are in the file from `base` on. */
struct part {
	uint64_t lo, hi, base;
	uint8_t *byte;
};

/* The source. */
struct words {
	struct trc_wrap wrap;
	struct trc_record_code *code;
	uint64_t rows;
	size_t seen, turns; /* notes and turns processed */
	uint32_t thread;
	struct part *part;
	size_t n, cap, last;
};

struct trc_record_code *
trc_record_code_open(struct trc_err *err)
{
	return trc_alloc(1, sizeof(struct trc_record_code), err);
}

void
trc_record_code_close(struct trc_record_code *c)
{
	for (size_t i = 0; c && i < c->notes; i++)
		free(c->note[i].file);
	for (size_t i = 0; c && i < CHUNKS; i++)
		free(c->turn[i]);
	free(c);
}

bool
trc_record_code_crashed(const struct trc_record_code *c)
{
	return c && c->crashed;
}

unsigned
trc_record_code_threads(const struct trc_record_code *c)
{
	return c->threads;
}

void
trc_record_code_unknown(const struct trc_record_code *c, struct trc_tracee_insn *is)
{
	*is = c->unknown;
}

int
trc_record_code_files(const struct trc_record_code *c,
                      int (*each)(void *of, const char *path, uint64_t bias, struct trc_err *err),
                      void *of, struct trc_err *err)
{
	const size_t notes = atomic_load_explicit(&c->notes, memory_order_acquire);

	for (size_t i = 0; i < notes; i++)
		if (c->note[i].file && each(of, c->note[i].file, c->note[i].lo, err))
			return -1;
	return 0;
}

/* ---- the stream ---- */

static void
add_note(struct watch *w, const char *file, uint64_t lo, uint64_t hi)
{
	const size_t n = atomic_load_explicit(&w->code->notes, memory_order_relaxed);
	struct note *note = &w->code->note[n];

	if (n == NOTES)
		return;
	*note = (struct note){ w->rows, file && n + 1 < NOTES ? strdup(file) : NULL, lo, hi };
	if (file && !note->file)
		note->lo = 0, note->hi = UINT64_MAX; /* out of memory, or of room for notes */
	atomic_store_explicit(&w->code->notes, n + 1, memory_order_release);
}

static int
add_turn(struct watch *w, uint32_t thread)
{
	const size_t n = atomic_load_explicit(&w->code->turns, memory_order_relaxed);
	struct turn **chunk = &w->code->turn[n / TURNS];

	if (thread == w->running)
		return 0;
	if (n == (size_t)TURNS * CHUNKS)
		return trc_fail(w->err, "its threads take turns more than %d million times",
		                TURNS * CHUNKS >> 20);
	if (n % TURNS == 0 && !(*chunk = trc_alloc(TURNS, sizeof(**chunk), w->err)))
		return -1;
	(*chunk)[n % TURNS] = (struct turn){ w->rows, thread };
	w->running = thread;
	atomic_store_explicit(&w->code->turns, n + 1, memory_order_release);
	return 0;
}

/* Parses the line "--8030--   SCHED[2]:  acquired lock (WHY)". */
static int
take_turn(struct watch *w, const char *text)
{
	static const char starts[] = "thread_wrapper(";
	char why[sizeof(starts)];
	unsigned id;

	if (sscanf(text, " SCHED[%u]: acquired lock (%15s", &id, why) != 2 || id >= THREADS_MOST)
		return 0;
	if (trc_grow(&w->number, &w->cap, id + 1, sizeof(*w->number), w->err))
		return -1;
	for (; w->numbers <= id; w->numbers++)
		w->number[w->numbers] = 0;
	if (strcmp(why, starts) == 0 || !w->number[id]) {
		w->number[id] = ++w->started;
		w->code->threads += id > 1;
	}
	return add_turn(w, w->number[id]);
}

/* Returns true if this is the line in which lackey gives up. */
static bool
is_crash(const struct watch *w)
{
	return strncmp(w->line, "Lackey: ", strlen("Lackey: ")) == 0;
}

/* Parses the line "vex amd64->IR: unhandled instruction bytes: 0x62 0xF2 0x7D 0x48". */
static void
take_unknown(struct watch *w)
{
	static const char bytes[] = "unhandled instruction bytes:";
	struct trc_tracee_insn *is = &w->code->unknown;
	const char *p = strstr(w->line, bytes);
	char *end;

	if (!p)
		return;
	p += strlen(bytes);
	for (is->n = 0; is->n < sizeof(is->byte); p = end) {
		const unsigned long byte = strtoul(p, &end, 16);

		if (end == p)
			break;
		is->byte[is->n++] = (uint8_t)byte;
	}
}

/* Parses the lines "--8030-- Reading syms from FILE", "--8030--    svma 0x1060, avma 0x4001060",
 * and "--8030-- Discarding syms at 0x4001000-0x4029000 in FILE". */
static void
take_line(struct watch *w)
{
	static const char reading[] = "Reading syms from ", gone[] = "Discarding syms at ";
	unsigned long long from, to;
	const char *text;

	w->line[w->n] = '\0';
	if (is_crash(w))
		w->code->crashed = true;
	take_unknown(w);
	text = strstr(w->line, "-- ");
	if (!text)
		return;
	text += strlen("-- ");
	w->failed |= take_turn(w, text) != 0;
	if (strncmp(text, reading, strlen(reading)) == 0)
		snprintf(w->file, sizeof(w->file), "%s", text + strlen(reading));
	else if (*w->file && sscanf(text, " svma %llx, avma %llx", &from, &to) == 2) {
		add_note(w, w->file, to - from, 0);
		*w->file = '\0';
	} else if (strncmp(text, gone, strlen(gone)) == 0 &&
	           sscanf(text + strlen(gone), "%llx-%llx", &from, &to) == 2)
		add_note(w, NULL, from, to);
}

static void
scan_byte(struct watch *w, uint8_t c)
{
	if (w->start) {
		w->own = c != 'I' && c != ' ';
		w->n = 0;
	}
	w->start = c == '\n';
	if (w->start && w->own)
		take_line(w);
	else if (w->start)
		w->rows++;
	else if (w->own && w->n + 1 < LINE)
		w->line[w->n++] = (char)c;
}

/* Returns true if the last line of these bytes is valgrind's own. */
static bool
ends_in_own(const struct watch *w, const uint8_t *p, size_t n)
{
	size_t at = n;

	while (at > 0 && p[at - 1] != '\n')
		at--;
	return at < n && (at > 0 || w->start) && p[at] != 'I' && p[at] != ' ';
}

/* Finds valgrind's own lines: each has one of these characters, and records have none. */
static void
scan(struct watch *w, const uint8_t *p, size_t n)
{
	size_t lines = 0, special = (w->own && !w->start) || ends_in_own(w, p, n);

	for (size_t i = 0; i < n; i++) {
		lines += p[i] == '\n';
		special += (p[i] == '-') | (p[i] == '=') | (p[i] == '*') | (p[i] > 'f');
	}
	for (size_t i = 0; special && i < n; i++)
		scan_byte(w, p[i]);
	if (special || n == 0)
		return;
	w->rows += lines;
	w->start = p[n - 1] == '\n';
	w->own = false;
}

/* Returns the number of bytes before the line in which lackey gave up; 0 after it. */
static size_t
before_crash(const uint8_t *p, size_t n)
{
	static const char crash[] = "\nLackey: ";
	const size_t len = strlen(crash);

	for (size_t i = 0; i + len <= n; i++)
		if (p[i] == crash[0] && memcmp(p + i, crash, len) == 0)
			return i + 1;
	return 0;
}

static int
watch_read(struct trc_stream *s, uint8_t *dst, size_t cap, size_t *got, struct trc_err *err)
{
	enum { BLOCK = 4096 };
	struct watch *w = (struct watch *)s;

	if (w->pipe->read(w->pipe, dst, cap, got, err))
		return -1;
	w->err = err;
	for (size_t at = 0; at < *got && !w->code->crashed; at += BLOCK)
		scan(w, dst + at, *got - at < BLOCK ? *got - at : BLOCK);
	if (w->code->crashed)
		*got = before_crash(dst, *got);
	return w->failed ? -1 : 0;
}

static void
watch_close(struct trc_stream *s)
{
	struct watch *w = (struct watch *)s;

	trc_stream_close(w->pipe);
	free(w->number);
	free(w);
}

struct trc_stream *
trc_record_code_watch(struct trc_record_code *c, struct trc_stream *pipe, struct trc_err *err)
{
	struct watch *w = trc_alloc(1, sizeof(*w), err);

	if (!w)
		return NULL;
	w->stream = (struct trc_stream){ .read = watch_read, .close = watch_close };
	w->pipe = pipe;
	w->code = c;
	w->start = true;
	return &w->stream;
}

/* ---- the source ---- */

/* Removes the addresses [lo, hi), which may split a part in two. */
static void
forget(struct words *w, uint64_t lo, uint64_t hi)
{
	size_t n = 0;

	for (size_t i = 0; i < w->n; i++) {
		struct part p = w->part[i];

		if (p.lo < hi && lo < p.hi && p.lo < lo)
			p.hi = lo;
		else if (p.lo < hi && lo < p.hi)
			p.lo = hi < p.hi ? hi : p.hi;
		if (p.lo < p.hi)
			w->part[n++] = p;
		else
			free(p.byte);
	}
	w->n = n;
	w->last = 0;
}

static int
add_part(struct words *w, int fd, const Elf64_Phdr *h, uint64_t bias, struct trc_err *err)
{
	const uint64_t lo = h->p_vaddr + bias;
	struct part p = { lo, lo + h->p_filesz, lo, NULL };

	forget(w, lo, lo + h->p_memsz);
	if (h->p_flags & PF_W || h->p_filesz == 0 || h->p_filesz > CODE_MOST)
		return 0;
	p.byte = trc_alloc(h->p_filesz, 1, err);
	if (!p.byte || trc_grow(&w->part, &w->cap, w->n + 1, sizeof(p), err)) {
		free(p.byte);
		return -1;
	}
	if (pread(fd, p.byte, h->p_filesz, (off_t)h->p_offset) == (ssize_t)h->p_filesz)
		w->part[w->n++] = p;
	else
		free(p.byte);
	return 0;
}

/* Adds the segments of an ELF file; other files have no words. */
static int
add_file(struct words *w, int fd, uint64_t bias, struct trc_err *err)
{
	Elf64_Phdr header;
	Elf64_Ehdr e;

	if (pread(fd, &e, sizeof(e), 0) != sizeof(e) || memcmp(e.e_ident, ELFMAG, SELFMAG) != 0 ||
	    e.e_ident[EI_CLASS] != ELFCLASS64 || e.e_phentsize != sizeof(header))
		return 0;
	for (unsigned i = 0; i < e.e_phnum && i < HEADERS_MOST; i++)
		if (pread(fd, &header, sizeof(header), (off_t)(e.e_phoff + i * sizeof(header))) ==
		            sizeof(header) &&
		    header.p_type == PT_LOAD && header.p_flags & PF_X &&
		    add_part(w, fd, &header, bias, err))
			return -1;
	return 0;
}

/* Processes the notes before the next row. */
static int
take_notes(struct words *w, struct trc_err *err)
{
	const size_t notes = atomic_load_explicit(&w->code->notes, memory_order_acquire);

	for (; w->seen < notes && w->code->note[w->seen].row <= w->rows; w->seen++) {
		const struct note *n = &w->code->note[w->seen];
		const int fd = n->file ? open(n->file, O_RDONLY | O_CLOEXEC) : -1;
		int ret = 0;

		if (!n->file)
			forget(w, n->lo, n->hi);
		if (fd >= 0) {
			ret = add_file(w, fd, n->lo, err);
			close(fd);
		}
		if (ret)
			return ret;
	}
	return 0;
}

/* Processes the turns before the next row. */
static void
take_turns(struct words *w)
{
	const size_t turns = atomic_load_explicit(&w->code->turns, memory_order_acquire);

	for (; w->turns < turns; w->turns++) {
		const struct turn *t = &w->code->turn[w->turns / TURNS][w->turns % TURNS];

		if (t->row > w->rows)
			return;
		w->thread = t->thread;
	}
}

/* Returns the part that has all of these addresses; NULL: none. */
static const struct part *
find_part(struct words *w, uint64_t addr, uint32_t size)
{
	for (size_t k = 0; k < w->n; k++) {
		const size_t i = w->last + k < w->n ? w->last + k : w->last + k - w->n;

		if (addr >= w->part[i].lo && addr < w->part[i].hi && size <= w->part[i].hi - addr) {
			w->last = i;
			return &w->part[i];
		}
	}
	return NULL;
}

static uint64_t
word_at(struct words *w, uint64_t addr, uint32_t size)
{
	const struct part *p = find_part(w, addr, size);
	uint64_t word = 0;

	for (uint32_t i = 0; p && i < size && i < WORD; i++)
		word |= (uint64_t)p->byte[addr - p->base + i] << 8 * i;
	return word;
}

static enum trc_flow
words_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct words *w = (struct words *)src;
	const struct trc_batch *in = &w->wrap.in;
	const enum trc_flow flow = trc_wrap_pull_for(&w->wrap, b, err);

	if (flow != TRC_FLOW_ROWS)
		return flow;
	trc_batch_copy(b, in, in->have, 0, in->n);
	for (size_t i = 0; i < in->n; i++, w->rows++) {
		if (take_notes(w, err))
			return TRC_FLOW_FAILED;
		take_turns(w);
		b->task[i] = w->thread;
		if (b->insn)
			b->insn[i] = in->type[i] == TRC_FETCH ?
			                     word_at(w, in->addr[i], in->size[i]) :
			                     0;
	}
	b->n = in->n;
	return flow;
}

static void
words_close(struct trc_source *src)
{
	struct words *w = (struct words *)src;

	for (size_t i = 0; i < w->n; i++)
		free(w->part[i].byte);
	free(w->part);
	trc_wrap_close(src);
}

struct trc_source *
trc_record_code_words(struct trc_record_code *c, struct trc_source *from, bool words,
                      struct trc_err *err)
{
	const uint32_t have = from->have | TRC_HAS_TASK | (words ? TRC_HAS_INSN : 0);
	struct words *w = trc_wrap_open(sizeof(*w), from, have, words_next, err);

	if (!w)
		return NULL;
	w->code = c;
	w->wrap.src.spare |= TRC_HAS_TASK;
	w->wrap.src.close = words_close;
	return &w->wrap.src;
}
