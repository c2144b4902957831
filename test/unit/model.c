/* SPDX-License-Identifier: MIT */
#include "model.h"

#include <string.h>

#include "test.h"

/* The pages of a trace by one of four habits: none, LRU-stack locality, a loop with noise, a
 * working set that drifts. */
static uint64_t
next_page(struct generator *m, int habit, size_t i, uint64_t *stack, size_t pages)
{
	size_t at = 0;
	uint64_t page;

	switch (habit) {
	case 0: at = generate_below(m, pages); break;
	case 1:
		while (at + 1 < pages && generate_below(m, 2))
			at++;
		break;
	case 2:
		page = (i + (generate_below(m, 5) ? 0 : generate_below(m, pages))) % pages;
		while (stack[at] != page)
			at++;
		break;
	default:
		page = (i / 7 + generate_below(m, 3)) % pages;
		while (stack[at] != page)
			at++;
		break;
	}
	page = stack[at];
	memmove(stack + 1, stack, at * sizeof(*stack));
	return stack[0] = page;
}

void
model_make(struct trace *t, struct generator *m, int habit, size_t pages, size_t n)
{
	uint64_t stack[PAGES_MOST];

	for (size_t i = 0; i < pages; i++)
		stack[i] = i;
	for (t->n = 0; t->n < n; t->n++)
		t->ref[t->n] = (struct ref){ t->n + 1, next_page(m, habit, t->n, stack, pages),
			                     generate_below(m, 10) < 3 };
}

static size_t
find(const struct memory *mem, uint64_t page)
{
	size_t i = 0;

	while (i < mem->n && mem->page[i] != page)
		i++;
	return i;
}

/* Takes place `i` out, the order of the others kept; returns its dirty state. */
static bool
take_out(struct memory *mem, size_t i)
{
	bool dirty = mem->dirty[i];

	mem->n--;
	memmove(&mem->page[i], &mem->page[i + 1], (mem->n - i) * sizeof(*mem->page));
	memmove(&mem->dirty[i], &mem->dirty[i + 1], (mem->n - i) * sizeof(*mem->dirty));
	return dirty;
}

size_t
model_lru(const struct memory *mem, const struct trace *t, size_t at)
{
	(void)mem, (void)t, (void)at;
	return 0;
}

/* The page whose next use is farthest; of those that are never used again, the highest. */
size_t
model_opt(const struct memory *mem, const struct trace *t, size_t at)
{
	size_t best = 0, best_use = 0;

	for (size_t i = 0; i < mem->n; i++) {
		size_t use = at;

		while (use < t->n && t->ref[use].page != mem->page[i])
			use++;
		if (i == 0 || use > best_use ||
		    (use == best_use && mem->page[i] > mem->page[best])) {
			best = i;
			best_use = use;
		}
	}
	return best;
}

void
model_simulate(const struct trace *t, size_t m, model_victim_fn *victim, struct memory *mem)
{
	mem->n = mem->events = 0;
	for (size_t i = 0; i < t->n; i++) {
		size_t at = find(mem, t->ref[i].page);
		bool dirty = t->ref[i].write;

		if (at < mem->n) {
			dirty |= take_out(mem, at);
		} else {
			struct event *e = &mem->event[mem->events++];

			*e = (struct event){ t->ref[i].time, t->ref[i].page, NONE, false };
			if (mem->n == m) {
				at = victim(mem, t, i);
				e->victim = (int)mem->page[at];
				e->dirty = take_out(mem, at);
			}
		}
		mem->page[mem->n] = t->ref[i].page;
		mem->dirty[mem->n++] = dirty;
	}
}

