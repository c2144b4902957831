/* SPDX-License-Identifier: MIT
 *
 * Saves and restores the state that some rows left behind. Each structure has a single function for
 * both directions, as in the codec, so writer and reader cannot diverge. Writing is the last use of
 * a structure, which may be changed by it. Reading appends: the state belongs to rows that follow
 * those seen so far.
 *
 *   static void
 *   pages_state(struct pages *p, struct trc_state *s)
 *   {
 *           struct pages next = { 0 };
 *
 *           trc_state_num(s, s->writes ? &p->refs : &next.refs);
 *           ...
 *           if (!s->writes)
 *                   pages_join(p, &next);
 *   }
 *
 * The first failure is kept: after it, nothing is written, and numbers are read as 0. So only
 * loops, and code that uses an array after reading it, must check for it.
 */
#ifndef TRC_BASE_STATE_H
#define TRC_BASE_STATE_H

#include "base/buf.h"

struct trc_state {
	bool writes;
	bool failed;           /* *err has the reason */
	struct trc_buf *to;    /* the destination when writing */
	struct trc_view *from; /* the rest of the input when reading */
	struct trc_err *err;
};

/* Fails because what was read cannot have been written. trc_state_fail() does so without a state
 * and returns -1. */
void trc_state_damaged(struct trc_state *s);
int trc_state_fail(struct trc_err *err);

/* Fails if `ret`, the result of a function that has set *s->err, is not 0. */
static inline bool
trc_state_failed(struct trc_state *s, int ret)
{
	s->failed |= ret != 0;
	return s->failed;
}

/* One number; trc_state_most(), trc_state_u32() and trc_state_flag() limit its size. */
void trc_state_num(struct trc_state *s, uint64_t *v);
void trc_state_most(struct trc_state *s, uint64_t *v, uint64_t most);
void trc_state_u32(struct trc_state *s, uint32_t *v);
void trc_state_flag(struct trc_state *s, bool *v);

/* A number close to `base`, above or below. */
void trc_state_near(struct trc_state *s, uint64_t *v, uint64_t base);

/* A number that reading adds to *v. */
void trc_state_sum(struct trc_state *s, uint64_t *v);

/* Several numbers: trc_state_nums(s, &a, &b). */
void trc_state_each(struct trc_state *s, uint64_t *const *v, size_t n);
#define trc_state_nums(s, ...)                                  \
	trc_state_each((s), (uint64_t *const[]){ __VA_ARGS__ }, \
	               sizeof((uint64_t *const[]){ __VA_ARGS__ }) / sizeof(uint64_t *))

/* The number of things that follow. Reading limits it to `most`, and to what the remaining bytes
 * can hold. */
void trc_state_count(struct trc_state *s, size_t *n, uint64_t most);

/* Bytes with their number; reading appends them. */
void trc_state_bytes(struct trc_state *s, struct trc_buf *b);

/* Returns room for `n` things, which the caller frees; NULL on this or an earlier failure. */
void *trc_state_room(struct trc_state *s, size_t n, size_t size);

/* Numbers of 1, 4 or 8 bytes, at a distance of `step` bytes. */
struct trc_strided {
	void *first;
	size_t width, step;
};
#define TRC_STRIDED(first, step) ((struct trc_strided){ (first), sizeof(*(first)), (step) })

enum trc_state_how {
	TRC_STATE_DELTA = 1,  /* each is close to the previous one and not below it */
	TRC_STATE_SIGNED = 2, /* or on either side of it; without DELTA: close to 0 */
	TRC_STATE_SUM = 4,    /* reading adds to the existing numbers, which have 8 bytes */
};

/* `n` numbers, none above `most`, stored compactly (base/numbers.h). */
void trc_state_array(struct trc_state *s, struct trc_strided v, size_t n, unsigned how,
                     uint64_t most);

/* `n` structs of `size` bytes that consist only of 8-byte numbers: an array per member. */
void trc_state_structs(struct trc_state *s, void *first, size_t size, size_t n);

#endif
