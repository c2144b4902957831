/* SPDX-License-Identifier: MIT */
#include "cmd/file/program_check.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/map_find.h"
#include "batch/provenance.h"
#include "batch/registers.h"
#include "stage/branch/path.h"

enum {
	INSTRUCTION_MOST = 15, /* maximum bytes of an instruction of unknown size */
	LINE = 64,             /* bytes that memory transfers at once */
	RULES_MOST = 32,
};

/* The last fetch of a task, and its data references so far. */
struct insn {
	uint64_t addr;
	uint32_t size; /* 0: unknown */
	uint8_t branch;
	bool known; /* the task has fetched, and no event since then hides its path */
	unsigned loads, stores;
};

/* A row, and the instruction that its task is executing; for a fetch, the previous one. */
struct row {
	const struct trc_batch *b;
	size_t i;
	uint8_t type;
	struct insn last;
	bool stranger; /* the row before has another task */
	bool other;    /* the first instruction has another task */
};

/* Counts over the whole trace. */
struct totals {
	uint64_t fetches, branches, regs, words;
};

/* A rule, checked for each row or for the whole trace, or counted as a fault by stage/check.h. */
struct rule {
	const char *text;
	const char *stops, *lies; /* the programs that it stops or misleads; NULL: none */
	uint32_t needs;           /* columns without which the rule does not apply */
	bool (*row)(const struct row *r);
	bool (*whole)(const struct totals *t, const struct trc_meta *meta);
	enum trc_fault fault; /* if both are NULL */
};

struct trc_program_check {
	const struct trc_preset *program;
	uint32_t have;
	bool by_registers; /* it finds branches by registers, and the trace has some */
	uint64_t rows;
	struct totals totals;
	uint64_t found[RULES_MOST], first[RULES_MOST];
	uint32_t rows_of[RULES_MOST]; /* the rules for rows that apply to this program and trace */
	size_t n_rows_of;

	/* Maps (kernel or not, task) to an index of `insn`. */
	struct trc_map at;
	struct insn *insn;
	size_t n, cap;
	bool begun;
	uint32_t task;       /* of the previous row, if `begun` */
	uint32_t first_task; /* of the first instruction, if `totals.fetches` */
};

/* ---- rules ---- */

static bool
is_fetch(const struct row *r)
{
	return r->type == TRC_FETCH;
}

static bool
is_data(const struct row *r)
{
	return r->type == TRC_READ || r->type == TRC_WRITE || r->type == TRC_MODIFY;
}

/* Returns true if the task fetches the instruction that follows its last one in memory. If sizes
 * are unknown, any short distance counts. */
static bool
follows(const struct row *r)
{
	const uint64_t distance = r->b->addr[r->i] - r->last.addr;

	return r->last.size ? distance == r->last.size :
	                      distance > 0 && distance <= INSTRUCTION_MOST;
}

static bool
is_repeated(const struct row *r)
{
	return r->b->addr[r->i] == r->last.addr;
}

/* Returns true for a fetch after a branch whose outcome is known to be `taken`. */
static bool
after_branch(const struct row *r, bool taken)
{
	const uint8_t is = r->last.branch & (TRC_BRANCH | TRC_BRANCH_TAKEN | TRC_BRANCH_UNKNOWN);

	return is_fetch(r) && r->last.known &&
	       is == (taken ? TRC_BRANCH | TRC_BRANCH_TAKEN : TRC_BRANCH);
}

static bool
gap(const struct row *r)
{
	return is_fetch(r) && r->last.known && !(r->last.branch & TRC_BRANCH) && !follows(r) &&
	       !is_repeated(r);
}

static bool
not_taken_elsewhere(const struct row *r)
{
	return after_branch(r, false) && !follows(r);
}

/* Only conditional branches and returns count: programs call the next instruction to find their own
 * address, and jump tables may have an entry for it. */
