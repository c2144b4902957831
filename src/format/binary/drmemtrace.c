/* SPDX-License-Identifier: MIT
 *
 * The memory traces of DynamoRIO (drmemtrace; clients/drcachesim/common/trace_entry.h), offline and
 * of 64-bit machines: entries of 12 bytes, little-endian, plain, packed by gzip, or as the chunks
 * of a zip archive, in files of one thread each.
 *
 *   0  type, 2 bytes
 *   2  size, or which marker, 2 bytes
 *   4  address, or value, 8 bytes
 *
 * Entries become rows and columns as follows.
 *
 *   instructions      fetches; branch has their kind, and whether they were taken: before version 5
 *                     this follows from the next fetch of the thread, and is unknown at its end,
 *                     before signals, and if instructions were filtered
 *   loads, stores     reads and writes; pc is that of the last instruction
 *   prefetches        prefetches, including those by the processor and of instructions
 *   flushes of data   invalidates
 *   thread, process   task and asid of what follows; the first thread and timestamp also before it
 *   timestamp         time of what follows, microseconds since 1601
 *   encodings         insn of the next fetch and of later ones at the same address, the first byte
 *                     lowest; for instructions of more than 8 bytes, the first 8
 *   encodings of REGDEPS (the traces of Google's workloads)
 *                     regs, for each instruction: registers with numbers increased by 30, and
 *                     flags; before them those by which ChampSim recognises the kind of a branch;
 *                     insn has the first 5 bytes: the number of registers, flags, the categories
 *                     (from bit 10 on), the size of operands by DynamoRIO's number
 *   kernel traces     what is between markers of a system call or context switch is the kernel's
 *   other markers     events, "! NAME VALUE": "! syscall 231"; the end of a thread and flushes of
 *                     instructions likewise
 *   of the first entries
 *                     version, machine and page size are also the provenance
 *
 * Values of events are decimal, or hexadecimal after 0x if they are addresses or bits. The
 * iterations of a repeated string instruction after the first (the processor fetches it once), and
 * the entries that locate chunks of a file, are not kept. The container of entries before version 2
 * and the unprocessed files in the folder raw are not read.
 *
 * Written are traces of one thread, plain or packed by gzip, of version 7, which DynamoRIO's tools
 * accept: headers (with pages of 4096 bytes and an unknown processor, if the trace has no others),
 * then the columns as above. Without column branch, a fetch that does not lead to the next bytes is
 * a taken jump; with it, one that should not becomes the beginning of a window. If a load or store
 * comes first, the file is marked as one with filtered fetches. Markers with numbers that DynamoRIO
 * leaves to its users (29810 to 29813) hold what its entries cannot, so that trc reads the same
 * trace again: the columns of the trace, which entries are made up, and times that are between a
 * branch and its target or decrease. Several tasks are refused (the argument task writes them as
 * those of one processor), as are kernel references outside of a system call, and traces in which
 * only some fetches have an instruction word, or have one of more than 8 bytes (the argument insn
 * drops words; tools that decode need it for words of another machine). .trace.zip is not written.
 */
#include "format/binary/drmemtrace.h"

#include <stdlib.h>

#include "base/map_find.h"
#include "format/binary/instruction_table.h"

enum { ENCODING_MOST = 8, BUNDLE_MOST = 8 };

/* The state of the reader. */
struct state {
	uint64_t time, pc;
	uint32_t task, asid;
	uint32_t have; /* columns of the trace */

	/* Of a trace that trc wrote: the header is made up; the next entry is made up. */
	bool head, quiet;
	uint64_t *spare; /* rows of a column that the trace does not have */
	size_t spares;
	uint64_t flush; /* beginning of a flush that needs several entries */
	uint32_t size;  /* of the last instruction */
	uint8_t kernel;
	bool flushing;
	bool chunk;             /* at the head of a chunk, which repeats time and processor */
	bool ended;             /* there was a footer */
	struct trc_map process; /* for each thread */
	struct trc_buf origin;  /* provenance of the recording */

