/* SPDX-License-Identifier: MIT */
#include "machine/bus/checkpoint.h"

#include <stdlib.h>

#include "base/pool.h"
#include "codec/stream/pack.h"
#include "machine/bus/shadow.h"

enum {
	/* Limit of the bytes of the numbers of a checkpoint, most of which belong to tasks. */
	NUMBERS_MOST = 1 << 26,
	JOIN = 4, /* unchanged bytes between changed ones that do not split a run */
	BITS = 64,
};

/* The tasks whose registers changed, in order. A program of one task has none. */
struct task_changes {
	struct task_change {
		size_t task; /* index from 0 */
		struct trc_task_values is;
	} * c;
	size_t n, cap;
	unsigned registers; /* of each task */
	size_t of, runs;    /* number of tasks, and the index of the running one */
};

/* An unpacked checkpoint: the changes since an earlier one. */
struct change {
	struct trc_trace_so_far so_far;
	struct trc_register_set registers;
	struct task_changes tasks;
	struct trc_image image;
};

/* Makes checkpoints: the state at the last one, from which differences are computed. */
struct trc_marker {
	struct trc_checkpoints *to;
	struct trc_marker_how how;
	bool begun;
	struct trc_memory mem; /* memory at the last checkpoint */
	struct trc_register_set registers;
	struct trc_tasks tasks;
	struct trc_buf raw; /* of unpacking */

	/* The last checkpoint, while it is packed. */
	struct trc_helper helper;
	struct change packing;
	struct trc_buf scratch, packed;
	struct trc_err err;
};

static void
release(struct change *c)
{
	free(c->registers.r);
	free(c->tasks.c);
	trc_image_release(&c->image);
	*c = (struct change){ 0 };
}

static size_t
without_lowest_bit(size_t number)
{
	return number & (number - 1);
}

