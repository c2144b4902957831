/* SPDX-License-Identifier: MIT */
#include "stage/profile/keys.h"

#include <stdlib.h>

/* The last instruction of a task. */
static uint64_t *
pc_of(struct trc_keys *k, uint32_t task, struct trc_err *err)
{
	const uint32_t at = trc_map_find(&k->pcs, 0, task)->value;

	if (at != TRC_MAP_NONE)
		return &k->pc[at];
	if (trc_grow(&k->pc, &k->tasks_cap, k->tasks + 1, sizeof(*k->pc), err) ||
	    trc_map_add(&k->pcs, 0, task, (uint32_t)k->tasks, err))
		return NULL;
	k->pc[k->tasks] = 0;
	return &k->pc[k->tasks++];
}

/* The instruction of row `i`. */
static int
instruction(struct trc_keys *k, const struct trc_batch *b, size_t i, uint8_t type, uint64_t *key,
            struct trc_err *err)
{
	uint64_t *pc;

	if (type == TRC_FETCH && b->addr) {
		*key = b->addr[i];
		if (b->pc)
			return 0;
	} else if (b->pc) {
		*key = b->pc[i];
		return 0;
	}
	pc = pc_of(k, b->task ? b->task[i] : 0, err);
	if (!pc)
		return -1;
	*pc = type == TRC_FETCH ? *key : *pc;
	*key = *pc;
	return 0;
}

/* Its key. */
static int
key_of(struct trc_keys *k, const struct trc_batch *b, size_t i, uint8_t type, uint32_t *space,
       uint64_t *key, struct trc_err *err)
{
	*space = b->asid ? b->asid[i] : 0;
	switch (k->by) {
	case TRC_HOT_PC: return instruction(k, b, i, type, key, err);
	case TRC_HOT_PAGE: *key = b->addr ? b->addr[i] >> k->bits : b->vpn[i]; return 0;
	default:
		*key = k->by == TRC_HOT_TASK ? b->task[i] : k->by == TRC_HOT_SPACE ? *space : type;
		*space = 0;
		return 0;
	}
}

int
trc_keys_find(struct trc_keys *k, struct trc_key key, size_t *number, struct trc_err *err)
{
	const uint32_t at = trc_map_find(&k->map, key.space, key.key)->value;

	*number = at;
	if (at != TRC_MAP_NONE)
		return 0;
	if (k->n >= TRC_MAP_NONE)
		return trc_fail(err, "more different ones than 32 bits can count");
	if (trc_grow(&k->key, &k->cap, k->n + 1, sizeof(*k->key), err) ||
	    trc_map_add(&k->map, key.space, key.key, (uint32_t)k->n, err))
		return -1;
	*number = k->n;
	k->key[k->n++] = key;
	return 0;
}

int
trc_keys_number(struct trc_keys *k, const struct trc_batch *b, size_t i, uint8_t type,
                size_t *number, struct trc_err *err)
{
	struct trc_key key = { 0, 0 };

	return key_of(k, b, i, type, &key.space, &key.key, err) ?
	               -1 :
	               trc_keys_find(k, key, number, err);
}

/* What is missing to count by; NULL: nothing. */
static const char *
lacks(uint32_t have, enum trc_hot_by by)
{
	const bool places = have & (TRC_HAS_ADDR | TRC_HAS_VPN);
	const bool fetches = (have & (TRC_HAS_TYPE | TRC_HAS_ADDR)) ==
	                     (TRC_HAS_TYPE | TRC_HAS_ADDR);

	if (by == TRC_HOT_TASK && !(have & TRC_HAS_TASK))
		return "tasks";
	if (by == TRC_HOT_SPACE && !(have & TRC_HAS_ASID))
		return "address spaces";
	if (by == TRC_HOT_PC && (!places || !(have & TRC_HAS_PC || fetches)))
		return "instructions";
	return by == TRC_HOT_PAGE && !places ? "addresses" : NULL;
}

int
trc_keys_init(struct trc_keys *k, uint32_t have, enum trc_hot_by by, unsigned bits,
              struct trc_err *err)
{
	const char *without = lacks(have, by);

	*k = (struct trc_keys){ .by = by, .bits = bits };
	if (without)
		return trc_fail(err, "the trace has no %s to count by", without);
	return trc_map_init(&k->map, err) || trc_map_init(&k->pcs, err) ? -1 : 0;
}

void
trc_keys_release(struct trc_keys *k)
{
	trc_map_release(&k->map);
	trc_map_release(&k->pcs);
	free(k->key);
	free(k->pc);
	*k = (struct trc_keys){ .n = 0 };
}