	/* Each chunk has an encoding once for each instruction. */
	bool encodings;

	/* Of the next instruction; those beyond 16 are dropped, like those beyond 8. */
	uint8_t bytes[16];
	unsigned n_bytes;
	struct trc_insns insns;

	/* Those of REGDEPS also have registers; insns has MORE for a caveat. */
	bool regdeps;
	struct trc_insns regs;
	struct trc_source *src;
};

#define MORE (UINT64_C(1) << 63) /* the instruction has more registers than the column holds */

/* Parses a thread or process; -1: an idle processor. */
static int
take_number(const char *what, uint64_t v, uint32_t *to, struct trc_err *err)
{
	if (v > UINT32_MAX && v != UINT64_MAX && v != OWN_ZERO)
		return trc_fail(err, "%s %llu does not fit 32 bits", what, (unsigned long long)v);
	*to = (uint32_t)v;
	return 0;
}

static int
begin(void *state, struct trc_in *in, const void *settings, struct trc_source *src,
      struct trc_err *err)
{
	struct state *s = state;
	uint64_t type, own;

	(void)settings;
	if (trc_in_fill(in, 64 * ENTRY, err))
		return trc_err_in(err, "%s", in->name);
	if (!trc_drmemtrace_header(in->p, (size_t)(in->end - in->p)))
		return trc_fail(err,
		                "%s: does not begin with a header entry of drmemtrace; use the "
		                "files of DIR/trace, since those of DIR/raw need DynamoRIO's "
		                "raw2trace",
		                in->name);
	type = trc_drmemtrace_find(in, MARKER, FILETYPE);
	s->time = trc_drmemtrace_find(in, MARKER, TIMESTAMP);
	if (take_number("thread", trc_drmemtrace_find(in, THREAD, 0), &s->task, err))
		return trc_err_in(err, "%s", in->name);
	if (type & (ARM_32 | X86_32))
		return trc_fail(err,
		                "%s: is from a 32-bit machine (file type %llx), which trc does "
		                "not support",
		                in->name, (unsigned long long)type);
	if (type & (FILTERED | FETCHES_FILTERED))
		src->fetched = TRC_FETCHED_OUTCOMES | TRC_FETCHED_GAPS;
	else if (trc_le64(in->p + 4) < VERSION_OF_BRANCHES)
		src->fetched = TRC_FETCHED_OUTCOMES;
	s->encodings = type & ENCODINGS;
	own = trc_drmemtrace_find(in, MARKER, OWN_COLUMNS);
	src->have = own ? DRMEMTRACE_HOLDS & (uint32_t)own : DRMEMTRACE_HOLDS;
	if (!s->encodings)
		src->have &= ~(uint32_t)TRC_HAS_INSN;
	s->encodings = src->have & TRC_HAS_INSN;
	s->regdeps = s->encodings && type & REGDEPS;
	if (s->regdeps)
		src->have |= TRC_HAS_REGS;
	s->src = src;
	s->have = src->have;
	s->head = s->quiet = own & OWN_HEAD;
	if (trc_map_init(&s->process, err) ||
	    trc_drmemtrace_origin(in, type, s->head, &s->origin, err))
		return -1;
	src->meta.provenance = trc_buf_view(&s->origin);
	return (s->encodings && trc_insns_init(&s->insns, err)) ||
	                       (s->regdeps && trc_insns_init(&s->regs, err)) ?
	               -1 :
	               0;
}

static void
release(void *state)
{
	struct state *s = state;

	trc_map_release(&s->process);
	trc_buf_release(&s->origin);
	trc_insns_release(&s->insns);
	trc_insns_release(&s->regs);
	free(s->spare);
}