static bool
taken_in_line(const struct row *r)
{
	const uint8_t kind = r->last.branch & TRC_BRANCH_KIND;

	return after_branch(r, true) && r->last.size && follows(r) &&
	       (kind == TRC_BRANCH_COND || kind == TRC_BRANCH_RETURN);
}

static bool
always_not_taken(const struct row *r)
{
	const uint8_t b = r->b->branch[r->i], kind = b & TRC_BRANCH_KIND;

	return is_fetch(r) && b & TRC_BRANCH && kind != 0 && kind != TRC_BRANCH_COND &&
	       !(b & (TRC_BRANCH_TAKEN | TRC_BRANCH_UNKNOWN));
}

static bool
outcome_unknown(const struct row *r)
{
	const uint8_t b = r->b->branch[r->i];

	return is_fetch(r) && b & TRC_BRANCH && b & TRC_BRANCH_UNKNOWN && !(b & TRC_BRANCH_TAKEN);
}

static bool
kind_unknown(const struct row *r)
{
	const uint8_t b = r->b->branch[r->i];

	return is_fetch(r) && b & TRC_BRANCH && !(b & TRC_BRANCH_KIND);
}

/* Returns true for a branch of a kind whose registers are of none. */
static bool
branches_by_kind(const struct row *r)
{
	const uint8_t b = r->b->branch[r->i];

	return is_fetch(r) && b & TRC_BRANCH && b & TRC_BRANCH_KIND &&
	       !trc_registers_branch(r->b->regs[r->i]);
}

static bool
data_at_0(const struct row *r)
{
	return is_data(r) && r->b->addr[r->i] == 0;
}

static bool
before_any(const struct row *r)
{
	return is_data(r) && !r->last.known;
}

static bool
fifth_load(const struct row *r)
{
	return r->last.known && (r->type == TRC_READ || r->type == TRC_MODIFY) &&
	       r->last.loads == 4;
}

static bool
third_store(const struct row *r)
{
	return r->last.known && (r->type == TRC_WRITE || r->type == TRC_MODIFY) &&
	       r->last.stores == 2;
}

static bool
fifth_store(const struct row *r)
{
	return r->last.known && (r->type == TRC_WRITE || r->type == TRC_MODIFY) &&
	       r->last.stores == 4;
}

static bool
across_lines(const struct row *r)
{
	return is_data(r) && r->b->addr[r->i] % LINE + r->b->size[r->i] > LINE;
}

static bool
other_task(const struct row *r)
{
	return r->stranger;
}

static bool
other_than_first(const struct row *r)
{
	return r->other;
}

static bool
no_word(const struct row *r)
{
	return is_fetch(r) && r->b->insn[r->i] == 0;
}

static bool
no_fetches(const struct totals *t, const struct trc_meta *meta)
{
	(void)meta;
	return t->fetches == 0;
}

static bool
no_branches(const struct totals *t, const struct trc_meta *meta)
{
	(void)meta;
	return t->fetches > 0 && t->branches == 0;
}

static bool
no_registers(const struct totals *t, const struct trc_meta *meta)
{
	(void)meta;
	return t->fetches > 0 && t->regs == 0;
}

static bool
no_words(const struct totals *t, const struct trc_meta *meta)
{
	(void)meta;
	return t->fetches > 0 && t->words == 0;
}

/* Another than x86-64, by the names that provenance has for that. */
static bool
other_machine(const struct totals *t, const struct trc_meta *meta)
{
	struct trc_provenance_entry e;

	(void)t;
	if (!trc_provenance_last(meta->provenance, "isa", &e) || e.len < strlen("x86"))
		return false;
	return strncasecmp((const char *)e.text, "x86", strlen("x86")) != 0 &&
	       strncasecmp((const char *)e.text, "amd", strlen("amd")) != 0;
}

static bool
reduced(const struct totals *t, const struct trc_meta *meta)
{
	(void)t;
	return !trc_guarantee_none(&meta->guarantee);
}

