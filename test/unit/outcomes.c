/* SPDX-License-Identifier: MIT
 * Outcomes of conditional branches by what their task fetches next, against a search for it in all
 * rows: tasks that take turns, the kernel between, signals, gaps, and turns that are too long. */
#include <string.h>

#include "generate.h"
#include "stage/stage.h"
#include "test.h"

enum { ROWS = 30000, FAR = 1 << 16 };

#define HAVE \
	(TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_TASK | TRC_HAS_BRANCH | TRC_HAS_EVENT)
#define OPEN (TRC_BRANCH | TRC_BRANCH_UNKNOWN | TRC_BRANCH_COND)

static const char *const passes[] = { "! cpu-id 3", "! func-arg 0x1", "! context-switch-end 1" };
static const char *const ends[] = { "! kernel-event 0x401000", "! window-id 1", "S 5 6", "! cpu" };

/* Tasks that take turns of up to `turn` rows. */
static struct trc_batch
made_up(size_t n, uint64_t turn)
{
	struct generator m = { test_seed };
	struct trc_batch b = generate_zeros(HAVE, n);
	uint32_t task = 0;

	for (size_t i = 0; i < n; i++) {
		const uint64_t what = generate_below(&m, 40);

		if (generate_below(&m, turn) == 0)
			task = (uint32_t)generate_below(&m, 5);
		b.task[i] = task;
		b.addr[i] = 4096 + 4 * generate_below(&m, 3);
		b.size[i] = generate_below(&m, 50) ? 4 : 0;
		if (what == 0) {
			const char *text = generate_below(&m, 2) ?
			                           passes[generate_below(&m, TRC_COUNT(passes))] :
			                           ends[generate_below(&m, TRC_COUNT(ends))];

			b.type[i] = TRC_EVENT;
			trc_batch_put_event(&b, i, text, strlen(text));
			continue;
		}
		b.type[i] = what < 10 ? TRC_READ : TRC_FETCH;
		b.type[i] |= generate_below(&m, 9) ? 0 : TRC_KERNEL;
		if (what >= 20)
			b.branch[i] = what < 30 ? OPEN : (uint8_t)(OPEN & ~TRC_BRANCH_UNKNOWN);
	}
	return b;
}

static bool
ends_path(const char *text)
{
	for (size_t i = 0; i < TRC_COUNT(ends); i++)
		if (strcmp(ends[i], text) == 0)
			return true;
	return false;
}

/* The column branch of row `i`, by all rows behind it. */
static uint8_t
wanted(const struct trc_batch *b, size_t i)
{
	if (trc_batch_is_event(b, i) || (b->type[i] & TRC_TYPE_MASK) != TRC_FETCH ||
	    !(b->branch[i] & TRC_BRANCH_UNKNOWN))
		return b->branch[i];
	for (size_t k = i + 1; k < b->n && k <= i + FAR; k++) {
		if (b->task[k] != b->task[i])
			continue;
		if (trc_batch_is_event(b, k) && ends_path(trc_batch_event(b, k)))
			break;
		if (b->type[k] != b->type[i])
			continue;
		if (b->size[i] == 0)
			break;
		return TRC_BRANCH | TRC_BRANCH_COND |
		       (b->addr[k] == b->addr[i] + b->size[i] ? 0 : TRC_BRANCH_TAKEN);
	}
	return b->branch[i];
}

/* ---- branches by the path alone ---- */

/* Where the task of fetch `i` fetches next, or NULL. */
static const uint64_t *
next_fetch(const struct trc_batch *b, size_t i)
{
	for (size_t k = i + 1; b->size[i] && k < b->n && k <= i + FAR; k++) {
		if (b->task[k] != b->task[i])
			continue;
		if (trc_batch_is_event(b, k) && ends_path(trc_batch_event(b, k)))
			return NULL;
		if (b->type[k] == b->type[i])
			return &b->addr[k];
	}
	return NULL;
}

enum { SPACES = 10, PLACES = 3 };

/* What is known of an instruction. */
struct known {
	uint64_t passed, target;
	bool taken, many;
};

/* The column branch of fetch `i`, by what is known of the instruction, which it adds to. */
static uint8_t
wanted_by_path(const struct trc_batch *b, size_t i, struct known *k, uint64_t *early)
{
	const uint64_t *next = next_fetch(b, i);
	const bool stays = next && *next == b->addr[i];
	const bool passed = next && *next == b->addr[i] + b->size[i];
	const bool takes = next && !stays && !passed;

	*early += takes && !k->taken ? k->passed : 0;
	k->many |= takes && k->taken && k->target != *next;
	k->target = takes && !k->taken ? *next : k->target;
	k->taken |= takes;
	k->passed += passed;
	if (!k->taken || stays)
		return 0;
	return (uint8_t)(TRC_BRANCH |
	                 (takes ? TRC_BRANCH_TAKEN :
	                  next  ? 0 :
	                          TRC_BRANCH_UNKNOWN) |
	                 (k->passed ? TRC_BRANCH_COND :
	                  k->many   ? TRC_BRANCH_INDIRECT :
	                              0));
}

