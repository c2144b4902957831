/* SPDX-License-Identifier: MIT
 *
 * Which pages of a long list stood in it before. A table of them all would be searched at a random
 * place of memory for each; so the list is first dealt into buckets by a hash, in one pass, and
 * each of these has a table that fits into a cache (radix partitioning of joins: S. Manegold,
 * P. Boncz, M. Kersten, "Optimizing main-memory join on modern hardware", IEEE TKDE 14(4), 2002).
 */
#ifndef TRC_BASE_BEFORE_H
#define TRC_BASE_BEFORE_H

#include <stdint.h>

#include "base/base.h"

#define TRC_BEFORE_NONE UINT32_MAX
#define TRC_BEFORE_MOST UINT32_MAX /* pages of a list */

/* Of each of `n` pages, the last place before it at which the same one stood, of the same space;
 * TRC_BEFORE_NONE if there is none. Takes 16 to 24 bytes a page meanwhile. */
int trc_before(const uint64_t *page, const uint32_t *space, size_t n, uint32_t *before,
               struct trc_err *err) TRC_MUST_USE;

#endif
