/* SPDX-License-Identifier: MIT */
#include "stage/profile/keys.h"
#include "base/map_find.h"

#include <stdlib.h>

/* Sets the key to the last instruction of a task. */
static void
take_pc(struct trc_keys *k, uint32_t task, struct trc_key *key)
{
	const uint64_t *last = trc_last_fetch_of(&k->pcs, task);

	key->open = !last && k->part;
	key->key = key->open ? task : last ? *last : 0;
}

/* Finds the instruction of row `i`. */
static int
instruction(struct trc_keys *k, const struct trc_batch *b, size_t i, uint8_t type,
            struct trc_key *key, struct trc_err *err)
{
	const uint32_t task = b->task ? b->task[i] : 0;

	if (type == TRC_FETCH && b->addr) {
		key->key = b->addr[i];
		return b->pc ? 0 : trc_last_fetch_set(&k->pcs, task, key->key, err);
	}
	if (b->pc)
		key->key = b->pc[i];
	else
		take_pc(k, task, key);
	return 0;
}

/* Finds the key of row `i`. */
static int
key_of(struct trc_keys *k, const struct trc_batch *b, size_t i, uint8_t type, struct trc_key *key,
       struct trc_err *err)
{
	key->space = b->asid ? b->asid[i] : 0;
	switch (k->by) {
	case TRC_HOT_PC: return instruction(k, b, i, type, key, err);
	case TRC_HOT_PAGE: key->key = b->addr ? b->addr[i] >> k->bits : b->vpn[i]; return 0;
	default:
		key->key = k->by == TRC_HOT_TASK  ? b->task[i] :
		           k->by == TRC_HOT_SPACE ? key->space :
		                                    type;
		key->space = 0;
		return 0;
	}
}

static int
add(struct trc_keys *k, struct trc_map *map, const struct trc_key *key, struct trc_err *err)
{
	if (k->n >= TRC_MAP_NONE)
		return trc_fail(err, "more than 2^32 different keys");
	if (trc_grow(&k->key, &k->cap, k->n + 1, sizeof(*k->key), err) ||
	    trc_map_add(map, key->space, key->key, (uint32_t)k->n, err))
		return -1;
	k->recent = k->n;
	k->key[k->n++] = *key;
	return 0;
}

/* Finds the number of a key, or adds it. Often it is the key of the previous reference. */
static int
find_key(struct trc_keys *k, const struct trc_key *key, size_t *number, struct trc_err *err)
{
	const struct trc_key *recent = k->n ? &k->key[k->recent] : NULL;
	struct trc_map *map = key->open ? &k->open : &k->map;
	uint32_t at;

	if (!recent || recent->key != key->key || recent->space != key->space ||
	    recent->open != key->open) {
		at = trc_map_find(map, key->space, key->key)->value;
		if (at == TRC_MAP_NONE && add(k, map, key, err))
			return -1;
		k->recent = at == TRC_MAP_NONE ? k->recent : at;
	}
	*number = k->recent;
	return 0;
}

int
trc_keys_find(struct trc_keys *k, struct trc_key key, size_t *number, struct trc_err *err)
{
	return find_key(k, &key, number, err);
}

int
trc_keys_number(struct trc_keys *k, const struct trc_batch *b, size_t i, uint8_t type,
                size_t *number, struct trc_err *err)
{
	struct trc_key key = { 0, 0, false };

	return key_of(k, b, i, type, &key, err) ? -1 : find_key(k, &key, number, err);
}

/* Returns what the trace lacks to count by, or NULL. */
static const char *
lacks(uint32_t have, enum trc_hot_by by)
{
	const bool places = have & (TRC_HAS_ADDR | TRC_HAS_VPN);
	const bool fetches = trc_last_fetch_shows(have);

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
	if (trc_map_init(&k->map, err) || trc_map_init(&k->open, err) ||
	    trc_last_fetch_init(&k->pcs, err))
		return -1;
	return 0;
}

void
trc_keys_release(void *of)
{
	struct trc_keys *k = of;

	trc_map_release(&k->map);
	trc_map_release(&k->open);
	trc_last_fetch_release(&k->pcs);
	free(k->key);
	*k = (struct trc_keys){ .n = 0 };
}

/* ---- a state: the number of keys, their spaces, which of them are open, and the difference of
 * each key to the previous one; then the number of tasks, with the last instruction of each ---- */

/* Finds the numbers of keys read from a state; keys that are open there may be known here. */
static int
find_all(struct trc_keys *k, struct trc_key *key, uint32_t *number, size_t n, struct trc_err *err)
{
	for (size_t i = 0; i < n; i++) {
		size_t at;

		if ((key[i].open && (k->by != TRC_HOT_PC || key[i].key > UINT32_MAX)) ||
		    (k->by == TRC_HOT_TYPE && key[i].key >= TRC_TYPES))
			return trc_state_fail(err);
		if (key[i].open)
			take_pc(k, (uint32_t)key[i].key, &key[i]);
		if (trc_keys_find(k, key[i], &at, err))
			return -1;
		number[i] = (uint32_t)at;
	}
	return 0;
}

static void
tasks_state(struct trc_keys *k, struct trc_state *s)
{
	size_t n = k->pcs.n;

	trc_state_count(s, &n, UINT32_MAX);
	for (size_t i = 0; i < n && !s->failed; i++) {
		struct trc_last_fetch_task t = { 0, 0 };

		if (s->writes)
			t = k->pcs.task[i];

		trc_state_u32(s, &t.task);
		trc_state_num(s, &t.pc);
		if (!s->writes && !s->failed)
			s->failed = trc_last_fetch_set(&k->pcs, t.task, t.pc, s->err) != 0;
	}
}

static void
keys_state(struct trc_key *key, size_t n, struct trc_state *s)
{
	if (n == 0 || s->failed)
		return;
	trc_state_array(s, TRC_STRIDED(&key->space, sizeof(*key)), n, 0, UINT32_MAX);
	trc_state_array(s, TRC_STRIDED(&key->open, sizeof(*key)), n, 0, 1);
	trc_state_array(s, TRC_STRIDED(&key->key, sizeof(*key)), n,
	                TRC_STATE_DELTA | TRC_STATE_SIGNED, UINT64_MAX);
}

void
trc_keys_state(struct trc_keys *k, struct trc_state *s, uint32_t **number, size_t *n)
{
	struct trc_key *key = NULL;

	*n = k->n;
	*number = NULL;
	trc_state_count(s, n, TRC_MAP_NONE - 1);
	if (!s->writes) {
		*number = trc_state_room(s, *n, sizeof(**number));
		key = trc_state_room(s, *n, sizeof(*key));
	}
	keys_state(s->writes ? k->key : key, *n, s);
	if (!s->writes && !s->failed)
		s->failed = find_all(k, key, *number, *n, s->err) != 0;
	tasks_state(k, s);
	free(key);
}

int
trc_keys_end(struct trc_keys *k, size_t *gone, size_t *to, struct trc_err *err)
{
	k->part = false;
	for (size_t i = 0; i < k->n; i++) {
		struct trc_key *key = &k->key[i];

		if (!key->open)
			continue;
		*key = (struct trc_key){ key->space, 0, false };
		*gone = i;
		*to = trc_map_find(&k->map, key->space, 0)->value;
		if (*to != TRC_MAP_NONE)
			return 1;
		if (trc_map_add(&k->map, key->space, 0, (uint32_t)i, err))
			return -1;
	}
	return 0;
}
