/* SPDX-License-Identifier: MIT
 *
 * What a table of others may be: its fields by their names, in which units they are by what stands
 * in them. A guess to begin with, for messages; a table is read by it if it is sure.
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

struct trc_csv_fields;

/* Whether the words that are no types are commands of SCSI to read and to write, and nothing else;
 * then both are among them. */
bool trc_csv_complete_pair(struct trc_csv_fields *s);

/* Appends types for the words of `s` that are none, ",read=28,ignore=FLUSH": numbers as a pair,
 * others by how they begin; the rest is left out, and shows in the words. False if that is no way
 * to read them. */
bool trc_csv_put_codes(const struct trc_csv_fields *s, char *dst, size_t room);

/* Sets *t to the table that begins with the `n` bytes at `p` if its first line is names, and no
 * values: nothing in it is a number. */
struct trc_csv_table;
bool trc_csv_take_names(struct trc_csv_table *t, const uint8_t *p, size_t n);

/* Fills in *r with what its fields are by these names; false if none is an address. */
bool trc_csv_guess_by_names(const struct trc_csv_table *t, struct trc_reading *r);

#endif
