/* SPDX-License-Identifier: MIT
 *
 * What some rows left behind, to bytes and back: each thing that has a state has one function for
 * both directions, as the codec has, so that its writer and its reader cannot drift apart. To write
 * is the last that is done with it: it may be changed for that. To read is to append: the state is
 * of rows that follow those that came.
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
 * The first failure stays: nothing is written from then on, and numbers that are read are 0. So
 * only loops have to look at it, and who uses an array that was read.
 */
#ifndef TRC_BASE_STATE_H
#define TRC_BASE_STATE_H

#include "base/buf.h"

struct trc_state {
	bool writes;
	bool failed;           /* *err has why */
	struct trc_buf *to;    /* where it is written, or */
	struct trc_view *from; /* what is left to be read */
	struct trc_err *err;
};

/* It is damaged: what was read cannot have been written. The same as an error; returns -1. */
void trc_state_damaged(struct trc_state *s);
int trc_state_fail(struct trc_err *err);

/* Fails if `ret`, which a function returned that has put the reason into *s->err, is not 0. */
static inline bool
trc_state_failed(struct trc_state *s, int ret)
{
	s->failed |= ret != 0;
	return s->failed;
}

/* One number, and others that are at most so large. */
void trc_state_num(struct trc_state *s, uint64_t *v);
void trc_state_most(struct trc_state *s, uint64_t *v, uint64_t most);
void trc_state_u32(struct trc_state *s, uint32_t *v);
void trc_state_flag(struct trc_state *s, bool *v);

/* A number that is near `base`, to either side. */
void trc_state_near(struct trc_state *s, uint64_t *v, uint64_t base);

/* A number that is added to what is there. */
void trc_state_sum(struct trc_state *s, uint64_t *v);

/* Several numbers: trc_state_nums(s, &a, &b). */
void trc_state_each(struct trc_state *s, uint64_t *const *v, size_t n);
#define trc_state_nums(s, ...)                                  \
	trc_state_each((s), (uint64_t *const[]){ __VA_ARGS__ }, \
	               sizeof((uint64_t *const[]){ __VA_ARGS__ }) / sizeof(uint64_t *))

/* How many things follow, at most so many, and no more than the bytes that are left can be. */
void trc_state_count(struct trc_state *s, size_t *n, uint64_t most);

/* Bytes and how many they are; what is read is appended. */
void trc_state_bytes(struct trc_state *s, struct trc_buf *b);

/* Room for `n` things, to be freed; NULL if it failed, or had before. */
void *trc_state_room(struct trc_state *s, size_t n, size_t size);

/* Numbers of 1, 4 or 8 bytes, `step` bytes from one to the next. */
struct trc_strided {
	void *first;
	size_t width, step;
};
#define TRC_STRIDED(first, step) ((struct trc_strided){ (first), sizeof(*(first)), (step) })

enum trc_state_how {
	TRC_STATE_DELTA = 1,  /* each is near the one before, and not below it */
	TRC_STATE_SIGNED = 2, /* or to either side; without DELTA: near 0 */
	TRC_STATE_SUM = 4,    /* what is read is added to what is there */
};

/* `n` of them, none above `most`, in few bytes (base/numbers.h). */
void trc_state_array(struct trc_state *s, struct trc_strided v, size_t n, unsigned how,
                     uint64_t most);

/* `n` structs that are nothing but numbers of 8 bytes, `size` bytes each: an array of each. */
void trc_state_structs(struct trc_state *s, void *first, size_t size, size_t n);

#endif
