/* SPDX-License-Identifier: MIT
 * The effects of kernel events on tasks, address spaces and files. */
#include "batch/event.h"
#include "stage/space/space.h"
#include "stage/space/space_state.h"

/* Returns the file identified by inode, major and minor in the fields from `i` on. */
static uint32_t
file_of(struct trc_spaces *s, const struct trc_event *e, int i, struct trc_err *err)
{
	const uint32_t major = (uint32_t)e->field[i + 1];
	uint32_t device = trc_spaces_place(&s->devices, major, e->field[i + 2]);

	if (!device) {
		device = (uint32_t)s->devices.n + 1;
		if (trc_map_add(&s->devices, major, e->field[i + 2], device, err))
			return TRC_NO_PLACE;
	}
	return trc_spaces_object(s, device, e->field[i], err);
}

/* Returns the space of the task in field 0; NULL, with *err set, if it has none. */
static struct trc_space *
space_of_task(struct trc_spaces *s, const struct trc_event *e, struct trc_err *err)
{
	const uint32_t at = trc_spaces_task(s, (uint32_t)e->field[0], err);

	if (at && !s->task[at].space)
		trc_fail(err,
		         "'%c' (%s) of task %llx, which has no address space yet ('A' assigns "
		         "one)",
		         e->tag, e->row->what, (ull)e->field[0]);
	return at && s->task[at].space ? &s->space[s->task[at].space] : NULL;
}

/* Computes the pages that bytes [address, address + length) touch; returns false if there are
 * none. */
static bool
pages_of(const struct trc_spaces *s, uint64_t address, uint64_t length, uint64_t *first,
         uint64_t *last)
{
	*first = address >> s->bits;
	*last = (address + (length - 1)) >> s->bits;
	return length > 0;
}

static int
map(struct trc_spaces *s, const struct trc_event *e, uint32_t object, uint64_t index,
    struct trc_err *err)
{
	struct trc_space *x = space_of_task(s, e, err);
	struct trc_range range = { .object = object, .index = index };

	if (!x)
		return -1;
	if (!pages_of(s, e->field[1], e->field[2], &range.first, &range.last))
		return 0;
	return trc_spaces_unmap(s, x, range.first, range.last, err) ||
	                       trc_ranges_put(&x->ranges, range, err) ?
	               -1 :
	               0;
}

static int
map_file(struct trc_spaces *s, const struct trc_event *e, struct trc_err *err)
{
	const uint32_t file = file_of(s, e, 3, err);

	return file ? map(s, e, file, e->field[6] >> s->bits, err) : -1;
}

static int
map_shared(struct trc_spaces *s, const struct trc_event *e, struct trc_err *err)
{
	const uint32_t object = trc_spaces_object(s, 0, e->field[3], err);

	return object ? map(s, e, object, 0, err) : -1;
}

static int
unmap_event(struct trc_spaces *s, const struct trc_event *e, struct trc_err *err)
{
	struct trc_space *x = space_of_task(s, e, err);
	uint64_t first, last;

	if (!x || !pages_of(s, e->field[1], e->field[2], &first, &last))
		return x ? 0 : -1;
	return trc_spaces_unmap(s, x, first, last, err);
}

static int
copy_on_write(struct trc_spaces *s, const struct trc_event *e, struct trc_err *err)
{
	struct trc_space *x = space_of_task(s, e, err);
	const uint64_t page = e->field[1] >> s->bits;

	if (!x)
		return -1;
	trc_spaces_forget(s, x->asid, page, page);
	return trc_tables_set(&s->pages, &x->pages, page, TRC_SPACES_FRESH, err);
}

/* A move of pages to another table, or to other page numbers. */
struct moving {
	struct trc_spaces *s;
	struct trc_page_table *to;
	uint64_t by; /* added to each page number */
};

/* Moves a page. If it was copied on write and has no number yet, gives it one first, because both
 * tables will share it. */
static int
move_page(void *arg, uint64_t page, uint32_t *number, struct trc_err *err)
{
	struct moving *m = arg;

	if (*number == TRC_SPACES_FRESH)
		*number = trc_spaces_number(m->s, 1, err);
	return *number ? trc_tables_set(&m->s->pages, m->to, page + m->by, *number, err) : -1;
}

/* Copies to `to` the ranges of `from` in pages first to last, each shifted by `by` pages. */
static int
copy_ranges(const struct trc_ranges *from, struct trc_ranges *to, uint64_t first, uint64_t last,
            uint64_t by, struct trc_err *err)
{
	for (size_t i = trc_ranges_at(from, first); i < from->n; i++) {
		struct trc_range x = from->range[i];

		if (x.first > last)
			break;
		if (x.first < first) {
			x.index += first - x.first;
			x.first = first;
		}
		x.last = (x.last < last ? x.last : last) + by;
		x.first += by;
		if (trc_ranges_put(to, x, err))
			return -1;
	}
	return 0;
}

static void
revive(struct trc_spaces *s, struct trc_space *x)
{
	if (x->dead)
		trc_spaces_unmap_all(s, x);
	x->dead = false;
}