/* Returns the instruction word at the address; stores a new one. */
static int
encoding(struct state *s, uint64_t pc, uint64_t *insn, struct trc_err *err)
{
	const unsigned n = s->n_bytes;

	*insn = 0;
	s->n_bytes = 0;
	if (n == 0) {
		*insn = trc_insns_get(&s->insns, pc);
		return 0;
	}
	for (unsigned i = 0; i < ENCODING_MOST && i < n; i++)
		*insn |= (uint64_t)s->bytes[i] << 8 * i;
	return trc_insns_put(&s->insns, pc, *insn, err);
}

/* Does the same for REGDEPS, and returns the registers at the address. */
static int
regdeps(struct state *s, uint64_t pc, uint8_t branch, uint64_t *insn, uint64_t *regs,
        struct trc_err *err)
{
	static const struct trc_caveat more = {
		"instructions with more registers than column regs holds", 1, TRC_HAS_REGS
	};
	const unsigned n = s->n_bytes;
	struct trc_regdeps is;

	if (n > 0) {
		s->n_bytes = 0;
		if (trc_drmemtrace_regdeps(s->bytes, n, branch, &is, err) ||
		    trc_insns_put(&s->insns, pc, is.insn | (is.more ? MORE : 0), err) ||
		    trc_insns_put(&s->regs, pc, is.regs, err))
			return -1;
	}
	*insn = trc_insns_get(&s->insns, pc);
	*regs = trc_insns_get(&s->regs, pc);
	if (*insn & MORE)
		trc_caveat_add(s->src->meta.caveat, &more);
	*insn &= ~MORE;
	return 0;
}

static void
take_encoding(struct state *s, unsigned size, const uint8_t *bytes)
{
	for (unsigned i = 0; i < size && i < 8; i++)
		if (s->n_bytes < sizeof(s->bytes))
			s->bytes[s->n_bytes++] = bytes[i];
}

static TRC_ALWAYS_INLINE void
add(const struct state *s, struct trc_batch *b, uint8_t type, uint64_t addr, uint32_t size,
    uint8_t branch, uint64_t insn)
{
	const size_t n = b->n++;

	b->type[n] = type | s->kernel;
	b->addr[n] = addr;
	b->size[n] = size;
	b->time[n] = s->time;
	b->asid[n] = s->asid;
	b->task[n] = s->task;
	b->pc[n] = s->pc;
	b->branch[n] = branch;
	b->event[n] = 0;
	if (b->insn)
		b->insn[n] = insn;
	if (b->regs)
		b->regs[n] = 0;
}

/* Adds an event with its time, its thread and its text. */
static void
add_event(struct state *s, struct trc_batch *b, const struct entry *e)
{
	const size_t n = b->n;
	char text[EVENT_ROOM];

	trc_drmemtrace_event(e, text);
	if (!*text || s->quiet || !(s->have & TRC_HAS_EVENT)) {
		s->quiet = s->head;
		return;
	}
	add(s, b, TRC_EVENT, 0, 0, 0, 0);
	b->type[n] = TRC_EVENT;
	b->asid[n] = 0;
	b->pc[n] = 0;
	trc_batch_put_event(b, n, text, strlen(text));
}

static int
take_fetch(struct state *s, unsigned type, unsigned size, uint64_t pc, struct trc_batch *b,
           struct trc_err *err)
{
	uint64_t insn = 0, regs = 0;

	/* Filtered traces have fetches of size 0, which only give the pc of a load or store. */
	if (size == 0 || (type == MAYBE_FETCH && s->pc == pc)) {
		s->pc = pc;
		s->size = size ? size : s->size;
		s->n_bytes = 0;
		return 0;
	}
	s->pc = pc;
	s->size = size;
	if (s->regdeps ? regdeps(s, pc, trc_drmemtrace_branch[type], &insn, &regs, err) :
	                 s->encodings && encoding(s, pc, &insn, err))
		return -1;
	add(s, b, TRC_FETCH, pc, size, trc_drmemtrace_branch[type], insn);
	if (b->regs)
		b->regs[b->n - 1] = regs;
	return 0;
}