/* The same faults, victims and, at the end, pages, all of them as dirty. */
static bool
same_behaviour(const struct memory *a, const struct memory *b)
{
	if (a->events != b->events || a->n != b->n)
		return false;
	for (size_t i = 0; i < a->events; i++)
		if (a->event[i].time != b->event[i].time || a->event[i].page != b->event[i].page ||
		    a->event[i].victim != b->event[i].victim ||
		    a->event[i].dirty != b->event[i].dirty)
			return false;
	for (size_t i = 0; i < a->n; i++) {
		size_t k = find(b, a->page[i]);

		if (k == b->n || a->dirty[i] != b->dirty[k])
			return false;
	}
	return true;
}

bool
model_exact_at(const struct trace *t, const struct trace *reduced, size_t m,
               model_victim_fn *victim)
{
	struct memory a, b;

	model_simulate(t, m, victim, &a);
	model_simulate(reduced, m, victim, &b);
	return same_behaviour(&a, &b);
}

/* In pages of one space; the stamps are the places. */
void
model_rows(const struct trace *t, struct trc_batch *b)
{
	struct trc_err err;

	CHECK(trc_batch_init(b,
	                     TRC_HAS_TYPE | TRC_HAS_VPN | TRC_HAS_ITIME | TRC_HAS_RTIME |
	                             TRC_HAS_TIME | TRC_HAS_ASID,
	                     REFS_MOST, &err) == 0);
	for (; b->n < t->n; b->n++) {
		const struct ref *ref = &t->ref[b->n];

		b->type[b->n] = ref->write ? TRC_WRITE : TRC_READ;
		b->vpn[b->n] = ref->page;
		b->rtime[b->n] = ref->time;
		b->itime[b->n] = 3 * ref->time;
		b->time[b->n] = 100 + 7 * ref->time;
		b->asid[b->n] = 42;
	}
}

/* Back again; every stamp must have come along. */
void
model_trace(const struct trc_batch *b, struct trace *t)
{
	CHECK(b->n <= REFS_MOST);
	for (t->n = 0; t->n < b->n; t->n++) {
		size_t i = t->n;

		CHECK(b->type[i] <= TRC_WRITE);
		if (b->time)
			CHECK(b->itime[i] == 3 * b->rtime[i] &&
			      b->time[i] == 100 + 7 * b->rtime[i] && b->asid[i] == 42);
		t->ref[i] = (struct ref){ b->rtime[i], b->vpn[i], b->type[i] == TRC_WRITE };
	}
}

size_t
model_cut(struct generator *m)
{
	static const size_t cut[] = { 1, 2, 7, 4096 };

	return cut[generate_below(m, TRC_COUNT(cut))];
}

void
model_reduce_rows(const struct trc_batch *rows, const struct trc_reduction *how, size_t give,
                  size_t most, struct trc_batch *all)
{
	struct trc_source *from = generate_source(rows, give), *src;
	struct trc_err err;

	src = how->lru_only ? trc_stage_olr(from, how, &err) : trc_stage_drop(from, how, &err);
	CHECK_MSG(src, "%s", err.text);
	CHECK_MSG(generate_collect(src, most, all, NULL, &err) == 0, "%s", err.text);
}

void
model_reduce(const struct trace *t, const struct trc_reduction *how, size_t give, size_t most,
             struct trace *out)
{
	struct trc_batch rows, all;

	model_rows(t, &rows);
	model_reduce_rows(&rows, how, give, most, &all);
	model_trace(&all, out);
	trc_batch_release(&all);
	trc_batch_release(&rows);
}

bool
model_same(const struct trace *a, const struct trace *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (a->ref[i].time != b->ref[i].time || a->ref[i].page != b->ref[i].page ||
		    a->ref[i].write != b->ref[i].write)
			return false;
	return true;
}

void
model_for_each(int rounds, model_check_fn *check)
{
	struct generator m = { test_seed };
	struct trace t;

	for (int round = 0; round < rounds; round += (int)test_step_most(5)) {
		size_t pages = 2 + generate_below(&m, 8), n = 5 + generate_below(&m, 100);

		model_make(&t, &m, round % 4, pages, n);
		for (size_t r = 1; r <= pages + 1; r++)
			check(&m, &t, r, pages);
	}
}
