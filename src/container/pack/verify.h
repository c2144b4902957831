/* SPDX-License-Identifier: MIT
 *
 * Reading back what a packer made, before anybody relies on it: the frames of each block go through
 * the code that reads containers, and the rows that come out must have the fingerprint that the
 * block has. A file that cannot be read is worse than none.
 */
#ifndef TRC_CONTAINER_VERIFY_H
#define TRC_CONTAINER_VERIFY_H

#include "base/buf.h"

struct trc_verifier;

/* For containers of these columns and blocks of up to `block_rows` rows. */
struct trc_verifier *trc_verifier_open(uint32_t have, size_t block_rows, int threads,
                                       struct trc_err *err) TRC_MUST_USE;
void trc_verifier_close(struct trc_verifier *v);

/* The next frame that is written, with its number. Fails where it is no frame, or with that of a
 * block, if not the rows come out that went in. */
int trc_verifier_frame(struct trc_verifier *v, uint8_t kind, uint64_t number,
                       const struct trc_buf *payload, struct trc_err *err) TRC_MUST_USE;

#endif