/* Adds several instructions after the last one; the bytes of the address are their lengths. */
static int
take_bundle(struct state *s, unsigned n, const uint8_t *length, struct trc_batch *b,
            struct trc_err *err)
{
	if (n > BUNDLE_MOST || s->size == 0)
		return trc_fail(err,
		                s->size ? "a bundle of %u instructions" :
		                          "a bundle of %u instructions before the first one",
		                n);
	for (unsigned i = 0; i < n; i++)
		if (take_fetch(s, INSTR, length[i], s->pc + s->size, b, err))
			return -1;
	return 0;
}

static int
take_thread(struct state *s, uint64_t v, struct trc_err *err)
{
	const struct trc_map_entry *e;

	if (take_number("thread", v, &s->task, err))
		return -1;
	e = trc_map_find(&s->process, 0, s->task);
	if (e->value != TRC_MAP_NONE)
		s->asid = e->value;
	return 0;
}

static int
take_process(struct state *s, uint64_t v, struct trc_err *err)
{
	struct trc_map_entry *e = trc_map_find(&s->process, 0, s->task);

	if (take_number("process", v, &s->asid, err))
		return -1;
	if (s->asid == TRC_MAP_NONE)
		return 0;
	if (e->value == TRC_MAP_NONE)
		return trc_map_add(&s->process, 0, s->task, s->asid, err);
	e->value = s->asid;
	return 0;
}

static void
take_marker(struct state *s, unsigned marker, uint64_t v, struct trc_batch *b)
{
	const bool repeated = s->chunk && marker == CPU;

	switch (marker) {
	case OWN_TIME:
	case TIMESTAMP: s->time = v; return;
	case OWN_PC: s->pc = v; return;
	case OWN_QUIET: s->quiet = true; return;
	case OWN_COLUMNS: s->quiet = s->head = false; return;
	case CPU: s->chunk = false; break;
	case CHUNK_FOOTER: s->chunk = true; break;
	case SYSCALL_END:
	case SWITCH_END: s->kernel = 0; break;
	default: break;
	}
	if (!repeated)
		add_event(s, b, &(const struct entry){ MARKER, marker, v, 0 });
	if (marker == SYSCALL_START || marker == SWITCH_START)
		s->kernel = TRC_KERNEL;
}

/* If the start of a flush has size 0, its end follows. */
static int
take_flush(struct state *s, bool data, uint64_t addr, uint64_t size, struct trc_batch *b,
           struct trc_err *err)
{
	if (size == 0) {
		s->flush = addr;
		s->flushing = true;
		return 0;
	}
	s->flushing = false;
	if (size > UINT32_MAX)
		return trc_fail(err, "a flush of %llu bytes does not fit 32 bits",
		                (unsigned long long)size);
	if (data)
		add(s, b, TRC_INVALIDATE, addr, (uint32_t)size, 0, 0);
	else
		add_event(s, b, &(const struct entry){ INSTR_FLUSH, 0, addr, size });
	return 0;
}

/* Processes all entries except loads, stores and plain instructions. */
static int
take_other(struct state *s, unsigned type, unsigned size, const uint8_t *p, struct trc_batch *b,
           struct trc_err *err)
{
	const uint64_t v = trc_le64(p + 4);

