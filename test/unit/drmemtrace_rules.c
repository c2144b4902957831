/* SPDX-License-Identifier: MIT
 * What is written for DynamoRIO is what its tools accept: the rules of its reader, scheduler and
 * invariant_checker, as they stand in its sources of 2026-08 (05e316505), applied to entries as
 * these read them. */
#include <string.h>

#include "base/bytes.h"
#include "generate.h"
#include "test.h"

enum { ENTRY = 12, ROWS = 20011, CODE = 4096 };
enum { FILTERED = 0x81, SYSCALLS = 0x400, ENCODINGS = 0x200, CORE = 0x10000 };

/* What the tools keep of a file. */
struct rules {
	const char *wrong; /* the first rule that does not hold; NULL: all do */
	uint64_t version, filetype, tid, pid, stamp, chunk, chunks, instrs, counted, window;
	uint64_t page, line;
	bool tail;         /* the thread ended */
	unsigned encoding; /* bytes of one, for the next instruction */
	bool target_set;   /* by a marker */
	uint64_t target;
	unsigned last; /* type of the last instruction; 0: none */
	uint64_t last_pc, last_size, last_target;
	bool stamped;       /* since the last instruction */
	bool moved;         /* the kernel, or a new window, moved the program since */
	unsigned before[2]; /* the markers before this entry; 0 for what is none */
	uint8_t has[CODE];  /* an encoding, by address */
};

static void
rule(struct rules *r, bool holds, const char *what)
{
	if (!holds && !r->wrong)
		r->wrong = what;
}

static bool
is_instr(unsigned type)
{
	return (type >= 10 && type <= 16) || type == 31 || type == 48 || type == 49;
}

static bool
is_indirect(unsigned type)
{
	return type == 12 || type == 15 || type == 16;
}

static bool
is_branch(unsigned type)
{
	return (type >= 11 && type <= 16) || type == 48 || type == 49;
}

/* Whether the last instruction may lead to `pc`. */
static bool
leads(const struct rules *r, uint64_t pc)
{
	const bool falls = r->last_pc + r->last_size == pc;

	if (r->last == 0 || r->moved || r->filetype & FILTERED)
		return true;
	if (!is_branch(r->last) || r->last == 49)
		return falls;
	return !is_indirect(r->last) || r->version < 5 || r->last_target == pc;
}

static void
take_instr(struct rules *r, unsigned type, unsigned size, uint64_t pc)
{
	const bool whole = !(r->filetype & FILTERED);

	if (size == 0) {
		rule(r, !whole, "an instruction of 0 bytes where none are left out");
		return;
	}
	rule(r, !r->tail, "an instruction after the thread's end");
	rule(r, leads(r, pc), "control flow without a marker");
	rule(r, !(is_branch(r->last) && r->stamped && !r->moved && whole),
	     "a timestamp between a branch and its target");
	rule(r, type != 13 || !whole || r->version < 5, "a conditional jump without its outcome");
	rule(r, !is_indirect(type) || !whole || r->version < 5 || r->target != 0,
	     "an indirect branch without target");
	rule(r, is_indirect(type) || !r->target_set, "a target of what is no indirect branch");
	rule(r, r->encoding == 0 || r->encoding == size, "an encoding of another size");
	r->has[pc / 4 % CODE] |= r->encoding > 0;
	rule(r, !(r->filetype & ENCODINGS) || r->has[pc / 4 % CODE], "an encoding is missing");
	r->last = type;
	r->last_pc = pc;
	r->last_size = size;
	r->last_target = r->target;
	r->target = r->encoding = 0;
	r->target_set = r->stamped = r->moved = false;
	r->instrs++;
}

static void
take_marker(struct rules *r, unsigned marker, uint64_t v)
{
	rule(r, marker <= 46 || marker > 100, "a marker of a number that is reserved");
	switch (marker) {
	case 0:
	case 43:
		rule(r, v != 0, "a kernel event without address");
		rule(r, leads(r, v) || v == r->last_pc, "a kernel event at another address");
		r->moved = true;
		break;
	case 1:
	case 44:
		rule(r, v != 0, "a kernel transfer without address");
		r->moved = true;
		break;
	case 2:
		rule(r, v > 0 && v >= r->stamp, "timestamps go back");
		r->stamp = v;
		r->stamped = true;
		break;
	case 9: r->filetype = v; break;
	case 10: r->line = v; break;
	case 11:
		rule(r, v >= r->counted, "counts of instructions go back");
		r->counted = v + 1;
		break;
	case 12: rule(r, v == r->version, "another version than that of the header"); break;
	case 14:
		r->moved |= v != r->window;
		r->window = v;
		break;
	case 18: r->page = v; break;
	case 20: r->chunk = v; break;
	case 21:
		rule(r, v == r->chunks++, "chunks are not in order");
		rule(r, r->chunk && r->instrs % r->chunk == 0, "a chunk of another size");
		break;
	case 25:
		rule(r, r->filetype & SYSCALLS, "a system call that the file type has not");
		rule(r, r->version < 6 || (r->before[0] == 3 && r->before[1] == 2),
		     "a system call without timestamp and processor before it");
		break;
	case 29:
		r->target = v;
		r->target_set = true;
		return;
	default: break;
	}
}