size_t
trc_checkpoint_before(const struct trc_package *p, uint64_t count)
{
	size_t low = 0, high = p->checkpoints.n;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (p->checkpoints.c[middle].count <= count)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* ---- packing ---- */

static int
put_tasks(const struct task_changes *s, struct trc_buf *raw, struct trc_err *err)
{
	if (s->of == 0)
		return 0;
	if (trc_buf_put_num(raw, s->of, err) || trc_buf_put_num(raw, s->runs, err) ||
	    trc_buf_put_num(raw, s->n, err))
		return -1;
	for (size_t i = 0; i < s->n; i++) {
		if (trc_buf_put_num(raw, s->c[i].task, err))
			return -1;
		for (unsigned k = 0; k < s->registers; k++)
			if (trc_buf_put_num(raw, s->c[i].is.value[k], err))
				return -1;
	}
	return 0;
}

static int
take_task(struct task_changes *s, struct trc_view *v, struct trc_err *err)
{
	struct task_change *c;
	uint64_t task;

	if (!trc_view_num(v, &task) || task >= s->of || (s->n && task <= s->c[s->n - 1].task) ||
	    trc_grow(&s->c, &s->cap, s->n + 1, sizeof(*s->c), err))
		return -1;
	c = &s->c[s->n++];
	c->task = (size_t)task;
	c->is = (struct trc_task_values){ 0 };
	for (unsigned k = 0; k < s->registers; k++)
		if (!trc_view_num(v, &c->is.value[k]))
			return -1;
	return 0;
}

/* Reads the tasks, which follow the registers if there are any. */
static int
take_tasks(struct task_changes *s, struct trc_view *v, struct trc_err *err)
{
	uint64_t of, runs, n;

	if (v->p == v->end)
		return 0;
	if (!trc_view_num(v, &of) || !trc_view_num(v, &runs) || !trc_view_num(v, &n) || of < 2 ||
	    of > TRC_TASKS_MOST || runs >= of || n > of)
		return -1;
	s->of = (size_t)of;
	s->runs = (size_t)runs;
	while (n-- > 0)
		if (take_task(s, v, err))
			return -1;
	return 0;
}

static int
pack(const struct change *c, int level, struct trc_buf *raw, struct trc_buf *out,
     struct trc_err *err)
{
	raw->n = 0;
	if (trc_buf_room(raw, 8, err))
		return -1;
	trc_put_le64(raw->p, c->so_far.hash);
	raw->n = 8;
	if (trc_buf_put_num(raw, c->so_far.rows, err) || trc_buf_put_num(raw, c->image.runs, err) ||
	    trc_buf_put_num(raw, c->registers.n, err))
		return -1;
	for (size_t i = 0; i < c->registers.n; i++)
		if (trc_buf_put_num(raw, c->registers.r[i].reg, err) ||
		    trc_buf_put_num(raw, c->registers.r[i].value, err))
			return -1;
	if (put_tasks(&c->tasks, raw, err))
		return -1;
	return trc_pack(raw->p, raw->n, TRC_PACK_BYTES, level, out, err) ||
	                       trc_image_pack(&c->image, level, raw, out, err) ?
	               -1 :
	               0;
}

static int
take_numbers(struct change *c, struct trc_view *v, uint64_t *runs, struct trc_err *err)
{
	const uint8_t *hash = trc_view_bytes(v, 8);
	uint64_t n, reg, value;

	if (!hash || !trc_view_num(v, &c->so_far.rows) || !trc_view_num(v, runs) ||
	    !trc_view_num(v, &n) || n > TRC_BUS_REGISTERS)
		return -1;
	c->so_far.hash = trc_le64(hash);
	while (n-- > 0)
		if (!trc_view_num(v, &reg) || reg >= TRC_BUS_REGISTERS ||
		    !trc_view_num(v, &value) ||
		    trc_register_set_put(&c->registers, (uint32_t)reg, value, err))
			return -1;
	return take_tasks(&c->tasks, v, err) || v->p != v->end ? -1 : 0;
}

/* Unpacks into a change that is zeroed, except `registers` of its tasks. The caller releases it in
 * any case; memory of at most `most` bytes. */
static int
unpack(const struct trc_checkpoint *from, uint64_t most, struct change *c, struct trc_buf *raw,
       struct trc_err *err)
{
	struct trc_view v = trc_buf_view(&from->packed), numbers;
	uint64_t runs;

	err->code = TRC_OK;
	if (trc_unpack(&v, NUMBERS_MOST, raw, err) == 0) {
		numbers = trc_buf_view(raw);
		if (take_numbers(c, &numbers, &runs, err) == 0 &&
		    trc_image_unpack(&c->image, &v, runs, most, raw, err) == 0 && v.p == v.end)
			return 0;
	}
	return err->code == TRC_NO_MEMORY ?
	               -1 :
	               trc_fail(err, "the checkpoint after instruction %llu is damaged",
	                        (unsigned long long)from->count);
}

/* ---- loading ---- */

static int
set_registers(struct trc_register_set *to, const struct trc_register_set *from, struct trc_err *err)
{
	for (size_t i = 0; i < from->n; i++)
		if (trc_register_set_put(to, from->r[i].reg, from->r[i].value, err))
			return -1;
	return 0;
}

static int
write_image(struct trc_hart *h, const struct trc_image *m, struct trc_err *err)
{
	for (size_t i = 0; i < m->runs; i++)
		if (trc_hart_write(h, m->run[i].addr, m->bytes.p + m->run[i].at, m->run[i].len,
		                   err))
			return -1;
	return 0;
}

static int
set_tasks(struct trc_tasks *to, const struct task_changes *from, struct trc_err *err)
{
	if (trc_tasks_extend(to, from->of, err))
		return -1;
	for (size_t i = 0; i < from->n; i++)
		to->task[from->c[i].task] = from->c[i].is;
	to->runs = from->runs;
	return 0;
}

/* Applies a checkpoint to the hart's memory, *registers and *tasks. */
static int
apply(const struct trc_checkpoint *from, struct trc_hart *h, struct trc_register_set *registers,
      struct trc_tasks *tasks, struct trc_trace_so_far *so_far, struct trc_buf *raw,
      struct trc_err *err)
{
	struct change c = { .tasks.registers = trc_task_registers(h) };
	int ret = unpack(from, (uint64_t)h->mem->most << TRC_GUEST_PAGE_BITS, &c, raw, err);

	if (ret == 0) {
		*so_far = c.so_far;
		ret = set_registers(registers, &c.registers, err) ||
		      set_tasks(tasks, &c.tasks, err) || write_image(h, &c.image, err);
	}
	release(&c);
	return ret ? -1 : 0;
}

static int
load(const struct trc_package *p, size_t number, struct trc_hart *h,
     struct trc_register_set *registers, struct trc_tasks *tasks, struct trc_trace_so_far *so_far,
     struct trc_buf *raw, struct trc_err *err)
{
	size_t chain[BITS], n = 0;

	if (set_registers(registers, &p->first, err))
		return -1;
	if (write_image(h, &p->image, err))
		return trc_err_in(err, "the initial image");
	for (size_t k = number; k; k = without_lowest_bit(k))
		chain[n++] = k;
	while (n-- > 0)
		if (apply(&p->checkpoints.c[chain[n] - 1], h, registers, tasks, so_far, raw, err))
			return -1;
	/* Counters of instructions are stored as values at that count. */
	h->count = number ? p->checkpoints.c[number - 1].count : 0;
	for (size_t i = 0; i < registers->n; i++)
		if (trc_hart_set(h, (int)registers->r[i].reg, registers->r[i].value, err))
			return trc_err_in(err, number ? "the state of a checkpoint" :
			                                "the initial state");
	trc_hart_flush(h);
	return 0;
}

int
trc_checkpoint_load(const struct trc_package *p, size_t number, struct trc_hart *h,
                    struct trc_tasks *tasks, struct trc_trace_so_far *so_far, struct trc_err *err)
{
	struct trc_register_set registers = { 0 };
	struct trc_buf raw = { 0 };
	int ret;

	*so_far = (struct trc_trace_so_far){ 0 };
	ret = load(p, number, h, &registers, tasks, so_far, &raw, err);
	free(registers.r);
	trc_buf_release(&raw);
	return ret;
}

/* ---- making ---- */

struct trc_marker *
trc_marker_open(struct trc_checkpoints *to, const struct trc_marker_how *how, struct trc_err *err)
{
	struct trc_marker *m = trc_alloc(1, sizeof(*m), err);

	if (!m)
		return NULL;
	m->to = to;
	m->how = *how;
	if (how->level > TRC_PACK_FAST && how->level < TRC_PACK_SMALL)
		m->how.level = TRC_PACK_FAST;
	if (trc_memory_init(&m->mem, UINT64_MAX, err) == 0)
		return m;
	free(m);
	return NULL;
}

void
trc_marker_close(struct trc_marker *m)
{
	if (!m)
		return;
	trc_helper_cancel(&m->helper);
	release(&m->packing);
	trc_memory_release(&m->mem);
	free(m->registers.r);
	trc_tasks_release(&m->tasks);
	trc_buf_release(&m->raw);
	trc_buf_release(&m->scratch);
	trc_buf_release(&m->packed);
	free(m);
}

static void
pack_last(void *arg)
{
	struct trc_marker *m = arg;

	(void)pack(&m->packing, m->how.level, &m->scratch, &m->packed, &m->err);
}

int
trc_marker_finish(struct trc_marker *m, struct trc_err *err)
{
	trc_helper_wait(&m->helper);
	release(&m->packing);
	if (m->err.code) {
		*err = m->err;
		return -1;
	}
	if (m->packed.n) {
		m->to->c[m->to->n - 1].packed = m->packed;
		m->packed = (struct trc_buf){ 0 };
	}
	return 0;
}

uint64_t
trc_marker_due(const struct trc_marker *m)
{
	if (!m->begun)
		return 0;
	return m->to->n < UINT64_MAX / m->how.every - 1 ? (m->to->n + 1) * m->how.every :
	                                                  UINT64_MAX;
}

/* Adds the bytes that differ from `was` to the image. */
static int
put_page(struct trc_image *image, const struct trc_page *is, const struct trc_page *was,
         struct trc_err *err)
{
	const uint64_t addr = is->number << TRC_GUEST_PAGE_BITS;

	for (unsigned i = 0; i < TRC_GUEST_PAGE;) {
		unsigned end = i, same = 0;

		if (is->byte[i] == was->byte[i]) {
			i++;
			continue;
		}
		for (unsigned k = i; k < TRC_GUEST_PAGE && same < JOIN; k++) {
			same = is->byte[k] == was->byte[k] ? same + 1 : 0;
			end = same ? end : k + 1;
		}
		if (trc_image_put(image, addr + i, is->byte + i, end - i, err))
			return -1;
		i = end;
	}
	return 0;
}

/* Stores the changes of memory since the last call, and remembers the new state. */
static int
put_changes(struct trc_marker *m, const struct trc_hart *h, struct change *c, struct trc_err *err)
{
	uint64_t value;
	int reg = -1;

	for (size_t i = 0; i < h->mem->n; i++) {
		struct trc_page *is = h->mem->page[i], *was;

		if (!is->dirty)
			continue;
		is->dirty = false;
		was = trc_memory_page(&m->mem, is->number, err);
		if (!was || put_page(&c->image, is, was, err))
			return -1;
		memcpy(was->byte, is->byte, TRC_GUEST_PAGE);
	}
	while (trc_hart_each(h, &reg, &value)) {
		const size_t n = m->registers.n;
		size_t i = 0;

		while (i < n && m->registers.r[i].reg != (uint32_t)reg)
			i++;
		if (i < n && m->registers.r[i].value == value)
			continue;
		if (trc_register_set_put(&m->registers, (uint32_t)reg, value, err) ||
		    trc_register_set_put(&c->registers, (uint32_t)reg, value, err))
			return -1;
	}
	return 0;
}

/* Stores the changes of the tasks since the last call, and remembers the new state. */
static int
put_task_changes(struct trc_marker *m, const struct trc_tasks *now, struct task_changes *to,
                 struct trc_err *err)
{
	to->of = now->n;
	to->runs = now->runs;
	if (trc_tasks_extend(&m->tasks, now->n, err))
		return -1;
	for (size_t i = 0; i < now->n; i++) {
		if (memcmp(&m->tasks.task[i], &now->task[i], sizeof(*now->task)) == 0)
			continue;
		if (trc_grow(&to->c, &to->cap, to->n + 1, sizeof(*to->c), err))
			return -1;
		to->c[to->n++] = (struct task_change){ i, now->task[i] };
		m->tasks.task[i] = now->task[i];
	}
	return 0;
}

/* Merges later changes `after` into *to; both are in order. */
static int
merge_tasks(struct task_changes *to, const struct task_changes *after, struct trc_err *err)
{
	struct task_changes all = { .registers = after->registers,
		                    .of = after->of,
		                    .runs = after->runs };
	size_t i = 0, k = 0;

	if (trc_grow(&all.c, &all.cap, to->n + after->n + 1, sizeof(*all.c), err))
		return -1;
	while (i < to->n || k < after->n) {
		const bool kept = k == after->n || (i < to->n && to->c[i].task < after->c[k].task);

		if (kept) {
			all.c[all.n++] = to->c[i++];
			continue;
		}
		i += i < to->n && to->c[i].task == after->c[k].task;
		all.c[all.n++] = after->c[k++];
	}
	free(to->c);
	*to = all;
	return 0;
}

static int
write_shadow(struct trc_shadow *s, const struct trc_image *m, struct trc_err *err)
{
	for (size_t i = 0; i < m->runs; i++)
		if (trc_shadow_write(s, m->run[i].addr, m->bytes.p + m->run[i].at, m->run[i].len,
		                     err))
			return -1;
	return 0;
}

/* Adds the changes of the earlier checkpoints of its span to *c, which has the latest. */
static int
add_earlier(struct trc_marker *m, struct change *c, struct trc_shadow *s, struct trc_err *err)
{
	const size_t number = m->to->n + 1, from = without_lowest_bit(number);
	struct trc_register_set registers = { 0 };
	struct task_changes tasks = { 0 };
	size_t chain[BITS], n = 0;
	int ret = 0;

	for (size_t k = number - 1; k > from; k = without_lowest_bit(k))
		chain[n++] = k;
	while (n-- > 0 && ret == 0) {
		struct change earlier = { .tasks.registers = c->tasks.registers };

		ret = unpack(&m->to->c[chain[n] - 1], UINT64_MAX, &earlier, &m->raw, err) ||
		      write_shadow(s, &earlier.image, err) ||
		      set_registers(&registers, &earlier.registers, err) ||
		      merge_tasks(&tasks, &earlier.tasks, err);
		release(&earlier);
	}
	ret = ret || write_shadow(s, &c->image, err) ||
	      set_registers(&registers, &c->registers, err) || merge_tasks(&tasks, &c->tasks, err);
	trc_image_release(&c->image);
	free(c->registers.r);
	free(c->tasks.c);
	c->registers = registers;
	c->tasks = tasks;
	return ret || trc_shadow_image(s, &c->image, err) ? -1 : 0;
}

/* Appends a checkpoint, and begins to pack *c, which it takes over. */
static int
put_checkpoint(struct trc_marker *m, uint64_t count, struct change *c, struct trc_err *err)
{
	struct trc_checkpoints *to = m->to;

	if (trc_grow(&to->c, &to->cap, to->n + 1, sizeof(*to->c), err))
		return -1;
	to->c[to->n++] = (struct trc_checkpoint){ .count = count };
	m->packing = *c;
	*c = (struct change){ 0 };
	trc_helper_start(&m->helper, m->how.beside, pack_last, m);
	return 0;
}

int
trc_marker_take(struct trc_marker *m, const struct trc_hart *h, const struct trc_tasks *tasks,
                const struct trc_trace_so_far *so_far, struct trc_err *err)
{
	struct change c = { .so_far = *so_far, .tasks.registers = trc_task_registers(h) };
	struct trc_shadow span = { 0 };
	int ret = trc_marker_finish(m, err) || put_changes(m, h, &c, err) ||
	          put_task_changes(m, tasks, &c.tasks, err);

	if (ret == 0 && m->begun) {
		/* The span of an odd number is only itself. */
		if (m->to->n % 2)
			ret = trc_shadow_init(&span, err) || add_earlier(m, &c, &span, err);
		ret = ret || trc_image_sort(&c.image, err) || put_checkpoint(m, h->count, &c, err);
		trc_shadow_release(&span);
	}
	m->begun = true;
	release(&c);
	return ret ? -1 : 0;
}
