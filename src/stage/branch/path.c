/* SPDX-License-Identifier: MIT */
#include "stage/branch/path.h"
#include "base/map_find.h"

#include <stdlib.h>
#include <string.h>

bool
trc_path_goes_on(const char *event)
{
	static const char *const name[] = { "cpu-id", "func-",    "physical-",  "virtual-address",
		                            "core-",  "context-", "rseq-entry", "instr-flush" };

	for (size_t i = 0; event[0] == '!' && event[1] == ' ' && i < TRC_COUNT(name); i++)
		if (strncmp(event + 2, name[i], strlen(name[i])) == 0)
			return true;
	return false;
}

int
trc_path_init(struct trc_branch_path *p, struct trc_err *err)
{
	*p = (struct trc_branch_path){ .n = 0 };
	return trc_map_init(&p->at, err) || trc_map_init(&p->stored, err) ? -1 : 0;
}

void
trc_path_release(struct trc_branch_path *p)
{
	trc_map_release(&p->at);
	trc_map_release(&p->stored);
	free(p->call);
	p->call = NULL;
	free(p->insn);
	p->insn = NULL;
}

/* Returns the entry of an instruction; NULL if memory runs out. */
static struct trc_path_insn *
find_insn(struct trc_branch_path *p, uint32_t space, uint64_t pc, struct trc_err *err)
{
	const uint32_t at = trc_map_find(&p->at, space, pc)->value;

	if (TRC_LIKELY(at != TRC_MAP_NONE))
		return &p->insn[at];
	if (p->n >= TRC_MAP_NONE) {
		trc_fail(err, "more than 2^32 different instructions");
		return NULL;
	}
	if (trc_grow(&p->insn, &p->cap, p->n + 1, sizeof(*p->insn), err) ||
	    trc_map_add(&p->at, space, pc, (uint32_t)p->n, err))
		return NULL;
	p->insn[p->n] = (struct trc_path_insn){ .passed = 0 };
	return &p->insn[p->n++];
}

static void
note_target(struct trc_branch_path *p, struct trc_path_insn *is, uint64_t target)
{
	if (!is->taken) {
		p->early += is->passed;
		is->target = target;
	}
	is->many |= is->target != target;
	is->taken = true;
}

/* Returns the first row with data, a load or a store, of the fetch in row `i`; 0: none. */
static size_t
find_data(const struct trc_batch *b, size_t i, enum trc_type type)
{
	for (size_t k = i + 1; k < b->n; k++) {
		const uint8_t is = trc_batch_is_event(b, k) ? TRC_EVENT : trc_batch_type(b, k);

		if ((b->task && b->task[k] != b->task[i]) || (b->type[k] ^ b->type[i]) & TRC_KERNEL)
			continue;
		if (is == TRC_FETCH)
			return 0;
		if (is == type)
			return k;
	}
	return 0;
}

/* Notes that a branch stored, so that it may be a call. */
static int
note_store(struct trc_branch_path *p, const struct trc_batch *b, size_t i, size_t store,
           uint32_t insn, struct trc_err *err)
{
	const uint32_t space = b->asid ? b->asid[store] : 0;
	uint32_t at = trc_map_find(&p->stored, space, b->addr[store])->value;

	if (at == TRC_MAP_NONE) {
		at = (uint32_t)p->calls;
		if (p->calls >= TRC_MAP_NONE)
			return trc_fail(err, "more calls than 32 bits can count");
		if (trc_grow(&p->call, &p->calls_cap, p->calls + 1, sizeof(*p->call), err) ||
		    trc_map_add(&p->stored, space, b->addr[store], at, err))
			return -1;
		p->calls++;
	}
	p->call[at] = (struct trc_path_call){ b->addr[i] + b->size[i], insn };
	return 0;
}

/* A branch that loads from where another one stored, and leads to the address after that, returns
 * from it. */
static void
note_load(struct trc_branch_path *p, const struct trc_batch *b, size_t load,
          struct trc_path_insn *is, uint64_t next)
{
	const uint32_t space = b->asid ? b->asid[load] : 0;
	const uint32_t at = trc_map_find(&p->stored, space, b->addr[load])->value;

	if (at == TRC_MAP_NONE || p->call[at].next != next)
		return;
	is->returns = true;
	p->insn[p->call[at].insn].calls = true;
}

/* Checks whether a branch that was taken is a call or a return. */
static int
take_data(struct trc_branch_path *p, const struct trc_batch *b, size_t i, struct trc_path_insn *is,
          uint64_t next, struct trc_err *err)
{
	const size_t store = find_data(b, i, TRC_WRITE);
	const size_t load = store ? 0 : find_data(b, i, TRC_READ);

	if (load)
		note_load(p, b, load, is, next);
	return store ? note_store(p, b, i, store, (uint32_t)(is - p->insn), err) : 0;
}

/* Returns the kind of a branch, as far as it is known. */
static uint8_t
kind_of(const struct trc_path_insn *is)
{
	if (is->passed)
		return TRC_BRANCH_COND;
	if (is->returns)
		return TRC_BRANCH_RETURN;
	if (is->calls)
		return is->many ? TRC_BRANCH_INDIRECT_CALL : TRC_BRANCH_CALL;
	return is->many ? TRC_BRANCH_INDIRECT : 0;
}

int
trc_path_find(struct trc_branch_path *p, const struct trc_batch *b, size_t i, const uint64_t *next,
              uint8_t *branch, struct trc_err *err)
{
	struct trc_path_insn *is = find_insn(p, b->asid ? b->asid[i] : 0, b->addr[i], err);
	const uint64_t distance = next ? *next - b->addr[i] : 0;
	const bool passed = distance == b->size[i], taken = next && distance != 0 && !passed;

	if (!is)
		return -1;
	if (taken)
		note_target(p, is, *next);
	if (taken && take_data(p, b, i, is, *next, err))
		return -1;
	is->passed += next && passed;
	*branch = 0;
	if (is->taken && (!next || distance != 0))
		*branch = TRC_BRANCH |
		          (taken ? TRC_BRANCH_TAKEN :
		           next  ? 0 :
		                   TRC_BRANCH_UNKNOWN) |
		          kind_of(is);
	return 0;
}