static int
duplicate(struct trc_spaces *s, const struct trc_event *e, struct trc_err *err)
{
	const uint32_t from = trc_spaces_space(s, (uint32_t)e->field[0], err);
	const uint32_t to = from ? trc_spaces_space(s, (uint32_t)e->field[1], err) : 0;
	struct moving m = { .s = s };
	uint64_t first, last;

	if (!to)
		return -1;
	revive(s, &s->space[to]);
	if (from == to || !pages_of(s, e->field[2], e->field[3] - e->field[2], &first, &last))
		return 0;
	m.to = &s->space[to].pages;
	if (trc_spaces_unmap(s, &s->space[to], first, last, err) ||
	    copy_ranges(&s->space[from].ranges, &s->space[to].ranges, first, last, 0, err) ||
	    trc_tables_each(&s->pages, &s->space[from].pages, first, last, move_page, &m, err))
		return -1;
	return 0;
}

/* Moves pages within a space. They pass through a temporary table, so that old and new positions
 * may overlap. */
static int
move(struct trc_spaces *s, struct trc_space *x, uint64_t first, uint64_t last, uint64_t to,
     uint64_t to_last, struct trc_err *err)
{
	struct trc_page_table aside = { .id = ++s->tables };
	struct trc_ranges ranges = { 0 };
	const uint64_t kept = last - first < to_last - to ? last - first : to_last - to;
	struct moving away = { s, &aside, to - first }, back = { s, &x->pages, 0 };
	struct trc_range tail = { .first = to, .last = to_last }, *end;
	int ret = -1;

	if (copy_ranges(&x->ranges, &ranges, first, first + kept, to - first, err) ||
	    trc_tables_each(&s->pages, &x->pages, first, first + kept, move_page, &away, err) ||
	    trc_spaces_unmap(s, x, first, last, err) || trc_spaces_unmap(s, x, to, to_last, err) ||
	    trc_tables_each(&s->pages, &aside, to, to_last, move_page, &back, err))
		goto out;
	/* If the mapping grew, its new end continues the old end, or is anonymous if nothing was
	 * mapped there. */
	end = ranges.n > 0 ? &ranges.range[ranges.n - 1] : NULL;
	if (end && end->last == to + kept)
		end->last = to_last;
	if (!end && trc_ranges_put(&ranges, tail, err))
		goto out;
	ret = copy_ranges(&ranges, &x->ranges, to, to_last, 0, err);
out:
	trc_tables_drop(&s->pages, &aside, 0, UINT64_MAX);
	trc_ranges_release(&ranges);
	return ret;
}

static int
remap(struct trc_spaces *s, const struct trc_event *e, struct trc_err *err)
{
	struct trc_space *x = space_of_task(s, e, err);
	uint64_t first, last, to, to_last;

	if (!x)
		return -1;
	if (!pages_of(s, e->field[1], e->field[2], &to, &to_last))
		return unmap_event(s, e, err);
	if (!pages_of(s, e->field[3], e->field[4], &first, &last))
		return map(s, e, TRC_NO_PLACE, 0, err);
	return move(s, x, first, last, to, to_last, err);
}

static void
leave_space(struct trc_spaces *s, struct trc_task *t)
{
	struct trc_space *x = &s->space[t->space];

	if (t->space && --x->tasks == 0)
		x->dead = true;
	t->space = TRC_NO_PLACE;
}

static void
enter_space(struct trc_spaces *s, struct trc_task *t, uint32_t space)
{
	t->space = space;
	if (space)
		s->space[space].tasks++;
}

static int
fork_task(struct trc_spaces *s, const struct trc_event *e, struct trc_err *err)
{
	const uint32_t pid = (uint32_t)e->field[0];
	const uint32_t parent = trc_spaces_task(s, (uint32_t)e->field[1], err);
	uint32_t child = parent ? trc_spaces_task(s, pid, err) : 0;

	if (!child)
		return -1;
	if (child == parent)
		return trc_fail(err, "'F' (fork): task %x is its own parent", pid);
	/* The previous task with this pid has ended, even if there was no event for that. */
	leave_space(s, &s->task[child]);
	if (trc_lives_begin(&s->lives, pid, err))
		return -1;
	child = trc_spaces_task(s, pid, err);
	if (!child)
		return -1;
	enter_space(s, &s->task[child], s->task[parent].space);
	s->task[child].process = s->task[parent].process;
	return 0;
}

/* Assigns an address space to a task. The space belongs to the process of the last task that was
 * assigned to it. */
static int
assign(struct trc_spaces *s, const struct trc_event *e, struct trc_err *err)
{
	const uint32_t at = trc_spaces_task(s, (uint32_t)e->field[0], err);
	const uint32_t space = at ? trc_spaces_space(s, (uint32_t)e->field[1], err) : 0;
	struct trc_task *t = &s->task[at];
	struct trc_space *x;

	if (!space)
		return -1;
	if (t->space != space) {
		leave_space(s, t);
		revive(s, &s->space[space]);
		enter_space(s, t, space);
	}
	x = &s->space[space];
	if (x->owner != t->process || x->tasks == 1)
		x->owner = at;
	t->process = x->owner;
	return 0;
}

