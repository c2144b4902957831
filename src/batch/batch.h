/* SPDX-License-Identifier: MIT
 *
 * The batch: a few thousand references as columns, the only form in which traces move through trc.
 *
 * A batch is dense (dropping rows compacts it), and a column exists for every row of a trace or for
 * none. The room is fixed when the batch is made; no file layout depends on it. The caller of init
 * owns the memory; the batches that travel belong to the code that pulls them (see flow.h).
 *
 * Most rows are references. A row with a text in its column `event` is a kernel event instead: it
 * has a time and perhaps a task, nothing else, and stages pass it on in its position. Texts are
 * copied with their rows. If there is no memory for a text, the batch records this, and so does
 * every batch to which its rows are appended, until one passes a function of flow.h, which
 * fails.
 */
#ifndef TRC_BATCH_BATCH_H
#define TRC_BATCH_BATCH_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/base.h"

/* The usual number of rows in a batch. Measured: batches of one row cost 2.5 times as much; from 16
 * to 8192 rows there is no difference. */
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

/* The kind of a reference: the low four bits of the type column. */
enum trc_type {
	TRC_READ,
	TRC_WRITE,
	TRC_FETCH,      /* an instruction fetch */
	TRC_MODIFY,     /* a load and a store of the same bytes; counts as two references */
	TRC_MISC,       /* dineroIV: like a read, but never triggers a prefetch */
	TRC_COPY_BACK,  /* dineroIV: write back and stay valid; not a reference */
	TRC_INVALIDATE, /* dineroIV: drop without writing back; not a reference */
	TRC_PREFETCH,   /* by an instruction; not a reference, because nothing waits for it */
	TRC_EVENT,      /* a kernel event with a text in column `event`; not a reference */
	TRC_TYPES
};

enum {
	TRC_TYPE_MASK = 15,
	TRC_KERNEL = 16, /* set if the kernel made the reference */
};

/* The branch column: how the instruction of a fetch affects the control flow. */
enum {
	TRC_BRANCH = 1,         /* a branch */
	TRC_BRANCH_TAKEN = 2,   /* a branch that was taken */
	TRC_BRANCH_UNKNOWN = 4, /* without TRC_BRANCH_TAKEN: the outcome is unknown */
	TRC_BRANCH_SHIFT = 4,   /* position of the kind; kind 0: unknown */
	TRC_BRANCH_COND = 1 << TRC_BRANCH_SHIFT,
	TRC_BRANCH_JUMP = 2 << TRC_BRANCH_SHIFT,
	TRC_BRANCH_INDIRECT = 3 << TRC_BRANCH_SHIFT,
	TRC_BRANCH_CALL = 4 << TRC_BRANCH_SHIFT,
	TRC_BRANCH_INDIRECT_CALL = 5 << TRC_BRANCH_SHIFT,
	TRC_BRANCH_RETURN = 6 << TRC_BRANCH_SHIFT,
	TRC_BRANCH_KIND = 7 << TRC_BRANCH_SHIFT, /* mask */
};

/* Registers in column regs by which ChampSim classifies branches, in its numbering. */
enum { TRC_REGS_SP = 6, TRC_REGS_FLAGS = 25, TRC_REGS_IP = 26 };

/* Rows of a trace, stored by column. */
struct trc_batch {
	uint32_t have; /* columns that exist, as TRC_HAS_ bits; all others are NULL */
	size_t n, cap; /* rows in use; room */
#define COLUMN(NAME, field, ctype, doc) ctype *field;
#include "batch/columns.def"
#undef COLUMN
	void *mem;

	/* The texts of the events, each followed by a NUL; text[0] is NUL. */
	char *text;
	size_t text_n, text_cap;
	bool text_lost; /* there was no memory for a text */
};

/* The longest text of an event, in bytes. */
enum { TRC_EVENT_MOST = 8191 };

/* The properties of a column. */
struct trc_column_info {
	const char *name, *doc;
	size_t width; /* bytes per value */
};

extern const struct trc_column_info trc_column[TRC_COLUMNS];
extern const char *const trc_type_name[TRC_TYPES];

/* Allocates room for `cap` rows of the columns `have`, all 0. */
int trc_batch_init(struct trc_batch *b, uint32_t have, size_t cap,
                   struct trc_err *err) TRC_MUST_USE;

