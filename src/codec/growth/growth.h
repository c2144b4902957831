/* SPDX-License-Identifier: MIT
 *
 * The growth of a program (codec/growth/program.h) in a block: the items that appear for the first
 * time. The same function writes and reads it, with models that live as long as the program.
 * container/SPEC.md, "Growth", specifies it exactly.
 *
 * The items that appear in a block lie on one path through the program. So edges are coded in order
 * of time, each op with the first edge that leads to it, and an edge begins at the op to which the
 * previous one led, unless that op was known already (codec/growth/edges.h). Slots follow
 * (codec/growth/slots.h).
 */
#ifndef TRC_CODEC_GROWTH_GROWTH_H
#define TRC_CODEC_GROWTH_GROWTH_H

#include "codec/growth/slots.h"

/* Allocates the models of an empty program. Growths do so by themselves; this is for who allocates
 * and frees much before the first, whose memory would be split by them and touched elsewhere. */
int trc_growth_begin(struct trc_program *p, struct trc_err *err) TRC_MUST_USE;

/* Appends to `out` what was added since the last growth, or nothing if nothing was. For each new
 * slot, chooses the cheapest of its modes in `modes`, or keeps the mode it has if `modes` is
 * NULL. */
int trc_growth_write(struct trc_program *p, const struct trc_slot_modes *modes, struct trc_buf *out,
                     struct trc_err *err) TRC_MUST_USE;

/* Adds the growth in [data, data + n). If it is damaged, the program becomes unusable. */
int trc_growth_read(struct trc_program *p, const uint8_t *data, size_t n,
                    struct trc_err *err) TRC_MUST_USE;

#endif