#define CORES "champsim cloudsuite"
#define PATHS "champsim cloudsuite dynamorio"
#define MEMORIES "ramulator ramulator2 dramsim3"
#define PATH_NEEDS (TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_BRANCH)
#define KIND_NEEDS (TRC_HAS_TYPE | TRC_HAS_BRANCH | TRC_HAS_REGS)

/* ChampSim asserts that no request is for address 0 (its issue 392), and reads a load or store at
 * address 0 as none. It takes the target of a branch from the next record, and its kind from its
 * registers. Scarab (src/frontend/pt_memtrace) decodes x86-64 by the encodings of the trace or the
 * files in modules.log, inserts a jump where the path has a gap, takes outcomes from the path, and
 * skips all threads but that of the first instruction. */
static const struct rule rule[] = {
	{ "an instruction at address 0, which fails an assertion", CORES, NULL, 0, NULL, NULL,
	  TRC_FAULT_FETCH },
	{ "no instructions, so all loads and stores belong to one", NULL, CORES " ramulator", 0,
	  NULL, no_fetches, 0 },
	{ "no instructions, so nothing is simulated", "scarab", NULL, 0, NULL, no_fetches, 0 },
	{ "an instruction set other than x86-64", NULL, "scarab", 0, NULL, other_machine, 0 },
	{ "no instruction words: without modules.log, all are nops", NULL, "scarab", 0, NULL,
	  no_words, 0 },
	{ "an instruction without its word, which becomes a nop", NULL, "scarab",
	  TRC_HAS_TYPE | TRC_HAS_INSN, no_word, NULL, 0 },
	{ "another task than the first, whose records are skipped", NULL, "scarab", TRC_HAS_TASK,
	  other_than_first, NULL, 0 },
	{ "a jump in the path without a branch", NULL, PATHS " scarab", PATH_NEEDS, gap, NULL, 0 },
	{ "a jump in the path after a branch that was not taken", NULL, PATHS, PATH_NEEDS,
	  not_taken_elsewhere, NULL, 0 },
	{ "no jump in the path after a branch that was taken", NULL, PATHS, PATH_NEEDS,
	  taken_in_line, NULL, 0 },
	{ "a jump, call or return that was not taken", NULL, PATHS, PATH_NEEDS, always_not_taken,
	  NULL, 0 },
	{ "a branch with unknown outcome, which counts as not taken", NULL, CORES, PATH_NEEDS,
	  outcome_unknown, NULL, 0 },
	{ "a branch of unknown kind", NULL, CORES, PATH_NEEDS, kind_unknown, NULL, 0 },
	{ "a branch without the registers of one, which is taken for none", NULL, CORES, KIND_NEEDS,
	  branches_by_kind, NULL, 0 },
	{ "no branches, so there are none to predict", NULL, CORES, TRC_HAS_TYPE, NULL, no_branches,
	  0 },
	{ "no registers, so instructions have no dependences", NULL, CORES, TRC_HAS_TYPE, NULL,
	  no_registers, 0 },
	{ "a load or store at address 0, which is ignored", NULL, CORES,
	  TRC_HAS_TYPE | TRC_HAS_ADDR, data_at_0, NULL, 0 },
	{ "a load or store before any instruction of its task", NULL, CORES " ramulator scarab",
	  TRC_HAS_TYPE, before_any, NULL, 0 },
	{ "a fifth load, so the instruction becomes several", NULL, CORES, TRC_HAS_TYPE, fifth_load,
	  NULL, 0 },
	{ "a third store, so the instruction becomes several", NULL, "champsim", TRC_HAS_TYPE,
	  third_store, NULL, 0 },
	{ "a fifth store, so the instruction becomes several", NULL, "cloudsuite", TRC_HAS_TYPE,
	  fifth_store, NULL, 0 },
	{ "a switch of tasks in a trace of one processor", NULL, CORES " ramulator", TRC_HAS_TASK,
	  other_task, NULL, 0 },
	{ "a reference across lines of 64 bytes, of which only one is simulated", NULL,
	  CORES " " MEMORIES, TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE, across_lines, NULL, 0 },
	{ "a reference across lines of 64 bytes, which its caches refuse", NULL, "gem5",
	  TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE, across_lines, NULL, 0 },
	{ "a time before the previous one, so the reference comes late", NULL, "gem5 dramsim3", 0,
	  NULL, NULL, TRC_FAULT_CYCLES },
	{ "records, and their time, were dropped by a reduction", NULL,
	  PATHS " scarab gem5 " MEMORIES, 0, NULL, reduced, 0 },
};