/* Does the same for many rows, without setting them to 0: rows that are never filled use no
 * memory. */
int trc_batch_init_room(struct trc_batch *b, uint32_t have, size_t cap,
                        struct trc_err *err) TRC_MUST_USE;

/* Moves the rows of `b` to new memory for `cap` rows, which must be enough for them. */
int trc_batch_grow(struct trc_batch *b, size_t cap, struct trc_err *err) TRC_MUST_USE;
void trc_batch_release(struct trc_batch *b);

/* Removes all rows. */
void trc_batch_clear(struct trc_batch *b);

/* Fails if the text of an event was lost. */
int trc_batch_check(const struct trc_batch *b, struct trc_err *err) TRC_MUST_USE;

/* Makes row `i` an event with the `len` bytes of `text`, none of which may be NUL: the tag and the
 * fields of a kernel trace as they are, without the time. Sets no column but `event`. */
void trc_batch_put_event(struct trc_batch *b, size_t i, const char *text, size_t len);

static inline bool
trc_batch_is_event(const struct trc_batch *b, size_t i)
{
	return b->event && b->event[i];
}

/* Returns the type of row `i` without TRC_KERNEL; without a type column, it is a read. */
static inline uint8_t
trc_batch_type(const struct trc_batch *b, size_t i)
{
	return b->type ? b->type[i] & TRC_TYPE_MASK : TRC_READ;
}

/* Returns the text of row `i`, "" if it is not an event. Valid until an event is added. */
static inline const char *
trc_batch_event(const struct trc_batch *b, size_t i)
{
	return trc_batch_is_event(b, i) ? b->text + b->event[i] : "";
}

/* trc_batch_past_end() returns true if the bytes of reference `i` extend past the last address;
 * trc_batch_fail_past_end() fails for such a reference. Addresses do not wrap around: the bytes at
 * address 0 are unrelated to those at the end. */
static inline bool
trc_batch_past_end(const struct trc_batch *b, size_t i)
{
	return b->addr && b->size && b->size[i] && b->addr[i] + (b->size[i] - 1) < b->addr[i];
}

int trc_batch_fail_past_end(const struct trc_batch *b, size_t i, struct trc_err *err);

/* Returns the values of a column, for code that handles all columns alike; NULL if the batch lacks
 * it. */
void *trc_batch_column(const struct trc_batch *b, enum trc_column c);

/* Appends rows [from, from + n) of `src`. `b` must have room for them, and no column that `src`
 * lacks. */
void trc_batch_append(struct trc_batch *b, const struct trc_batch *src, size_t from, size_t n);

/* Copies only the columns `have` of these rows, and does not count the rows; the caller adds the
 * other columns. */
void trc_batch_copy(struct trc_batch *b, const struct trc_batch *src, uint32_t have, size_t from,
                    size_t n);

/* Appends rows row[0], row[1], ... of `src`, under the same conditions. */
void trc_batch_pick(struct trc_batch *b, const struct trc_batch *src, const uint32_t *row,
                    size_t n);

/* Writes the names of the columns `have` to `dst`, separated by commas; returns `dst`. */
char *trc_columns_text(uint32_t have, char *dst, size_t room);

/* Returns the bit of the column called `name`, or 0. */
uint32_t trc_column_bit(const char *name, size_t len);

/* Returns true if a value of the type column is valid. */
static inline bool
trc_type_known(uint64_t type)
{
	return (type & ~(uint64_t)TRC_KERNEL) < TRC_TYPES;
}

/* Fails if one of `n` types is invalid. Checksums of a file only show that its bytes are unchanged,
 * not that they are valid. */
int trc_types_check(const uint8_t *type, size_t n, struct trc_err *err) TRC_MUST_USE;

/* Returns how many references a row of this type counts as: 0, 1 or 2. */
static inline unsigned
trc_type_refs(uint8_t type)
{
	static const uint8_t refs[16] = { 1, 1, 1, 2, 1, 0, 0, 0, 0 };

	return refs[type & TRC_TYPE_MASK];
}

/* Returns true if row `i` is a reference: not an event, nor an operation on caches. */
static inline bool
trc_batch_is_reference(const struct trc_batch *b, size_t i)
{
	return !trc_batch_is_event(b, i) && (!b->type || trc_type_refs(b->type[i]) > 0);
}

#endif