	if ((type >= PREFETCH_FIRST && type <= PREFETCH_LAST) || type == HARDWARE_PREFETCH ||
	    (type >= MORE_PREFETCH_FIRST && type <= MORE_PREFETCH_LAST)) {
		add(s, b, TRC_PREFETCH, v, size, 0, 0);
		return 0;
	}
	switch (type) {
	case BUNDLE: return take_bundle(s, size, p + 4, b, err);
	case DATA_FLUSH:
	case INSTR_FLUSH: return take_flush(s, type == DATA_FLUSH, v, size, b, err);
	case DATA_FLUSH_END:
	case INSTR_FLUSH_END:
		if (!s->flushing)
			return 0;
		return take_flush(s, type == DATA_FLUSH_END, s->flush, v - s->flush, b, err);
	case THREAD: return take_thread(s, v, err);
	case THREAD_EXIT: add_event(s, b, &(const struct entry){ THREAD_EXIT, 0, v, 0 }); return 0;
	case PROCESS: return take_process(s, v, err);
	case MARKER: take_marker(s, size, v, b); return 0;
	case ENCODING: take_encoding(s, size, p + 4); return 0;
	case NO_FETCH:
		s->pc = v;
		s->size = size;
		s->n_bytes = 0;
		return 0;
	case HEADER:
	case FOOTER: s->ended = type == FOOTER; return 0;
	default: break;
	}
	return trc_fail(err, "unknown drmemtrace entry of type %u", type);
}

/* The type + 1 of entries that are a row and only change pc and size; 0 for others. */
static const uint8_t row_of[TYPES] = {
	[READ] = 1 + TRC_READ,           [WRITE] = 1 + TRC_WRITE,
	[INSTR] = 1 + TRC_FETCH,         [DIRECT_JUMP] = 1 + TRC_FETCH,
	[INDIRECT_JUMP] = 1 + TRC_FETCH, [CONDITIONAL_JUMP] = 1 + TRC_FETCH,
	[DIRECT_CALL] = 1 + TRC_FETCH,   [INDIRECT_CALL] = 1 + TRC_FETCH,
	[RETURN] = 1 + TRC_FETCH,        [SYSENTER] = 1 + TRC_FETCH,
	[TAKEN_JUMP] = 1 + TRC_FETCH,    [UNTAKEN_JUMP] = 1 + TRC_FETCH,
};

/* Fills the columns that these entries have in common in rows [from, to). */
static void
fill_rows(const struct state *s, struct trc_batch *b, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		b->time[i] = s->time;
		b->asid[i] = s->asid;
		b->task[i] = s->task;
		b->event[i] = 0;
	}
}

/* Parses these entries, while their words are among the recent ones. */
static TRC_ALWAYS_INLINE void
parse_plain(struct state *s, const uint8_t **at, const uint8_t *end, struct trc_batch *b,
            bool encodings, bool regdeps)
{
	uint64_t *const addr = b->addr, *const pcs = b->pc, *const insn = b->insn;
	uint64_t *const regs = b->regs;
	uint8_t *const type = b->type, *const branch = b->branch;
	uint32_t *const size = b->size;
	const size_t first = b->n, cap = b->cap;
	const struct trc_insns insns = s->insns, all_regs = s->regs;
	const bool encoded = s->n_bytes > 0;
	const uint8_t *p = *at, kernel = s->kernel;
	uint64_t pc = s->pc;
	uint32_t last = s->size;
	size_t n = first;

	for (; end - p >= ENTRY && cap - n >= BUNDLE_MOST; p += ENTRY, n++) {
		const unsigned entry = trc_le16(p), bytes = trc_le16(p + 2);
		const unsigned row = entry < TYPES ? row_of[entry] : 0;
		const uint64_t v = trc_le64(p + 4);
		const bool fetch = row == 1 + TRC_FETCH;
		uint64_t word = 0, registers = 0;

		if (row == 0 || (fetch & (bytes == 0)))
			break;
		if (encodings && fetch && (encoded || !trc_insns_recent(&insns, v, &word)))
			break;
		if (regdeps && fetch &&
		    (word & MORE || !trc_insns_recent(&all_regs, v, &registers)))
			break;
		pc = fetch ? v : pc;
		last = fetch ? bytes : last;
		type[n] = (uint8_t)(row - 1) | kernel;
		addr[n] = v;
		size[n] = bytes;
		pcs[n] = pc;
		branch[n] = trc_drmemtrace_branch[entry];
		if (encodings)
			insn[n] = word;
		if (regdeps)
			regs[n] = registers;
	}
	s->pc = pc;
	s->size = last;
	b->n = n;
	*at = p;
	fill_rows(s, b, first, n);
}