static_assert(TRC_COUNT(rule) <= RULES_MOST, "room for all rules");

/* ---- rows ---- */

static bool
is_for(const char *programs, const char *name)
{
	const size_t len = strlen(name);

	for (const char *p = programs; p && *p; p += strcspn(p, " "), p += *p == ' ')
		if (strcspn(p, " ") == len && memcmp(p, name, len) == 0)
			return true;
	return false;
}

struct trc_program_check *
trc_program_check_open(const struct trc_preset *program, uint32_t have, struct trc_err *err)
{
	struct trc_program_check *c = trc_alloc(1, sizeof(*c), err);

	if (!c)
		return NULL;
	c->program = program;
	c->have = have;
	c->by_registers = is_for(CORES, program->name) && have & TRC_HAS_REGS;
	for (uint32_t i = 0; i < TRC_COUNT(rule); i++)
		if (rule[i].row && !(rule[i].needs & ~have) &&
		    (is_for(rule[i].stops, program->name) || is_for(rule[i].lies, program->name)))
			c->rows_of[c->n_rows_of++] = i;
	if (trc_map_init(&c->at, err) == 0)
		return c;
	free(c);
	return NULL;
}

void
trc_program_check_close(struct trc_program_check *c)
{
	if (!c)
		return;
	trc_map_release(&c->at);
	free(c->insn);
	free(c);
}

/* Returns the current instruction of the task of row `i`; NULL without memory. Events may have no
 * space. */
static struct insn *
insn_of(struct trc_program_check *c, const struct trc_batch *b, size_t i, bool kernel,
        struct trc_err *err)
{
	const uint32_t task = b->task ? b->task[i] : b->asid ? b->asid[i] : 0;
	const uint32_t at = trc_map_find(&c->at, kernel, task)->value;

	if (TRC_LIKELY(at != TRC_MAP_NONE))
		return &c->insn[at];
	if (trc_grow(&c->insn, &c->cap, c->n + 1, sizeof(*c->insn), err) ||
	    trc_map_add(&c->at, kernel, task, (uint32_t)c->n, err))
		return NULL;
	c->insn[c->n] = (struct insn){ .known = false };
	return &c->insn[c->n++];
}

/* Handles an event after which the task may continue elsewhere. */
static int
take_event(struct trc_program_check *c, const struct trc_batch *b, size_t i, struct trc_err *err)
{
	for (int kernel = 0; kernel < 2 && !trc_path_goes_on(trc_batch_event(b, i)); kernel++) {
		struct insn *is = insn_of(c, b, i, kernel, err);

		if (!is)
			return -1;
		is->known = false;
	}
	return 0;
}

/* Returns the branch of a fetch as the program sees it. ChampSim takes an instruction that writes
 * the instruction pointer for a branch, and most kinds for taken, whatever its record has. */
static uint8_t
branch_of(const struct trc_program_check *c, const struct trc_batch *b, size_t i)
{
	const uint8_t is = b->branch ? b->branch[i] : 0;
	uint8_t kind;

	if (!c->by_registers || is & TRC_BRANCH || !trc_registers_branch(b->regs[i]))
		return is;
	kind = trc_registers_kind(b->regs[i]);
	return is | TRC_BRANCH | kind | (kind && kind != TRC_BRANCH_COND ? TRC_BRANCH_TAKEN : 0);
}

