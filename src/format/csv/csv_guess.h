/* SPDX-License-Identifier: MIT
 *
 * Guesses how to read a table of others: its fields by their names, and their units by their
 * values. The guess is for messages; a table is read by it if it is certain.
 */
#ifndef TRC_FORMAT_CSV_CSV_GUESS_H
#define TRC_FORMAT_CSV_CSV_GUESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "format/codes.h"

/* Sets r[0], r[1], ... to the ways to read a file that begins with the `n` bytes at `p`, the
 * likeliest first, by the names in its first line or else by its values, and to the fields that are
 * left out: "csv:time=ts*1e6,addr=lba*512". Returns how many; 0: no field is an address. */
unsigned trc_csv_guess(const uint8_t *p, size_t n, struct trc_reading r[TRC_READINGS]);

/* `state`, a struct trc_csv_fields, met words that are not types; sets *r to what must be added for
 * them: ",read=28". Returns false if it met none. */
bool trc_csv_amend(const void *state, struct trc_reading *r);

/* If the first line is words separated by commas that are not columns, or not only, writes what a
 * file that begins with `n` bytes may be, and how to read it, to `dst`; returns false otherwise. */
bool trc_csv_suggest(const uint8_t *p, size_t n, char *dst, size_t room);

/* Appends to `dst`; returns false if there is no room. */
bool trc_csv_put(char *dst, size_t room, const char *text, size_t len);

/* What a word that is not a type begins with, as GET_LEASE and RD do: TRC_READ or TRC_WRITE; -1:
 * neither. */
int trc_csv_begins_as(struct trc_field word);

struct trc_csv_fields;

/* Returns true if the words that are not types are the SCSI commands to read and to write, and no
 * others; then both are among them. */
bool trc_csv_complete_pair(struct trc_csv_fields *s);

/* Appends types for the unknown words of `s`, ",read=28,ignore=FLUSH": numbers as a pair, others by
 * their prefix. All others are ignored, and show in the words. Returns false if they cannot be read
 * in this way. */
bool trc_csv_put_codes(const struct trc_csv_fields *s, char *dst, size_t room);

/* Sets *t to the table that begins with the `n` bytes at `p`, if its first line is names, not
 * values: nothing in it is a number. */
struct trc_csv_table;
bool trc_csv_take_names(struct trc_csv_table *t, const uint8_t *p, size_t n);

/* Returns the column that a field of this name is, and sets *blocks if its unit is blocks of 512
 * bytes; TRC_COLUMNS: none. */
enum trc_column trc_csv_column_named(struct trc_field name, bool *blocks);

/* Returns true for names of the data read or written, for which there is no column. */
bool trc_csv_is_data(struct trc_field name);

/* Returns true for names of the end of a request, in place of its size. */
bool trc_csv_is_end(struct trc_field name);

/* Returns true for a text that begins with an object of JSON. */
bool trc_csv_is_json(const uint8_t *p, const uint8_t *e);

/* Returns the field in which all texts are URLs; -1: none. */
int trc_csv_find_url(const struct trc_csv_table *t, unsigned fields);

/* Returns true if each line is a key: a word with a mark in it, and some occur again. */
bool trc_csv_are_keys(const struct trc_csv_table *t);

/* Sets *r to the columns of its fields, by these names; returns false if none is an address. */
bool trc_csv_guess_by_names(const struct trc_csv_table *t, struct trc_reading *r);

/* Sets r[0], r[1], ... to the likely assignments of its at most TRC_CSV_ASSIGNED fields, by their
 * values; returns how many. Only the first one can be sure. */
unsigned trc_csv_guess_by_values(struct trc_csv_table *t, unsigned fields,
                                 struct trc_reading r[TRC_READINGS]);

#endif
