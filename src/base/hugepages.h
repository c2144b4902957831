/* SPDX-License-Identifier: MIT
 *
 * Large pages for large memory. A block of a container fills some hundred MiB once; with pages of
 * 4 KiB the kernel spends as long on handing them out as we do on filling them.
 */
#ifndef TRC_BASE_HUGEPAGES_H
#define TRC_BASE_HUGEPAGES_H

#include <stddef.h>

/* Asks that [mem, mem + n) be in large pages where it has whole ones. A wish: nothing depends on
 * it, and where n is small nothing is asked. */
void trc_hugepages_advise(void *mem, size_t n);

/* Asks the same for all that malloc() takes from its heap. To be called once, before much is. */
void trc_hugepages_heap(void);

#endif
