/* SPDX-License-Identifier: MIT
 *
 * The growth of a program (codec/growth/program.h) with a block: the items that appear in it for
 * the first time. The same function writes and reads it, with models that live as long as the
 * program. container/SPEC.md, "Growth", has it to the bit.
 *
 * What grows within a block is one path through it. So edges are coded in order of time, an op with
 * the first edge that leads to it, and an edge begins at the op that the one before led to, unless
 * that was known already (codec/growth/edges.h). Slots follow (codec/growth/slots.h).
 */
#ifndef TRC_CODEC_GROWTH_GROWTH_H
#define TRC_CODEC_GROWTH_GROWTH_H

#include "codec/growth/slots.h"

/* Appends to `out` what was added since the last growth: nothing if nothing was. Slots have the
 * mode that costs least, of those that `modes` has for each new one; their own if it is NULL. */
int trc_growth_write(struct trc_program *p, const struct trc_slot_modes *modes, struct trc_buf *out,
                     struct trc_err *err) TRC_MUST_USE;

/* Adds the growth in [data, data + n). A damaged one leaves the program unusable. */
int trc_growth_read(struct trc_program *p, const uint8_t *data, size_t n,
                    struct trc_err *err) TRC_MUST_USE;

#endif
