/* SPDX-License-Identifier: MIT
 *
 * Finds the previous occurrence of each page in a long list. A single table of all pages would be
 * accessed at a random address for each page. So the list is first partitioned into buckets by a
 * hash, in one pass, and each bucket uses a table that fits into a cache (radix partitioning of
 * joins: S. Manegold, P. Boncz, M. Kersten, "Optimizing main-memory join on modern hardware", IEEE
 * TKDE 14(4), 2002).
 */
#ifndef TRC_STAGE_SIMULATE_PREVIOUS_H
#define TRC_STAGE_SIMULATE_PREVIOUS_H

#include <stdint.h>

#include "base/base.h"

#define TRC_PREVIOUS_NONE UINT32_MAX
#define TRC_BEFORE_MOST UINT32_MAX /* maximum pages in a list */

/* Sets before[i] to the index of the previous occurrence of page i in the same space, or
 * TRC_PREVIOUS_NONE. Temporarily uses 16 to 24 bytes per page. */
int trc_previous_index(const uint64_t *page, const uint32_t *space, size_t n, uint32_t *before,
                       struct trc_err *err) TRC_MUST_USE;

#endif
