/* SPDX-License-Identifier: MIT
 *
 * The batch: a few thousand references as columns, the one form in which traces move through trc.
 *
 * A batch is dense (dropping rows compacts it), and a column is there for every row of a trace or
 * for none. The room is fixed when the batch is made; no file layout depends on it. The caller of
 * init owns the memory; the batches that travel belong to whoever pulls (see flow.h).
 *
 * Most rows are references. A row with a text in its column `event` is a kernel event instead: it
 * has a time, maybe a task, no more, and stages pass it on in its place. Texts are copied with
 * their rows. Where there is no memory for one the batch notes it, and so does every batch that
 * rows of it are appended to, until one passes a funnel of flow.h, which fails.
 */
#ifndef TRC_BATCH_BATCH_H
#define TRC_BATCH_BATCH_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/base.h"

/* Rows of a batch, where nothing needs another number. Measured: one row at a time costs 2.5 times
 * as much, 16 to 8192 is flat. */
enum { TRC_BATCH_ROWS = 4096 };

enum trc_column {
#define COLUMN(NAME, field, type, doc) TRC_COL_##NAME,
#include "batch/columns.def"
#undef COLUMN
	TRC_COLUMNS
};

enum {
#define COLUMN(NAME, field, type, doc) TRC_HAS_##NAME = 1 << TRC_COL_##NAME,
#include "batch/columns.def"
#undef COLUMN
	TRC_HAS_ALL = (1 << TRC_COLUMNS) - 1
};

/* What a reference does: the low four bits of the type column. */
enum trc_type {
	TRC_READ,
	TRC_WRITE,
	TRC_FETCH,      /* of an instruction */
	TRC_MODIFY,     /* a load and a store of the same bytes: two references when counted */
	TRC_MISC,       /* dineroIV: like a read, never prefetches */
	TRC_COPY_BACK,  /* dineroIV: write back, stay valid; not a reference */
	TRC_INVALIDATE, /* dineroIV: drop without writing back; not a reference */
	TRC_PREFETCH,   /* by an instruction; not a reference that anything waits for */
	TRC_EVENT,      /* of the kernel, its text in column `event`; not a reference */
	TRC_TYPES
};

enum {
	TRC_TYPE_MASK = 15,
	TRC_KERNEL = 16, /* set when the kernel made the reference */
};

/* What the instruction of a fetch does to the flow of control: the branch column. */
enum {
	TRC_BRANCH = 1,         /* it is a branch */
	TRC_BRANCH_TAKEN = 2,   /* and was taken; */
	TRC_BRANCH_UNKNOWN = 4, /* without that bit: nobody knows whether it was */
	TRC_BRANCH_SHIFT = 4,   /* of its kind; 0: not known */
	TRC_BRANCH_COND = 1 << TRC_BRANCH_SHIFT,
	TRC_BRANCH_JUMP = 2 << TRC_BRANCH_SHIFT,
	TRC_BRANCH_INDIRECT = 3 << TRC_BRANCH_SHIFT,
	TRC_BRANCH_CALL = 4 << TRC_BRANCH_SHIFT,
	TRC_BRANCH_INDIRECT_CALL = 5 << TRC_BRANCH_SHIFT,
	TRC_BRANCH_RETURN = 6 << TRC_BRANCH_SHIFT,
	TRC_BRANCH_KIND = 7 << TRC_BRANCH_SHIFT, /* mask */
};

/* Registers of the column regs by which ChampSim classifies branches, with its numbers. */
enum { TRC_REGS_SP = 6, TRC_REGS_FLAGS = 25, TRC_REGS_IP = 26 };

/* Some rows of a trace, column by column. */
struct trc_batch {
	uint32_t have; /* TRC_HAS_ bits of the columns; all others are NULL */
	size_t n, cap; /* rows in use, room */
#define COLUMN(NAME, field, ctype, doc) ctype *field;
#include "batch/columns.def"
#undef COLUMN
	void *mem;

	/* The texts of the events, each with a NUL behind it; text[0] is NUL. */
	char *text;
	size_t text_n, text_cap;
	bool text_lost; /* there was no memory for one */
};

/* No event has a longer text. */
enum { TRC_EVENT_MOST = 8191 };