/* Updates what is known about the task of a row. */
static void
take_row(struct trc_program_check *c, const struct row *r, struct insn *is)
{
	const struct trc_batch *b = r->b;

	if (is_fetch(r)) {
		if (c->totals.fetches == 0)
			c->first_task = b->task ? b->task[r->i] : 0;
		*is = (struct insn){ b->addr ? b->addr[r->i] : 0,
			             b->size ? b->size[r->i] : 0,
			             branch_of(c, b, r->i),
			             true,
			             0,
			             0 };
		c->totals.fetches++;
		c->totals.branches += is->branch & TRC_BRANCH;
		c->totals.regs += b->regs && b->regs[r->i];
		c->totals.words += b->insn && b->insn[r->i];
	}
	is->loads += r->type == TRC_READ || r->type == TRC_MODIFY;
	is->stores += r->type == TRC_WRITE || r->type == TRC_MODIFY;
}

static int
check_row(struct trc_program_check *c, const struct trc_batch *b, size_t i, struct trc_err *err)
{
	const uint8_t type = trc_batch_type(b, i);
	const uint32_t task = b->task ? b->task[i] : 0;
	struct insn *is = insn_of(c, b, i, b->type && b->type[i] & TRC_KERNEL, err);
	const struct row r = { b,
		               i,
		               type,
		               is ? *is : (struct insn){ 0 },
		               c->begun && task != c->task,
		               c->totals.fetches && task != c->first_task };

	if (!is)
		return -1;
	for (size_t k = 0; k < c->n_rows_of; k++) {
		const uint32_t of = c->rows_of[k];

		if (TRC_UNLIKELY(rule[of].row(&r)) && c->found[of]++ == 0)
			c->first[of] = c->rows + i + 1;
	}
	c->task = task;
	c->begun = true;
	take_row(c, &r, is);
	return 0;
}

int
trc_program_check_put(struct trc_program_check *c, const struct trc_batch *b, struct trc_err *err)
{
	for (size_t i = 0; i < b->n; i++)
		if (trc_batch_is_event(b, i) ? take_event(c, b, i, err) : check_row(c, b, i, err))
			return -1;
	c->rows += b->n;
	return 0;
}

/* ---- findings ---- */

void
trc_program_check_claim(struct trc_program_check *c, struct trc_check *check)
{
	for (size_t i = 0; i < TRC_COUNT(rule); i++) {
		const struct rule *r = &rule[i];

		if (r->row || r->whole ||
		    !(is_for(r->stops, c->program->name) || is_for(r->lies, c->program->name)))
			continue;
		c->found[i] = check->fault[r->fault].rows;
		c->first[i] = check->fault[r->fault].first;
		check->fault[r->fault].rows = 0;
	}
}

/* Returns how many rows break rule `i`, or 1 if the whole trace does. */
static uint64_t
found(const struct trc_program_check *c, size_t i, const struct trc_meta *meta)
{
	const struct rule *r = &rule[i];

	if (r->row || r->needs & ~c->have || !r->whole)
		return c->found[i];
	return c->rows > 0 && r->whole(&c->totals, meta);
}

void
trc_program_check_note(const struct trc_program_check *c, const struct trc_meta *meta, bool lies,
                       struct trc_finding *v)
{
	for (size_t i = 0; i < TRC_COUNT(rule); i++) {
		const struct rule *r = &rule[i];
		uint64_t n;
		char whom[48];

		if (!is_for(lies ? r->lies : r->stops, c->program->name))
			continue;
		n = found(c, i, meta);
		snprintf(whom, sizeof(whom), "%s %s: ", lies ? "misleads" : "stops",
		         c->program->name);
		if (n > 0)
			trc_finding_fault(v, lies ? TRC_OUTCOME_ODD : TRC_OUTCOME_WRONG, whom,
			                  r->text, n, c->first[i]);
	}
}
