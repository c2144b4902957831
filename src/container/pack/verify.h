/* SPDX-License-Identifier: MIT
 *
 * Reads back what a packer made before it is relied on: the frames of each block pass through the
 * code that reads containers, and the resulting rows must have the fingerprint of the block. A file
 * that cannot be read is worse than none.
 */
#ifndef TRC_CONTAINER_VERIFY_H
#define TRC_CONTAINER_VERIFY_H

#include "base/buf.h"

struct trc_verifier;

/* Opens a verifier for containers with the columns `have` and blocks of up to `block_rows` rows. */
struct trc_verifier *trc_verifier_open(uint32_t have, size_t block_rows, int threads,
                                       struct trc_err *err) TRC_MUST_USE;
void trc_verifier_close(struct trc_verifier *v);

/* Checks the next frame to be written, with its number. Fails if it is not a valid frame or, for
 * the last frame of a block, if the rows read back differ from those packed. */
int trc_verifier_frame(struct trc_verifier *v, uint8_t kind, uint64_t number,
                       const struct trc_buf *payload, struct trc_err *err) TRC_MUST_USE;

#endif
