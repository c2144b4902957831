/* SPDX-License-Identifier: MIT
 *
 * The pages of files and of shared memory. A page that is referenced, or is read with few others,
 * has its number in the table of its object. But a single line of a trace can be a read of millions
 * of pages: those without a number then get consecutive numbers, which are stored as runs. So a
 * line needs memory for a few leaves or one run, however much it reads, and time only for pages not
 * read before.
 */
#include <stdlib.h>

#include "base/numbers.h"
#include "stage/space/space_state.h"

enum {
	FEW = 64,     /* the most pages of a read that are numbered one by one */
	NUMBERED = 1, /* object of runs: ranges merge only if their numbers do */
};

uint32_t
trc_spaces_object_page(struct trc_spaces *s, uint32_t object, uint64_t index, struct trc_err *err)
{
	struct trc_space_object *o = &s->object[object];
	uint32_t number = trc_tables_get(&s->pages, &o->pages, index);
	const struct trc_range *run;

	if (number)
		return number;
	run = trc_ranges_find(&o->runs, index);
	if (run)
		return (uint32_t)(run->index + (index - run->first));
	number = trc_spaces_number(s, 1, err);
	return number && trc_tables_set(&s->pages, &o->pages, index, number, err) == 0 ? number : 0;
}

/* The pages of an object that have numbers. */
struct known {
	uint64_t *page;
	size_t n, cap;
};

static int
note_page(void *arg, uint64_t page, uint32_t *number, struct trc_err *err)
{
	struct known *k = arg;

	(void)number;
	if (trc_grow(&k->page, &k->cap, k->n + 1, sizeof(*k->page), err))
		return -1;
	k->page[k->n++] = page;
	return 0;
}

/* Numbers the `n` pages from `first` on, none of which has a number yet. */
static int
add_run(struct trc_spaces *s, struct trc_space_object *o, uint64_t first, uint64_t n,
        struct trc_err *err)
{
	const uint32_t number = n ? trc_spaces_number(s, n, err) : 0;
	const struct trc_range run = { first, first + (n - 1), NUMBERED, number };

	return n == 0 ? 0 : number ? trc_ranges_put(&o->runs, run, err) : -1;
}

/* Numbers pages first to last, which are in no run but may be in the table. */
static int
number_pages(struct trc_spaces *s, struct trc_space_object *o, uint64_t first, uint64_t last,
             struct trc_err *err)
{
	struct known k = { 0 };
	int ret = trc_tables_each(&s->pages, &o->pages, first, last, note_page, &k, err);

	trc_numbers_sort(k.page, k.n);
	for (size_t i = 0; ret == 0 && i < k.n; i++) {
		ret = add_run(s, o, first, k.page[i] - first, err);
		first = k.page[i] + 1;
	}
	if (ret == 0 && (k.n == 0 || k.page[k.n - 1] != last))
		ret = add_run(s, o, first, last - first + 1, err);
	free(k.page);
	return ret;
}

static int
read_many(struct trc_spaces *s, struct trc_space_object *o, uint64_t first, uint64_t last,
          struct trc_err *err)
{
	struct trc_range all = { first, last, NUMBERED, first };
	size_t i = trc_ranges_at(&o->read, first), parts = 0;
	bool whole = false, gaps = false;

	for (; i < o->read.n && o->read.range[i].first <= last; i++, parts++) {
		const struct trc_range *x = &o->read.range[i];

		if (x->first > first) {
			gaps = true;
			if (number_pages(s, o, first, x->first - 1, err))
				return -1;
		} else if (parts == 0) {
			all.first = all.index = x->first;
		}
		whole = x->last >= last;
		all.last = whole ? x->last : last;
		first = x->last + 1;
	}
	if (!whole && number_pages(s, o, first, last, err))
		return -1;
	return whole && !gaps && parts == 1 ? 0 : trc_ranges_put(&o->read, all, err);
}

int
trc_spaces_object_read(struct trc_spaces *s, uint32_t object, uint64_t first, uint64_t last,
                       struct trc_err *err)
{
	if (last - first >= FEW)
		return read_many(s, &s->object[object], first, last, err);
	for (uint64_t n = last - first + 1; n > 0; n--, first++)
		if (!trc_spaces_object_page(s, object, first, err))
			return -1;
	return 0;
}

int
trc_spaces_object_cut(struct trc_spaces *s, uint32_t object, uint64_t first, struct trc_err *err)
{
	struct trc_space_object *o = &s->object[object];

	trc_tables_drop(&s->pages, &o->pages, first, UINT64_MAX);
	return trc_ranges_cut(&o->runs, first, UINT64_MAX, err) ||
	                       trc_ranges_cut(&o->read, first, UINT64_MAX, err) ?
	               -1 :
	               0;
}
