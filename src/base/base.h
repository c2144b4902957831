/* SPDX-License-Identifier: MIT
 *
 * What every file of trc relies on: the attributes we use and the shape of an error.
 *
 * Errors are values. A function that can fail returns 0 or -1 (or one of the flow words of
 * batch/flow.h), takes `struct trc_err *err` last, never NULL, and on failure leaves one sentence
 * there: lower case, no full stop, subject in quotes, numbers in it, what to do at its end. The
 * function that detects a failure states what it is; callers put in front where it was, with
 * trc_err_in(). Nothing below src/cmd prints.
 */
#ifndef TRC_BASE_BASE_H
#define TRC_BASE_BASE_H

#include <stdbool.h>
#include <stddef.h>

/* A function that does nothing but TRC_PREFETCH() has to be TRC_ALWAYS_INLINE: gcc takes it for one
 * without effects, and drops the calls. */
#if defined(__GNUC__)
#define TRC_MUST_USE __attribute__((warn_unused_result))
#define TRC_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define TRC_ALWAYS_INLINE inline __attribute__((always_inline))
#define TRC_NO_INLINE __attribute__((noinline))
#define TRC_TARGET(features) __attribute__((target(features)))
#define TRC_LIKELY(x) __builtin_expect(!!(x), 1)
#define TRC_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define TRC_PREFETCH(p) __builtin_prefetch(p)
#else
#define TRC_MUST_USE
#define TRC_PRINTF(fmt, args)
#define TRC_ALWAYS_INLINE inline
#define TRC_NO_INLINE
#define TRC_TARGET(features)
#define TRC_LIKELY(x) (x)
#define TRC_UNLIKELY(x) (x)
#define TRC_PREFETCH(p) ((void)0)
#endif

#define TRC_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* What kind of failure it was: all that the exit status and the tests depend on. */
enum trc_code {
	TRC_OK,         /* nothing failed yet */
	TRC_FAILED,     /* bad input: exit 1 */
	TRC_SYSTEM,     /* the system refused: a file, a full disk: exit 1 */
	TRC_USAGE,      /* wrong usage: exit 2 */
	TRC_NO_MEMORY,  /* an allocation failed: exit 1 */
	TRC_PIPE,       /* the reader of our output went away: exit 1, no message */
	TRC_STOPPED,    /* stopped by a signal: die of that signal after cleaning up */
	TRC_ONLY_WHOLE, /* an answer that cannot be had from parts: exit 1 */
};

/* One way to read data that needs --from, for users to choose. */
struct trc_reading {
	char what[112]; /* "these are bare addresses" */
	char from[224]; /* what --from has to be, or ",WORDS" to add to it */
	char rows[176]; /* the first rows as they would be read, each with its line feed */
	bool sure;      /* nothing else is plausible */
};

enum { TRC_READINGS = 3 };

/* An error: what kind, and one sentence. */
struct trc_err {
	enum trc_code code;
	bool unfit; /* the trace is sound, but its new format cannot hold it, or needs more */
	int status; /* that trc ends with, of a program that it ran; 0: by the code */
	char text[1024];
	unsigned readings; /* that are known */
	struct trc_reading reading[TRC_READINGS];
	char more[1440]; /* lines for users below the sentence, each with its line feed; "": none */
};

/* Each sets *err and returns -1, so that `return trc_fail(err, ...)` reads well. */
int trc_fail(struct trc_err *err, const char *fmt, ...) TRC_PRINTF(2, 3);
int trc_fail_as(struct trc_err *err, enum trc_code code, const char *fmt, ...) TRC_PRINTF(3, 4);
int trc_fail_errno(struct trc_err *err, int number, const char *fmt, ...) TRC_PRINTF(3, 4);

/* Puts "WHERE: " in front of the sentence in *err; returns -1. */
int trc_err_in(struct trc_err *err, const char *fmt, ...) TRC_PRINTF(2, 3);

/* Adds a way to read data to *err, without rows; what there is no room for is left out. */
void trc_err_reading(struct trc_err *err, const char *what, const char *from);

/* calloc(n, size) with its failure in *err; NULL on failure. Free with free(). */
void *trc_alloc(size_t n, size_t size, struct trc_err *err) TRC_MUST_USE;

/* The same without zeros: for what is filled at once, or of which little may ever be used. */
void *trc_alloc_room(size_t n, size_t size, struct trc_err *err) TRC_MUST_USE;

/* Makes room for at least `need` items of `size` bytes at *mem, at least doubling *cap, or a
 * quarter more if that is large; keeps what was there, new room is not cleared. On failure *mem and
 * *cap are as before. Mostly there is room, which is seen without a call. */
int trc_grow_more(void *mem, size_t *cap, size_t need, size_t size,
                  struct trc_err *err) TRC_MUST_USE;

static inline TRC_MUST_USE int
trc_grow(void *mem, size_t *cap, size_t need, size_t size, struct trc_err *err)
{
	return TRC_LIKELY(need <= *cap) ? 0 : trc_grow_more(mem, cap, need, size, err);
}

/* The same, but new room is all 0. */
int trc_grow_zeros(void *mem, size_t *cap, size_t need, size_t size,
                   struct trc_err *err) TRC_MUST_USE;

/* A copy of `s` on the heap, or NULL with *err set. */
char *trc_strdup(const char *s, struct trc_err *err) TRC_MUST_USE;

#endif
