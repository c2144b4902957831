/* SPDX-License-Identifier: MIT
 *
 * The driver that reads binary formats whose records have several lengths, or stand for several
 * rows. Such a format has its own probe function.
 */
#ifndef TRC_FORMAT_PACKETS_H
#define TRC_FORMAT_PACKETS_H

#include "base/bytes.h"
#include "format/probe.h"

/* Opens a source of the records of a binary format. It owns `in` on success. */
struct trc_source *trc_packets_source(const struct trc_format *f, struct trc_in *in,
                                      const void *settings, struct trc_err *err);

#endif
