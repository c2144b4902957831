/* SPDX-License-Identifier: MIT
 *
 * Groups of an answer side by side, as text: a line with some facts of each, a picture, and a table
 * whose rows have the key of the answer, with the two columns `beside` of each group.
 */
#ifndef TRC_CMD_PICTURE_BESIDE_H
#define TRC_CMD_PICTURE_BESIDE_H

#include "cmd/answer/answer.h"

/* Whether an answer has such columns. */
bool trc_beside_can(const struct trc_answer *a);

/* Prints groups that have names; a->draw() draws the picture of all. */
int trc_beside_print(const struct trc_answer *a, struct trc_err *err) TRC_MUST_USE;

#endif
