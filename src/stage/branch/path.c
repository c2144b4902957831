/* SPDX-License-Identifier: MIT */
#include "stage/branch/path.h"

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
trc_path_init(struct trc_path *p, struct trc_err *err)
{
	*p = (struct trc_path){ .n = 0 };
	return trc_map_init(&p->at, err);
}

void
trc_path_release(struct trc_path *p)
{
	trc_map_release(&p->at);
	free(p->insn);
	p->insn = NULL;
}

/* The entry of an instruction; NULL without memory. */
static struct trc_path_insn *
find(struct trc_path *p, uint32_t space, uint64_t pc, struct trc_err *err)
{
	const uint32_t at = trc_map_find(&p->at, space, pc)->value;

	if (TRC_LIKELY(at != TRC_MAP_NONE))
		return &p->insn[at];
	if (p->n >= TRC_MAP_NONE) {
		trc_fail(err, "more different instructions than 32 bits can count");
		return NULL;
	}
	if (trc_grow(&p->insn, &p->cap, p->n + 1, sizeof(*p->insn), err) ||
	    trc_map_add(&p->at, space, pc, (uint32_t)p->n, err))
		return NULL;
	p->insn[p->n] = (struct trc_path_insn){ .passed = 0 };
	return &p->insn[p->n++];
}

static void
take(struct trc_path *p, struct trc_path_insn *is, uint64_t target)
{
	if (!is->taken) {
		p->early += is->passed;
		is->target = target;
	}
	is->many |= is->target != target;
	is->taken = true;
}

int
trc_path_find(struct trc_path *p, const struct trc_batch *b, size_t i, const uint64_t *next,
              uint8_t *branch, struct trc_err *err)
{
	struct trc_path_insn *is = find(p, b->asid ? b->asid[i] : 0, b->addr[i], err);
	const uint64_t distance = next ? *next - b->addr[i] : 0;
	const bool passed = distance == b->size[i], taken = next && distance != 0 && !passed;

	if (!is)
		return -1;
	if (taken)
		take(p, is, *next);
	is->passed += next && passed;
	*branch = 0;
	if (is->taken && (!next || distance != 0))
		*branch = TRC_BRANCH |
		          (taken ? TRC_BRANCH_TAKEN :
		           next  ? 0 :
		                   TRC_BRANCH_UNKNOWN) |
		          (is->passed ? TRC_BRANCH_COND :
		           is->many   ? TRC_BRANCH_INDIRECT :
		                        0);
	return 0;
}
