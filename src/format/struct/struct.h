/* SPDX-License-Identifier: MIT
 *
 * Records of a given layout, also for formats whose layout is known: their rows are in
 * struct_layouts.c.
 */
#ifndef TRC_FORMAT_STRUCT_STRUCT_H
#define TRC_FORMAT_STRUCT_STRUCT_H

#include "format/format.h"

extern const struct trc_packet_format trc_struct_packet;

/* Fills zeroed settings of TRC_FORMAT_SETTINGS bytes from the arguments of --from struct. */
int trc_struct_parse(const char *words, void *settings, struct trc_err *err) TRC_MUST_USE;

/* Proposes numbers of one size, if as many of them recur as keys do, in either byte order, the
 * likelier first. Returns how many. */
unsigned trc_struct_guess(const uint8_t *p, size_t n, struct trc_reading r[TRC_READINGS]);

/* The functions of a packet format, with TRC_FORMAT_STATE bytes of state. */
int trc_struct_begin(void *state, struct trc_in *in, const void *settings, struct trc_source *src,
                     struct trc_err *err) TRC_MUST_USE;
int trc_struct_records(void *state, const uint8_t **p, const uint8_t *end, struct trc_batch *b,
                       struct trc_err *err) TRC_MUST_USE;

#endif
