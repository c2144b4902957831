/* SPDX-License-Identifier: MIT
 *
 * The driver that reads binary formats whose records have one size and no header.
 */
#ifndef TRC_FORMAT_RECORDS_H
#define TRC_FORMAT_RECORDS_H

#include "format/probe.h"

/* Opens a source of the records of a binary format. It owns `in` on success. */
struct trc_source *trc_records_source(const struct trc_format *f, struct trc_in *in,
                                      struct trc_err *err);

/* Returns the bid of format `f`: its parser must accept each record of the head. */
unsigned trc_records_probe(const struct trc_format *f, struct trc_probe *probe);

#endif