/* The row of a column. */
struct trc_column_info {
	const char *name, *doc;
	size_t width; /* bytes of one value */
};

extern const struct trc_column_info trc_column[TRC_COLUMNS];
extern const char *const trc_type_name[TRC_TYPES];

/* Makes room for `cap` rows of the columns `have`, all 0. */
int trc_batch_init(struct trc_batch *b, uint32_t have, size_t cap,
                   struct trc_err *err) TRC_MUST_USE;

/* The same for many rows, which may hold anything: those that never come take no memory. */
int trc_batch_init_room(struct trc_batch *b, uint32_t have, size_t cap,
                        struct trc_err *err) TRC_MUST_USE;

/* Moves the rows of `b` to memory for `cap`, at least as many as there are. */
int trc_batch_grow(struct trc_batch *b, size_t cap, struct trc_err *err) TRC_MUST_USE;
void trc_batch_release(struct trc_batch *b);

/* Forgets all rows. */
void trc_batch_clear(struct trc_batch *b);

/* Fails if a text of the batch was lost. */
int trc_batch_check(const struct trc_batch *b, struct trc_err *err) TRC_MUST_USE;

/* Makes row `i` the event of the `len` bytes at `text`, none of them NUL: tag and fields of a
 * kernel trace as they stand there, but for the time. Sets its column `event`, no other. */
void trc_batch_put_event(struct trc_batch *b, size_t i, const char *text, size_t len);

static inline bool
trc_batch_is_event(const struct trc_batch *b, size_t i)
{
	return b->event && b->event[i];
}

/* The type of row `i`, without TRC_KERNEL; a row without one is a read. */
static inline uint8_t
trc_batch_type(const struct trc_batch *b, size_t i)
{
	return b->type ? b->type[i] & TRC_TYPE_MASK : TRC_READ;
}

/* The text of row `i`, "" if it is no event. Moves when events are added. */
static inline const char *
trc_batch_event(const struct trc_batch *b, size_t i)
{
	return trc_batch_is_event(b, i) ? b->text + b->event[i] : "";
}

/* Whether the bytes of reference `i` go past the last address, and the error of that: what is at
 * address 0 has nothing to do with what is at the other end. */
static inline bool
trc_batch_past_end(const struct trc_batch *b, size_t i)
{
	return b->addr && b->size && b->size[i] && b->addr[i] + (b->size[i] - 1) < b->addr[i];
}

int trc_batch_fail_past_end(const struct trc_batch *b, size_t i, struct trc_err *err);

/* The values of one column, for code that treats all columns alike; NULL if the batch lacks it. */
void *trc_batch_column(const struct trc_batch *b, enum trc_column c);

/* Appends rows [from, from + n) of `src`; `b` has the room and no column that `src` lacks. */
void trc_batch_append(struct trc_batch *b, const struct trc_batch *src, size_t from, size_t n);

/* The same for the columns `have` only, and without counting the rows: the caller sees to the
 * others. */
void trc_batch_copy(struct trc_batch *b, const struct trc_batch *src, uint32_t have, size_t from,
                    size_t n);

/* Appends the rows row[0], row[1], ... of `src`, under the same conditions. */
void trc_batch_pick(struct trc_batch *b, const struct trc_batch *src, const uint32_t *row,
                    size_t n);

/* Writes the names of the columns `have` into `dst`, with commas; returns dst. */
char *trc_columns_text(uint32_t have, char *dst, size_t room);

/* The bit of the column called `name`, or 0. */
uint32_t trc_column_bit(const char *name, size_t len);

/* True if a value of the type column means something. */
static inline bool
trc_type_known(uint64_t type)
{
	return (type & ~(uint64_t)TRC_KERNEL) < TRC_TYPES;
}

/* Fails if one of `n` types means nothing. Sums over a file show that its bytes are those that were
 * written, not that they make sense. */
int trc_types_check(const uint8_t *type, size_t n, struct trc_err *err) TRC_MUST_USE;

/* How many references a row of this type counts as: 0, 1 or 2. */
static inline unsigned
trc_type_refs(uint8_t type)
{
	static const uint8_t refs[16] = { 1, 1, 1, 2, 1, 0, 0, 0, 0 };

	return refs[type & TRC_TYPE_MASK];
}

#endif