static void
check_path(const struct trc_batch *b, size_t most, size_t pull)
{
	struct known known[SPACES][PLACES] = { { { 0 } } };
	uint64_t early = 0, unknown = 0;
	struct trc_batch all;
	struct trc_meta meta;
	struct trc_err err;

	CHECK(generate_collect(trc_stage_path(generate_source(b, most), NULL, &err), pull, &all,
	                       &meta, &err) == 0);
	CHECK(all.n == b->n);
	for (size_t i = 0; i < b->n; i++) {
		const bool fetch = (b->type[i] & TRC_TYPE_MASK) == TRC_FETCH;
		uint8_t want = 0;

		if (fetch)
			want = wanted_by_path(b, i, &known[b->asid[i]][(b->addr[i] - 4096) / 4],
			                      &early);
		unknown += fetch && !next_fetch(b, i);
		CHECK_MSG(all.branch[i] == want, "row %zu: %u, not %u", i, all.branch[i], want);
	}
	CHECK_MSG(meta.caveat[0].rows == unknown && meta.caveat[1].rows == early && early > 0,
	          "%llu, not %llu; %llu, not %llu", (unsigned long long)meta.caveat[0].rows,
	          (unsigned long long)unknown, (unsigned long long)meta.caveat[1].rows,
	          (unsigned long long)early);
	trc_batch_release(&all);
}

/* Each task has a space, and its kernel another. */
static void
what_goes_elsewhere_is_a_branch_by_the_path(void)
{
	struct trc_batch made = made_up(ROWS, 7);
	struct trc_batch b = generate_zeros((HAVE & ~(uint32_t)TRC_HAS_BRANCH) | TRC_HAS_ASID,
	                                    ROWS);

	b.n = 0;
	trc_batch_copy(&b, &made, HAVE & ~(uint32_t)TRC_HAS_BRANCH, 0, made.n);
	b.n = made.n;
	for (size_t i = 0; i < b.n; i++)
		b.asid[i] = 2 * b.task[i] + !!(b.type[i] & TRC_KERNEL);
	check_path(&b, 1, 1);
	check_path(&b, 4096, 4096);
	check_path(&b, 999, 77);
	trc_batch_release(&b);
	trc_batch_release(&made);
}

#define CALL(kind) (TRC_BRANCH | TRC_BRANCH_TAKEN | (kind))

/* A return loads from where the call stored, and leads behind it; then that is a call. */
static void
data_shows_calls_and_returns(void)
{
	static const struct {
		uint8_t type;
		uint64_t addr;
		uint32_t size;
		uint8_t want;
	} row[] = {
		{ TRC_FETCH, 100, 5, CALL(0) },
		{ TRC_WRITE, 0x7ff8, 8, 0 },
		{ TRC_FETCH, 200, 1, CALL(TRC_BRANCH_RETURN) },
		{ TRC_READ, 0x7ff8, 8, 0 },
		{ TRC_FETCH, 105, 2, CALL(0) }, /* jumps, through memory */
		{ TRC_READ, 0x7ff8, 8, 0 },
		{ TRC_FETCH, 100, 5, CALL(TRC_BRANCH_INDIRECT_CALL) }, /* another target */
		{ TRC_WRITE, 0x7ff8, 8, 0 },
		{ TRC_FETCH, 300, 1, CALL(0) }, /* loads from elsewhere */
		{ TRC_READ, 0x7ff0, 8, 0 },
		{ TRC_FETCH, 105, 2, TRC_BRANCH | TRC_BRANCH_COND },
		{ TRC_FETCH, 107, 3, CALL(0) }, /* stores, and does not return */
		{ TRC_WRITE, 0x7ff0, 8, 0 },
		{ TRC_FETCH, 400, 1, CALL(0) },
		{ TRC_READ, 0x7ff0, 8, 0 },
		{ TRC_FETCH, 500, 1, 0 },
	};
	struct trc_batch b = generate_zeros(TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE,
	                                    TRC_COUNT(row)),
	                 all;
	struct trc_err err;

	for (size_t i = 0; i < TRC_COUNT(row); i++) {
		b.type[i] = row[i].type;
		b.addr[i] = row[i].addr;
		b.size[i] = row[i].size;
	}
	CHECK(generate_collect(trc_stage_path(generate_source(&b, 3), NULL, &err), 2, &all, NULL,
	                       &err) == 0);
	for (size_t i = 0; i < TRC_COUNT(row); i++)
		CHECK_MSG(all.branch[i] == row[i].want, "row %zu: %u, not %u", i, all.branch[i],
		          row[i].want);
	trc_batch_release(&all);
	trc_batch_release(&b);
}