/* Parses any entry. */
static int
parse_entry(struct state *s, const uint8_t *p, struct trc_batch *b, struct trc_err *err)
{
	const unsigned type = trc_le16(p), size = trc_le16(p + 2);

	if (type < TYPES && (row_of[type] == 1 + TRC_FETCH || type == MAYBE_FETCH))
		return take_fetch(s, type, size, trc_le64(p + 4), b, err);
	return take_other(s, type, size, p, b, err);
}

static int
parse_entries(struct state *s, const uint8_t **at, const uint8_t *end, struct trc_batch *b,
              struct trc_err *err)
{
	for (;;) {
		if (s->regdeps)
			parse_plain(s, at, end, b, true, true);
		else if (s->encodings)
			parse_plain(s, at, end, b, true, false);
		else
			parse_plain(s, at, end, b, false, false);
		if (end - *at < ENTRY || b->cap - b->n < BUNDLE_MOST)
			return 0;
		if (parse_entry(s, *at, b, err))
			return -1;
		*at += ENTRY;
	}
}

/* Columns that the trace does not have are stored to spare rows. */
static int
parse(void *state, const uint8_t **at, const uint8_t *end, struct trc_batch *b, struct trc_err *err)
{
	struct state *s = state;
	struct trc_batch all = *b;
	int failed;

	if ((s->have & DRMEMTRACE_HOLDS) == DRMEMTRACE_HOLDS)
		return parse_entries(s, at, end, b, err);
	if (trc_grow(&s->spare, &s->spares, b->cap, sizeof(*s->spare), err))
		return -1;
#define COLUMN(NAME, field, ctype, doc)                                      \
	if (!(s->have & TRC_HAS_##NAME) && TRC_HAS_##NAME != TRC_HAS_INSN && \
	    TRC_HAS_##NAME != TRC_HAS_REGS)                                  \
		all.field = (ctype *)s->spare;
#include "batch/columns.def"
#undef COLUMN
	failed = parse_entries(s, at, end, &all, err);
#define COLUMN(NAME, field, ctype, doc) all.field = b->field;
#include "batch/columns.def"
#undef COLUMN
	*b = all;
	return failed;
}

/* A file that is truncated between two entries looks complete. */
static int
end(void *state, struct trc_err *err)
{
	static const struct trc_caveat cut = {
		"traces without a footer at their end, which may be truncated", 1, 0
	};
	struct state *s = state;

	(void)err;
	if (!s->ended)
		trc_caveat_add(s->src->meta.caveat, &cut);
	s->src->meta.unended |= !s->ended;
	s->ended = true;
	return 0;
}

const struct trc_format trc_family_drmemtrace[] = {
	{
	        .name = "drmemtrace",
	        .doc = "memory traces of DynamoRIO, 64-bit",
	        .ending = ".memtrace",
	        .gives = (uint32_t)DRMEMTRACE_TYPES * (1 + (1 << TRC_KERNEL)),
	        .second = 1000000,
	        .holds = DRMEMTRACE_HOLDS,
	        .needs = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE,
	        .eases = "task",
	        .writes = DRMEMTRACE_TYPES,
	        .binary = true,
	        .threads = true,
	        .packet = TRC_ROW(trc_packet_format, .longest = ENTRY, .rows = BUNDLE_MOST,
	                          .state = sizeof(struct state), .begin = begin, .parse = parse,
	                          .end = end, .release = release),
	        .probe = trc_drmemtrace_probe,
	        .suggest = trc_drmemtrace_suggest,
	        .sink = trc_drmemtrace_sink,
	        .to = &trc_drmemtrace_to,
	},
	{ .name = NULL },
};
