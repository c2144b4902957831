/* SPDX-License-Identifier: MIT
 *
 * Large pages for large allocations. A block of a container fills some hundred MiB once; with pages
 * of 4 KiB, the kernel needs as long to provide them as we need to fill them.
 */
#ifndef TRC_BASE_HUGEPAGES_H
#define TRC_BASE_HUGEPAGES_H

#include <stddef.h>

/* Advises the kernel to use large pages within [mem, mem + n). This is only an optimization; small
 * allocations are ignored. */
void trc_hugepages_advise(void *mem, size_t n);

/* Does the same for the heap of malloc(), if it becomes large. To be called once, before there are
 * threads. */
void trc_hugepages_heap(void);

/* Called in front of each allocation of `n` bytes. */
void trc_hugepages_expect(size_t n);

/* Gives the free memory of that heap back to the kernel. Later large arrays are outside of it,
 * where they leave no gaps as they grow. */
void trc_hugepages_shrink(void);

#endif
