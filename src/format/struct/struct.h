/* SPDX-License-Identifier: MIT
 *
 * Records of a layout that is given, for formats whose layout is known: their rows are in
 * struct_layouts.c.
 */
#ifndef TRC_FORMAT_STRUCT_STRUCT_H
#define TRC_FORMAT_STRUCT_STRUCT_H

#include "format/format.h"

extern const struct trc_packet_format trc_struct_packet;

/* Fills in zeroed settings, TRC_FORMAT_SETTINGS bytes, as --from struct has it. */
int trc_struct_parse(const char *words, void *settings, struct trc_err *err) TRC_MUST_USE;

/* The `propose` of struct: numbers of one size, if as many of them recur as of keys do; in the
 * likelier byte order, though the other one may be right as well. */
bool trc_struct_guess(const void *state, const uint8_t *p, size_t n, struct trc_reading *r);

/* What the packets of such a format do, with as many bytes of state. */
int trc_struct_begin(void *state, struct trc_in *in, const void *settings, struct trc_source *src,
                     struct trc_err *err) TRC_MUST_USE;
int trc_struct_records(void *state, const uint8_t **p, const uint8_t *end, struct trc_batch *b,
                       struct trc_err *err) TRC_MUST_USE;

#endif
