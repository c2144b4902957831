/* SPDX-License-Identifier: MIT
 *
 * What gem5 prints for --debug-flags=Exec, as its src/cpu/exetrace.cc writes it: a line for each
 * instruction, or, where an instruction consists of micro-operations, a line for it and one for
 * each of these.
 *
 *   77000: system.cpu: A0 T0 : 0x401000 @_start    : pop rsi
 *   77000: system.cpu: A0 T0 : 0x401000 @_start. 0 : POP_R : ld t1, SS:[rsp]
 *     : MemRead : D=0x1 A=0x7fe0
 *   78000: system.cpu: A0 T0 : 0x401000 @_start. 1 : POP_R : addi rsp, rsp, 0x8
 *     : IntAlu : D=0x7fe8
 *
 * (each on one line). It has the tick, the processor, address space and thread, pc and symbol, the
 * number of the micro-operation, the disassembly, and, if it was executed, the class of operation,
 * the result, the address of the access, and flags. Older versions print a symbol in place of the
 * pc, which cannot be read: 'Exec,-ExecSymbol' prints addresses.
 *
 * Each instruction becomes its fetch, and the loads and stores of its micro-operations; accesses
 * that are atomic by their flags are modify, prefetches prefetch. Pairs of processor and thread are
 * tasks 0, 1, ... in order of appearance. Accesses that fault are printed, and printed again when
 * they are repeated. Lines of other flags, which begin with a tick, and gem5's notes are skipped.
 * The format does not hold sizes.
 */
#include <xxhash.h>

#include "format/lines.h"

enum { TASKS = 256, PER_LINE = 2 };

struct state {
	uint64_t pc;   /* of the last instruction whose micro-operations follow */
	uint64_t open; /* 1: there is one, on this task */
	uint64_t name[TASKS];
	uint32_t tasks, task;
};

/* The line of an instruction or a micro-operation. */
struct insn {
	uint64_t tick, pc, asid, thread;
	bool micro, first;                    /* a micro-operation; the first one */
	struct trc_field processor, op;       /* its name; class of operation, empty: none */
	const uint8_t *results, *results_end; /* the text after the class */
};

/* Returns the first " :" in [s, e) that a blank or the end follows; NULL: there is none. */
static const uint8_t *
next_colon(const uint8_t *s, const uint8_t *e)
{
	for (; s + 1 < e; s++)
		if (s[0] == ' ' && s[1] == ':' && (s + 2 == e || s[2] == ' '))
			return s;
	return NULL;
}

/* Takes the next word; an empty one at the end of the line. */
static struct trc_field
take_word(const uint8_t **s, const uint8_t *e)
{
	struct trc_field f;

	(void)trc_text_word(s, e, TRC_TEXT_BLANKS, &f);
	return f;
}

/* Parses "TICK:"; returns false if the line has another beginning. */
static bool
take_tick(const uint8_t **s, const uint8_t *e, uint64_t *tick)
{
	struct trc_field f = take_word(s, e);

	return f.len > 1 && f.p[--f.len] == ':' && trc_field_dec(f, UINT64_MAX, tick);
}

/* Parses "0x401000 @_start+4. 0", [s, e). Returns false for anything else. */
static bool
take_place(const uint8_t *s, const uint8_t *e, struct insn *in)
{
	struct trc_field pc = take_word(&s, e);
	const uint8_t *dot;

	e = trc_text_trim(s, e, TRC_TEXT_BLANKS);
	for (dot = e; dot > pc.p && dot[-1] != '.' &&
	              ((dot[-1] >= '0' && dot[-1] <= '9') || dot[-1] == ' ');)
		dot--;
	in->micro = dot > pc.p && dot < e && dot[-1] == '.';
	if (in->micro) {
		const uint8_t *p = trc_text_pass(dot, e, TRC_TEXT_BLANKS);
		uint64_t number;

		if (!trc_field_dec((struct trc_field){ p, (size_t)(e - p) }, UINT16_MAX, &number))
			return false;
		in->first = number == 0;
		if (dot - 1 < pc.p + pc.len)
			pc.len = (size_t)(dot - 1 - pc.p);
	}
	return pc.len > 2 && pc.p[0] == '0' && pc.p[1] == 'x' &&
	       trc_field_hex(pc, UINT64_MAX, &in->pc);
}

