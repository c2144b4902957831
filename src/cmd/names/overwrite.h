/* SPDX-License-Identifier: MIT
 *
 * Registers what the words of a command line stand for as inputs, even before they are opened, so
 * that no output replaces them (base/io/reads.h).
 */
#ifndef TRC_CMD_NAMES_OVERWRITE_H
#define TRC_CMD_NAMES_OVERWRITE_H

#include <stdbool.h>

#include "base/base.h"

/* Registers the file `input` ("-": standard input), or all files in that folder. With `named`, also
 * what manifests among them name; for this, each file is opened. */
int trc_overwrite_add(const char *input, bool named, struct trc_err *err) TRC_MUST_USE;

/* Registers a word of a program that is recorded, if it is a file: what the program reads in a
 * folder, which may be the root of all, is not known. */
int trc_overwrite_add_word(const char *word, struct trc_err *err) TRC_MUST_USE;

#endif
