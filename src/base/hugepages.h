/* SPDX-License-Identifier: MIT
 *
 * Large pages for large memory. A block of a container fills some hundred MiB once; with pages of
 * 4 KiB the kernel spends as long on handing them out as we do on filling them.
 */
#ifndef TRC_BASE_HUGEPAGES_H
#define TRC_BASE_HUGEPAGES_H

#include <stddef.h>

/* Advises the kernel to put [mem, mem + n) in large pages where it has whole ones. Nothing depends
 * on it; a small n is left alone. */
void trc_hugepages_advise(void *mem, size_t n);

/* Does the same for all that malloc() takes from its heap. To be called once, before much is
 * allocated. */
void trc_hugepages_heap(void);

#endif