/* Parses the disassembly, and what was executed: [s, e) after the place. */
static void
take_operation(const uint8_t *s, const uint8_t *e, struct insn *in)
{
	const uint8_t *before = NULL, *last = NULL;

	for (const uint8_t *p = next_colon(s, e); p; p = next_colon(p + 2, e)) {
		before = last;
		last = p;
	}
	in->op = (struct trc_field){ 0 };
	in->results = in->results_end = e;
	if (!before)
		return;
	before += 2;
	in->op = take_word(&before, last);
	in->results = last + 2;
}

/* Parses "TICK: system.cpu: A0 T0 :"; returns false if the line is about something else. */
static bool
take_head(const uint8_t **s, const uint8_t *e, struct insn *in)
{
	struct trc_field f;

	in->asid = 0;
	if (!take_tick(s, e, &in->tick))
		return false;
	in->processor = take_word(s, e);
	f = take_word(s, e);
	if (f.len > 1 && f.p[0] == 'A') {
		if (!trc_field_dec((struct trc_field){ f.p + 1, f.len - 1 }, UINT32_MAX, &in->asid))
			return false;
		f = take_word(s, e);
	}
	return f.len >= 2 && f.p[0] == 'T' &&
	       trc_field_dec((struct trc_field){ f.p + 1, f.len - 1 }, UINT16_MAX, &in->thread) &&
	       next_colon(*s, e) == *s;
}

/* Returns the task of a processor and its thread, a new one at their first appearance; TASKS: there
 * are too many. */
static uint32_t
task_of(struct state *st, const struct insn *in)
{
	const uint64_t name = XXH3_64bits_withSeed(in->processor.p, in->processor.len, in->thread);

	if (st->tasks > 0 && st->name[st->task] == name)
		return st->task;
	for (uint32_t i = 0; i < st->tasks; i++)
		if (st->name[i] == name)
			return i;
	if (st->tasks < TASKS)
		st->name[st->tasks++] = name;
	else
		return TASKS;
	return st->tasks - 1;
}

static void
put(struct trc_batch *b, const struct insn *in, uint32_t task, uint8_t type, uint64_t addr)
{
	b->type[b->n] = type;
	b->addr[b->n] = addr;
	b->time[b->n] = in->tick;
	b->asid[b->n] = (uint32_t)in->asid;
	b->task[b->n++] = task;
}

static bool
ends_with(struct trc_field f, const char *word)
{
	const size_t len = strlen(word);

	return f.len >= len && memcmp(f.p + f.len - len, word, len) == 0;
}

/* Returns what an access does, by the flags if there are some, else by the class of operation;
 * TRC_TYPES: it is not known. */
static uint8_t
access_type(const struct insn *in)
{
	const uint8_t *flags = trc_text_after(in->results, in->results_end, "flags=(");
	const uint8_t *e = in->results_end;

	if (flags && trc_text_after(flags, e, "Prefetch"))
		return TRC_PREFETCH;
	if (flags && trc_text_after(flags, e, "IsAtomic"))
		return TRC_MODIFY;
	if (ends_with(in->op, "MemRead") || ends_with(in->op, "Load") ||
	    (flags && trc_text_after(flags, e, "IsLoad")))
		return TRC_READ;
	if (ends_with(in->op, "MemWrite") || ends_with(in->op, "Store") ||
	    (flags && trc_text_after(flags, e, "IsStore")))
		return TRC_WRITE;
	return TRC_TYPES;
}