static void
take(struct rules *r, unsigned type, unsigned size, uint64_t v)
{
	const bool data = type < 10 || type == 27 || (type >= 32 && type <= 46);

	rule(r, type <= 49 && type != 17 && type != 30, "an entry of no type");
	if (type == 28)
		take_marker(r, size, v);
	else if (is_instr(type))
		take_instr(r, type, size, v);
	rule(r, !data || r->instrs || r->filetype & FILTERED, "a load or store of no instruction");
	rule(r, !data || !r->tail, "a load or store after the thread's end");
	switch (type) {
	case 22:
		rule(r, v != 0 && (r->filetype & CORE || r->tid == v), "another thread, or none");
		if (r->tid != v)
			r->last = 0;
		r->tid = v;
		r->tail = false;
		break;
	case 23:
		rule(r, r->filetype & FILTERED ? r->counted > 0 : r->last != 0, "no instructions");
		rule(r, r->line && r->page, "no size of a line or page");
		rule(r, v == r->tid, "the end of another thread");
		r->tail = true;
		break;
	case 24:
		rule(r, v != 0, "no process");
		r->pid = v;
		break;
	case 47: r->encoding += size; break;
	default: break;
	}
	if (type != 28 || size < 29810) {
		r->before[1] = r->before[0];
		r->before[0] = type == 28 ? size : 0;
	}
}

/* The first entries, as the reader takes them before it goes through all. */
static void
take_head(struct rules *r, const uint8_t *p, const uint8_t *e)
{
	rule(r, trc_le16(p) == 25 && trc_le64(p + 4) <= 7, "no header");
	r->version = trc_le64(p + 4);
	for (p += ENTRY; p < e && !r->pid; p += ENTRY) {
		const unsigned type = trc_le16(p);

		rule(r, type == 28 || type == 22 || type == 24, "another entry before the process");
		if (type == 22)
			r->tid = trc_le64(p + 4);
		if (type == 24)
			r->pid = trc_le64(p + 4);
		if (type == 28 && trc_le16(p + 2) == 9)
			r->filetype = trc_le64(p + 4);
	}
	rule(r, r->tid && r->pid, "no thread or process");
}

static const char *
broken_rule(const uint8_t *p, size_t len, size_t *at, uint64_t *windows)
{
	struct rules *r = calloc(1, sizeof(*r));
	const uint8_t *s, *const e = p + len;
	const char *wrong;

	CHECK(r && len % ENTRY == 0 && len >= 3 * ENTRY);
	take_head(r, p, e);
	for (s = p + ENTRY; s < e - ENTRY && !r->wrong; s += ENTRY)
		take(r, trc_le16(s), trc_le16(s + 2), trc_le64(s + 4));
	*at = (size_t)(s - p) / ENTRY;
	rule(r, r->tail, "the thread does not end");
	rule(r, trc_le16(e - ENTRY) == 26, "no footer");
	rule(r, r->stamp > 0, "no timestamp");
	wrong = r->wrong;
	*windows = r->window;
	free(r);
	return wrong;
}

/* ---- made-up programs ---- */

static const uint8_t kind[] = {
	0,
	0,
	0,
	0,
	0,
	TRC_BRANCH | TRC_BRANCH_COND,
	TRC_BRANCH | TRC_BRANCH_COND | TRC_BRANCH_TAKEN,
	TRC_BRANCH | TRC_BRANCH_TAKEN | TRC_BRANCH_JUMP,
	TRC_BRANCH | TRC_BRANCH_TAKEN | TRC_BRANCH_INDIRECT,
	TRC_BRANCH | TRC_BRANCH_TAKEN | TRC_BRANCH_CALL,
	TRC_BRANCH | TRC_BRANCH_TAKEN | TRC_BRANCH_INDIRECT_CALL,
	TRC_BRANCH | TRC_BRANCH_TAKEN | TRC_BRANCH_RETURN,
};

