/* SPDX-License-Identifier: MIT
 *
 * What a table of others may be: its fields by their names, in which units they are by what stands
 * in them. A guess to begin with, for messages; nothing is read by it.
 */
#ifndef TRC_FORMAT_CSV_CSV_GUESS_H
#define TRC_FORMAT_CSV_CSV_GUESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

/* With `state` NULL, fills in *r with a way to read a file that begins with the `n` bytes at `p`,
 * by the names in its first line or else by its values, and what that leaves out:
 * "csv:time=ts*1e6,addr=lba*512"; false if nothing shows an address. Else with what has to be added
 * for the words that this state, a struct trc_csv_fields, has no types for: ",read=28"; false if it
 * met none. */
bool trc_csv_guess(const void *state, const uint8_t *p, size_t n, struct trc_reading *r);

/* Puts into `dst` what the `n` bytes that begin a file may be, and how they are read, if a first
 * line is words with commas between that are no columns, or not all; false if it is not. */
bool trc_csv_suggest(const uint8_t *p, size_t n, char *dst, size_t room);

/* Appends to `dst`; false if there is no room. */
bool trc_csv_put(char *dst, size_t room, const char *text, size_t len);

/* Appends types for the words of `s` that are none, ",read=28,ignore=FLUSH": numbers as a pair,
 * others by how they begin; the rest is left out, and shows in the words. False if that is no way
 * to read them. */
struct trc_csv_fields;
bool trc_csv_put_codes(const struct trc_csv_fields *s, char *dst, size_t room);

#endif