/* Appends the access of an instruction, if any. Returns NULL, or why it cannot be read. */
static const char *
put_access(const struct insn *in, uint32_t task, struct trc_batch *b)
{
	const uint8_t *s = trc_text_after(in->results, in->results_end, " A=");
	uint8_t type;
	uint64_t addr;

	if (!s)
		return NULL;
	type = access_type(in);
	if (type == TRC_TYPES)
		return "this class of operation is not known to load or store";
	if (!trc_field_hex(take_word(&s, in->results_end), UINT64_MAX, &addr))
		return "";
	put(b, in, task, type, addr);
	return NULL;
}

static const char *
put_insn(struct state *st, const struct insn *in, struct trc_batch *b)
{
	const uint32_t task = task_of(st, in);
	const bool opened = st->open && st->pc == in->pc && st->task == task;

	if (task == TASKS)
		return "these are more than 256 processors";
	st->task = task;
	if (in->op.len == 0) { /* its micro-operations follow, if they are printed */
		st->pc = in->pc;
		st->open = 1;
		put(b, in, task, TRC_FETCH, in->pc);
		return NULL;
	}
	if (!in->micro || (in->first && !opened))
		put(b, in, task, TRC_FETCH, in->pc);
	st->open = 0;
	return put_access(in, task, b);
}

/* Returns true for lines that are not about instructions: of other flags, and notes. */
static bool
is_note(const uint8_t *s, const uint8_t *e)
{
	static const char *const begin[] = { "gem5 ",
		                             "**** ",
		                             "Global frequency set ",
		                             "command line: ",
		                             "Beginning simulation!",
		                             "Exiting @ tick " };
	static const char *const has[] = { "info: ", "warn: ", "hack: " };
	const uint8_t *rest = s;
	uint64_t tick;

	for (size_t i = 0; i < TRC_COUNT(begin); i++)
		if (trc_text_begins(s, e, begin[i]))
			return true;
	for (size_t i = 0; i < TRC_COUNT(has); i++)
		if (trc_text_after(s, e, has[i]))
			return true;
	return take_word(&rest, e).len == 0 ||
	       (take_tick(&s, e, &tick) && take_word(&s, e).len > 0);
}

static const char *
take_line(void *state, const uint8_t *s, const uint8_t *e, struct trc_batch *b)
{
	const uint8_t *place = s, *colon;
	struct insn in;

	e = trc_text_trim(s, e, TRC_TEXT_BLANK | TRC_TEXT_RETURN);
	if (!take_head(&place, e, &in))
		return is_note(s, e) ? NULL :
		                       "'--debug-file=FILE' keeps the output of the program out";
	place = trc_text_pass(place + 2, e, TRC_TEXT_BLANKS);
	if (place < e && *place == '@')
		return "a symbol stands in place of the pc; '--debug-flags=Exec,-ExecSymbol' "
		       "prints addresses";
	colon = next_colon(place, e);
	if (!colon || !take_place(place, colon, &in))
		return "";
	take_operation(colon + 2, e, &in);
	return put_insn(state, &in, b);
}

const struct trc_format trc_family_gem5_exec[] = {
	{
	        .name = "gem5-exec",
	        .doc = "what gem5 prints for --debug-flags=Exec",
	        .gives = 1 << TRC_READ | 1 << TRC_WRITE | 1 << TRC_FETCH | 1 << TRC_MODIFY |
	                 1 << TRC_PREFETCH,
	        .holds = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_TIME | TRC_HAS_ASID | TRC_HAS_TASK,
	        .chained = true,
	        TRC_LINES("TICK: PROCESSOR: [A ASID] T THREAD : PC [@SYMBOL] : DISASSEMBLY "
	                  "[: CLASS : [RESULT] [A=ADDRESS]]",
	                  .rows = PER_LINE),
	        .more = TRC_ROW(trc_line_more, .take = take_line,
	                        .state_size = sizeof(struct state)),
	},
	{ .name = NULL },
};
