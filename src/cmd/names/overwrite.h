/* SPDX-License-Identifier: MIT
 *
 * What a word of a command line stands for is read, so that no output takes its place
 * (base/io/reads.h), also before it is opened.
 */
#ifndef TRC_CMD_NAMES_OVERWRITE_H
#define TRC_CMD_NAMES_OVERWRITE_H

#include <stdbool.h>

#include "base/base.h"

/* Adds the file `input` ("-": standard input), or all files in the folder, to those that are read,
 * and with `named`, what a manifest among them names, for which each is opened. */
int trc_overwrite_add(const char *input, bool named, struct trc_err *err) TRC_MUST_USE;

#endif
