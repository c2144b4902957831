/* SPDX-License-Identifier: MIT
 *
 * Changes to a container that leave its frames and packed streams whole: what was changed gets the
 * lengths and checks that it would have, so that what stands behind these is reached.
 */
#ifndef TRC_TEST_FUZZ_FRAMES_H
#define TRC_TEST_FUZZ_FRAMES_H

#include "../unit/generate.h"

/* Changes `len` bytes at `p`, which may become up to `most`, and returns how many they are. */
typedef size_t frames_change(uint8_t *p, size_t len, size_t most);

/* The same for a container, in which `change` changes pieces; with no frame in it, nothing. */
size_t frames_mutate(uint8_t *p, size_t len, size_t most, struct generator *m,
                     frames_change *change);

#endif