/* Handles an exec: a task that shares its space after a vfork leaves it; otherwise the space is
 * emptied. */
static int
exec(struct trc_spaces *s, const struct trc_event *e, struct trc_err *err)
{
	const uint32_t at = trc_spaces_task(s, (uint32_t)e->field[0], err);
	struct trc_task *t = &s->task[at];

	if (!at)
		return -1;
	if (t->space && s->space[t->space].tasks > 1)
		leave_space(s, t);
	else if (t->space)
		trc_spaces_unmap_all(s, &s->space[t->space]);
	return 0;
}

static int
exit_task(struct trc_spaces *s, const struct trc_event *e, struct trc_err *err)
{
	const uint32_t at = trc_spaces_task(s, (uint32_t)e->field[0], err);

	if (at)
		leave_space(s, &s->task[at]);
	return at ? trc_lives_end(&s->lives, (uint32_t)e->field[0], err) : -1;
}

static int
unmap_space(struct trc_spaces *s, const struct trc_event *e, struct trc_err *err)
{
	const uint32_t at = trc_spaces_space(s, (uint32_t)e->field[0], err);

	if (at)
		trc_spaces_unmap_all(s, &s->space[at]);
	return at ? 0 : -1;
}

/* Forgets a file that was deleted: its inode number may be reused for another file, while existing
 * mappings keep the old one. */
static void
retire(struct trc_spaces *s, uint32_t device, uint64_t inode)
{
	if (trc_spaces_place(&s->by_inode, device, inode))
		trc_map_remove(&s->by_inode, device, inode);
}

static int
destroy(struct trc_spaces *s, const struct trc_event *e, struct trc_err *err)
{
	const bool file = e->tag == '-';
	const uint32_t device =
	        file ? trc_spaces_place(&s->devices, (uint32_t)e->field[1], e->field[2]) : 0;

	(void)err;
	if (!file || device)
		retire(s, device, file ? e->field[0] : e->field[1]);
	return 0;
}

/* Truncates a file: the pages after its new end are lost, in memory as well, including private
 * copies. */
static int
truncate_file(struct trc_spaces *s, const struct trc_event *e, struct trc_err *err)
{
	const uint32_t file = file_of(s, e, 0, err);
	const uint64_t length = e->field[3];
	const uint64_t end = (length >> s->bits) + ((length & ((UINT64_C(1) << s->bits) - 1)) > 0);

	if (!file)
		return -1;
	if (trc_spaces_object_cut(s, file, end, err))
		return -1;
	for (size_t i = 1; i < s->spaces; i++) {
		struct trc_space *x = &s->space[i];

		for (size_t k = 0; k < x->ranges.n; k++) {
			const struct trc_range *r = &x->ranges.range[k];
			uint64_t first = r->first;

			if (r->object != file)
				continue;
			if (r->index < end)
				first = end - r->index > r->last - first ? r->last + 1 :
				                                           first + (end - r->index);
			if (first > r->last)
				continue;
			trc_spaces_forget(s, x->asid, first, r->last);
			trc_tables_drop(&s->pages, &x->pages, first, r->last);
		}
	}
	return 0;
}

/* Touches the pages of a file that is read or written. */
static int
touch_file(struct trc_spaces *s, const struct trc_event *e, struct trc_err *err)
{
	const uint32_t file = file_of(s, e, 1, err);
	uint64_t first, last;

	if (!file || !pages_of(s, e->field[4], e->field[5], &first, &last))
		return file ? 0 : -1;
	return trc_spaces_object_read(s, file, first, last, err);
}

static int
known_event(struct trc_spaces *s, const struct trc_event *e, struct trc_err *err)
{
	switch (e->tag) {
	case 'S':
		s->running = (uint32_t)e->field[0];
		s->runs = true;
		return trc_spaces_task(s, s->running, err) ? 0 : -1;
	case 'F': return fork_task(s, e, err);
	case 'A': return assign(s, e, err);
	case 'X': return exec(s, e, err);
	case 'T': return exit_task(s, e, err);
	case 'D': return duplicate(s, e, err);
	case 'M': return map_file(s, e, err);
	case 'm': return map(s, e, TRC_NO_PLACE, 0, err);
	case 's': return map_shared(s, e, err);
	case 'U': return unmap_event(s, e, err);
	case 'u': return unmap_space(s, e, err);
	case '@': return remap(s, e, err);
	case 'C': return copy_on_write(s, e, err);
	case '/':
	case '-': return destroy(s, e, err);
	case 't': return truncate_file(s, e, err);
	case '<':
	case '>': return touch_file(s, e, err);
	default: return 0; /* opens, closes, accepts */
	}
}

int
trc_spaces_event(struct trc_spaces *s, const char *text, uint32_t *task, struct trc_err *err)
{
	struct trc_event e;
	int named;

	if (trc_event_parse(&e, text, err) || (e.row && known_event(s, &e, err)))
		return -1;
	named = trc_event_field(&e, e.tag == 'F' ? "child" : "pid");
	*task = named >= 0 ? (uint32_t)e.field[named] : s->running;
	return 0;
}