static void
no_path_without_sizes_or_with_gaps(void)
{
	struct trc_batch b = generate_zeros(TRC_HAS_TYPE | TRC_HAS_ADDR, 9);
	struct trc_source *src = generate_source(&b, 9);
	struct trc_err err;

	CHECK(!trc_stage_path(src, NULL, &err) && strstr(err.text, "'size'"));
	trc_source_close(src);
	trc_batch_release(&b);
	b = generate_zeros(TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE, 9);
	src = generate_source(&b, 9);
	src->fetched = TRC_FETCHED_GAPS;
	CHECK(!trc_stage_path(src, NULL, &err) && strstr(err.text, "filtered out"));
	trc_source_close(src);
	trc_batch_release(&b);
}

static void
check(const struct trc_batch *b, size_t most, size_t pull)
{
	struct trc_batch all;
	struct trc_meta meta;
	struct trc_err err;
	uint64_t unknown = 0;
	char why[256];

	CHECK(generate_collect(trc_stage_outcomes(generate_source(b, most), NULL, &err), pull, &all,
	                       &meta, &err) == 0);
	CHECK(all.n == b->n);
	for (size_t i = 0; i < b->n; i++) {
		CHECK_MSG(all.branch[i] == wanted(b, i), "row %zu: %u, not %u", i, all.branch[i],
		          wanted(b, i));
		unknown += !trc_batch_is_event(b, i) && (all.branch[i] & TRC_BRANCH_UNKNOWN);
	}
	CHECK_MSG(meta.caveat[0].rows == unknown, "%llu, not %llu",
	          (unsigned long long)meta.caveat[0].rows, (unsigned long long)unknown);
	CHECK_MSG(generate_same(b, &all, HAVE & ~(uint32_t)TRC_HAS_BRANCH, why, sizeof(why)), "%s",
	          why);
	trc_batch_release(&all);
}

static void
the_next_fetch_of_the_task_is_the_outcome(void)
{
	struct trc_batch b = made_up(ROWS, 7);

	for (size_t most = 1; most <= 4096; most = most * 16 - most / 2)
		check(&b, most, 1 + most % 1000);
	trc_batch_release(&b);
}

/* A branch, another task for `between` rows, and the branch's next fetch. */
static void
check_turn(size_t between)
{
	const size_t n = between + 3;
	struct trc_batch b = generate_zeros(HAVE, n);

	for (size_t i = 0; i < n; i++) {
		b.type[i] = TRC_FETCH;
		b.size[i] = 4;
		b.addr[i] = 4096 + 8 * i;
		b.task[i] = i > 0 && i <= between;
	}
	b.branch[0] = b.branch[between / 2] = b.branch[n - 1] = OPEN;
	check(&b, 4096, 4096);
	check(&b, 999, 100);
	trc_batch_release(&b);
}

static void
a_turn_of_others_may_last_65535_rows(void)
{
	check_turn(FAR - 2);
	check_turn(FAR - 1);
	check_turn(FAR);
	check_turn(FAR + 5000);
	check_turn(5 * FAR);
}

static void
nothing_is_known_where_fetches_are_left_out(void)
{
	struct trc_batch b = made_up(ROWS, 100), all;
	struct trc_source *from = generate_source(&b, 4096);
	struct trc_meta meta;
	struct trc_err err;
	uint64_t open = 0;
	char why[256];

	from->fetched = TRC_FETCHED_OUTCOMES | TRC_FETCHED_GAPS;
	CHECK(generate_collect(trc_stage_outcomes(from, NULL, &err), 777, &all, &meta, &err) == 0);
	for (size_t i = 0; i < b.n; i++)
		open += !trc_batch_is_event(&b, i) && b.branch[i] == OPEN;
	CHECK(meta.caveat[0].rows == open);
	CHECK_MSG(generate_same(&b, &all, HAVE, why, sizeof(why)), "%s", why);
	trc_batch_release(&b);
	trc_batch_release(&all);
}

int
main(void)
{
	test_start();
	RUN(what_goes_elsewhere_is_a_branch_by_the_path);
	RUN(data_shows_calls_and_returns);
	RUN(no_path_without_sizes_or_with_gaps);
	RUN(the_next_fetch_of_the_task_is_the_outcome);
	RUN(a_turn_of_others_may_last_65535_rows);
	RUN(nothing_is_known_where_fetches_are_left_out);
	return 0;
}
