/* SPDX-License-Identifier: MIT
 *
 * Small traces of pages, and memories that are simulated in the most obvious way, to hold
 * reductions against.
 */
#ifndef TRC_TEST_UNIT_MODEL_H
#define TRC_TEST_UNIT_MODEL_H

#include "generate.h"
#include "stage/stage.h"

enum { PAGES_MOST = 12, REFS_MOST = 160, NONE = -1 };

struct ref {
	uint64_t time; /* reference time: two of the same are one reference that crosses pages */
	uint64_t page;
	bool write;
};

struct trace {
	struct ref ref[REFS_MOST];
	size_t n;
};

/* A fault: when, for what, and what had to leave. */
struct event {
	uint64_t time, page;
	int victim;
	bool dirty;
};

struct memory {
	struct event event[REFS_MOST];
	size_t events;
	uint64_t page[PAGES_MOST + 1]; /* resident; by LRU the most recent last */
	bool dirty[PAGES_MOST + 1];
	size_t n;
};

/* Which page leaves a full memory at reference `at`: its place in mem->page. */
typedef size_t model_victim_fn(const struct memory *mem, const struct trace *t, size_t at);

/* The least recently used; the one whose next use is farthest, the highest of those that are never
 * used again. */
model_victim_fn model_lru, model_opt;

/* `n` references to `pages` pages by one of four habits: none, LRU-stack locality, a loop with
 * noise, a working set that drifts. */
void model_make(struct trace *t, struct generator *m, int habit, size_t pages, size_t n);

/* Runs the trace through a memory of `m` pages. */
void model_simulate(const struct trace *t, size_t m, model_victim_fn *victim, struct memory *mem);

/* The same faults, victims and, at the end, pages, all of them as dirty. */
bool model_exact_at(const struct trace *t, const struct trace *reduced, size_t m,
                    model_victim_fn *victim);

/* The trace as rows of one space, whose stamps are the places, and back again; every stamp must
 * have come along. */
void model_rows(const struct trace *t, struct trc_batch *b);
void model_trace(const struct trc_batch *b, struct trace *t);

/* Rows, or a trace, reduced by the stage that `how` needs: `give` rows are given at a time, `most`
 * pulled. `all` is the caller's to release. */
void model_reduce_rows(const struct trc_batch *rows, const struct trc_reduction *how, size_t give,
                       size_t most, struct trc_batch *all);
void model_reduce(const struct trace *t, const struct trc_reduction *how, size_t give, size_t most,
                  struct trace *out);

/* A number of rows to give or pull at a time: any of four. */
size_t model_cut(struct generator *m);

bool model_same(const struct trace *a, const struct trace *b);

/* Calls `check` with traces of all habits and every r that matters. */
typedef void model_check_fn(struct generator *m, const struct trace *t, size_t r, size_t pages);
void model_for_each(int rounds, model_check_fn *check);

#endif