/* A run of instructions with loads, stores, times and maybe gaps. `data`: no fetches. */
static struct trc_batch
make_program(struct generator *m, uint32_t have, unsigned tasks, bool data, bool gaps)
{
	struct trc_batch b = generate_zeros(TRC_HAS_ALL & ~TRC_HAS_RTIME, ROWS), rows;
	uint64_t pc = 0x400000, time = 0;
	struct trc_err err;

	CHECK(trc_batch_init(&rows, have, ROWS, &err) == 0);
	for (size_t i = 0; i < ROWS; i++) {
		const bool fetch = !data && (i == 0 || generate_below(m, 3));
		const uint64_t at = generate_below(m, CODE);

		time += generate_below(m, 3) ? 0 : generate_below(m, 5);
		b.time[i] = generate_below(m, 500) ? time : time / 2;
		b.task[i] = (uint32_t)(i / 100 % tasks);
		b.asid[i] = b.task[i] / 2;
		b.type[i] = (uint8_t)(fetch                ? TRC_FETCH :
		                      generate_below(m, 2) ? generate_below(m, 2) :
		                                             TRC_PREFETCH);
		b.size[i] = 4;
		b.addr[i] = fetch ? pc : generate_random(m);
		b.pc[i] = generate_below(m, 90) ? b.addr[i] : at;
		if (!fetch)
			continue;
		b.pc[i] = pc;
		b.insn[i] = 0x13 | (pc << 7 & 0xffffff80);
		b.branch[i] = kind[generate_below(m, sizeof(kind))];
		pc += 4;
		if (b.branch[i] & TRC_BRANCH_TAKEN || (gaps && generate_below(m, 200) == 0))
			pc = 0x400000 + 4 * at;
	}
	trc_batch_copy(&rows, &b, have, 0, ROWS);
	rows.n = ROWS;
	trc_batch_release(&b);
	return rows;
}

enum { PLAIN = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE };

static const struct {
	uint32_t have;
	unsigned tasks;
	bool data;
} program[] = {
	{ PLAIN, 1, false },
	{ PLAIN, 1, true },
	{ PLAIN | TRC_HAS_TIME, 1, false },
	{ PLAIN | TRC_HAS_TIME | TRC_HAS_PC, 1, true },
	{ PLAIN | TRC_HAS_BRANCH, 1, false },
	{ PLAIN | TRC_HAS_BRANCH | TRC_HAS_TIME | TRC_HAS_PC, 1, false },
	{ PLAIN | TRC_HAS_INSN | TRC_HAS_TASK | TRC_HAS_ASID, 1, false },
	{ PLAIN | TRC_HAS_BRANCH | TRC_HAS_INSN | TRC_HAS_TIME | TRC_HAS_TASK | TRC_HAS_ASID |
	          TRC_HAS_PC | TRC_HAS_EVENT,
	  1, false },
	{ PLAIN | TRC_HAS_BRANCH | TRC_HAS_TIME | TRC_HAS_TASK | TRC_HAS_ASID, 5, false },
	{ PLAIN | TRC_HAS_TASK, 3, true },
};

/* Returns the windows of the file. */
static uint64_t
check_rules(const struct generate_bytes *file)
{
	uint64_t windows;
	size_t at;
	const char *wrong = broken_rule(file->p, file->len, &at, &windows);

	CHECK_MSG(!wrong, "entry %zu: %s", at, wrong);
	return windows;
}

/* Windows are gaps, where branches are known, and nothing else. */
static void
what_is_written_keeps_the_rules_of_dynamorio(void)
{
	struct generator m = { test_seed };

	for (size_t i = 0; i < 2 * TRC_COUNT(program); i++) {
		const bool gaps = i >= TRC_COUNT(program);
		const size_t k = i % TRC_COUNT(program);
		struct trc_batch rows = make_program(&m, program[k].have, program[k].tasks,
		                                     program[k].data, gaps);
		const char *to = program[k].tasks > 1 ? "drmemtrace:task" : "drmemtrace";
		struct generate_bytes file = generate_round_trip(to, "drmemtrace", &rows);
		const uint64_t windows = check_rules(&file);

		if (program[k].tasks == 1)
			CHECK_MSG((windows > 0) == (gaps && rows.branch && !program[k].data),
			          "%llu windows in program %zu", (unsigned long long)windows, k);
		free(file.p);
		trc_batch_release(&rows);
	}
}

/* A part of a trace begins and ends anywhere. */
static void
parts_keep_the_rules(void)
{
	struct generator m = { test_seed };
	struct trc_batch all = make_program(&m, program[5].have, 1, false, true), rows;
	struct generate_bytes file;
	struct trc_err err;

	for (size_t from = 0; from < 300; from++) {
		CHECK(trc_batch_init(&rows, all.have, 100, &err) == 0);
		trc_batch_append(&rows, &all, from, from % 100);
		CHECK_MSG(generate_write_as("drmemtrace", &rows, 7, NULL, &file, &err) == 0, "%s",
		          err.text);
		(void)check_rules(&file);
		free(file.p);
		trc_batch_release(&rows);
	}
	trc_batch_release(&all);
}

int
main(void)
{
	test_start();
	RUN(what_is_written_keeps_the_rules_of_dynamorio);
	RUN(parts_keep_the_rules);
	return 0;
}
