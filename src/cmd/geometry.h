/* SPDX-License-Identifier: MIT
 *
 * Parses caches, [i:|d:]SIZE:WAYS:LINE[:POLICY][:PREFETCH], such as 32K:8:64,
 * d:32K:full:64:random=7 or 32K:8:64:stride=2, TLBs, and memory sizes in pages or bytes.
 */
#ifndef TRC_CMD_GEOMETRY_H
#define TRC_CMD_GEOMETRY_H

#include "base/opt.h"
#include "stage/simulate/cache/cache.h"
#include "stage/simulate/cache/tlb.h"

/* Parses one cache. */
int trc_geometry_parse(const char *word, struct trc_cache_shape *shape,
                       struct trc_err *err) TRC_MUST_USE;

/* trc_geometry_is_family() returns true if a word means several independent caches:
 * "16K..1M:1..16:64,32K:8:64:fifo", with ranges of powers of two in any part. trc_geometry_family()
 * appends these to *shape. */
bool trc_geometry_is_family(const char *word);
int trc_geometry_family(const char *word, struct trc_cache_shape **shape, size_t *n, size_t *cap,
                        struct trc_err *err) TRC_MUST_USE;

/* Writes a cache to `text` as users type it: "32K:8:64", "d:32K:8:64:fifo". Returns `text`. */
const char *trc_geometry_text(const struct trc_cache_shape *shape, char *text, size_t room);

/* Returns true if the first `len` bytes of `word` mean the policy `name`, in any case and by common
 * synonyms. */
bool trc_geometry_is_policy(const char *name, const char *word, size_t len);

/* Parses a prefetcher such as "next-line" or "stride=2", also by its names in other programs.
 * Returns false if it is unknown. */
bool trc_geometry_parse_prefetch(const char *word, struct trc_prefetch *prefetch);

/* Writes a prefetcher to `text` as users type it, "next-line" or "stride=2". Returns `text`, or NULL
 * if there is none. */
const char *trc_geometry_prefetch(const struct trc_prefetch *prefetch, char *text, size_t room);

/* Parses a policy such as "clock" or "random=7"; returns false if it is unknown. Without a seed,
 * *seed is unchanged. */
bool trc_geometry_policy(const char *word, unsigned *policy, uint64_t *seed);

/* Returns the number of words in a list of policies like "lru,random=7". */
size_t trc_geometry_words(const char *words);

/* Copies word `i` of such a list to `dst` in lower case, truncated to its room. Returns `dst`. */
enum { TRC_GEOMETRY_WORD = 32 };
const char *trc_geometry_word(const char *words, size_t i, char dst[TRC_GEOMETRY_WORD]);

/* Lists the names of all policies in `text`. Returns `text`. */
const char *trc_geometry_policies(char *text, size_t room);

/* Parses a hierarchy, starting at the level next to the processor; `shape` has room for
 * TRC_CACHES_MOST. If the first level is split, its instruction half comes first in `shape`, in
 * whatever order the two are given. */
int trc_geometry_parse_all(const struct trc_opt_list *words, struct trc_cache_shape *shape,
                           struct trc_err *err) TRC_MUST_USE;

/* Does the same for TLBs: [i:|d:|small:|huge:]ENTRIES[:WAYS[:POLICY]], such as 64:4 or
 * 1536:12:plru. An entry becomes a line of TRC_TLB_LINE bytes. Sets *by_size if the first level is
 * split by page size instead of by fetches and data. */
int trc_geometry_tlbs(const struct trc_opt_list *words, struct trc_cache_shape *shape,
                      bool *by_size, struct trc_err *err) TRC_MUST_USE;

/* Parses which addresses are in huge pages: "LO-HI,...", "all", or NULL for none. `size` is that of
 * a huge page in bytes; 0: 2 MiB. */
int trc_geometry_huge(const char *word, uint64_t size, struct trc_tlb_pages *pages,
                      struct trc_err *err) TRC_MUST_USE;

/* Sets whether the levels below the first include or exclude those above: "inclusive", "exclusive"
 * or "nine" for all, or one for each, separated by commas; NULL: nine. */
int trc_geometry_inclusion(const char *word, struct trc_cache_shape *shape, size_t n,
                           struct trc_err *err) TRC_MUST_USE;

/* The names of these, indexed by enum trc_cache_inclusion. */
extern const char *const trc_geometry_inclusions[];

/* Converts the size in option `name` to units (`unit`: "page" or "line") of 2^bits bytes. `known`
 * is false if the size of a unit is unknown. */
int trc_geometry_pages(const struct trc_opt_pages *size, const char *name, const char *unit,
                       bool known, unsigned bits, uint64_t *pages,
                       struct trc_err *err) TRC_MUST_USE;

#endif
