/* SPDX-License-Identifier: MIT
 *
 * Caches as words: [i:|d:]SIZE:WAYS:LINE[:POLICY][:PREFETCH], like 32K:8:64, or
 * d:32K:full:64:random=7, or 32K:8:64:stride=2. And memories, in pages or bytes.
 */
#ifndef TRC_CMD_GEOMETRY_H
#define TRC_CMD_GEOMETRY_H

#include "base/opt.h"
#include "stage/simulate/cache/cache.h"
#include "stage/simulate/cache/tlb.h"

/* One cache. */
int trc_geometry_parse(const char *word, struct trc_cache_shape *shape,
                       struct trc_err *err) TRC_MUST_USE;

/* Whether a word means several caches, side by side: "16K..1M:1..16:64,32K:8:64:fifo", with ranges of
 * powers of two in any part. Appends those of one that does to *shape. */
bool trc_geometry_is_family(const char *word);
int trc_geometry_family(const char *word, struct trc_cache_shape **shape, size_t *n, size_t *cap,
                        struct trc_err *err) TRC_MUST_USE;

/* A cache as people write it, in `text`: "32K:8:64", "d:32K:8:64:fifo". */
const char *trc_geometry_text(const struct trc_cache_shape *shape, char *text, size_t room);

/* Whether `len` letters are what people call the policy of a name, in any case. */
bool trc_geometry_is_policy(const char *name, const char *word, size_t len);

/* A prefetcher as people write it, "next-line" or "stride=2"; NULL: there is none. */
const char *trc_geometry_prefetch(const struct trc_prefetch *prefetch, char *text, size_t room);

/* A policy as a word, like "clock" or "random=7": false if it is none. A seed that is not given is
 * left. */
bool trc_geometry_policy(const char *word, unsigned *policy, uint64_t *seed);

/* The names of all policies, in `text`. */
const char *trc_geometry_policies(char *text, size_t room);

/* A hierarchy, the level next to the processor first; shape has room for TRC_CACHES_MOST. Of a
 * split first level the half for fetches comes first in `shape`, whatever was given first. */
int trc_geometry_parse_all(const struct trc_opt_list *words, struct trc_cache_shape *shape,
                           struct trc_err *err) TRC_MUST_USE;

/* The same of TLBs: [i:|d:|small:|huge:]ENTRIES[:WAYS[:POLICY]], like 64:4 or 1536:12:plru, whose
 * lines are entries of TRC_TLB_LINE bytes. *by_size: the halves are one for each size of pages. */
int trc_geometry_tlbs(const struct trc_opt_list *words, struct trc_cache_shape *shape,
                      bool *by_size, struct trc_err *err) TRC_MUST_USE;

/* Which addresses are in huge pages, "LO-HI,..." or "all" or NULL, and how many bytes these have;
 * 0: 2 MiB. */
int trc_geometry_huge(const char *word, uint64_t size, struct trc_tlb_pages *pages,
                      struct trc_err *err) TRC_MUST_USE;

/* How its levels below the first include or exclude those above, by `word`: "inclusive",
 * "exclusive" or "nine", one for all, or one for each with commas; NULL: nine. */
int trc_geometry_inclusion(const char *word, struct trc_cache_shape *shape, size_t n,
                           struct trc_err *err) TRC_MUST_USE;

/* The names of these by enum trc_cache_inclusion. */
extern const char *const trc_geometry_inclusions[];

/* A size of the option `name` in units, a "page" or a "line" of 2^bits bytes. `known`: false if
 * nobody knows that. */
int trc_geometry_pages(const struct trc_opt_pages *size, const char *name, const char *unit,
                       bool known, unsigned bits, uint64_t *pages,
                       struct trc_err *err) TRC_MUST_USE;

#endif
