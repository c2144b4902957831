/* SPDX-License-Identifier: MIT
 *
 * What every file of trc relies on: compiler attributes, errors and allocation.
 *
 * Errors are values. A function that can fail returns 0 or -1 (or one of the flow words of
 * batch/flow.h), takes `struct trc_err *err` last, never NULL, and on failure leaves one sentence
 * there: lower case, no full stop, subject in quotes, numbers in it, what to do at its end. The
 * function that detects a failure states what it is; callers prefix where it happened, with
 * trc_err_in(). Nothing below src/cmd prints.
 */
#ifndef TRC_BASE_BASE_H
#define TRC_BASE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A function that only calls TRC_PREFETCH() must be TRC_ALWAYS_INLINE: gcc considers it free of
 * side effects and drops calls to it. */
#if defined(__GNUC__)
#define TRC_MUST_USE __attribute__((warn_unused_result))
#define TRC_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#ifndef TRC_ALWAYS_INLINE
#define TRC_ALWAYS_INLINE inline __attribute__((always_inline))
#endif
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

typedef unsigned long long ull; /* what %llu takes */

/* The kind of a failure, which determines the exit status. */
enum trc_code {
	TRC_OK,         /* nothing has failed yet */
	TRC_FAILED,     /* bad input: exit 1 */
	TRC_SYSTEM,     /* the system refused: a file, a full disk: exit 1 */
	TRC_USAGE,      /* wrong usage: exit 2 */
	TRC_NO_MEMORY,  /* an allocation failed: exit 1 */
	TRC_PIPE,       /* the reader of our output went away: exit 1, no message */
	TRC_STOPPED,    /* stopped by a signal: clean up, then die of that signal */
	TRC_ONLY_WHOLE, /* an answer that shards cannot compute: exit 1 */
};

/* One way to read data that needs --from, offered to the user. */
struct trc_reading {
	char what[112];   /* such as "these are bare addresses" */
	char from[224];   /* the value for --from, or ",WORDS" to append to it */
	char filter[240]; /* what the shell does before: "tail -n +4 <"; "": nothing */
	char rows[176];   /* the first rows if read this way, each with a line feed */
	uint64_t all;     /* a hash of all rows that were looked at */
	bool sure;        /* no other way is plausible */
};

enum { TRC_READINGS = 5 };

/* An error: its kind, and one sentence. */
struct trc_err {
	enum trc_code code;
	bool unfit; /* the trace is sound, but the new format cannot hold it, or needs more */
	int status; /* exit status of a program that trc ran, to end with; 0: by `code` */
	char text[1024];
	unsigned readings; /* number of ways to read the data */
	struct trc_reading reading[TRC_READINGS];
	char more[2400]; /* further lines below the sentence, each with a line feed; "": none */
};

/* Set *err and return -1, which allows `return trc_fail(err, ...)`. */
int trc_fail(struct trc_err *err, const char *fmt, ...) TRC_PRINTF(2, 3);
int trc_fail_as(struct trc_err *err, enum trc_code code, const char *fmt, ...) TRC_PRINTF(3, 4);
int trc_fail_errno(struct trc_err *err, int number, const char *fmt, ...) TRC_PRINTF(3, 4);

/* Prefixes the sentence in *err with "WHERE: "; returns -1. */
int trc_err_in(struct trc_err *err, const char *fmt, ...) TRC_PRINTF(2, 3);

/* Adds a way to read the data to *err, without rows; ignored if there is no room for it. */
void trc_err_reading(struct trc_err *err, const char *what, const char *from);

/* Calls calloc(n, size); returns NULL on failure, with the error in *err. Free with free(). */
void *trc_alloc(size_t n, size_t size, struct trc_err *err) TRC_MUST_USE;

/* Does the same without clearing the memory, for what is filled at once or may remain mostly
 * unused. */
void *trc_alloc_room(size_t n, size_t size, struct trc_err *err) TRC_MUST_USE;

/* trc_grow() makes room for at least `need` items of `size` bytes at *mem. It doubles *cap, or adds
 * a quarter if that is large. The items are kept, and new room is not cleared. On failure, *mem and
 * *cap are unchanged. It is inlined because usually there is room already; otherwise it calls
 * trc_grow_more(). */
int trc_grow_more(void *mem, size_t *cap, size_t need, size_t size,
                  struct trc_err *err) TRC_MUST_USE;

static inline TRC_MUST_USE int
trc_grow(void *mem, size_t *cap, size_t need, size_t size, struct trc_err *err)
{
	return TRC_LIKELY(need <= *cap) ? 0 : trc_grow_more(mem, cap, need, size, err);
}

/* Returns the room of an array that trc_grow() has grown to `need` items of `size` bytes, one at a
 * time. */
size_t trc_grown(size_t need, size_t size);

/* Does the same as trc_grow(), but adds an eighth from 16 MB on: for large tables of objects, whose
 * room counts more than the time in which they are copied. */
int trc_grow_tight(void *mem, size_t *cap, size_t need, size_t size,
                   struct trc_err *err) TRC_MUST_USE;

/* Does the same as trc_grow(), but clears the new room. */
int trc_grow_zeros(void *mem, size_t *cap, size_t need, size_t size,
                   struct trc_err *err) TRC_MUST_USE;

/* Returns a copy of `s` on the heap, or NULL with *err set. */
char *trc_strdup(const char *s, struct trc_err *err) TRC_MUST_USE;

#endif
